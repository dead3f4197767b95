/* check, the laws of whole outputs: poison, masks, exemptions, comparison of runs, comparers and
 * invariants, hostile references. */
#include "check_fixture.h"

#include "base/parallel.h"

/* ---- unwritten ---- */

static void test_unwritten_by_type_and_runs(void **state)
{
    static const assay_type types[] = { ASSAY_F32,    ASSAY_F64, ASSAY_I32,  ASSAY_I64,
                                        ASSAY_U8,     ASSAY_F16, ASSAY_BF16, ASSAY_F8E4M3,
                                        ASSAY_F8E5M2, ASSAY_I8,  ASSAY_I16,  ASSAY_U16 };

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (int n_runs = 1; n_runs <= 3; n_runs++) {
            fixture      f;
            const size_t size = assay_type_size(types[t]);

            fixture_make(&f, types[t], 1000, n_runs, sum_tolerance);
            fixture_fill_right(&f);
            for (int r = 0; r < n_runs; r++)
                assay_fill_poison((char *)f.run[r] + 968 * size, types[t], 32, poison_of(&f, r));
            EXPECT_VERDICT(&f, ASSAY_UNWRITTEN);
            assert_true(f.row.first_bad_index == 968 && f.row.n_failed == 32);
            expect_reason(&f, "element 968 was never written");
            fixture_free(&f);
        }
}

/* A right integer may equal the poison of one run, but not of two. */
static void test_integer_that_equals_poison(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_U8, 10, 1, sum_tolerance);
    fixture_fill_right(&f);
    assay_fill_poison((uint8_t *)f.run[0] + 3, ASSAY_U8, 1, poison_of(&f, 0));
    EXPECT_VERDICT(&f, ASSAY_UNWRITTEN); /* one run: the poison is not the answer */
    f.expected[0].integer[3] = ((uint8_t *)f.run[0])[3];
    EXPECT_VERDICT(&f, ASSAY_PASS); /* one run: the poison is the answer */
    f.expected[0].law[3] = ASSAY_EXEMPT;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    fixture_free(&f);

    fixture_make(&f, ASSAY_U8, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    assay_fill_poison((uint8_t *)f.run[0] + 3, ASSAY_U8, 1, poison_of(&f, 0));
    assay_fill_poison((uint8_t *)f.run[1] + 3, ASSAY_U8, 1, poison_of(&f, 1));
    f.expected[0].integer[3] = ((uint8_t *)f.run[0])[3];
    EXPECT_VERDICT(&f, ASSAY_UNWRITTEN); /* two runs show it */
    ((uint8_t *)f.run[1])[3] = ((uint8_t *)f.run[0])[3];
    EXPECT_VERDICT(&f, ASSAY_PASS);
    fixture_free(&f);
}

/* An element that was written in one run only is a wrong value in the other, and the sentence says
 * so. */
static void test_written_in_one_run_only(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    assay_fill_poison(f32(&f, 1) + 4, ASSAY_F32, 1, poison_of(&f, 1));
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_int_equal(f.row.first_bad_index, 4);
    expect_reason(&f, "in run 1 of 2, where it was not written");
    /* Both runs wrote the same value, which happens to be the poison of one of them. */
    assay_fill_poison(f32(&f, 0) + 4, ASSAY_F32, 1, poison_of(&f, 1));
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    /* A class whose first poison is a NaN. */
    f.data.input = ASSAY_INPUT_INDEXED;
    fixture_fill_right(&f);
    assay_fill_poison(f32(&f, 0) + 4, ASSAY_F32, 1, poison_of(&f, 0));
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    expect_reason(&f, "in run 0 of 2, where it was not written");
    fixture_free(&f);
}

