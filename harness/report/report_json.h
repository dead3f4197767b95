/* What the JSON, Google Benchmark and HTML reports share. No other module includes this. */
#ifndef ASSAY_REPORT_JSON_H
#define ASSAY_REPORT_JSON_H

#include "report_internal.h"

assay_status assay_report_json(const assay_report *report);
/* The same with what a page shows alone: no row of each output's check, fewer and shorter numbers
 * of samples and of blocks. */
assay_status assay_report_json_for_page(const assay_report *report);
assay_status assay_report_benchmark(const assay_report *report);
assay_status assay_report_benchmark_details(const assay_report *report); /* every clock */
assay_status assay_report_github(const assay_report *report);
assay_status assay_report_bencher(const assay_report *report);
assay_status assay_report_junit(const assay_report *report);
assay_status assay_report_markdown(const assay_report *report);
assay_status assay_report_html(const assay_report *report);

/* A string, quoted. Whatever bytes it has, the result is valid UTF-8 (a byte that is none becomes
 * U+FFFD) and may stand in a script element of a page: '<' is an escape. */
void assay_json_text(FILE *out, const char *text);
/* NaN is null. An infinity is a number that no double holds, 9e999: readers get it back as one. */
void assay_json_number(FILE *out, double value);
/* A column: null, a string, a number, or a truth where its name says so (is_..., can_...). */
void assay_json_value(FILE *out, assay_cursor *row, int column);

/* The member "samples" of one measurement: in time order, in at most so many buckets, their times
 * rounded to so many digits (0: exact); and how often which time was seen. */
assay_status assay_json_samples(const assay_report *report, int64_t measurement_id,
                                int64_t max_buckets, int digits);

#endif
