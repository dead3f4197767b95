/* One output with its reference and a few runs, for the tests of the checker. */
#ifndef ASSAY_TEST_CHECK_FIXTURE_H
#define ASSAY_TEST_CHECK_FIXTURE_H

#include "testing/testing.h"

#include "check/check.h"
#include "check/fill.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct fixture {
    assay_case       definition;
    assay_variant    variant;
    assay_shape      shape;
    assay_expected   expected[ASSAY_MAX_BUFFERS];
    const void      *in[ASSAY_MAX_BUFFERS];
    const void      *out[ASSAY_MAX_RUNS][ASSAY_MAX_BUFFERS];
    void            *run[ASSAY_MAX_RUNS];
    assay_check_data data;
    assay_check_row  row;
} fixture;

/* The tolerance of fp32 sums that most tests use. */
static const assay_tolerance sum_tolerance = { .rule   = ASSAY_RULE_BOUND,
                                               .c      = 2,
                                               .u_out  = ASSAY_U32_ROUNDOFF,
                                               .u_acc  = ASSAY_U32_ROUNDOFF,
                                               .growth = ASSAY_G_LOG2,
                                               .why    = "a tree of fp32 additions" };
static const assay_tolerance ulp_tolerance = { .rule    = ASSAY_RULE_ULP,
                                               .max_ulp = 1,
                                               .why     = "rounds once" };

/* Number of the poison of run r. */
static inline int poison_of(const fixture *f, int r)
{
    return assay_fill_number(r, f->data.input, 0);
}

/* Makes n_runs outputs of `count` elements, poisoned, and a reference of zeros. */
static inline void fixture_make(fixture *f, assay_type type, int64_t count, int n_runs,
                                assay_tolerance tol)
{
    const size_t n = (size_t)count + 1;

    memset(f, 0, sizeof *f);
    f->definition.name = "made_up";
    f->definition.tol  = tol;
    f->shape.buf[0]    = (assay_buffer) { "y", ASSAY_OUT, type, count, { 0 } };
    f->expected[0]     = (assay_expected) { .value     = calloc(n, sizeof(double)),
                                            .integer   = calloc(n, sizeof(int64_t)),
                                            .magnitude = calloc(n, sizeof(double)),
                                            .law       = calloc(n, 1),
                                            .terms     = 1 };
    f->data.definition = &f->definition;
    f->data.variant    = &f->variant;
    f->data.shape      = &f->shape;
    f->data.input      = ASSAY_INPUT_RANDOM;
    f->data.seed       = 42;
    f->data.in         = f->in;
    f->data.expected   = f->expected;
    f->data.n_runs     = n_runs;
    for (int r = 0; r < n_runs; r++) {
        f->run[r]      = malloc(n * assay_type_size(type));
        f->out[r][0]   = f->run[r];
        f->data.out[r] = f->out[r];
        assay_fill_poison(f->run[r], type, count, poison_of(f, r));
    }
}

static inline void fixture_free(fixture *f)
{
    free(f->expected[0].value);
    free(f->expected[0].integer);
    free(f->expected[0].magnitude);
    free(f->expected[0].law);
    for (int r = 0; r < f->data.n_runs; r++)
        free(f->run[r]);
}

/* Expected values of 1 to 2 with a magnitude of 10; every run is right. */
static inline void fixture_fill_right(fixture *f)
{
    const assay_type type = f->shape.buf[0].type;

    for (int64_t i = 0; i < f->shape.buf[0].count; i++) {
        const double any   = 1 + (double)(assay_random(1, 1, (uint64_t)i) >> 11) * 0x1p-53;
        const double value = assay_type_size(type) <= 2 ? assay_type_round(type, any) : any;

        f->expected[0].value[i]     = value;
        f->expected[0].magnitude[i] = 10;
        f->expected[0].integer[i]   = 10 + i % 100;
        for (int r = 0; r < f->data.n_runs; r++) {
            assay_type_store(type, f->run[r], i,
                             assay_type_is_float(type) ? value : (double)(10 + i % 100));
        }
    }
}

static inline float *f32(fixture *f, int run) { return f->run[run]; }

static inline assay_verdict judge(fixture *f)
{
    memset(&f->row, 0x55, sizeof f->row);
    assay_status_reset();
    if (assay_check_output(&f->data, 0, &f->row) != ASSAY_OK)
        fail_msg("%s", assay_status_message());
    assert_true((f->row.verdict == ASSAY_PASS) == (f->row.reason[0] == '\0'));
    return f->row.verdict;
}

#define EXPECT_VERDICT(f, want)                                                                    \
    do {                                                                                           \
        if (judge(f) != (want))                                                                    \
            fail_msg("%s: %s", assay_verdict_text((f)->row.verdict), (f)->row.reason);             \
    } while (0)

static inline void expect_reason(const fixture *f, const char *words)
{
    if (!strstr(f->row.reason, words))
        fail_msg("'%s' is not in '%s'", words, f->row.reason);
}

#endif
