/* Merging files: missing rows are added, merging twice adds nothing, and a contradiction between
 * two files is a conflict that changes nothing. */
#include "testing/store_old.h"

typedef struct files {
    fixture f; /* the file that is written to */
    char    a[160], b[160];
} files;

static int make_files(void **state)
{
    files   *m = calloc(1, sizeof *m);
    fixture *f = NULL;

    if (!m || set_up((void **)&f) != 0)
        return -1;
    m->f = *f;
    free(f);
    (void)snprintf(m->a, sizeof m->a, "%s/a.db", m->f.directory);
    (void)snprintf(m->b, sizeof m->b, "%s/b.db", m->f.directory);
    *state = m;
    return 0;
}

static int remove_files(void **state)
{
    fixture *f = malloc(sizeof *f);
    files   *m = *state;

    if (!f)
        return -1;
    *f = m->f;
    free(m);
    *state = f;
    return tear_down(state);
}

/* Switches the fixture to another file. */
static void use(fixture *f, const char *path)
{
    assay_store_close(f->store);
    f->store = NULL;
    assert_ok(assay_store_open(path, ASSAY_STORE_WRITE, &f->store));
}

/* A run of two points with a row of every kind; `n_finished` of the points are done. */
static void write_run(fixture *f, const char *path, const char *uuid, int n_finished)
{
    assay_annotation_row  note = { .run_uuid = "some-run", .text = "a word" };
    assay_calibration_row case_and_point[2];
    const assay_point_row a = a_point("axpy", "naive", "", 64);
    const assay_point_row b = a_point("axpy", "vec4", "naive", 64);
    int64_t               run, first, second;

    use(f, path);
    run    = begin_run(f, uuid);
    first  = plan_point(f, run, &a);
    second = plan_point(f, run, &b);
    if (n_finished > 0)
        put_everything(f, run, first);
    if (n_finished > 1)
        fail_point(f, second, "off");
    if (n_finished > 1)
        assert_ok(assay_store_end_run(f->store, run, 2));
    assert_ok(assay_store_annotate(f->store, &note));
    for (int i = 0; i < 2; i++)
        case_and_point[i] = a_calibration(i ? a.key : "");
    assert_ok(assay_store_write_calibrations(f->store, case_and_point, 2));
    assay_store_close(f->store);
    f->store = NULL;
}

static assay_merge merge(fixture *f, const char *path)
{
    assay_merge m;

    assert_ok(assay_store_merge(f->store, path, &m));
    return m;
}

/* The number of rows of every table, and the texts that matter. */
static char *contents(const char *path)
{
    static const char *const tables[] = {
        "build",  "device",       "device_state", "run",        "run_end",      "ceiling",
        "config", "case_version", "axis_value",   "point",      "check_result", "verdict",
        "policy", "measurement",  "sample_block", "comparison", "launch",       "section",
        "metric", "tuning_trial", "annotation",   "change",     "calibration",  "expected_verdict",
    };
    char *text = calloc(1, 4096), sql[128];

    assert_non_null(text);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        (void)snprintf(sql, sizeof sql, "SELECT '%s ' || count(*) || ';' FROM %s", tables[i],
                       tables[i]);
        (void)strcat(text, ask(path, sql));
    }
    (void)strcat(text, ask(path, "SELECT group_concat(run_uuid || key || coalesce(verdict, '-') || "
                                 "outcome, ';') FROM (SELECT * FROM verdicts ORDER BY run_uuid, "
                                 "ordinal)"));
    return text;
}

static void assert_sound(const char *path)
{
    assert_string_equal(ask(path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
}

static void test_two_files(void **state)
{
    files               *m    = *state;
    fixture             *f    = &m->f;
    assay_stored_samples read = { 0 };
    assay_merge          came;
    char                *once, *twice;

    write_run(f, m->a, "run-a", 2);
    write_run(f, m->b, "run-b", 2);
    use(f, f->path);
    came = merge(f, m->a);
    assert_true(came.n_runs == 1 && came.n_points == 2 && came.n_conflicts == 0);
    came = merge(f, m->b);
    assert_true(came.n_runs == 1 && came.n_points == 2 && came.n_conflicts == 0);
    assert_sound(f->path);
    /* Rows that both files have are there once. */
    assert_string_equal(ask(f->path, "SELECT (SELECT count(*) FROM build) || (SELECT count(*) FROM "
                                     "device_state) || (SELECT count(*) FROM config) || (SELECT "
                                     "count(*) FROM policy) || (SELECT count(*) FROM annotation)"),
                        "11112");
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(run_uuid || ' ' || median_ns) FROM history "
                            "ORDER BY run_uuid"),
                        "run-a 1000.0,run-b 1000.0");
    assert_string_equal(ask(f->path, "SELECT count(*) || ' ' || count(DISTINCT uuid) || ' ' || "
                                     "count(key) || ' ' || count(process_sd) FROM calibration"),
                        "4 4 2 2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM calibrated"), "2");
    assert_ok(assay_store_read_samples(f->store, 2, &read));
    assert_int_equal(read.n_samples, 4);
    assay_stored_samples_free(&read);
    /* Merging twice adds nothing. */
    once = contents(f->path);
    came = merge(f, m->a);
    assert_true(came.n_runs == 0 && came.n_points == 0 && came.n_conflicts == 0);
    came  = merge(f, m->b);
    twice = contents(f->path);
    assert_string_equal(once, twice);
    free(once);
    free(twice);
}

