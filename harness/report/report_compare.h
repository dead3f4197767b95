/* Reports of several runs: comparisons, history, and a list. */
#ifndef ASSAY_REPORT_COMPARE_H
#define ASSAY_REPORT_COMPARE_H

#include "store/series/store_calibrate.h"
#include "store/series/store_compare.h"
#include "store/series/store_history.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "text", "md", "csv", "json" and "html" (one page that needs no other file); NULL-terminated. */
extern const char *const assay_report_change_formats[];
/* all: also rows that are SAME, and all points that were not compared (CSV, JSON and HTML always
 * have them). Text is written as assay_lines_write does. The caller checks the stream.
 * ASSAY_E_MEMORY. */
assay_status assay_report_change(const assay_change_table *table, const assay_side *a,
                                 const assay_side *b, const char *format, bool all, FILE *out);

/* Writes what a compared row is judged by, with marks of report_lines.h and without a line end:
 * "1.000 us before, 1.100 us after: +10.00 % [+9.62, +10.39]; after: noise". */
void assay_report_change_times(const assay_change *row, FILE *out);

/* "text", "csv" and "json". all: also series without a finding (CSV and JSON always have them). */
extern const char *const assay_report_history_formats[];
void assay_report_history(const assay_history *history, const char *format, bool all, FILE *out);
/* all: also each point (CSV and JSON always have them). */
void assay_report_calibrations(const assay_calibrations *calibrations, const char *format, bool all,
                               FILE *out);

/* Writes all runs of the database, the newest first, in the formats of a history ("text": 80
 * columns). The caller checks the stream. */
assay_status assay_report_runs(assay_store *store, const char *format, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
