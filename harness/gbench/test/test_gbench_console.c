/* Measured points on the console: one line for each, repetitions, aggregates, units, colours,
 * tables. */
#define GBENCH_TEST "test_gbench_console"
#include "gbench_fixture.h"

static void the_console_has_one_line_a_benchmark(void **state)
{
    const assay_gbench_entry entries[] = { naive, naive };

    (void)state;
    assert_int_equal(report(entries, 2), ASSAY_OK);
    assert_int_equal(count(run.out, "\n"), 4);
    assert_holds(run.out, "Benchmark                            Median        CV  Blocks\n"
                          "-------------------------------------------------------------\n" NAIVE
                          "     5.000 us  0.3220 %      12  bytes=2.517T/s  misses=0  "
                          "occupancy=0.7500  block=256\n");
    assert_lacks(run.out, "\x1b");
}

static void the_console_shows_repetitions_or_aggregates_if_asked(void **state)
{
    (void)state;
    flag("--benchmark_display_aggregates_only=true");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.out, "\n"), 2 + 4);
    assert_holds(run.out, NAIVE "_median     5.000 us");
    assert_holds(run.out, NAIVE "_cv         0.3220 %");
    flag("--benchmark_display_aggregates_only=false");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_int_equal(count(run.out, "\n"), 2 + 12 + 4);
    assert_holds(run.out, NAIVE "            4.970 us");
}

static void the_console_takes_a_unit_and_colours(void **state)
{
    static const char *const units[][2] = { { "--benchmark_time_unit=ns", " 5000 ns " },
                                            { "--benchmark_time_unit=us", " 5.000 us " },
                                            { "--benchmark_time_unit=ms", " 0.005000 ms " },
                                            { "--benchmark_time_unit=s", " 0.000005000 s " } };

    (void)state;
    for (int i = 0; i < 4; i++) {
        flag(units[i][0]);
        assert_int_equal(report(&naive, 1), ASSAY_OK);
        assert_holds(run.out, units[i][1]);
    }
    flag("--benchmark_color=true");
    flag("--benchmark_out=" FILE_NAME);
    flag("--benchmark_out_format=console");
    assert_int_equal(report(&naive, 1), ASSAY_OK);
    assert_holds(run.out, "\x1b[32m" NAIVE);
    assert_holds(run.file, NAIVE "     5.000 us");
    assert_lacks(run.file, "\x1b");
}

static void a_table_has_a_new_head_where_its_counters_change(void **state)
{
    assay_gbench_entry entries[] = { naive, naive, naive, naive, naive };

    (void)state;
    entries[1].error      = "clocks disagree";
    entries[3].n_counters = 1;
    entries[4].n_counters = 0;
    flag("--benchmark_counters_tabular");
    assert_int_equal(report(entries, 5), ASSAY_OK);
    assert_int_equal(count(run.out, "Median"), 3);
    assert_holds(run.out, "Blocks       bytes      misses   occupancy\n");
    assert_holds(run.out, "    12    2.517T/s           0      0.7500  block=256\n");
    assert_holds(run.out, "Blocks       bytes\n");
    assert_holds(run.out, "Blocks\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_console_has_one_line_a_benchmark, set_up),
        cmocka_unit_test_setup(the_console_shows_repetitions_or_aggregates_if_asked, set_up),
        cmocka_unit_test_setup(the_console_takes_a_unit_and_colours, set_up),
        cmocka_unit_test_setup(a_table_has_a_new_head_where_its_counters_change, set_up),
    };

    if (!assay_gbench_version())
        return skip_all();
    return cmocka_run_group_tests(tests, NULL, remove_files);
}
