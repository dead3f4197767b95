/* The line with the values that a comparison is judged by, for every set of known values and for
 * hostile text. */
#include "report/report_compare.h"
#include "testing/testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row as a line. Caller frees. */
static char *times_of(const assay_change *row)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&text, &size);

    assert_non_null(out);
    assay_report_change_times(row, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Words and numbers of a line, by what is known: both sides doubted, no interval, no time. */
static void test_times_in_a_line(void **state)
{
    const assay_side_time sure = { .doubt = "" }, noise = { .doubt = "noise" },
                          evil = { .doubt = "few \033[31m samples" };
    assay_change row           = { .kind   = ASSAY_CHANGE_COMPARED,
                                   .time_a = &sure,
                                   .time_b = &sure,
                                   .result = { .verdict    = ASSAY_COMPARE_SLOWER,
                                               .has_cycles = true,
                                               .time       = { .middle_a = 1000,
                                                               .middle_b = 1100,
                                                               .relative = 0.1,
                                                               .lo       = 0.09,
                                                               .hi       = 0.12,
                                                               .p        = 0.001 } } };
    char        *text          = times_of(&row);

    (void)state;
    assert_string_equal(text, "1.000 us before, 1.100 us after: +10.00 % [+9.00, +12.00]");
    free(text);
    row.result.has_cycles = false;
    row.time_a            = &evil;
    row.time_b            = &noise;
    text                  = times_of(&row);
    assert_non_null(
        strstr(text, "]; \003before: few \\x1b[31m samples; after: noise; cycles unknown\005"));
    free(text);
    row.time_a = row.time_b = &sure;
    row.result.verdict      = ASSAY_COMPARE_CANNOT_TELL;
    row.result.time.p       = NAN;
    text                    = times_of(&row);
    assert_string_equal(text, "1.000 us before, 1.100 us after: +10.00 %");
    free(text);
    row.result.time.middle_a = row.result.time.relative = NAN;
    text                                                = times_of(&row);
    assert_string_equal(text, "- before, 1.100 us after");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_times_in_a_line) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
