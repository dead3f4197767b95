/* The host device's special functions against values computed to 60 digits; norms, constants, and
 * addresses of 32 bits. */
#include "executor_test.h"

#include <math.h>

assay_launch_fn executor_special, executor_norms, executor_constants, executor_address,
    executor_lost;

/* The kernel's numbers of the functions. */
enum {
    ERFINV,
    ERFCINV,
    ERFCX,
    NORMCDF,
    NORMCDFINV,
    CYL_BESSEL_I0,
    CYL_BESSEL_I1,
    N_FUNCTIONS
};

/* The value is rounded to fp64. */
static const struct {
    int    function;
    double x, value;
} known[] = {
    { ERFINV, 0x1.56e1fc2f8f359p-997, 0x1.2fdf36bf69b9fp-997 },
    { ERFINV, -0x1.b7cdfd9d7bdbbp-34, -0x1.85c4480205e36p-34 },
    { ERFINV, 0x1.0624dd2f1a9fcp-10, 0x1.d0a36543e1fd3p-11 },
    { ERFINV, 0x1p-2, 0x1.cd70681d5ff7p-3 },
    { ERFINV, 0x1p-1, 0x1.e861fbb24c00ap-2 },
    { ERFINV, -0x1.0000035afe535p-1, -0x1.e8620329b401ap-2 },
    { ERFINV, 0x1.8p-1, 0x1.a07890f6b2ba1p-1 },
    { ERFINV, -0x1.ccccccccccccdp-1, -0x1.29c0146770651p+0 },
    { ERFINV, 0x1.ff7ced916872bp-1, 0x1.29d311405cdb4p+1 },
    { ERFINV, 0x1.fffffca501acbp-1, 0x1.e21eb9013cbe7p+1 },
    { ERFINV, 0x1.fffffffffffffp-1, 0x1.7744f8f74e94ap+2 },
    { ERFCINV, 0x0.0000000000001p-1022, 0x1.b369a6244e684p+4 },
    { ERFCINV, 0x1.56e1fc2f8f359p-997, 0x1.a359fd2c5e942p+4 },
    { ERFCINV, 0x1.bff2ee48e053p-333, 0x1.e219301e62922p+3 },
    { ERFCINV, 0x1.79ca10c924223p-67, 0x1.a6804c02bb0cfp+2 },
    { ERFCINV, 0x1.4f8b588e368f1p-17, 0x1.8fcc019497d9dp+1 },
    { ERFCINV, 0x1.999999999999ap-4, 0x1.29c014677065p+0 },
    { ERFCINV, 0x1.3333333333333p-2, 0x1.773a9da42b45p-1 },
    { ERFCINV, 0x1.ffe5c91d14e3cp-2, 0x1.e87f2685e6e27p-2 },
    { ERFCINV, 0x1.6666666666666p-1, 0x1.1700774485ed3p-2 },
    { ERFCINV, 0x1.4p+0, -0x1.cd70681d5ff7p-3 },
    { ERFCINV, 0x1.8p+0, -0x1.e861fbb24c00ap-2 },
    { ERFCINV, 0x1.cp+0, -0x1.a07890f6b2ba1p-1 },
    { ERFCINV, 0x1.fff972474538fp+0, -0x1.6022dcb01ea5p+1 },
    { ERFCINV, 0x1.fffffffffffffp+0, -0x1.73856d153f081p+2 },
    { ERFCX, -0x1.ap+4, 0x1.32f288d4422dap+976 },
    { ERFCX, -0x1.6p+2, 0x1.8f5aab3a871b6p+44 },
    { ERFCX, -0x1p+0, 0x1.409321304c1fep+2 },
    { ERFCX, 0x0p+0, 0x1p+0 },
    { ERFCX, 0x1.3333333333333p-2, 0x1.781d676b434c4p-1 },
    { ERFCX, 0x1p+0, 0x1.b5d8780f956b2p-2 },
    { ERFCX, 0x1.d99999999999ap+1, 0x1.2df26665aa166p-3 },
    { ERFCX, 0x1.3fae147ae147bp+3, 0x1.cc5ce5bf64861p-5 },
    { ERFCX, 0x1.4p+3, 0x1.cbe831f997124p-5 },
    { ERFCX, 0x1.9p+3, 0x1.7093453935bbap-5 },
    { ERFCX, 0x1.ap+4, 0x1.63438bf2c3ee9p-6 },
    { ERFCX, 0x1.9p+6, 0x1.71ba92b1d1777p-8 },
    { ERFCX, 0x1.2a05f2p+33, 0x1.f044332d68161p-35 },
    { ERFCX, 0x1.4e718d7d7625ap+664, 0x1.ba394ce53f796p-666 },
    { NORMCDF, -0x1.3p+5, 0x0.00000037b23b8p-1022 },
    { NORMCDF, -0x1.48p+4, 0x1.1f6a3f82871ecp-309 },
    { NORMCDF, -0x1.4p+2, 0x1.33ca2f2133831p-22 },
    { NORMCDF, -0x1p+0, 0x1.44ed0bb7cb20bp-3 },
    { NORMCDF, -0x1.999999999999ap-4, 0x1.d7375f15b2f1ep-2 },
    { NORMCDF, 0x0p+0, 0x1p-1 },
    { NORMCDF, 0x1p-1, 0x1.62075e232ac77p-1 },
    { NORMCDF, 0x1.8p+0, 0x1.ddcb724ed3702p-1 },
    { NORMCDF, 0x1.8p+1, 0x1.ff4f10f033d25p-1 },
    { NORMCDF, 0x1p+3, 0x1.ffffffffffffap-1 },
    { NORMCDFINV, 0x0.00000000007e8p-1022, -0x1.32272b3016ccdp+5 },
    { NORMCDFINV, 0x1.bff2ee48e053p-333, -0x1.546010d755221p+4 },
    { NORMCDFINV, 0x1.12e0be826d695p-30, -0x1.7fdc11f44b5a7p+2 },
    { NORMCDFINV, 0x1.0624dd2f1a9fcp-10, -0x1.8b8cbb7204471p+1 },
    { NORMCDFINV, 0x1.999999999999ap-3, -0x1.aee8fa73a1333p-1 },
    { NORMCDFINV, 0x1.3333333333333p-2, -0x1.0c7e39582c5fbp-1 },
    { NORMCDFINV, 0x1.0000035afe535p-1, 0x1.0d25ac5f0e9c8p-22 },
    { NORMCDFINV, 0x1.3333333333333p-1, 0x1.036d6c4a04b59p-2 },
    { NORMCDFINV, 0x1.999999999999ap-1, 0x1.aee8fa73a1335p-1 },
    { NORMCDFINV, 0x1.ffffde7210be9p-1, 0x1.30381a97985efp+2 },
    { CYL_BESSEL_I0, 0x0p+0, 0x1p+0 },
    { CYL_BESSEL_I0, 0x1.12e0be826d695p-30, 0x1p+0 },
    { CYL_BESSEL_I0, 0x1p-1, 0x1.104072392c8p+0 },
    { CYL_BESSEL_I0, -0x1.8p+1, 0x1.385ee7ddb65f1p+2 },
    { CYL_BESSEL_I0, 0x1.4p+4, 0x1.4c52c5479f734p+25 },
    { CYL_BESSEL_I0, -0x1.9p+6, 0x1.8a6f2011ec0d2p+139 },
    { CYL_BESSEL_I0, 0x1.5ep+9, 0x1.c8cdeeadb5dfp+1003 },
    { CYL_BESSEL_I1, 0x0p+0, 0x0p+0 },
    { CYL_BESSEL_I1, 0x1.12e0be826d695p-30, 0x1.12e0be826d695p-31 },
    { CYL_BESSEL_I1, 0x1p-1, 0x1.081571ddea056p-2 },
    { CYL_BESSEL_I1, -0x1.8p+1, -0x1.fa0809085cc04p+1 },
    { CYL_BESSEL_I1, 0x1.4p+4, 0x1.43e7deb14bddep+25 },
    { CYL_BESSEL_I1, -0x1.9p+6, -0x1.8874f981a92abp+139 },
    { CYL_BESSEL_I1, 0x1.5ep+9, 0x1.c87a5f5ceb9dfp+1003 },
};
enum {
    N_KNOWN = (int)(sizeof known / sizeof known[0])
};

