/* compare: every rule and its edge, and the sentences for its reader. */
#include "compare_fixture.h"

static void test_decided(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 100.1, 0.001, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_DECIDED, "cycles +0.10 %", "nothing to do");
    make(&p, 3, 100, 103, 0.001, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "time +3.00 %", "repeat to confirm");
    expect_near(row.p_corrected, row.time.p, 1e-12);
    make(&p, 3, 103, 100, 0.001, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_FASTER, ASSAY_COMPARE_DECIDED, "time -2.91 %", "accept");
}

/* If all processes agree to the last bit, that is chance: an interval without width is never
 * believed. */
static void test_no_spread(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 100.9, 0, 1);
    row = compare(&p);
    assert_true(row.time.hi - row.time.lo > 0.001 && row.time.p > 0);
}

static void test_identical(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 100, 0.1, 1); /* identical, although the spread is wide */
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_IDENTICAL, "same measurements", "nothing");
    make(&p, 1, 100, 100, 0, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_IDENTICAL, "same measurements", "nothing");
    p.b[1].cycles = nextafter(p.b[1].cycles, 0);
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_CANNOT_TELL);
    /* Times on a coarse tick can be equal by chance. */
    make(&p, 3, 2000, 2000, 0, 1);
    for (int i = 0; i < 6; i++)
        p.a[i].cycles = p.b[i].cycles = NAN;
    p.input.a.step_ns = p.input.b.step_ns = 32;
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_CANNOT_TELL);
    /* Two sides without measurements are not the same measurement. */
    p.input.a.n_blocks = p.input.b.n_blocks = 0;
    row                                     = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_FEW, "unknown from 0 and 0", "repeat");
}

static void test_few_processes(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 2, 100, 150, 0.001, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_FEW, "+50.00 % from 2 and 2",
           "--processes 3");
    assert_true(isnan(row.time.p) && isnan(row.p_corrected) && isnan(row.time.lo));
    make(&p, 3, 100, 150, 0.001, 1);
    p.input.b.n_blocks = 4;
    row                = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_FEW, "3 and 2", "repeat");
}

/* Not significant does not mean SAME. As many processes as advised do decide. */
static void test_wide(void **state)
{
    pair           p;
    assay_compared row;
    int            n;

    (void)state;
    make(&p, 3, 100, 100.2, 0.01, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_WIDE, "reaches across the limit of 1.00",
           "--processes");
    n = (int)row.n_needed;
    assert_true(n > 3 && n <= 30);
    make(&p, n, 100, 100.2, 0.01 * sqrt((n - 1.0) / n), 1);
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_SAME);
    /* The effect is at the limit itself, so no number of processes helps. */
    make(&p, 3, 100, 101, 0.01, 1);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_WIDE, "reaches across", "not even 32");
    assert_true(row.n_needed == 0);
}

/* The advice can be followed: --processes accepts that number. */
static void test_advice_can_be_followed(void **state)
{
    (void)state;
    for (double spread = 0.01; spread < 0.04; spread += 0.0005) {
        pair           p;
        assay_compared row;

        make(&p, 3, 100, 100.2, spread, 1);
        row = compare(&p);
        assert_true(row.n_needed <= 32);
        if (row.n_needed == 0 && row.cause == ASSAY_COMPARE_WIDE)
            assert_non_null(strstr(row.next, "not even 32 processes"));
    }
}

static void test_band(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 103, 0.001, 1);
    p.input.known.band = 0.04;
    row                = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_IN_BAND, "differ by up to 4.00 %",
           "calibrate");
    expect_near(row.margin, 0.04, 1e-12);
    make(&p, 3, 100, 106, 0.001, 1);
    p.input.known.band = 0.04;
    row                = compare(&p);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "its own band of 4.00 %", "confirm");
    /* A narrow band does not undercut the threshold; a wide band is named with SAME. */
    make(&p, 3, 100, 100.8, 0.0001, 1);
    p.input.known.band = 0.001;
    assert_int_equal(compare(&p).verdict, ASSAY_COMPARE_SAME);
    p.input.known.band = 0.05;
    row                = compare(&p);
    expect(&row, ASSAY_COMPARE_SAME, ASSAY_COMPARE_DECIDED, "but runs of the same build", "");
}

static void test_unknown_band(void **state)
{
    const assay_compare_rule usual = assay_compare_rule_default();
    pair                     p;
    assay_compared           row;

    (void)state;
    make(&p, 3, 100, 101.3, 0.0001, 1);
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_IN_BAND, "not known: 1.50 % assumed",
           "calibrate");
    p.input.known.band = 0.002;
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    assert_int_equal(row.verdict, ASSAY_COMPARE_SLOWER);
}

/* A case's band replaces a point's. It can make the assumed band wider, but not narrower. */
static void test_case_band(void **state)
{
    const assay_compare_rule usual = assay_compare_rule_default();
    pair                     p;
    assay_compared           row;

    (void)state;
    make(&p, 3, 100, 101.3, 0.0001, 1);
    p.input.known.case_band = 0.002;
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_IN_BAND, "not known: 1.50 % assumed",
           "calibrate");
    make(&p, 3, 100, 103, 0.001, 1);
    p.input.known.case_band = 0.04;
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_IN_BAND,
           "differ by up to 4.00 %, by all points of the case", "calibrate");
    p.input.known.band = 0.002;
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "beyond the limit of 1.00 %", "");
    make(&p, 3, 100, 106, 0.001, 1);
    p.input.known.case_band = 0.04;
    assert_int_equal(assay_compare_table(&p.input, 1, &usual, &row), ASSAY_OK);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "its case's band of 4.00 %", "");
}

static void test_clock(void **state)
{
    pair           p;
    assay_compared row;

    (void)state;
    make(&p, 3, 100, 103, 0.001, 1 / 1.03); /* slower, with the same number of cycles */
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_CLOCK,
           "the clock was lower, not the kernel slower", "temperature");
    make(&p, 3, 103, 100, 0.001, 1.03);
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_CLOCK,
           "the clock was higher, not the kernel faster", "temperature");
    make(&p, 3, 100, 103, 0.001, 1);
    p.b[0].cycles *= 1.05; /* too uneven to confirm or deny */
    p.b[2].cycles *= 0.95;
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_CANNOT_TELL, ASSAY_COMPARE_CYCLES_OPEN, "neither confirm", "");
    make(&p, 3, 100, 103, 0.001, 1);
    for (int i = 0; i < 6; i++)
        p.b[i].cycles = NAN;
    row = compare(&p);
    expect(&row, ASSAY_COMPARE_SLOWER, ASSAY_COMPARE_DECIDED, "cycles unknown, by time alone", "");
    assert_false(row.has_cycles);
}

static void test_confirm(void **state)
{
    (void)state;
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < 4; b++)
            assert_int_equal(
                assay_compare_confirm((assay_compare_verdict)a, (assay_compare_verdict)b),
                a == b ? a : ASSAY_COMPARE_CANNOT_TELL);
    assert_string_equal(assay_compare_verdict_name(ASSAY_COMPARE_CANNOT_TELL), "CANNOT_TELL");
    assert_string_equal(assay_compare_verdict_name((assay_compare_verdict)99), "?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decided),
        cmocka_unit_test(test_no_spread),
        cmocka_unit_test(test_identical),
        cmocka_unit_test(test_few_processes),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_band),
        cmocka_unit_test(test_advice_can_be_followed),
        cmocka_unit_test(test_unknown_band),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_case_band),
        cmocka_unit_test(test_confirm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
