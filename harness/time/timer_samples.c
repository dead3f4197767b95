/* Samples of a metric: memory, and the statistics of a row. */
#include "stats/stats.h"
#include "timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void assay_samples_free(assay_samples *samples)
{
    if (samples == NULL)
        return;
    free(samples->time_ns);
    free(samples->sm_clock_mhz);
    free(samples->blocks);
    memset(samples, 0, sizeof *samples);
}

/* ---- statistics ---- */

/* Median of the values that are finite; NaN if none is. */
static assay_status median_of_known(const double *values, int64_t n, double *median)
{
    assay_status  st      = ASSAY_OK;
    double       *known   = malloc((n > 0 ? (size_t)n : 1) * sizeof *known);
    int64_t       n_known = 0;
    assay_summary s;

    ASSAY_REQUIRE(known != NULL, ASSAY_E_MEMORY, "out of memory for %lld values", (long long)n);
    for (int64_t i = 0; i < n; i++)
        if (isfinite(values[i]))
            known[n_known++] = values[i];
    ASSAY_CHECK(assay_stats_summarize(known, n_known, &s));
    *median = s.median;
out:
    free(known);
    return st;
}

/* Cycles use each sample's own clock, so that a sample at a lower clock does not count as
 * slower. */
static assay_status summarize_cycles(const assay_samples *s, assay_measurement_row *row)
{
    assay_status st     = ASSAY_OK;
    double      *cycles = malloc((s->n > 0 ? (size_t)s->n : 1) * sizeof *cycles);

    ASSAY_REQUIRE(cycles != NULL, ASSAY_E_MEMORY, "out of memory for %lld samples",
                  (long long)s->n);
    for (int64_t i = 0; i < s->n; i++)
        cycles[i] = s->time_ns[i] * s->sm_clock_mhz[i] * 1e-3;
    ASSAY_CHECK(median_of_known(cycles, s->n, &row->median_cycles));
    ASSAY_CHECK(median_of_known(s->sm_clock_mhz, s->n, &row->sm_clock_mhz));
out:
    free(cycles);
    return st;
}

/* Counts the samples of one process; the blocks of a process are consecutive. */
static int64_t find_process_end(const assay_samples *s, int64_t block, int64_t *n_samples)
{
    const int process = s->blocks[block].process;

    *n_samples = 0;
    for (; block < s->n_blocks && s->blocks[block].process == process; block++)
        *n_samples += s->blocks[block].n_samples;
    return block;
}

static assay_status summarize_processes(const assay_samples *s, assay_measurement_row *row)
{
    assay_status st    = ASSAY_OK;
    double       least = INFINITY, most = -INFINITY;
    int64_t      first = 0, n = 0;

    row->n_processes = 0;
    for (int64_t block = 0; block < s->n_blocks; first += n) {
        double middle_ns = 0;

        block = find_process_end(s, block, &n);
        row->n_processes++;
        if (n == 0)
            continue;
        ASSAY_CHECK(assay_stats_middle(s->time_ns + first, n, ASSAY_SAME_TICK_NS, &middle_ns));
        least = fmin(least, middle_ns);
        most  = fmax(most, middle_ns);
    }
    row->process_spread =
        row->n_processes > 1 && most >= least ? (most - least) / row->median_ns : (double)NAN;
out:
    return st;
}

/* Fills the spread of the samples, and how they depend on their order. */
static void summarize_order(const assay_samples *samples, const assay_summary *s,
                            assay_measurement_row *row)
{
    const char *interval =
        assay_stats_median_interval(s, row->median_ns, &row->median_lo_ns, &row->median_hi_ns);

    (void)snprintf(row->median_interval, sizeof row->median_interval, "%s", interval);
    row->mad_ns   = s->mad;
    row->lag1     = assay_stats_lag1(samples->time_ns, samples->n);
    row->drift_ns = assay_stats_drift(samples->time_ns, samples->n);
    row->energy_j = samples->n_blocks > 0 ? 0 : (double)NAN;
    for (int64_t k = 0; k < samples->n_blocks; k++)
        row->energy_j += samples->blocks[k].energy_j;
}

assay_status assay_samples_summarize(const assay_samples *samples, assay_measurement_row *row)
{
    assay_summary s;
    assay_status  st = ASSAY_OK;

    ASSAY_CHECK(assay_stats_summarize(samples->time_ns, samples->n, &s));
    ASSAY_CHECK(
        assay_stats_middle(samples->time_ns, samples->n, ASSAY_SAME_TICK_NS, &row->median_ns));
    row->n_samples = samples->n;
    row->n_blocks  = samples->n_blocks;
    row->mean_ns   = s.mean;
    row->min_ns    = s.min;
    row->max_ns    = s.max;
    row->p05_ns    = s.p05;
    row->q1_ns     = s.q1;
    row->q3_ns     = s.q3;
    row->p95_ns    = s.p95;
    row->stdev_ns  = s.stdev;
    ASSAY_CHECK(summarize_cycles(samples, row));
    ASSAY_CHECK(summarize_processes(samples, row));
    summarize_order(samples, &s, row);
    row->n_throttled = row->n_discarded = 0;
    for (int64_t k = 0; k < samples->n_blocks; k++) {
        row->n_throttled += samples->blocks[k].n_throttled;
        row->n_discarded += samples->blocks[k].n_discarded;
    }
out:
    return st;
}

const char *assay_timer_weaker_reason(const char *a, const char *b)
{
    static const char *const weakest_first[] = { "no graph", "throttled", "gate",
                                                 "budget",   "samples",   "confidence" };

    for (size_t i = 0; i < sizeof weakest_first / sizeof weakest_first[0]; i++) {
        if (strcmp(a, weakest_first[i]) == 0)
            return a;
        if (strcmp(b, weakest_first[i]) == 0)
            return b;
    }
    return a;
}
