/* What the JSON, Google Benchmark and HTML reports share. No other module includes this. */
#ifndef ASSAY_REPORT_JSON_H
#define ASSAY_REPORT_JSON_H

#include "report_internal.h"

assay_status assay_report_json(const assay_report *report);
/* The same with only what a page shows: no row for each output's check, and fewer and shorter
 * numbers of samples and blocks. */
assay_status assay_report_json_for_page(const assay_report *report);
assay_status assay_report_benchmark(const assay_report *report);
assay_status assay_report_benchmark_details(const assay_report *report); /* every clock */
assay_status assay_report_github(const assay_report *report);
assay_status assay_report_bencher(const assay_report *report);
assay_status assay_report_junit(const assay_report *report);
assay_status assay_report_markdown(const assay_report *report);
assay_status assay_report_html(const assay_report *report);

/* Writes a quoted string. The result is always valid UTF-8 (an invalid byte becomes U+FFFD), and
 * can be in a script element of a page, since '<' is an escape. */
void assay_json_text(FILE *out, const char *text);
/* NaN is null. An infinity is 9e999, a number beyond every double: readers get an infinity back. */
void assay_json_number(FILE *out, double value);
/* Writes a column: null, a string, a number, or a bool if its name says so (is_..., can_...). */
void assay_json_value(FILE *out, assay_cursor *row, int column);

/* Writes the member "samples" of one measurement: in time order, in at most so many buckets, with
 * times rounded to so many digits (0: exact); and a histogram of the times. */
assay_status assay_json_samples(const assay_report *report, int64_t measurement_id,
                                int64_t max_buckets, int digits);

#endif
