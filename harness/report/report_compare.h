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
/* all: rows that are SAME, too, and all points that were not compared (CSV, JSON and HTML always
 * have them). Text is written as assay_lines_write does. The stream is checked by the caller.
 * ASSAY_E_MEMORY. */
assay_status assay_report_change(const assay_change_table *table, const assay_side *a,
                                 const assay_side *b, const char *format, bool all, FILE *out);

/* What a row that was compared is judged by, with marks of report_lines.h and without an end of
 * line: "1.000 us before, 1.100 us after: +10.00 % [+9.62, +10.39]; after: noise". */
void assay_report_change_times(const assay_change *row, FILE *out);

/* "text", "csv" and "json". all: series without a finding, too (CSV and JSON always have them). */
extern const char *const assay_report_history_formats[];
void assay_report_history(const assay_history *history, const char *format, bool all, FILE *out);
/* all: each point, too (CSV and JSON always have them). */
void assay_report_calibrations(const assay_calibrations *calibrations, const char *format, bool all,
                               FILE *out);

/* All runs of the database, the newest first; formats are those of a history ("text": 80 columns).
 * The stream is checked by the caller. */
assay_status assay_report_runs(assay_store *store, const char *format, FILE *out);

#ifdef __cplusplus
}
#endif
#endif