/* The difference in units of the last place of fp64. */
static double units_off(double got, double want)
{
    const double unit = nextafter(fabs(want), INFINITY) - fabs(want);

    return got == want ? 0 : fabs(got - want) / unit;
}

/* Evaluates the function at x and, in fp32, at x rounded. */
static void evaluate(int function, const double *x, double (*out)[2], int n)
{
    const int64_t params[] = { n, function };

    run_param(executor_special, x, (size_t)n * sizeof *x, out, (size_t)n * sizeof *out, params);
}

static void test_known_values(void **state)
{
    (void)state;
    for (int i = 0; i < N_KNOWN; i++) {
        double out[1][2];

        evaluate(known[i].function, &known[i].x, out, 1);
        if (!(units_off(out[0][0], known[i].value) <= 1))
            fail_msg("function %d of %a is %a, not %a", known[i].function, known[i].x, out[0][0],
                     known[i].value);
    }
}

/* In fp32 the result is the fp64 result for the same number, rounded, unless fp64 is off as
 * well. */
static void test_fp32(void **state)
{
    (void)state;
    for (int i = 0; i < N_KNOWN; i++) {
        const double x = (double)(float)known[i].x;
        double       out[1][2];

        evaluate(known[i].function, &x, out, 1);
        if ((double)(float)out[0][0] != out[0][1])
            fail_msg("function %d of %a is %a in fp32, %a in fp64", known[i].function, x, out[0][1],
                     out[0][0]);
    }
}