/* The gravest kind decides the verdict; the first element may be of any kind. */
static void test_the_first_element_that_fails(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 1, sum_tolerance);
    fixture_fill_right(&f);
    f32(&f, 0)[7] = NAN;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assert_int_equal(f.row.first_bad_index, 7);
    assert_null(strstr(f.row.reason, "the first is"));
    f32(&f, 0)[2] = 1e6f;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assert_int_equal(f.row.first_bad_index, 2);
    assert_true(f.row.first_bad_value == 1e6);
    expect_reason(&f, "element 7 is nan");
    expect_reason(&f, "2 of 10 fail, the first is element 2");
    fixture_free(&f);
}

/* A NaN of the harness has a launch, a class and an existing buffer; any other NaN is not the
 * harness's. */
static void test_a_nan_of_the_harness_is_named(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.data.input = ASSAY_INPUT_INDEXED;
    assay_fill_guard(f32(&f, 0) + 3, 4, ASSAY_F32, assay_fill_number(0, ASSAY_INPUT_INDEXED, 0));
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    expect_reason(&f, "is nan (read outside 'y')");
    assay_fill_poison(f32(&f, 0) + 3, ASSAY_F32, 1,
                      assay_fill_number(0, ASSAY_INPUT_INDEXED, ASSAY_MAX_BUFFERS));
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    expect_reason(&f, "is nan (of 'workspace' before it was written)");
    assay_fill_poison(f32(&f, 0) + 3, ASSAY_F32, 1, assay_fill_number(4, ASSAY_INPUT_INDEXED, 0));
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    expect_reason(&f, "is nan, expected");
    fixture_free(&f);
}

/* An INOUT buffer starts with its input: an element that is not written is a wrong value, and
 * poison bits have no meaning there. */
static void test_inout_is_not_poisoned(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    f.shape.buf[0].role = ASSAY_INOUT;
    f32(&f, 0)[2] = f32(&f, 1)[2] = 0;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assay_fill_poison(f32(&f, 0) + 2, ASSAY_F32, 1, poison_of(&f, 0));
    assay_fill_poison(f32(&f, 1) + 2, ASSAY_F32, 1, poison_of(&f, 1));
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    fixture_free(&f);
}

/* ---- masks ---- */

static void test_must_be_nan(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[6]   = ASSAY_MUST_BE_NAN;
    f.expected[0].value[6] = NAN;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE); /* it is a number */
    expect_reason(&f, "expected exactly NaN");
    assert_true(isnan(f.row.first_bad_expected));
    f32(&f, 0)[6] = f32(&f, 1)[6] = INFINITY;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    f32(&f, 0)[6] = NAN;
    f32(&f, 1)[6] = -NAN;
    EXPECT_VERDICT(&f, ASSAY_PASS); /* any NaN is right */
    assay_fill_poison(f32(&f, 0) + 6, ASSAY_F32, 1, poison_of(&f, 0));
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE); /* except for that of the harness */
    assay_fill_poison(f32(&f, 1) + 6, ASSAY_F32, 1, poison_of(&f, 1));
    EXPECT_VERDICT(&f, ASSAY_UNWRITTEN);
    fixture_free(&f);
}

static void test_nan_elsewhere_is_no_wildcard(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[6]   = ASSAY_MUST_BE_NAN;
    f.expected[0].value[6] = NAN;
    f32(&f, 0)[6] = f32(&f, 0)[7] = NAN;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assert_true(f.row.first_bad_index == 7 && f.row.n_failed == 1);
    fixture_free(&f);
}

static void test_infinite_reference(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].value[1] = -INFINITY;
    f32(&f, 0)[1]          = -INFINITY;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_true(f.row.worst_ratio < 1 && f.row.max_abs_expected < 2 && f.row.relative_l2 < 1e-6);
    f32(&f, 0)[1] = INFINITY;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    f32(&f, 0)[1] = -3e38f;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    f32(&f, 0)[1] = NAN;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    fixture_free(&f);
}

