/* Findings of doctor: one line each, or JSON. */
#ifndef ASSAY_FINDINGS_H
#define ASSAY_FINDINGS_H

#include "base/json.h"

#include <stdio.h>

typedef struct assay_findings {
    assay_json json;    /* its stream is used for both */
    bool       is_json; /* true: JSON, begun */
} assay_findings;

/* Adds a finding: its subject, its state ("ok", "missing", "note", "broken"), and a sentence. */
void assay_finding_put(assay_findings *findings, const char *what, const char *state,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));

/* JSON: {"format":"assay doctor","format_version":1,"findings":[...]} and a line feed. Text has
 * neither begin nor end. */
void assay_findings_begin(assay_findings *findings, FILE *out, bool is_json);
void assay_findings_end(assay_findings *findings);

#endif
