/* Made-up pairs of sides, and what is expected of their comparison. */
#ifndef ASSAY_COMPARE_FIXTURE_H
#define ASSAY_COMPARE_FIXTURE_H

#include "stats/compare_internal.h"
#include "testing/testing.h"

#include <math.h>
#include <string.h>

enum {
    MAX_BLOCKS = 80
};

typedef struct pair {
    assay_compare_block a[MAX_BLOCKS], b[MAX_BLOCKS];
    assay_compare_input input;
} pair;

static const assay_compare_rule rule = { 0.01, 0.01, 0.02 };

static inline void expect_near(double got, double expected, double tolerance)
{
    if (!(fabs(got - expected) <= tolerance * fabs(expected)))
        fail_msg("got %.15g, expected %.15g", got, expected);
}

/* Makes n processes of two blocks each, evenly spread over 1 +- spread around the two times. Cycles
 * are 2 per ns, times `clock_b` for B. */
static inline void make(pair *p, int n, double ns_a, double ns_b, double spread, double clock_b)
{
    memset(p, 0, sizeof *p);
    for (int i = 0; i < 2 * n; i++) {
        const double place = n > 1 ? 1 + spread * (2.0 * (i / 2) / (n - 1) - 1) : 1;

        p->a[i] = (assay_compare_block) { i / 2, ns_a * place, 2 * ns_a * place };
        p->b[i] = (assay_compare_block) { i / 2, ns_b * place, 2 * clock_b * ns_b * place };
    }
    p->input.a = (assay_compare_side) { p->a, 2 * n, 0 };
    p->input.b = (assay_compare_side) { p->b, 2 * n, 0 };
}

static inline assay_compared compare(const pair *p)
{
    assay_compared row;

    memset(&row, 0x55, sizeof row);
    assert_int_equal(assay_compare_table(&p->input, 1, &rule, &row), ASSAY_OK);
    assert_true(row.reason[0] && row.next[0]);
    return row;
}

static inline void expect(const assay_compared *row, assay_compare_verdict verdict,
                          assay_compare_cause cause, const char *reason, const char *next)
{
    if (row->verdict != verdict || (int)row->cause != (int)cause)
        fail_msg("%s, cause %d: %s", assay_compare_verdict_name(row->verdict), (int)row->cause,
                 row->reason);
    if (!strstr(row->reason, reason) || !strstr(row->next, next))
        fail_msg("\"%s\" / \"%s\"", row->reason, row->next);
}

#endif
