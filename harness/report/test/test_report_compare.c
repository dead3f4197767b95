/* What a comparison and a history say, in every format and for any names. */
#include "testing/report_fixture.h"
#include "testing/timed_fixture.h"

#include "report/report_compare.h"
#include "testing/strict_json.h"

typedef struct both {
    assay_side         a, b;
    assay_change_table table;
} both;

static const assay_side_filter everything = { .n_cases = 0 };

static void put(fixture *f, timed t)
{
    open_store(f);
    (void)put_run(f, &t);
    assay_store_close(f->store);
    f->store = NULL;
}

static void hold(fixture *f, both *x, const char *across)
{
    const assay_compare_rule rule = assay_compare_rule_default();

    assert_ok(assay_side_read("base", f->path, &everything, &x->a));
    assert_ok(assay_side_read("more", f->path, &everything, &x->b));
    assert_ok(assay_change_find(&x->a, &x->b, &rule, across, &x->table));
}

static void let_go(both *x)
{
    assay_change_free(&x->table);
    assay_side_free(&x->b);
    assay_side_free(&x->a);
}

/* Caller frees. */
static char *change_report(const both *x, const char *format, bool all)
{
    static char  *text;
    static size_t size;
    FILE         *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_ok(assay_report_change(&x->table, &x->a, &x->b, format, all, out));
    assert_int_equal(fclose(out), 0);
    return text;
}

static char *history_report(fixture *f, const char *format, bool all)
{
    static char  *text;
    static size_t size;
    FILE         *out = open_memstream(&text, &size);
    assay_history h;

    assert_non_null(out);
    open_store(f);
    assert_ok(assay_history_find(f->store, &everything, 0.01, &h));
    assay_report_history(&h, format, all, out);
    assay_history_free(&h);
    assert_int_equal(fclose(out), 0);
    return text;
}

/* Every format names the device that a band belongs to, whatever characters the name has. */
static void test_calibrations(void **state)
{
    static const char *const formats[] = { "text", "csv", "json" };
    static const char *const named[] = { "Card \\x1b[31m \"<x>\"", "\"Card \033[31m \"\"<x>\"\"\"",
                                         "\"device_name\":\"Card \\u001b[31m \\\"\\u003cx>\\\"\"" };
    const assay_compare_rule rule    = assay_compare_rule_default();
    fixture                 *f       = *state;
    assay_calibrations       c;

    for (int i = 0; i < 2; i++) {
        timed t = a_timed(i ? "more" : "base", 1000);

        t.card = "Card \033[31m \"<x>\"";
        put(f, t);
    }
    open_store(f);
    assert_ok(assay_calibrations_find(f->store, &everything, &rule, &c));
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char  *text = NULL;
        size_t size = 0;
        FILE  *out  = open_memstream(&text, &size);

        assert_non_null(out);
        assay_report_calibrations(&c, formats[i], i > 0, out);
        assert_int_equal(fclose(out), 0);
        assert_has(text, named[i]);
        assert_true(i != 2 || json_is_valid(text));
        assert_true((strstr(text, "axpy/vec4/n=1000") != NULL) == (i > 0)); /* points: if asked */
        free(text);
    }
    assay_calibrations_free(&c);
}

static void test_text(void **state)
{
    fixture *f = *state;
    both     x;
    timed    t = a_timed("more", 1100);
    char    *text;

    t.broken = 2;
    put(f, a_timed("base", 1000));
    put(f, t);
    hold(f, &x, NULL);
    text = change_report(&x, "text", false);
    assert_memory_equal(text, "1 SLOWER, 0 CANNOT_TELL, 0 FASTER, 0 SAME; 1 points FAIL in B", 61);
    assert_has(text,
               "FAILED in B: A: PASS; B: WRONG_VALUE (first bad 255)\n    axpy/naive/n=2000\n");
    assert_string_equal(line_of(text, "SLOWER "),
                        "SLOWER 1.000 us 1.100 us +10.00 % [+9.62, +10.39] cold record "
                        "axpy/vec4/n=1000");
    assert_has(text, "next, of 1 SLOWER: repeat");
    assert_true(strstr(text, "FAILED in B") < strstr(text, "\nSLOWER "));
    free(text);
    let_go(&x);
}

/* The medians of the measurement differ from those of the processes, and one measurement is noise.
 * The report shows the values that were judged, and the doubt beside them. */