/* The order does not matter. */
static void test_either_order(void **state)
{
    files   *m = *state;
    fixture *f = &m->f;
    char    *one, *other, path[160];

    write_run(f, m->a, "run-a", 2);
    write_run(f, m->b, "run-b", 1);
    use(f, f->path);
    (void)merge(f, m->a);
    (void)merge(f, m->b);
    one = contents(f->path);
    (void)snprintf(path, sizeof path, "%s/other.db", f->directory);
    use(f, path);
    (void)merge(f, m->b);
    (void)merge(f, m->a);
    other = contents(path);
    assert_string_equal(one, other);
    free(one);
    free(other);
}

/* At the first merge the source was still at work; the second merge brings the rest. */
static void test_goes_on(void **state)
{
    files      *m = *state;
    fixture    *f = &m->f;
    assay_merge came;
    char       *all, *bit;
    fixture     source = m->f;

    write_run(f, m->a, "run-a", 1);
    use(f, f->path);
    came = merge(f, m->a);
    assert_true(came.n_runs == 1 && came.n_points == 1);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run_end"), "0");
    source.store = NULL;
    assert_ok(assay_store_open(m->a, ASSAY_STORE_WRITE, &source.store));
    fail_point(&source, 2, "off");
    assert_ok(assay_store_end_run(source.store, 1, 2));
    came = merge(f, m->a); /* the source is open, and its log is not yet written back */
    assert_true(came.n_runs == 0 && came.n_points == 1 && came.n_conflicts == 0);
    assay_store_close(source.store);
    all = contents(m->a);
    bit = contents(f->path);
    assert_string_equal(all, bit);
    free(all);
    free(bit);
    assert_sound(f->path);
}

/* An older copy of the same run has nothing to add, and is not a conflict. */
static void test_older_copy(void **state)
{
    files      *m = *state;
    fixture    *f = &m->f;
    assay_merge came;
    char        command[512];

    write_run(f, m->a, "run-a", 1);
    (void)snprintf(command, sizeof command, "cp '%s' '%s'", m->a, m->b);
    assert_int_equal(system(command), 0);
    use(f, m->a);
    fail_point(f, 2, "off");
    came = merge(f, m->b);
    assert_true(came.n_runs == 0 && came.n_points == 0 && came.n_conflicts == 0);
}

