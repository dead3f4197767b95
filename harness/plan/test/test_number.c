/* Numbers and ranges as they are typed. */
#include "plan/number.h"
#include "testing/testing.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void numbers_are_read(void **state)
{
    static const struct {
        const char *text;
        int64_t     number;
        const char *rest;
    } rows[] = {
        { "0", 0, "" },
        { "4096", 4096, "" },
        { "7x9", 7, "x9" },
        { "2^20", 1048576, "" },
        { "1e6", 1000000, "" },
        { "3e0", 3, "" },
        { "1k", 1000, "" },
        { "3M", 3000000, "" },
        { "2G", INT64_C(2000000000), "" },
        { "1T", INT64_C(1000000000000), "" },
        { "1Ki", 1024, "" },
        { "64Mi", 67108864, "" },
        { "1Gi", 1073741824, "" },
        { "2Tix3", INT64_C(2199023255552), "x3" },
        { "2^62", INT64_C(4611686018427387904), "" },
        { "1^9223372036854775807", 1, "" },
        { "0^9223372036854775807", 0, "" },
        { "0e9223372036854775807", 0, "" },
        { "9223372036854775807", INT64_MAX, "" },
        { "5m", 5, "m" },
        { "5kk", 5000, "k" },
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const char *text   = rows[r].text;
        int64_t     number = -1;

        assert_true(assay_number_read(&text, &number));
        assert_int_equal(number, rows[r].number);
        assert_string_equal(text, rows[r].rest);
    }
}

static void what_is_no_number_is_refused(void **state)
{
    static const char *const words[] = { "",
                                         "-1",
                                         "+1",
                                         " 1",
                                         "k",
                                         "000",
                                         "01",
                                         "2^63",
                                         "2^",
                                         "2^-1",
                                         "1e19",
                                         "1e",
                                         "1e+3",
                                         "x",
                                         "2^01",
                                         "10e18",
                                         "9223372036854775808",
                                         "9223372036854776k",
                                         "8388608Ti" };

    (void)state;
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        const char *text = words[w];
        int64_t     number;

        if (assay_number_read(&text, &number))
            fail_msg("'%s' is read as %" PRId64, words[w], number);
    }
}

/* All numbers, joined by blanks. */
static const char *numbers_of(const char *text)
{
    static char        said[256];
    assay_number_range range;
    int64_t            number;
    int                used = 0;

    if (!assay_number_range_read(text, &range))
        return "none";
    number = range.first;
    do
        used += snprintf(said + used, sizeof said - (size_t)used, "%s%" PRId64, used ? " " : "",
                         number);
    while (used < 200 && assay_number_range_next(&range, &number));
    return said;
}

static void ranges_are_counted_through(void **state)
{
    static const struct {
        const char *text, *numbers;
    } rows[] = {
        { "1..16*2", "1 2 4 8 16" },
        { "3..50*3", "3 9 27" },
        { "1k..1M*10", "1000 10000 100000 1000000" },
        { "0..30+10", "0 10 20 30" },
        { "5..5*2", "5" },
        { "1Ki..3Ki+1Ki", "1024 2048 3072" },
        { "2^61..9223372036854775807*2", "2305843009213693952 4611686018427387904" },
        { "9223372036854775800..9223372036854775807+5", "9223372036854775800 9223372036854775805" },
        { "1..16", "none" },
        { "1..16*1", "none" },
        { "1..16*0", "none" },
        { "0..16*2", "none" },
        { "1..16+0", "none" },
        { "16..1*2", "none" },
        { "1..16*2x", "none" },
        { "1...16*2", "none" },
        { "..16*2", "none" },
        { "1..*2", "none" },
        { "1..16*", "none" },
        { "1..16-2", "none" },
    };

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++)
        if (strcmp(numbers_of(rows[r].text), rows[r].numbers) != 0)
            fail_msg("'%s' is '%s'", rows[r].text, numbers_of(rows[r].text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(what_is_no_number_is_refused),
        cmocka_unit_test(ranges_are_counted_through),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