static void test_exemptions(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 1000, 1, sum_tolerance);
    fixture_fill_right(&f);
    memset(f.expected[0].law, ASSAY_EXEMPT, 100);
    f.expected[0].exempt_share = 1e-5; /* allows 2 */
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_int_equal(f.row.n_exempt, 0); /* the elements agree */
    f32(&f, 0)[3] = f32(&f, 0)[50] = 7;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_true(f.row.n_exempt == 2 && f.row.worst_ratio < 1);
    f32(&f, 0)[99] = 7;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_true(f.row.n_exempt == 3 && f.row.first_bad_index == 3 && f.row.n_failed == 3);
    expect_reason(&f, "3 of 1000 elements are exempt and differ");
    f32(&f, 0)[99]  = 1;
    f32(&f, 0)[100] = 7; /* not exempt */
    f32(&f, 0)[3] = f32(&f, 0)[50] = (float)f.expected[0].value[3];
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_int_equal(f.row.first_bad_index, 100);
    fixture_free(&f);
}

static void test_exempt_must_be_written_and_finite(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 1000, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[9]       = ASSAY_EXEMPT;
    f.expected[0].value[9]     = NAN; /* the reference need not have a value */
    f.expected[0].exempt_share = 0.01;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    f32(&f, 0)[9] = INFINITY;
    EXPECT_VERDICT(&f, ASSAY_NOT_FINITE);
    assay_fill_poison(f32(&f, 0) + 9, ASSAY_F32, 1, poison_of(&f, 0));
    EXPECT_VERDICT(&f, ASSAY_UNWRITTEN);
    fixture_free(&f);

    fixture_make(&f, ASSAY_I32, 1000, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[9]     = ASSAY_EXEMPT;
    ((int32_t *)f.run[0])[9] = -1;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE); /* a share of 0 allows no difference */
    fixture_free(&f);
}

/* ---- past the largest ---- */

/* If the value is beyond E4M3's largest, NaN is right, and does not change the errors of other
 * elements. */
static void test_overflow_to_nan_is_no_error(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F8E4M3, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].value[3] = 500;
    for (int r = 0; r < 2; r++)
        assay_type_store(ASSAY_F8E4M3, f.run[r], 3, 500);
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_true(f.row.max_abs_error == 0 && f.row.max_ulp_error == 0 && f.row.relative_l2 == 0);
    assert_true(f.row.worst_ratio == 0);
    fixture_free(&f);
}

/* ---- elements of which nothing is said ---- */

static void test_anything_is_right_or_nothing(void **state)
{
    static const assay_type types[] = { ASSAY_F32, ASSAY_F64, ASSAY_BF16, ASSAY_I32, ASSAY_U8 };

    (void)state;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        fixture      f;
        const size_t size = assay_type_size(types[t]);

        fixture_make(&f, types[t], 100, 3, sum_tolerance);
        fixture_fill_right(&f);
        f.variant.flags = ASSAY_DETERMINISTIC;
        memset(f.expected[0].law + 90, ASSAY_ANYTHING, 10);
        for (int r = 0; r < 3; r++) /* a different poison in each */
            assay_fill_poison((char *)f.run[r] + 90 * size, types[t], 10, poison_of(&f, r));
        f.expected[0].value[95]     = (double)NAN;
        f.expected[0].magnitude[95] = -1;
        EXPECT_VERDICT(&f, ASSAY_PASS);
        assert_true(f.row.n_failed == 0 && f.row.n_exempt == 0);
        assay_type_store(types[t], f.run[1], 93, 1);
        EXPECT_VERDICT(&f, ASSAY_PASS);
        /* Elements beside them are judged as usual. */
        assay_type_store(types[t], f.run[1], 89, 3);
        EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
        assert_true(f.row.first_bad_index == 89 && f.row.n_failed == 1);
        fixture_free(&f);
    }
}

/* ---- runs against each other ---- */

