/* Reports. They read the database, and nothing of the harness. */
#ifndef ASSAY_REPORT_H
#define ASSAY_REPORT_H

#include "status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The formats of assay_report_write: "text" (tables for people), "csv" (RFC 4180, one line per
 * measurement, fixed columns, NaN empty), "csv-axes" (the same with a column for each axis), "json"
 * (everything, RFC 8259, NaN null), "benchmark" (the JSON of Google Benchmark),
 * "github-action-benchmark" and "bencher" (for tools that follow times over commits), "junit" (one
 * test per point), "md" (tables for GitHub) and "html" (one page that needs no other file).
 * NULL-terminated. */
extern const char *const assay_report_formats[];

/* Returns the format for --details: text and benchmark have another one. */
const char *assay_report_format(const char *format, bool has_details);

/* Writes the report of one run to `out` (run_id 0: the newest run with results). */
assay_status assay_report_write(const char *database, int64_t run_id, const char *format,
                                FILE *out);

/* Writes the verdicts of one check in several lanes, one run each (n of them, at most
 * ASSAY_REPORT_LANES): a table of variants by lanes. */
enum {
    ASSAY_REPORT_LANES = 4
};
assay_status assay_report_lanes(const char *database, const int64_t *run_ids, int n, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