static void test_what_is_judged_is_shown(void **state)
{
    static const char *const formats[] = { "text", "md" };
    fixture                 *f         = *state;
    both                     x;
    char                    *text;

    put(f, a_timed("base", 1000));
    put(f, a_timed("more", 4570));
    assert_int_equal(run_sql(f->path,
                             "DROP TRIGGER measurement_kept; UPDATE measurement SET median_ns = 19,"
                             " q1_ns = 18.9, q3_ns = 19.1, process_spread = 0.9 WHERE point_id IN "
                             "(SELECT point_id FROM point AS p JOIN run AS r ON r.run_id = p.run_id"
                             " WHERE r.uuid = 'more')"),
                     SQLITE_OK);
    hold(f, &x, NULL);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        text = change_report(&x, formats[i], false);
        assert_has(text, "1.000 us");
        assert_has(text, "4.570 us");
        assert_has(text, "B: noise");
        assert_lacks(text, "19.00 ns");
        free(text);
    }
    text = change_report(&x, "text", false);
    assert_has(line_of(text, "SLOWER 1."), "1.000 us 4.570 us +357.00 % [");
    free(text);
    text = change_report(&x, "json", false);
    assert_has(text, "\"time_b_ns\":4569.99"); /* the mean of three, computed with ln */
    assert_has(text, "\"median_b_ns\":19,\"doubt_a\":\"\",\"doubt_b\":\"noise\"");
    free(text);
    let_go(&x);
}

/* Points that did not change are counted, and shown only if asked for. */
static void test_same_is_folded(void **state)
{
    fixture *f = *state;
    both     x;
    char    *text;

    put(f, a_timed("base", 1000));
    put(f, a_timed("more", 1000.01));
    hold(f, &x, NULL);
    text = change_report(&x, "text", false);
    assert_has(text, "2 SAME\n");
    assert_lacks(text, "axpy/");
    free(text);
    text = change_report(&x, "text", true);
    assert_string_equal(
        line_of(text, "SAME "),
        "SAME 1.000 us 1.000 us +0.00 % [-0.36, +0.36] cold record axpy/vec4/n=1000");
    free(text);
    text = change_report(&x, "md", false);
    assert_has(text, "2 lines that are SAME are left out");
    assert_lacks(text, "axpy/");
    free(text);
    let_go(&x);
}

static void test_what_is_not_compared_is_told(void **state)
{
    fixture *f = *state;
    both     x;
    timed    t = a_timed("more", 1000);
    char    *text;

    t.driver   = "581.0";
    t.n_points = 8;
    put(f, t);
    t          = a_timed("base", 1000);
    t.n_points = 8;
    put(f, t);
    hold(f, &x, NULL);
    text = change_report(&x, "text", false);
    assert_has(text, "; 8 not compared\n");
    assert_has(text,
               "not compared: the conditions of the two sides differ: driver 580.1 / 581.0\n");
    assert_has(text, "    and 3 more (--all)\n");
    free(text);
    text = change_report(&x, "text", true);
    assert_lacks(text, "more (--all)");
    assert_has(text, "    axpy/naive/n=8000, cold, record clock\n");
    free(text);
    let_go(&x);
    hold(f, &x, "driver"); /* now every line says so, SAME or not */
    text = change_report(&x, "text", false);
    assert_has(text, "record  axpy/naive/n=8000\n    across driver 580.1 / 581.0\n");
    free(text);
    let_go(&x);
}

static int columns_of(const char *line)
{
    int n = 1;

    for (bool quoted = false; *line && (quoted || *line != '\r'); line++) {
        quoted ^= *line == '"';
        n += !quoted && *line == ',';
    }
    return n;
}

static void test_csv_has_fixed_columns(void **state)
{
    fixture *f = *state;
    both     x;
    char    *text, *second;

    put(f, a_timed("base", 1000));
    put(f, a_timed("more", 1100));
    hold(f, &x, NULL);
    text = change_report(&x, "csv", false);
    assert_memory_equal(text, "kind,verdict,case_name,case_version,variant,axes,key,", 53);
    second = strstr(text, "\r\n") + 2;
    assert_int_equal(columns_of(text), columns_of(second));
    assert_memory_equal(second, "compared,SLOWER,axpy,1,", 23);
    assert_has(second, ",PASS,PASS,0,");
    assert_has(second, ",0.01,,0.015,3,3,,,"); /* threshold, no band, margin */
    free(text);
    let_go(&x);
}

/* Writes a run with every hostile string as variant. The test writes two that differ. */
static void put_hostile(fixture *f, const char *uuid, double ns)
{
    timed         t   = a_timed(uuid, ns);
    const int64_t run = begin_timed(f, &t);

    for (size_t i = 0; i < N_HOSTILE; i++) {
        const assay_point_row p  = a_point("evil </script>", hostile[i], "", (int64_t)i);
        const int64_t         id = plan_point(f, run, &p);

        begin_checked(f, id);
        put_timed(f, id, &t, ns);
        finish_passed(f, id);
    }
    assert_ok(assay_store_end_run(f->store, run, 0));
}