static void test_nondeterministic(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 100, 3, sum_tolerance);
    fixture_fill_right(&f);
    f32(&f, 2)[40] = nextafterf(f32(&f, 2)[40], 9);
    f32(&f, 1)[70] = nextafterf(f32(&f, 1)[70], 9);
    EXPECT_VERDICT(&f, ASSAY_PASS); /* within the tolerance, and the variant did not declare it */
    f.variant.flags = ASSAY_DETERMINISTIC;
    EXPECT_VERDICT(&f, ASSAY_NONDETERMINISTIC);
    assert_true(f.row.first_bad_index == 40 && f.row.n_failed == 2);
    assert_true(f.row.first_bad_value == (double)f32(&f, 2)[40]);
    assert_true(f.row.first_bad_expected == (double)f32(&f, 0)[40]);
    expect_reason(&f, "element 40 of y");
    expect_reason(&f, "in run 2; 2 of 100 differ");
    f32(&f, 1)[90] = 5;
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE); /* the graver finding */
    fixture_free(&f);
}

static void test_signed_zeros_are_equal_but_not_the_same(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 2, sum_tolerance);
    for (int i = 0; i < 10; i++)
        f32(&f, 0)[i] = f32(&f, 1)[i] = 0;
    f32(&f, 1)[8] = -0.0f;
    EXPECT_VERDICT(&f, ASSAY_PASS);
    f.variant.flags = ASSAY_DETERMINISTIC;
    EXPECT_VERDICT(&f, ASSAY_NONDETERMINISTIC);
    expect_reason(&f, "80000000");
    fixture_free(&f);
}

static void test_threads_do_not_change_rows(void **state)
{
    fixture         f;
    assay_check_row one;

    (void)state;
    fixture_make(&f, ASSAY_F32, 1000003, 2, sum_tolerance);
    fixture_fill_right(&f);
    f32(&f, 1)[900000] = 3;
    f32(&f, 0)[300000] = 3;
    assay_parallel_limit(1, 0);
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    one = f.row;
    for (int n = 2; n < 6; n++) {
        assay_parallel_limit(n, 0);
        EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
        assert_memory_equal(&one, &f.row, sizeof one);
    }
    assay_parallel_limit(0, -1);
    fixture_free(&f);
}

/* ---- integers ---- */

static void test_large_integers_compare_exactly(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_U64, 2, 2, sum_tolerance);
    f.expected[0].integer[0] = (int64_t)UINT64_MAX; /* its bit pattern */
    f.expected[0].integer[1] = (INT64_C(1) << 53) + 1;
    for (int r = 0; r < 2; r++) {
        ((uint64_t *)f.run[r])[0] = UINT64_MAX;
        ((uint64_t *)f.run[r])[1] = (UINT64_C(1) << 53) + 1;
    }
    EXPECT_VERDICT(&f, ASSAY_PASS);
    assert_true(f.row.max_abs_error == 0 && f.row.max_abs_expected == 0x1p64);
    ((uint64_t *)f.run[1])[1] -= 1; /* as a double it is the same */
    EXPECT_VERDICT(&f, ASSAY_WRONG_VALUE);
    assert_true(f.row.first_bad_index == 1 && f.row.max_abs_error == 1);
    expect_reason(&f, "9007199254740992 in run 1 of 2, expected exactly 9007199254740993");
    fixture_free(&f);
}

/* ---- hostile references ---- */

static void expect_case_error(fixture *f, const char *words)
{
    assay_status_reset();
    assert_int_equal(assay_check_output(&f->data, 0, &f->row), ASSAY_E_CASE);
    if (!strstr(assay_status_message(), words))
        fail_msg("'%s' is not in '%s'", words, assay_status_message());
    assert_non_null(strstr(assay_status_message(), "made_up"));
    assay_status_reset();
}

