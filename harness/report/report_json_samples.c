/* Samples for JSON. A short series is written whole. A long one is divided into buckets, each with
 * its least time, its largest time and its mean clock, so that no outlier is lost and a million
 * samples stay small. */
#include "report_json.h"

#include "base/sort.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef double bucket_fn(const double *values, int64_t n);

static double least(const double *values, int64_t n)
{
    double found = values[0];

    for (int64_t i = 1; i < n; i++)
        found = fmin(found, values[i]);
    return found;
}

static double largest(const double *values, int64_t n)
{
    double found = values[0];

    for (int64_t i = 1; i < n; i++)
        found = fmax(found, values[i]);
    return found;
}

/* The mean of the values that are known. */
static double mean_known(const double *values, int64_t n)
{
    double  sum   = 0;
    int64_t known = 0;

    for (int64_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            continue;
        sum += values[i];
        known++;
    }
    return known > 0 ? sum / (double)known : (double)NAN;
}

/* Rounds to that many digits; 0: returns the value as it is. */
static double rounded(double value, int digits)
{
    const double e     = digits - 1 - floor(log10(fabs(value)));
    const double scale = pow(10, fabs(e));

    if (digits == 0 || !isnormal(value) || !isnormal(scale))
        return value;
    return e < 0 ? round(value / scale) * scale : round(value * scale) / scale;
}

/* How samples are written: one value for each `bucket` samples. */
typedef struct shape {
    int64_t bucket;
    int     digits;
} shape;

/* Writes ,"name":[one value for each bucket] */
static void write_buckets(FILE *out, const char *name, const double *values, int64_t n,
                          const shape *as, bucket_fn *reduce)
{
    (void)fprintf(out, ",\"%s\":[", name);
    for (int64_t first = 0; first < n; first += as->bucket) {
        const int64_t size = n - first < as->bucket ? n - first : as->bucket;

        if (first > 0)
            (void)fputc(',', out);
        assay_json_number(out, rounded(reduce(values + first, size), as->digits));
    }
    (void)fputc(']', out);
}

/* ---- how often which time was seen ---- */

enum {
    BINS = 40,
    FAR  = 4 /* interquartile ranges from the quartiles; samples beyond are counted apart */
};

/* Writes ,"seen":{"from":,"step":,"n":[of each bin],"below":,"above":} for n > 0 sorted times. */
static void write_seen(FILE *out, const double *sorted, int64_t n, int digits)
{
    const double q1 = assay_stats_quantile(sorted, n, 0.25);
    const double q3 = assay_stats_quantile(sorted, n, 0.75);
    const double lo = fmax(sorted[0], q1 - FAR * (q3 - q1));
    const double hi = fmin(sorted[n - 1], q3 + FAR * (q3 - q1)), step = (hi - lo) / BINS;
    int64_t      i = 0, below = 0;

    while (i < n && sorted[i] < lo)
        below = ++i;
    (void)fputs(",\"seen\":{\"from\":", out);
    assay_json_number(out, rounded(lo, digits));
    (void)fputs(",\"step\":", out);
    assay_json_number(out, rounded(step, digits));
    for (int bin = 0; bin < BINS && i < n; bin++) {
        const int64_t first = i;

        while (i < n && sorted[i] <= hi && (bin == BINS - 1 || sorted[i] < lo + (bin + 1) * step))
            i++;
        (void)fprintf(out, "%s%" PRId64, bin > 0 ? "," : ",\"n\":[", i - first);
        if (step == 0)
            break;
    }
    (void)fprintf(out, "],\"below\":%" PRId64 ",\"above\":%" PRId64 "}", below, n - i);
}

static assay_status sort_and_write_seen(FILE *out, const assay_stored_samples *s, int digits)
{
    const size_t size   = (size_t)s->n_samples * sizeof *s->time_ns;
    double      *sorted = malloc(size);
    assay_status st     = ASSAY_OK;

    ASSAY_REQUIRE(sorted, ASSAY_E_MEMORY, "no memory for %" PRId64 " samples", s->n_samples);
    memcpy(sorted, s->time_ns, size);
    qsort(sorted, (size_t)s->n_samples, sizeof *sorted, assay_compare_doubles);
    write_seen(out, sorted, s->n_samples, digits);
out:
    free(sorted);
    return st;
}

/* ---- one measurement ---- */

static assay_status write_samples(FILE *out, const assay_stored_samples *s, int64_t max_buckets,
                                  int digits)
{
    const shape as = { s->n_samples > max_buckets
                           ? s->n_samples / max_buckets + (s->n_samples % max_buckets != 0)
                           : 1,
                       digits };
    assay_status st = ASSAY_OK;

    (void)fprintf(out, "{\"n\":%" PRId64 ",\"bucket\":%" PRId64, s->n_samples, as.bucket);
    if (as.bucket == 1) {
        write_buckets(out, "time_ns", s->time_ns, s->n_samples, &as, least);
    } else {
        write_buckets(out, "min_ns", s->time_ns, s->n_samples, &as, least);
        write_buckets(out, "max_ns", s->time_ns, s->n_samples, &as, largest);
    }
    if (!isnan(mean_known(s->sm_clock_mhz, s->n_samples)))
        write_buckets(out, "sm_clock_mhz", s->sm_clock_mhz, s->n_samples, &as, mean_known);
    if (s->n_samples > 0)
        ASSAY_CHECK(sort_and_write_seen(out, s, digits));
    (void)fputc('}', out);
out:
    return st;
}

/* If samples were pruned or are damaged, the report lacks them and nothing else. */
assay_status assay_json_samples(const assay_report *report, int64_t measurement_id,
                                int64_t max_buckets, int digits)
{
    assay_stored_samples samples = { 0 };
    assay_status         st = assay_store_read_samples(report->store, measurement_id, &samples);

    (void)fputs(",\"samples\":", report->out);
    if (st == ASSAY_OK) {
        ASSAY_CHECK(write_samples(report->out, &samples, max_buckets, digits));
    } else if (st == ASSAY_E_DATABASE) {
        (void)fputs("{\"missing\":", report->out);
        assay_json_text(report->out, assay_status_message());
        (void)fputc('}', report->out);
        assay_status_reset();
        st = ASSAY_OK;
    }
out:
    assay_stored_samples_free(&samples);
    return st;
}
