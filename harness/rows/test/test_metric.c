/* metric: each regime and clock has one word, which leads back to it; no other word does. */
#include "testing/testing.h"

#include "rows/metric.h"

#include <string.h>

static void regimes_have_words(void **state)
{
    (void)state;
    for (int i = 0; i < ASSAY_N_REGIMES; i++) {
        assay_regime found = ASSAY_N_REGIMES;

        assert_true(assay_regime_find(assay_regime_text((assay_regime)i), &found));
        assert_int_equal(found, i);
        /* In the order of their words, as SQLite sorts them. */
        if (i > 0)
            assert_true(strcmp(assay_regime_text((assay_regime)(i - 1)),
                               assay_regime_text((assay_regime)i)) < 0);
    }
    assert_string_equal(assay_regime_text(ASSAY_REGIME_NONE), "");
    assert_string_equal(assay_regime_text(ASSAY_N_REGIMES), "unknown");
    assert_string_equal(assay_regime_text((assay_regime)-1), "unknown");
}

static void clocks_have_words(void **state)
{
    (void)state;
    for (int i = 0; i < ASSAY_N_CLOCKS; i++) {
        assay_clock found = ASSAY_N_CLOCKS;

        assert_true(assay_clock_find(assay_clock_text((assay_clock)i), &found));
        assert_int_equal(found, i);
        if (i > 0)
            assert_true(strcmp(assay_clock_text((assay_clock)(i - 1)),
                               assay_clock_text((assay_clock)i)) < 0);
    }
    assert_string_equal(assay_clock_text(ASSAY_CLOCK_NONE), "");
    assert_string_equal(assay_clock_text(ASSAY_N_CLOCKS), "unknown");
    assert_string_equal(assay_clock_text((assay_clock)-1), "unknown");
}

static void other_words_mean_none(void **state)
{
    static const char *const words[] = { "warm", "Cold", "cold ", " cold", "col", "unknown" };
    assay_regime             regime  = ASSAY_REGIME_HOT;
    assay_clock              clock   = ASSAY_CLOCK_PEER;

    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_false(assay_regime_find(words[i], &regime));
        assert_false(assay_clock_find(words[i], &clock));
    }
    assert_false(assay_regime_find("event", &regime));
    assert_false(assay_clock_find("cold", &clock));
    assert_int_equal(regime, ASSAY_REGIME_HOT);
    assert_int_equal(clock, ASSAY_CLOCK_PEER);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regimes_have_words),
        cmocka_unit_test(clocks_have_words),
        cmocka_unit_test(other_words_mean_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