static void test_unusable_references_are_refused(void **state)
{
    static const double bad_terms[] = { 0, -1, NAN, INFINITY };
    static const double bad_share[] = { -0.1, 1, NAN };
    static const double bad_sum[]   = { -1, NAN, INFINITY };
    fixture             f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 100, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].value[33] = NAN;
    expect_case_error(&f, "element 33 of 'y'");
    f.expected[0].value[33] = 1;
    f.expected[0].law[34]   = 77;
    expect_case_error(&f, "element 34 of 'y'");
    f.expected[0].law[34] = ASSAY_COMPARE;
    for (int k = 0; k < 3; k++) {
        f.expected[0].magnitude[35] = bad_sum[k];
        expect_case_error(&f, "element 35 of 'y'");
    }
    f.expected[0].magnitude[35] = 0;
    for (int k = 0; k < 4; k++) {
        f.expected[0].terms = bad_terms[k];
        expect_case_error(&f, "terms");
    }
    f.expected[0].terms = 1;
    for (int k = 0; k < 3; k++) {
        f.expected[0].exempt_share = bad_share[k];
        expect_case_error(&f, "share");
    }
    fixture_free(&f);

    fixture_make(&f, ASSAY_I32, 100, 1, sum_tolerance);
    fixture_fill_right(&f);
    f.expected[0].law[36] = ASSAY_MUST_BE_NAN; /* no integer is NaN */
    expect_case_error(&f, "element 36 of 'y'");
    fixture_free(&f);
}

static void test_misuse_is_refused(void **state)
{
    fixture f;

    (void)state;
    fixture_make(&f, ASSAY_F32, 10, 2, sum_tolerance);
    fixture_fill_right(&f);
    assay_status_reset();
    f.data.n_runs = 0;
    assert_int_equal(assay_check_output(&f.data, 0, &f.row), ASSAY_E_INTERNAL);
    f.data.n_runs = ASSAY_MAX_RUNS + 1;
    assert_int_equal(assay_check_output(&f.data, 0, &f.row), ASSAY_E_INTERNAL);
    f.data.n_runs = 2;
    f.out[1][0]   = NULL;
    assert_int_equal(assay_check_output(&f.data, 0, &f.row), ASSAY_E_INTERNAL);
    f.out[1][0]         = f.run[1];
    f.shape.buf[0].role = ASSAY_IN;
    assert_int_equal(assay_check_output(&f.data, 0, &f.row), ASSAY_E_INTERNAL);
    assert_int_equal(assay_check_compare(&f.data, &f.row), ASSAY_E_INTERNAL);
    assert_int_equal(assay_check_invariant(&f.data, 0, &f.row), ASSAY_E_INTERNAL);
    assert_int_equal(assay_check_invariant(&f.data, -1, &f.row), ASSAY_E_INTERNAL);
    assay_status_reset();
    fixture_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unwritten_by_type_and_runs),
        cmocka_unit_test(test_the_first_element_that_fails),
        cmocka_unit_test(test_a_nan_of_the_harness_is_named),
        cmocka_unit_test(test_integer_that_equals_poison),
        cmocka_unit_test(test_written_in_one_run_only),
        cmocka_unit_test(test_inout_is_not_poisoned),
        cmocka_unit_test(test_must_be_nan),
        cmocka_unit_test(test_nan_elsewhere_is_no_wildcard),
        cmocka_unit_test(test_infinite_reference),
        cmocka_unit_test(test_exemptions),
        cmocka_unit_test(test_exempt_must_be_written_and_finite),
        cmocka_unit_test(test_overflow_to_nan_is_no_error),
        cmocka_unit_test(test_anything_is_right_or_nothing),
        cmocka_unit_test(test_nondeterministic),
        cmocka_unit_test(test_signed_zeros_are_equal_but_not_the_same),
        cmocka_unit_test(test_threads_do_not_change_rows),
        cmocka_unit_test(test_large_integers_compare_exactly),
        cmocka_unit_test(test_unusable_references_are_refused),
        cmocka_unit_test(test_misuse_is_refused),
    };

    return cmocka_run_group_tests_name("check_output", tests, NULL, NULL);
}
