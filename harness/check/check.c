/* Tolerances, the law for one element, guard zones and exemptions. Whole outputs are in
 * check_output.c, comparers and invariants in check_evidence.c. */
#include "check.h"

#include "check_law.h"
#include "fill.h"
#include "stats/stats.h"

static const char EXACT_WHY[] = "exact inputs: every partial result is representable, so every "
                                "order gives the same bits";

assay_tolerance assay_check_tolerance(const assay_case *definition, const char *output,
                                      assay_type type, assay_input input)
{
    assay_tolerance tol = definition->tol;

    for (const assay_output_tolerance *t = definition->tol_for; t->output; t++)
        if (strcmp(t->output, output) == 0)
            tol = t->tol;
    if (tol.rule == ASSAY_RULE_BOUND && tol.u_out == ASSAY_U_OF_TYPE)
        tol.u_out = assay_type_roundoff(type);
    if (input == ASSAY_INPUT_EXACT && tol.rule != ASSAY_RULE_EXACT && !tol.inexact_why)
        tol = (assay_tolerance) { .rule = ASSAY_RULE_EXACT, .why = EXACT_WHY };
    return tol;
}

bool assay_check_is_compared(const assay_case *definition, const char *output)
{
    bool has_own = false, is_own = false;

    for (const assay_output_tolerance *t = definition->tol_for; t->output; t++) {
        has_own = has_own || t->tol.rule == ASSAY_RULE_OWN;
        is_own  = is_own || (t->tol.rule == ASSAY_RULE_OWN && strcmp(t->output, output) == 0);
    }
    return definition->compare && (is_own || !has_own);
}

static double growth_of(assay_growth growth, double n)
{
    switch (growth) {
    case ASSAY_G_LOG2:
        return n > 2 ? log2(n) : 1;
    case ASSAY_G_SQRT:
        return sqrt(n);
    case ASSAY_G_LINEAR:
        return n;
    case ASSAY_G_ONE:
        break;
    }
    return 1;
}

assay_check_law assay_check_law_of(const assay_tolerance *tol, assay_type type, double terms)
{
    return (assay_check_law) {
        .c        = tol->c,
        .u_out    = tol->u_out,
        .u_acc_g  = tol->u_acc * growth_of(tol->growth, terms),
        .denormal = type == ASSAY_F64 ? 0x1p-1074 : assay_type_smallest(type) / 2,
        .max_ulp  = (double)tol->max_ulp,
    };
}

bool assay_check_element(const assay_tolerance *tol, assay_type type, double got, double expected,
                         double magnitude, double terms, double *ratio)
{
    const assay_check_law law  = assay_check_law_of(tol, type, terms);
    const assay_rule      rule = assay_type_is_float(type) ? tol->rule : ASSAY_RULE_EXACT;

    return assay_law_holds(rule, type, &law, got, expected, assay_law_round(type, expected),
                           magnitude, ratio);
}

double assay_check_ulp(assay_type type, double got, double expected)
{
    return assay_law_ulp(type, got, assay_law_round(type, expected));
}

/* Returns the index of the first byte in which a and b differ; n if there is none. */
static size_t first_difference(const uint8_t *a, const uint8_t *b, size_t n)
{
    size_t i = 0;

    if (memcmp(a, b, n) == 0)
        return n;
    while (a[i] == b[i])
        i++;
    return i;
}

int64_t assay_check_guard(const void *zone, size_t bytes, assay_type type, int number)
{
    uint8_t want[ASSAY_GUARD_BYTES];

    assay_fill_guard(want, sizeof want, type, number);
    for (size_t at = 0; at < bytes; at += sizeof want) {
        const size_t n    = bytes - at < sizeof want ? bytes - at : sizeof want;
        const size_t good = first_difference((const uint8_t *)zone + at, want, n);

        if (good < n)
            return (int64_t)(at + good);
    }
    return -1;
}

int64_t assay_check_exempt_limit(int64_t count, double share)
{
    return assay_stats_binomial_upper(count, share, 1e-6);
}
