/* Samples for JSON: all of a short series; of a long one the least and the largest time and the
 * mean clock of each bucket, so that no outlier goes missing and a million samples stay small. */
#include "report_json.h"

#include <inttypes.h>
#include <math.h>

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

/* Of those that are known. */
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

/* ,"name":[one value a bucket] */
static void write_buckets(FILE *out, const char *name, const double *values, int64_t n,
                          int64_t bucket, bucket_fn *reduce)
{
    (void)fprintf(out, ",\"%s\":[", name);
    for (int64_t first = 0; first < n; first += bucket) {
        const int64_t size = n - first < bucket ? n - first : bucket;

        if (first > 0)
            (void)fputc(',', out);
        assay_json_number(out, reduce(values + first, size));
    }
    (void)fputc(']', out);
}

static void write_samples(FILE *out, const assay_stored_samples *s, int64_t max_buckets)
{
    const int64_t bucket = s->n_samples > max_buckets
                               ? s->n_samples / max_buckets + (s->n_samples % max_buckets != 0)
                               : 1;

    (void)fprintf(out, "{\"n\":%" PRId64 ",\"bucket\":%" PRId64, s->n_samples, bucket);
    if (bucket == 1) {
        write_buckets(out, "time_ns", s->time_ns, s->n_samples, bucket, least);
    } else {
        write_buckets(out, "min_ns", s->time_ns, s->n_samples, bucket, least);
        write_buckets(out, "max_ns", s->time_ns, s->n_samples, bucket, largest);
    }
    if (!isnan(mean_known(s->sm_clock_mhz, s->n_samples)))
        write_buckets(out, "sm_clock_mhz", s->sm_clock_mhz, s->n_samples, bucket, mean_known);
    (void)fputc('}', out);
}

/* Samples that were pruned or damaged cost the report nothing but themselves. */
assay_status assay_json_samples(const assay_report *report, int64_t measurement_id,
                                int64_t max_buckets)
{
    assay_stored_samples samples = { 0 };
    assay_status         st = assay_store_read_samples(report->store, measurement_id, &samples);

    (void)fputs(",\"samples\":", report->out);
    if (st == ASSAY_OK) {
        write_samples(report->out, &samples, max_buckets);
    } else if (st == ASSAY_E_DATABASE) {
        (void)fputs("{\"missing\":", report->out);
        assay_json_text(report->out, assay_status_message());
        (void)fputc('}', report->out);
        assay_status_reset();
        st = ASSAY_OK;
    }
    assay_stored_samples_free(&samples);
    return st;
}