/* The same run with other contents: the conflict is named, and nothing of that file is merged. */
static void assert_conflict(files *m, const char *change, const char *words)
{
    fixture    *f = &m->f;
    assay_merge came;
    char       *before, *after, command[512];

    write_run(f, m->a, "run-a", 2);
    (void)snprintf(command, sizeof command, "cp '%s' '%s'", m->a, m->b);
    assert_int_equal(system(command), 0);
    write_run(f, m->b, "run-b", 1);
    assert_int_equal(run_sql(m->b, change), SQLITE_OK);
    use(f, f->path);
    (void)merge(f, m->a);
    before = contents(f->path);
    came   = merge(f, m->b);
    after  = contents(f->path);
    if (!strstr(came.conflicts, words))
        print_error("'%s' not in '%s'\n", words, came.conflicts);
    assert_non_null(strstr(came.conflicts, words));
    assert_true(came.n_conflicts == 1 && came.n_runs == 0);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static void test_conflicting_run(void **state)
{
    assert_conflict(*state, "DROP TRIGGER run_kept; UPDATE run SET seed = 7 WHERE uuid = 'run-a'",
                    "run-a: run");
}

static void test_conflicting_check(void **state)
{
    assert_conflict(*state,
                    "DROP TRIGGER finding_kept; UPDATE finding SET worst_ratio = 0.75 WHERE "
                    "finding_id = 1; DROP TRIGGER run_error_kept; UPDATE run_error SET worst_ratio "
                    "= 0.75 WHERE run_id = 1 AND variant = 'naive'",
                    "run-a: check_result");
}

static void test_conflicting_time(void **state)
{
    assert_conflict(*state,
                    "DROP TRIGGER measurement_kept; UPDATE measurement SET median_ns = 1 "
                    "WHERE measurement_id = 1",
                    "run-a: measurement");
}

static void test_conflicting_samples(void **state)
{
    assert_conflict(*state,
                    "DROP TRIGGER sample_block_kept; UPDATE sample_block SET median_ns = 1 WHERE "
                    "block = 1 AND measurement_id = 1",
                    "run-a: sample_block");
}

static void test_missing_row(void **state)
{
    assert_conflict(*state, "DROP TRIGGER metric_held; DELETE FROM metric WHERE metric_id = 1",
                    "run-a: metric");
}

static void test_conflicting_spread(void **state)
{
    assert_conflict(*state,
                    "DROP TRIGGER calibration_kept; UPDATE calibration SET process_sd = 0.5 WHERE "
                    "calibration_id = 2",
                    "calibration");
}

static void test_conflicting_words(void **state)
{
    assert_conflict(*state,
                    "DROP TRIGGER annotation_kept; UPDATE annotation SET who = 'Eve' WHERE "
                    "annotation_id = 1",
                    "annotation");
}

/* Samples that were pruned in one of the files are no conflict, and stay pruned. */
static void test_pruned(void **state)
{
    files      *m = *state;
    fixture    *f = &m->f;
    assay_merge came;

    write_run(f, m->a, "run-a", 2);
    use(f, f->path);
    (void)merge(f, m->a);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, clock_mhz = NULL"),
                     SQLITE_OK);
    came = merge(f, m->a);
    assert_true(came.n_conflicts == 0 && came.n_points == 0);
    assert_string_equal(ask(f->path, "SELECT count(time_ns) FROM sample_block"), "0");
}

/* A source of an older version, which is not changed. */
static void test_older_version(void **state)
{
    files      *m = *state;
    fixture    *f = &m->f;
    assay_merge came;

    write_old(f, m->a);
    use(f, f->path);
    came = merge(f, m->a);
    assert_true(came.n_runs == 2 && came.n_points == 2 && came.n_conflicts == 0);
    came = merge(f, m->a);
    assert_true(came.n_runs == 0 && came.n_conflicts == 0);
    assert_string_equal(ask(m->a, "PRAGMA user_version"), "5");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM build"), "1");
    assert_sound(f->path);
}

static void test_refuses(void **state)
{
    files      *m = *state;
    fixture    *f = &m->f;
    assay_merge came;
    char        link[200];

    write_run(f, m->a, "run-a", 2);
    use(f, m->a);
    assert_fails(assay_store_merge(f->store, m->a, &came), ASSAY_E_USAGE, "into itself");
    (void)snprintf(link, sizeof link, "%s.link", m->a);
    assert_int_equal(symlink(m->a, link), 0);
    assert_fails(assay_store_merge(f->store, link, &came), ASSAY_E_USAGE, "into itself");
    assert_fails(assay_store_merge(f->store, m->b, &came), ASSAY_E_DATABASE, "no results yet");
    /* A number without a PASS is refused here, too. */
    write_run(f, m->b, "run-b", 1);
    assert_int_equal(run_sql(m->b, "PRAGMA foreign_keys = OFF; DROP TRIGGER verdict_kept; UPDATE "
                                   "verdict SET verdict = 'WRONG_VALUE'"),
                     SQLITE_OK);
    use(f, f->path);
    assert_fails(assay_store_merge(f->store, m->b, &came), ASSAY_E_DATABASE,
                 "refers to a row of verdict");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "0");
    /* After a failure the next merge works. */
    came = merge(f, m->a);
    assert_true(came.n_runs == 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, make_files, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(two_files),
        TEST(either_order),
        TEST(goes_on),
        TEST(older_copy),
        TEST(conflicting_run),
        TEST(conflicting_check),
        TEST(conflicting_time),
        TEST(conflicting_samples),
        TEST(missing_row),
        TEST(conflicting_words),
        TEST(conflicting_spread),
        TEST(pruned),
        TEST(older_version),
        TEST(refuses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
