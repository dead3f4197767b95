/* Two variants with made-up measurements, and the result of their comparison. */
#ifndef ASSAY_TEST_SPEEDUP_FIXTURE_H
#define ASSAY_TEST_SPEEDUP_FIXTURE_H

#include "supervise/decide.h"
#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_BLOCKS = 40,
    MAX_ROWS   = 6
};

/* The rows of one variant, with the blocks of each row. */
typedef struct variant {
    assay_measurement_row rows[MAX_ROWS];
    assay_block           blocks[MAX_ROWS][MAX_BLOCKS];
    assay_samples         samples[MAX_ROWS];
    assay_measured        m[MAX_ROWS];
    int                   n;
} variant;

static variant              a, b; /* a is compared with b */
static assay_comparison_row got;

static inline int start_over(void **state)
{
    (void)state;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    return 0;
}

/* Adds a metric that has no blocks yet. */
static inline assay_samples *add(variant *v, assay_regime regime, assay_clock clock,
                                 double median_ns)
{
    assay_measurement_row *row = &v->rows[v->n];
    assay_samples         *s   = &v->samples[v->n];

    *row        = (assay_measurement_row) { .n_samples           = 40,
                                            .launches_per_sample = 20,
                                            .median_ns           = median_ns,
                                            .q1_ns               = median_ns - 20,
                                            .q3_ns               = median_ns + 20,
                                            .policy              = assay_policy_default() };
    row->regime = regime;
    row->clock  = clock;
    *s          = (assay_samples) { .blocks = v->blocks[v->n] };
    v->m[v->n]  = (assay_measured) { row, s };
    v->n++;
    return s;
}

static inline void add_block(assay_samples *s, int process, double median_ns)
{
    s->blocks[s->n_blocks++] =
        (assay_block) { .process   = process,
                        .n_samples = median_ns > 0 ? 20 : 0,
                        .median_ns = median_ns > 0 ? median_ns : (double)NAN };
}

/* Two blocks in each of three processes, all alike. */
static inline void add_even(variant *v, assay_regime regime, assay_clock clock, double median_ns)
{
    assay_samples *s = add(v, regime, clock, median_ns);

    for (int k = 0; k < 6; k++)
        add_block(s, k / 2, median_ns);
}

static inline bool compare(assay_regime regime)
{
    assay_decide(a.m, a.n);
    assay_decide(b.m, b.n);
    memset(&got, 0x55, sizeof got); /* a member that is not set would show */
    return assay_decide_speedup(a.m, a.n, b.m, b.n, regime, &got);
}

static inline void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g, expected %.12g", value, expected);
}

static inline void assert_unknown(assay_regime regime, const char *reason)
{
    assert_true(compare(regime));
    assert_false(got.is_known);
    assert_true(isnan(got.ratio) && isnan(got.lo) && isnan(got.hi));
    assert_int_equal(got.n_pairs, 0);
    assert_int_equal(got.n_processes, 0);
    assert_int_equal(got.regime, regime);
    if (!strstr(got.reason, reason))
        fail_msg("\"%s\" does not say \"%s\"", got.reason, reason);
}

#endif
