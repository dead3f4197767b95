/* The host device's arithmetic with each rounding, on numbers of all sizes. A result is compared
 * with the exact one, which is never computed: only the sign of the difference is needed, and the
 * sign of a sum of numbers can be found exactly (Shewchuk's expansions). */
#include "executor_test.h"

#include "executor_rounded.h"

assay_launch_fn executor_rounded;

enum kind {
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    FUSED,
    RECIPROCAL,
    ROOT
};
static const struct {
    const char *name;
    type        type;
    enum kind   kind;
} operations[] = {
#define ROW(name, type, call, kind) { #name, is_##type, kind },
    ROUNDED_LIST(ROW)
#undef ROW
};

/* ---- the sign of an exact result, less a number */

/* The sign of a sum; changes the terms. */
static int sign_of_sum(wide *terms, int n)
{
    /* Each addition keeps its rounding error for the next pass. After as many passes as terms
     * nothing overlaps, and the last term that is not 0 has the sign. */
    for (int pass = 0; pass < n; pass++)
        for (int i = 1; i < n; i++) {
            const wide a = terms[i - 1], b = terms[i], sum = a + b, part = sum - a;

            terms[i - 1] = (a - (sum - part)) + (b - part);
            terms[i]     = sum;
        }
    for (int i = n - 1; i >= 0; i--)
        if (terms[i] != 0)
            return terms[i] < 0 ? -1 : 1;
    return 0;
}

/* a * b as a sum of two. */
static void multiply(wide a, wide b, wide *terms)
{
    terms[1] = a * b;
    terms[0] = fmal(a, b, -terms[1]);
}

/* The sign of the operation's exact result minus the finite number r. */
static int sign_beyond(enum kind kind, const double *x, double r)
{
    const wide a = (wide)x[0], b = (wide)x[1], s = (wide)r;
    wide       terms[4] = { 0, 0, 0, 0 };

    switch (kind) {
    case ADD:
    case SUBTRACT:
        terms[0] = -s;
        terms[1] = a;
        terms[2] = kind == ADD ? b : -b;
        return sign_of_sum(terms, 3);
    case MULTIPLY:
    case FUSED:
        multiply(a, b, terms);
        terms[2] = kind == FUSED ? (wide)x[2] : 0;
        terms[3] = -s;
        return sign_of_sum(terms, 4);
    case DIVIDE:
        multiply(-s, b, terms);
        terms[2] = a;
        return b < 0 ? -sign_of_sum(terms, 3) : sign_of_sum(terms, 3);
    case RECIPROCAL:
        multiply(-s, a, terms);
        terms[2] = 1;
        return a < 0 ? -sign_of_sum(terms, 3) : sign_of_sum(terms, 3);
    case ROOT:
        if (s < 0)
            return 1;
        multiply(-s, s, terms);
        terms[2] = a;
        return sign_of_sum(terms, 3);
    }
    return 0;
}

static int sign_beyond_any(enum kind kind, const double *x, double r)
{
    return isinf(r) ? (r < 0 ? 1 : -1) : sign_beyond(kind, x, r);
}

/* ---- is it the right one? */

/* Results that do not depend on the rounding: NaN, infinite operands, a division by zero. */
static double plain(enum kind kind, const double *x)
{
    switch (kind) {
    case ADD:
        return x[0] + x[1];
    case SUBTRACT:
        return x[0] - x[1];
    case MULTIPLY:
        return x[0] * x[1];
    case DIVIDE:
        return x[0] / x[1];
    case FUSED:
        return fma(x[0], x[1], x[2]);
    case RECIPROCAL:
        return 1 / x[0];
    case ROOT:
        return sqrt(x[0]);
    }
    return 0;
}

static bool is_special(enum kind kind, const double *x)
{
    const bool has_two = kind != RECIPROCAL && kind != ROOT;

    return !isfinite(x[0]) || (has_two && !isfinite(x[1])) || (kind == FUSED && !isfinite(x[2])) ||
           (kind == DIVIDE && x[1] == 0) || (kind == RECIPROCAL && x[0] == 0) ||
           (kind == ROOT && x[0] < 0);
}

/* The sign of an exact zero. For a sum of opposites it depends on the rounding. */
static bool zero_is_negative(enum kind kind, const double *x, enum rounding to)
{
    const bool   is_sum = kind == ADD || kind == SUBTRACT || kind == FUSED;
    const double first  = kind == FUSED ? x[0] * x[1] : x[0];
    const double second = kind == FUSED ? x[2] : kind == SUBTRACT ? -x[1] : x[1];

    if (!is_sum)
        return signbit(plain(kind, x));
    /* An underflow keeps the sign of a product that is not 0. */
    return signbit(first) == signbit(second) ? signbit(first) : to == DOWN;
}

static bool is_right(enum kind kind, type t, const double *x, enum rounding to, double r)
{
    int sign;

    if (is_special(kind, x)) {
        const double want = plain(kind, x);

        return isnan(want) ? isnan(r) : r == want && signbit(r) == signbit(want);
    }
    sign = sign_beyond(kind, x, 0);
    if (sign == 0)
        return r == 0 && signbit(r) == zero_is_negative(kind, x, to);
    return !isnan(r) && (r != 0 || signbit(r) == (sign < 0)) &&
           is_rounded(to, sign, sign_beyond_any(kind, x, r),
                      sign_beyond_any(kind, x, neighbour(t, r, INFINITY)),
                      sign_beyond_any(kind, x, neighbour(t, r, -INFINITY)));
}

/* ---- each operation on each triple */

static void check_operation(int op, const double *triple, const double *got)
{
    const bool narrow = operations[op].type == is_float;
    double     x[3];

    for (int i = 0; i < 3; i++)
        x[i] = narrow ? (double)(float)triple[i] : triple[i];
    for (int to = DOWN; to <= TO_ZERO; to++)
        if (!is_right(operations[op].kind, operations[op].type, x, (enum rounding)to, got[to]))
            fail_msg("%s, rounding %d, of %a, %a, %a is not %a", operations[op].name, to, x[0],
                     x[1], x[2], got[to]);
}

static void test_operations(void **state)
{
    const int64_t n       = N_TRIPLES;
    const size_t  bytes   = sizeof(double) * N_TRIPLES * N_ROUNDED * N_ROUNDINGS;
    double       *triples = make_triples(), *out = malloc(bytes);

    (void)state;
    assert_non_null(out);
    run_param(executor_rounded, triples, N_TRIPLES * 3 * sizeof *triples, out, bytes, &n);
    for (int i = 0; i < N_TRIPLES; i++)
        for (int op = 0; op < N_ROUNDED; op++)
            check_operation(op, triples + 3 * i, out + (i * N_ROUNDED + op) * N_ROUNDINGS);
    free(triples);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
