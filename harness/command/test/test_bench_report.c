/* From the blocks of a stored run to Google Benchmark: repetition k is process k. */
#include "command/bench_report.h"
#include "testing/store_fixture.h"

#include "gbench/gbench.h"
#include "testing/toy_case.h"

static char output[160];

/* Writes a measurement of four processes with one block each, one of them without a valid sample.
 * Its clock decides; another clock does not. */
static void write_run(fixture *f)
{
    const assay_run_row     run     = a_run("run-1");
    const assay_device_info info    = a_device();
    const assay_point_row   p       = a_point("axpy", "naive", "", 64);
    const assay_check_row   check   = a_check(0.5);
    const assay_verdict_row verdict = { .verdict = ASSAY_PASS, .launches = 1, .peak_bytes = -1 };
    static const double     times[] = { 1000, 3000, 4000 };
    static const double     mhz[]   = { 1500, 1500, 1500 };
    assay_measurement_row   m       = a_measurement(ASSAY_REGIME_COLD, 3000);
    assay_block             blocks[4];
    int64_t                 run_id, id;

    m.n_samples = 3;
    m.n_blocks  = 4;
    m.decides   = true;
    for (int k = 0; k < 4; k++) {
        blocks[k] = (assay_block) { .n_samples = 1, .median_ns = 1000 * (k + 1), .process = k };
        blocks[k].median_cycles = blocks[k].sm_clock_mhz = (double)NAN;
        blocks[k].energy_j = blocks[k].power_before_w = blocks[k].power_after_w = (double)NAN;
    }
    blocks[1].n_samples   = 0;
    blocks[1].n_throttled = 77;
    blocks[1].n_discarded = 2;
    blocks[1].median_ns   = (double)NAN;
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    assert_ok(assay_store_plan(f->store, run_id, "y[i] += a * x[i]", 1, &p, 1, &id));
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_ok(assay_store_put_measurement(f->store, id, &m, times, mhz, blocks));
    m.clock   = ASSAY_CLOCK_RECORD;
    m.decides = false;
    assert_ok(assay_store_put_measurement(f->store, id, &m, times, mhz, blocks));
    assert_ok(assay_store_finish_point(f->store, id, &verdict));
}

static double time_of(const char *json, int repetition)
{
    char        at[64];
    const char *place;

    (void)snprintf(at, sizeof at, "\"repetition_index\": %d,", repetition);
    place = strstr(json, at);
    place = place ? strstr(place, "\"real_time\": ") : NULL;
    assert_non_null(place);
    return strtod(place + strlen("\"real_time\": "), NULL);
}

static const char *report_run(fixture *f, bool all_clocks)
{
    static char             json[65536];
    char                    flag[200];
    const assay_bench_flags flags = { .words = { flag }, .n = 1, .all_clocks = all_clocks };
    FILE                   *file;

    (void)snprintf(output, sizeof output, "%s/out.json", f->directory);
    (void)snprintf(flag, sizeof flag, "--benchmark_out=%s", output);
    assert_ok(assay_bench_report(f->store, "of-this-test.db", 1, toy_cases, &flags));
    file = fopen(output, "r");
    assert_non_null(file);
    json[fread(json, 1, sizeof json - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return json;
}

/* If one clock decides in each regime, names have no clock. With all clocks, each name has its
 * own. */
static void names_have_a_clock_where_there_are_several(void **state)
{
    const char *json;

    if (!assay_gbench_version())
        skip();
    write_run(*state);
    json = report_run(*state, false);
    assert_non_null(strstr(json, "\"name\": \"axpy/naive/n=64/cold\""));
    assert_non_null(strstr(json, "\"label\": \"event\""));
    assert_null(strstr(json, "record"));
    json = report_run(*state, true);
    assert_non_null(strstr(json, "\"name\": \"axpy/naive/n=64/cold/event\""));
    assert_non_null(strstr(json, "\"name\": \"axpy/naive/n=64/cold/record\""));
    assert_non_null(strstr(json, "\"label\": \"decides\""));
}

static void an_empty_process_keeps_its_place(void **state)
{
    const char *json;

    if (!assay_gbench_version())
        skip();
    write_run(*state);
    json = report_run(*state, false);
    assert_true(fabs(time_of(json, 0) - 1000) < 1e-6);
    assert_true(fabs(time_of(json, 2) - 3000) < 1e-6);
    assert_true(fabs(time_of(json, 3) - 4000) < 1e-6);
    assert_non_null(strstr(json, "no valid sample in this process: 77 throttled, 2 discarded"));
}

/* The whole JSON report of one point that has no number but this verdict. */
static const char *report_unmeasured(fixture *f, assay_verdict verdict, const char *reason)
{
    const assay_run_row     run  = a_run("run-1");
    const assay_device_info info = a_device();
    assay_point_row         p    = a_point("toy_double", "plain", "", 4);
    assay_verdict_row       row  = { .verdict = verdict, .launches = -1, .peak_bytes = -1 };
    static char             json[65536];
    char                    flag[200];
    const assay_bench_flags flags = { .words = { flag }, .n = 1 };
    int64_t                 run_id, id;
    FILE                   *file;

    (void)snprintf(p.key, sizeof p.key, "toy_double/plain/n=4/flavour=plain");
    (void)snprintf(row.reason, sizeof row.reason, "%s", reason);
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    assert_ok(assay_store_plan(f->store, run_id, "y = 2x", 1, &p, 1, &id));
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_finish_point(f->store, id, &row));
    (void)snprintf(output, sizeof output, "%s/out.json", f->directory);
    (void)snprintf(flag, sizeof flag, "--benchmark_out=%s", output);
    assert_ok(assay_bench_report(f->store, "of-this-test.db", 1, toy_cases, &flags));
    file = fopen(output, "r");
    assert_non_null(file);
    json[fread(json, 1, sizeof json - 1, file)] = '\0';
    assert_int_equal(fclose(file), 0);
    return json;
}

static void a_run_of_failures_names_them(void **state)
{
    const char *json;

    if (!assay_gbench_version())
        skip();
    json = report_unmeasured(*state, ASSAY_WRONG_VALUE, "element 3 is off");
    assert_non_null(strstr(json, "toy_double/plain/n=4/flavour=plain/e2e\""));
    assert_non_null(strstr(json, "WRONG_VALUE: element 3 is off"));
    assert_null(strstr(json, "\"real_time\": 1"));
}

static void a_run_of_skips_says_why(void **state)
{
    if (!assay_gbench_version())
        skip();
    assert_non_null(
        strstr(report_unmeasured(*state, ASSAY_SKIPPED, "no room"), "SKIPPED: no room"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(names_have_a_clock_where_there_are_several, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(an_empty_process_keeps_its_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_of_failures_names_them, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_run_of_skips_says_why, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
