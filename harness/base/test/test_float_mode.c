/* float_mode: differences are named and set back. */
#include "testing/testing.h"

#include "base/float_mode.h"

#include <float.h>
#include <string.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

static void the_default_is_no_change(void **state)
{
    char what[ASSAY_FLOAT_MODE_SIZE] = "as it was";

    (void)state;
    assert_true(assay_float_mode_reset(what));
    assert_string_equal(what, "as it was");
}

static void rounding_is_named_and_set_back(void **state)
{
    char what[ASSAY_FLOAT_MODE_SIZE] = "";

    (void)state;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    assert_false(assay_float_mode_reset(what));
    assert_string_equal(what, "does not round to nearest");
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(assay_float_mode_reset(NULL));
}

static void what_was_kept_comes_back(void **state)
{
    char   what[ASSAY_FLOAT_MODE_SIZE] = "";
    fenv_t kept;

    (void)state;
    assert_int_equal(fesetround(FE_UPWARD), 0);
    assay_float_mode_enter(&kept);
    assert_int_equal(fegetround(), FE_TONEAREST);
    assert_true(assay_float_mode_leave(&kept, what));
    assert_int_equal(fegetround(), FE_UPWARD);
    assay_float_mode_enter(&kept);
    assert_int_equal(fesetround(FE_DOWNWARD), 0);
    assert_false(assay_float_mode_leave(&kept, what));
    assert_string_equal(what, "does not round to nearest");
    assert_int_equal(fegetround(), FE_UPWARD);
    assert_int_equal(fesetround(FE_TONEAREST), 0);
}

static float third_of_smallest_normal(void)
{
    volatile float x = FLT_MIN;

    x = x / 3;
    return x;
}

static void flushing_is_named_and_set_back(void **state)
{
    (void)state;
#if defined(__x86_64__)
    char what[ASSAY_FLOAT_MODE_SIZE] = "";

    _mm_setcsr(_mm_getcsr() | 0x8040);
    assert_true(third_of_smallest_normal() == 0);
    assert_false(assay_float_mode_reset(what));
    assert_string_equal(what, "flushes denormals to zero, reads denormals as zero");
    assert_true(third_of_smallest_normal() > 0);
    _mm_setcsr(_mm_getcsr() & ~0x1f80u);
    assert_false(assay_float_mode_reset(what));
    assert_string_equal(what, "traps");
#else
    assert_true(third_of_smallest_normal() > 0);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_no_change),
        cmocka_unit_test(rounding_is_named_and_set_back),
        cmocka_unit_test(what_was_kept_comes_back),
        cmocka_unit_test(flushing_is_named_and_set_back),
    };

    return cmocka_run_group_tests_name("float_mode", tests, NULL, NULL);
}
