/* Clock event reasons: their names, and which of them throttle. */
#include "machine/nvml.h"
#include "testing/testing.h"

#include <string.h>

static const struct reason {
    int64_t     reasons;
    const char *words;
    bool        throttles;
} reasons[] = {
    { 0x1, "idle", false },
    { 0x2, "application clocks", false },
    { 0x4, "power cap", true },
    { 0x8, "hardware slowdown", true },
    { 0x10, "sync boost", false },
    { 0x20, "thermal slowdown", true },
    { 0x40, "hardware thermal slowdown", true },
    { 0x80, "power brake", true },
    { 0x100, "display clocks", false },
    { 0, "none", false },
    { -1, "unknown (-1)", false },
    { -5, "unknown (-5)", false },
    { INT64_MIN, "unknown (-9223372036854775808)", false },
    { 0x24, "power cap, thermal slowdown", true },
    { 0x11, "idle, sync boost", false },
    { 0x200, "0x200", false },
    { 0x604, "power cap, 0x600", true },
    { INT64_C(1) << 62, "0x4000000000000000", false },
    { INT64_MAX,
      "idle, application clocks, power cap, hardware slowdown, sync boost, thermal slowdown, "
      "hardware thermal slowdown, power brake, display clocks, 0x7ffffffffffffe00",
      true },
};
enum {
    N_REASONS = sizeof reasons / sizeof reasons[0]
};

static void every_reason_has_words(void **state)
{
    char text[256];

    (void)state;
    for (size_t i = 0; i < N_REASONS; i++) {
        memset(text, '#', sizeof text);
        assert_ptr_equal(assay_nvml_reasons_text(reasons[i].reasons, text, sizeof text), text);
        assert_string_equal(text, reasons[i].words);
    }
}

static void words_are_cut_to_their_place(void **state)
{
    char text[256];

    (void)state;
    for (size_t i = 0; i < N_REASONS; i++)
        for (size_t size = 0; size <= strlen(reasons[i].words); size++) {
            memset(text, '#', sizeof text);
            assert_ptr_equal(assay_nvml_reasons_text(reasons[i].reasons, text, size), text);
            if (size > 0) {
                assert_int_equal(strlen(text), size - 1);
                assert_memory_equal(text, reasons[i].words, size - 1);
            }
            for (size_t k = size; k < sizeof text; k++)
                assert_int_equal(text[k], '#');
        }
}

static void power_and_heat_throttle(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_REASONS; i++)
        if (assay_nvml_is_throttled(reasons[i].reasons) != reasons[i].throttles)
            fail_msg("'%s' is taken wrongly", reasons[i].words);
    for (int bit = 0; bit < 63; bit++)
        assert_int_equal(assay_nvml_is_throttled(INT64_C(1) << bit),
                         ((INT64_C(1) << bit) & 0xEC) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_has_words),
        cmocka_unit_test(words_are_cut_to_their_place),
        cmocka_unit_test(power_and_heat_throttle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