static void test_limits(void **state)
{
    static const struct {
        int    function;
        double x, value;
    } limits[] = {
        { ERFINV, 1, INFINITY },
        { ERFINV, -1, -INFINITY },
        { ERFINV, 1.5, NAN },
        { ERFINV, 0, 0 },
        { ERFCINV, 0, INFINITY },
        { ERFCINV, 2, -INFINITY },
        { ERFCINV, 1, 0 },
        { ERFCINV, -0.5, NAN },
        { ERFCX, -30, INFINITY },
        { ERFCX, INFINITY, 0 },
        { ERFCX, -INFINITY, INFINITY },
        { NORMCDF, INFINITY, 1 },
        { NORMCDF, -INFINITY, 0 },
        { NORMCDFINV, 0, -INFINITY },
        { NORMCDFINV, 1, INFINITY },
        { NORMCDFINV, 0.5, 0 },
        { NORMCDFINV, 2, NAN },
        { NORMCDF, NAN, NAN },
        { CYL_BESSEL_I0, INFINITY, INFINITY },
        { CYL_BESSEL_I1, -INFINITY, -INFINITY },
        { CYL_BESSEL_I0, NAN, NAN },
        { ERFINV, NAN, NAN },
        { ERFCX, NAN, NAN },
    };

    (void)state;
    for (int i = 0; i < (int)(sizeof limits / sizeof limits[0]); i++) {
        double out[1][2];

        evaluate(limits[i].function, &limits[i].x, out, 1);
        for (int j = 0; j < 2; j++)
            if (!(isnan(limits[i].value) ? isnan(out[0][j]) : out[0][j] == limits[i].value))
                fail_msg("function %d of %g is %g", limits[i].function, limits[i].x, out[0][j]);
    }
}

static void check_norms(const double *x, const double *want)
{
    double out[16];

    run_param(executor_norms, x, 4 * sizeof *x, out, sizeof out, NULL);
    for (int i = 0; i < 16; i++) {
        const double norm = i % 2 == 0 ? want[i / 2 % 4] : 1 / want[i / 2 % 4];
        const double unit = i < 8 ? 1 : 0x1p29; /* of fp32 */

        if (!(units_off(out[i], norm) <= 3 * unit) && !(i >= 8 && !isfinite((float)norm)))
            fail_msg("norm %d is %.17g, not %.17g", i, out[i], norm);
    }
}

static void test_norms(void **state)
{
    const double plain[]         = { 3, 4, 12, 84 };
    const double plain_norms[]   = { 85, 13, 85, 5 };
    const double large[]         = { 3e200, 4e200, 12e200, 84e200 };
    const double large_norms[]   = { 85e200, 13e200, 85e200, 5e200 };
    const double endless[]       = { NAN, INFINITY, 1, 2 };
    const double endless_norms[] = { INFINITY, INFINITY, INFINITY, INFINITY };
    double       out[16];

    (void)state;
    check_norms(plain, plain_norms);
    run_param(executor_norms, large, sizeof large, out, sizeof out, NULL);
    for (int i = 0; i < 8; i += 2)
        assert_true(units_off(out[i], large_norms[i / 2]) <= 2);
    run_param(executor_norms, endless, sizeof endless, out, sizeof out, NULL);
    for (int i = 0; i < 16; i++)
        assert_true(out[i] == (i % 2 == 0 ? endless_norms[0] : 0));
}

static void test_constants(void **state)
{
    double out[10];

    (void)state;
    run(executor_constants, out, sizeof out);
    assert_true(out[0] == M_PI && out[1] == M_LOG2E && out[2] == log(M_PI) && out[3] == 2.0 / 3);
    assert_true(out[4] == INFINITY && isnan(out[5]) && isnan(out[6]));
    assert_true(out[7] == (double)(float)M_PI && out[8] == 321 && out[9] == M_LN2);
}

/* ---- addresses */

static void test_addresses(void **state)
{
    (void)state;
    for (int s = 0; s < N_SCHEDULES; s++) {
        unsigned out[3 * 64];

        api->schedule(device, &schedules[s]);
        run(executor_address, out, sizeof out);
        for (int i = 0; i < 3 * 64; i++)
            assert_int_equal(out[i], 0x3f);
    }
    api->schedule(device, &schedules[0]);
}

static void test_lost_addresses(void **state)
{
    static const char *const texts[] = { "no address of shared memory", "no shared array",
                                         "0x00000028 at" };

    (void)state;
    for (int64_t what = 0; what < 3; what++) {
        unsigned          out;
        const assay_fault fault = run_for_fault(executor_lost, NULL, 0, &out, sizeof out, &what);

        assert_int_equal(fault.kind, ASSAY_FAULT_ADDRESS);
        assert_non_null(strstr(fault.text, texts[what]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),   cmocka_unit_test(test_fp32),
        cmocka_unit_test(test_limits),         cmocka_unit_test(test_norms),
        cmocka_unit_test(test_constants),      cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_lost_addresses),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
