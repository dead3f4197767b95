/* What doctor finds: a line each, or JSON. */
#ifndef ASSAY_FINDINGS_H
#define ASSAY_FINDINGS_H

#include "base/json.h"

#include <stdio.h>

typedef struct assay_findings {
    assay_json json;    /* its stream is that of both */
    bool       is_json; /* and open */
} assay_findings;

/* Of what, its state ("ok", "missing", "note", "broken"), and words for a person. */
void assay_finding_put(assay_findings *findings, const char *what, const char *state,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* {"format":"assay doctor","format_version":1,"findings":[...]} and a line feed. Text has neither.
 */
void assay_findings_begin(assay_findings *findings, FILE *out, bool is_json);
void assay_findings_end(assay_findings *findings);

#endif
