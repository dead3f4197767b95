/* Rates: cells over time, times a fact of the case. Also descriptions of the variants. */
#include <sqlite3.h>

#include "testing/import_fixture.h"

#include "testing/strict_json.h"

/* 4e6 operations in 2 ms are 2e9 a second, of which `share` count. NaN: there is no such fact. */
static void put_queue(fixture *f, int64_t run, const char *variant, const char *what, double share)
{
    assay_point_row        p       = a_point("queue", variant, "", 4000000);
    assay_measurement_row  m       = a_judged(ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, 2e6, true);
    const assay_metric_row facts[] = {
        { "crossed", "ok", "", share, 0, "check" },
        { "crossed", "ok", "", 0.125, 1, "user" }, /* a counter of that name */
        { "warps", "ok", "", 64, 0, "check" },
        { "ticks.2e05", "ok", "", 1, 0, "check" },
    };
    int64_t id;

    (void)strcpy(p.rate_fact, "crossed");
    (void)strcpy(p.rate_along, "warps");
    (void)strcpy(p.variant_what, what);
    id = plan_point(f, run, &p);
    begin_checked(f, id);
    put_row(f, id, &m);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (i == 0 && isnan(share))
            continue;
        assert_ok(assay_store_put_metric(f->store, id, &facts[i]));
    }
    finish_passed(f, id);
}

static int64_t write_rates(fixture *f)
{
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 1000);

    put_queue(f, run, "ring", "a ring, \"answers\"; waits | never", 0.75);
    put_queue(f, run, "none", "", 0);
    put_queue(f, run, "lost", "", (double)NAN);
    pass_point(f, plan_point(f, run, &p), 0.5, 500);
    assert_ok(assay_store_end_run(f->store, run, 0));
    return run;
}

static void test_text(void **state)
{
    fixture *f    = *state;
    char    *text = (write_rates(f), report_of(f, 0, "details"));
    char    *axpy = strstr(text, "axpy, version"), *queue = strstr(text, "queue, version");

    assert_true(axpy && queue && axpy < queue);
    assert_has(queue, "1e9/s");
    assert_has(line_of(queue, "ring hot record"), " 1.500");
    assert_has(line_of(queue, "none hot record"), " % 0");
    assert_has(line_of(queue, "lost hot record"), " % -"); /* without the fact there is no rate */
    assert_string_equal(line_of(strstr(queue, "what the variants are"), "ring"),
                        "ring a ring, \"answers\"; waits | never");
    *queue = '\0';
    assert_lacks(axpy, "1e9/s");
    assert_lacks(axpy, "what the variants are");
    free(text);
}

static void test_json(void **state)
{
    fixture *f    = *state;
    char    *json = (write_rates(f), report_of(f, 0, "json"));

    assert_true(json_is_valid(json));
    assert_has(json, "\"variant_what\":\"a ring, \\\"answers\\\"; waits | never\",\"rate_fact\":"
                     "\"crossed\",\"rate_along\":\"warps\"");
    assert_has(json, "\"giga_per_s\":1.5,");
    assert_has(json, "\"giga_per_s\":0,");
    assert_has(json, "\"giga_per_s\":null,");
    assert_has(json, "\"giga_per_s\":2,"); /* axpy: 1000 in 500 ns */
    free(json);
}

/* The CSV, imported and written again, is the same. */
static void test_csv(void **state)
{
    fixture     *f = *state;
    char         path[160];
    char        *text = (write_rates(f), csv_of(f->path, 1)), *again;
    assay_csv    csv  = parse(text);
    assay_import made;

    assert_has(text, "\"a ring, \"\"answers\"\"; waits | never\",crossed,warps,1.5,,\r\n");
    assert_ok(import_into(other_path(f, path), &csv, 1, &made));
    again = csv_of(path, 1);
    assert_string_equal(again, text);
    assay_csv_free(&csv);
    free(again);
    free(text);
}

/* A rate that contradicts the rest of the line is refused. */
static void test_csv_refused(void **state)
{
    fixture     *f = *state;
    char         path[160];
    char        *text = (write_rates(f), csv_of(f->path, 1));
    char        *rate = strstr(text, ",crossed,warps,1.5,");
    assay_csv    csv;
    assay_import made;

    assert_non_null(rate);
    memcpy(rate, ",crossed,warps,2.5,", 19);
    csv = parse(text);
    assert_fails(import_into(other_path(f, path), &csv, 1, &made), ASSAY_E_USAGE,
                 "giga_per_s: '2.5' does not fit the rest of the file");
    assay_csv_free(&csv);
    free(text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(text), TEST(json), TEST(csv), TEST(csv_refused) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
