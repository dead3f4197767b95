/* The host device's conversions with each rounding: integers around the powers of two, numbers of
 * fp64 of all sizes. */
#include "executor_rounded.h"

assay_launch_fn executor_converted, executor_narrowed, executor_nan;

/* ---- conversions: the exact value is a wide number */

static bool is_converted(type t, wide value, enum rounding to, double r)
{
    const double above = neighbour(t, r, INFINITY), below = neighbour(t, r, -INFINITY);

    if (value == 0 || isnan(value) || isinf(value))
        return isnan(value) ? isnan(r) : (wide)r == value && !signbit(r) == !signbit(value);
    if (to == NEAREST && isinf(r)) /* half a unit past the largest fp32 */
        return fabsl(value) >= 0x1.ffffffp127L && !signbit(r) == !signbit(value);
    if (to == NEAREST)
        return fabsl((wide)r - value) <= fabsl((wide)above - value) &&
               fabsl((wide)r - value) <= fabsl((wide)below - value);
    return (r != 0 || !signbit(r) == !signbit(value)) &&
           is_rounded(to, value < 0 ? -1 : 1, (value > (wide)r) - (value < (wide)r),
                      (value > (wide)above) - (value < (wide)above),
                      (value > (wide)below) - (value < (wide)below));
}

enum {
    N_INTEGERS = 64 * 8 + 4000
};

/* Integers around the powers of two, and random ones. */
static long long *make_integers(void)
{
    long long *integers = malloc(N_INTEGERS * sizeof *integers);
    uint64_t   seed     = 3;

    assert_non_null(integers);
    for (int i = 0; i < 64 * 8; i++) {
        const uint64_t power = UINT64_C(1) << i / 8;

        integers[i] = (long long)((i % 8 < 6 ? power : 0 - power) + (uint64_t)(i % 4) - 1);
    }
    for (int i = 64 * 8; i < N_INTEGERS; i++)
        integers[i] = (long long)next_random(&seed) >> i % 64;
    return integers;
}

static void check_integer(long long value, const double *got)
{
    const struct {
        const char *name;
        type        type;
        wide        value;
    } conversions[] = {
#define ROW(name, type, from) { #name, is_##type, (wide)(from)value },
        CONVERSION_LIST(ROW)
#undef ROW
    };

    for (int c = 0; c < N_CONVERSIONS; c++)
        for (int to = NEAREST; to <= TO_ZERO; to++)
            if (!is_converted(conversions[c].type, conversions[c].value, (enum rounding)to,
                              got[c * N_ROUNDINGS + to]))
                fail_msg("%s, rounding %d, of %Lf is not %a", conversions[c].name, to,
                         conversions[c].value, got[c * N_ROUNDINGS + to]);
}

static void test_conversions(void **state)
{
    const int64_t n        = N_INTEGERS;
    long long    *integers = make_integers();
    static double out[N_INTEGERS * N_CONVERSIONS * N_ROUNDINGS];

    (void)state;
    run_param(executor_converted, integers, N_INTEGERS * sizeof *integers, out, sizeof out, &n);
    for (int i = 0; i < N_INTEGERS; i++)
        check_integer(integers[i], out + i * N_CONVERSIONS * N_ROUNDINGS);
    free(integers);
}

static void check_narrowed(double x, const double *narrow, const unsigned long long *integers)
{
    const double rounded[] = { nearbyint(x), floor(x), ceil(x), trunc(x) };

    for (int to = NEAREST; to <= TO_ZERO; to++) {
        if (!is_converted(is_float, (wide)x, (enum rounding)to, narrow[to]))
            fail_msg("fp32, rounding %d, of %a is not %a", to, x, narrow[to]);
        if (x >= 0 && rounded[to] < 0x1p64)
            assert_true(integers[to] == (unsigned long long)rounded[to]);
        else if (!isnan(x))
            assert_true(integers[to] == (x < 0 ? 0 : ~0ull));
    }
}

static void test_narrowing(void **state)
{
    double             *x         = make_triples(); /* each number is one operand */
    const size_t        n         = (size_t)N_TRIPLES * 3;
    double             *narrow    = malloc(n * N_ROUNDINGS * sizeof *narrow);
    unsigned long long *integers  = malloc(n * N_ROUNDINGS * sizeof *integers);
    void *const         buffers[] = { x, narrow, integers };
    const int64_t       param     = (int64_t)n;
    const assay_args    args      = { .buf = buffers, .param = &param };
    assay_fault         fault;

    (void)state;
    assert_true(narrow != NULL && integers != NULL);
    assert_int_equal(api->enqueue(device, executor_narrowed, &args, &fault), ASSAY_OK);
    assert_int_equal(fault.kind, ASSAY_FAULT_NONE);
    for (size_t i = 0; i < n; i++)
        check_narrowed(x[i], narrow + i * N_ROUNDINGS, integers + i * N_ROUNDINGS);
    free(x);
    free(narrow);
    free(integers);
}

static void test_nan(void **state)
{
    const unsigned long long top32 = 1ull << 31, top64 = 1ull << 63;
    const unsigned long long want[8] = { 0, 0, top64, top64, top32, top32, top64, top64 };
    unsigned long long       out[8];

    (void)state;
    run(executor_nan, out, sizeof out);
    assert_memory_equal(out, want, sizeof want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversions),
        cmocka_unit_test(test_narrowing),
        cmocka_unit_test(test_nan),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