static void test_hostile_names(void **state)
{
    fixture *f = *state;
    both     x;
    char    *text;

    open_store(f);
    put_hostile(f, "base", 1000);
    put_hostile(f, "more", 1100);
    assay_store_close(f->store);
    f->store = NULL;
    hold(f, &x, NULL);
    assert_int_equal(x.table.n_slower, N_HOSTILE);
    text = change_report(&x, "json", false);
    assert_true(json_is_valid(text));
    assert_lacks(text, "</script");
    free(text);
    text = change_report(&x, "csv", false);
    for (const char *line = text; *line;) {
        assert_int_equal(columns_of(line), columns_of(text));
        for (bool quoted = false; *line && (quoted || *line != '\r'); line++)
            quoted ^= *line == '"';
        assert_memory_equal(line, "\r\n", 2);
        line += 2;
    }
    free(text);
    text = change_report(&x, "md", false);
    assert_lacks(text, "<script");
    assert_lacks(text, "\x1b");
    free(text);
    text = change_report(&x, "text", false);
    assert_lacks(text, "\x1b");
    assert_has(text, "line\\nbreak");
    free(text);
    let_go(&x);
    for (int k = 0; assay_report_history_formats[k]; k++) {
        text = history_report(f, assay_report_history_formats[k], true);
        assert_lacks(text, "</script>alert");
        if (strcmp(assay_report_history_formats[k], "json") == 0)
            assert_true(json_is_valid(text));
        if (strcmp(assay_report_history_formats[k], "text") == 0)
            assert_lacks(text, "\x1b");
        free(text);
        assay_store_close(f->store);
        f->store = NULL;
    }
}

static void test_history(void **state)
{
    fixture             *f    = *state;
    assay_annotation_row note = { .run_uuid = "night-08",
                                  .text     = "a note,\nin words",
                                  .who      = "me" };
    char                 uuid[24], utc[32], *text;

    for (int i = 0; i < 14; i++) {
        (void)snprintf(uuid, sizeof uuid, "night-%02d", i);
        (void)snprintf(utc, sizeof utc, "2026-01-%02dT00:00:00.000Z", i + 1);
        put(f, a_timed(uuid, (i < 8 ? 1000 : 1040) * (1 + 0.0003 * (i % 3))));
        set_start(f, uuid, utc);
    }
    text = history_report(f, "text", false);
    assert_has(text, "2 series: the newest step is slower in 2 (2 not explained)");
    assert_has(text, "SLOWER       axpy/vec4/n=1000, cold, record clock: 14 runs, now 1.040 us");
    assert_has(text, "step at run 9 (2026-01-09T00:00, commit abcdef012345)");
    assert_has(text, "next: find the commit in between");
    assert_lacks(text, "  run 1 (");
    free(text);
    assert_ok(assay_store_annotate(f->store, &note));
    assay_store_close(f->store);
    text = history_report(f, "text", true);
    assert_has(text, "explained    axpy/vec4/n=1000");
    assert_has(text, "note on run 9 (");
    assert_has(text, "me): a note,\\nin words\n");
    assert_has(text, "1.000 us  run 1 (2026-01-01T00:00");
    free(text);
    assay_store_close(f->store);
    text = history_report(f, "json", false);
    assert_true(json_is_valid(text));
    assert_has(text, "\"steps\":[{\"run_id\":9,");
    assert_has(text, "\"is_explained\":true");
    free(text);
    assay_store_close(f->store);
    text = history_report(f, "csv", false);
    assert_has(text, ",1,0.04");
    free(text);
}

/* The report of a run has the marks of its series, and the changes that were recorded for it. */
static void test_marks_in_the_json_report(void **state)
{
    fixture          *f    = *state;
    assay_change_row *rows = NULL;
    int64_t           n    = 0;
    both              x;
    char             *text;
    timed             t = a_timed("more", 1100);

    put(f, a_timed("base", 1000));
    t.driver = "581.0";
    put(f, t);
    text = report_of(f, 2, "json");
    assert_has(text, "\"changes\":[]");
    assert_has(text, "\"segments\":[{\"run_id\":1,\"n_runs\":1,\"changed\":\"\"");
    assert_has(text, "{\"run_id\":2,\"n_runs\":1,\"changed\":\"driver 580.1 / 581.0\"");
    assert_has(text, "\"steps\":[]");
    free(text);
    hold(f, &x, "driver");
    assert_ok(assay_change_rows(&x.table, &x.a, &x.b, &rows, &n));
    open_store(f);
    assert_ok(assay_store_write_changes(f->store, rows, n));
    assert_ok(assay_store_write_changes(f->store, rows, n)); /* twice: told once */
    text = report_of(f, 2, "json");
    assert_has(text, "\"changes\":[{\"from_run\":\"base\",\"from_run_id\":1,");
    assert_has(text, "\"verdict\":\"SLOWER\"");
    assert_true(json_is_valid(text));
    n = 0;
    for (const char *at = text; (at = strstr(at, "\"from_run\"")) != NULL; at++)
        n++;
    assert_int_equal(n, 2);
    free(text);
    free(rows);
    let_go(&x);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_text),
        TEST(test_what_is_judged_is_shown),
        TEST(test_same_is_folded),
        TEST(test_what_is_not_compared_is_told),
        TEST(test_csv_has_fixed_columns),
        TEST(test_hostile_names),
        TEST(test_history),
        TEST(test_calibrations),
        TEST(test_marks_in_the_json_report),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
