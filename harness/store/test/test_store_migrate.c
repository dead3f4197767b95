/* A file of schema version 1: brought up to date when it is opened for writing, read as it is when
 * it is opened for reading; everything in it reads as before. */
#include "testing/store_v1.h"

#include "report/report.h"

#include <math.h>

/* ---- everything reads as before ---- */

/* Questions whose answers the migration may not change. */
static const char *const old_questions[] = {
    "SELECT group_concat(build_id || binary_id || kernels_id || git_commit || git_dirty || "
    "build_flags) FROM build",
    "SELECT group_concat(device_id || kind || uuid || name) FROM device",
    "SELECT device_state_id || device_id || driver || sm_clock_khz || memory_clock_khz || "
    "memory_bus_bits || ecc || memory_bytes || l2_bytes || can_time FROM device_state",
    "SELECT group_concat(run_id || uuid || started_utc || verb || command || options || seed || "
    "lane || memory_free_bytes || build_id || device_state_id) FROM run",
    "SELECT run_id || ended_utc || exit_status FROM run_end",
    "SELECT case_version_id || name || version || what FROM case_version",
    "SELECT config_id || case_version_id || axes FROM config",
    "SELECT config_id || position || name || kind || value_x || text FROM axis_value",
    "SELECT group_concat(point_id || run_id || ordinal || config_id || variant || baseline || key "
    "|| seed || is_reference || is_timed || cells) FROM point",
    "SELECT group_concat(point_id || verdict) FROM expected_verdict",
    "SELECT group_concat(point_id || input || output || verdict || reason || seed || "
    "rule || coalesce(c, '-') || coalesce(growth, '-') || coalesce(n_failed, '-') || "
    "coalesce(first_bad_expected, '-') || worst_ratio) FROM check_result",
    "SELECT group_concat(point_id || verdict || reason || launches || workspace_bytes || "
    "device_bytes || wall_s || finished_utc) FROM verdict",
    "SELECT group_concat(measurement_id || point_id || verdict || regime || clock || n_samples || "
    "n_blocks || launches_per_sample || median_ns || mean_ns || min_ns || max_ns || p05_ns || "
    "q1_ns || q3_ns || p95_ns || coalesce(stdev_ns, '-') || stop_reason || flush_bytes || n_warmup "
    "|| wall_s || bytes_declared || coalesce(bytes_moved, '-') || flops) FROM measurement",
    "SELECT group_concat(measurement_id || block || n_samples || median_ns || crc32 || "
    "hex(time_ns)) FROM sample_block",
    "SELECT group_concat(run_id || key || seed || state || coalesce(verdict, '-') || outcome) FROM "
    "verdicts",
    "SELECT group_concat(key || verdict) FROM latest",
    "SELECT group_concat(variant || verdict || coalesce(worst_ratio, '-') || n_points) FROM "
    "worst_error",
    "SELECT group_concat(key || regime || clock || median_ns || stop_reason) FROM history",
};
enum {
    N_QUESTIONS = sizeof old_questions / sizeof old_questions[0]
};

static void assert_nothing_new(const char *path)
{
    assert_string_equal(
        ask(path,
            "SELECT sum(n_processes IS NULL AND process_spread IS NULL AND median_cycles IS "
            "NULL AND sm_clock_mhz IS NULL AND n_throttled IS NULL AND n_discarded IS NULL "
            "AND nvml IS NULL AND tuning IS NULL AND decides IS NULL AND decision IS NULL AND "
            "floor_ns IS NULL AND is_below_floor IS NULL AND ceiling_bytes_per_s IS NULL AND "
            "ceiling_flops IS NULL) FROM measurement"),
        "2");
    assert_string_equal(ask(path, "SELECT sum(process IS NULL AND sequence IS NULL AND start_s IS "
                                  "NULL AND reasons IS NULL AND energy_j IS NULL AND clock_crc32 "
                                  "IS NULL AND clock_mhz IS NULL) FROM sample_block"),
                        "3");
    assert_string_equal(ask(path, "SELECT count(peak_bytes) FROM verdict"), "0");
    /* The thresholds that version 1 kept with each measurement. */
    assert_string_equal(ask(path, "SELECT budget_s || ' ' || target_relative_error || ' ' || "
                                  "min_samples || ' ' || max_samples || ' ' || (short_ns IS NULL "
                                  "AND n_processes IS NULL AND flush_kind IS NULL) FROM policy"),
                        "2.0 0.005 3 100 1");
    assert_string_equal(ask(path, "SELECT count(policy_id) FROM measurement"), "2");
    assert_string_equal(ask(path, "SELECT cannot_tell FROM deciding WHERE regime = 'hot'"),
                        "not judged (recorded by version 1)");
}

static void assert_samples_there(fixture *f)
{
    assay_stored_samples read = { 0 };

    assert_ok(assay_store_read_samples(f->store, 41, &read));
    assert_int_equal(read.n_samples, 3);
    assert_int_equal(read.n_blocks, 2);
    assert_memory_equal(read.time_ns, samples_v1, 3 * sizeof *samples_v1);
    assert_int_equal(read.blocks[0].n_samples, 2);
    assert_int_equal(read.blocks[0].process, -1);
    assert_int_equal(read.blocks[0].n_throttled, -1);
    assert_true(isnan(read.sm_clock_mhz[0]) && isnan(read.blocks[0].energy_j));
    assay_stored_samples_free(&read);
}

/* Caller frees. */
static char *read_schema(const char *path)
{
    static const char sql[] = "SELECT group_concat(type || name || tbl_name || coalesce(sql, ''), "
                              "'') FROM (SELECT * FROM sqlite_schema ORDER BY type, name)";
    sqlite3          *db    = open_raw(path);
    sqlite3_stmt     *stmt  = NULL;
    char             *text;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    text = copy_text((const char *)sqlite3_column_text(stmt, 0));
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
    return text;
}

static void test_migrates(void **state)
{
    fixture *f = *state;
    char    *answer[N_QUESTIONS], *schema, *fresh_schema;
    char     fresh[160];

    write_v1(f->path);
    for (int i = 0; i < N_QUESTIONS; i++)
        answer[i] = copy_text(ask(f->path, old_questions[i]));
    open_store(f);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "6");
    assert_string_equal(ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM pragma_foreign_key_check"), "0");
    for (int i = 0; i < N_QUESTIONS; i++) {
        assert_string_not_equal(answer[i], "NULL"); /* the question asks for something */
        assert_string_equal(ask(f->path, old_questions[i]), answer[i]);
        free(answer[i]);
    }
    assert_nothing_new(f->path);
    assert_samples_there(f);

    /* The schema is that of a new file, to the letter. */
    (void)snprintf(fresh, sizeof fresh, "%s/fresh.db", f->directory);
    assay_store_close(f->store);
    assert_ok(assay_store_open(fresh, ASSAY_STORE_WRITE, &f->store));
    fresh_schema = read_schema(fresh);
    schema       = read_schema(f->path);
    assert_string_equal(schema, fresh_schema);
    free(schema);
    free(fresh_schema);
}

/* What was interrupted under version 1 goes on under version 2. */
static void test_goes_on(void **state)
{
    fixture      *f = *state;
    assay_run_row run;
    int64_t       id    = 0;
    bool          found = false;

    write_v1(f->path);
    open_store(f);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &run, &found));
    assert_true(found);
    assert_int_equal(id, 12);
    pass_point(f, 23, 0.5, 50000);
    assert_string_equal(ask(f->path, "SELECT group_concat(run_id || ' ' || median_ns || ' ' || "
                                     "coalesce(decides, '-'), '; ') FROM (SELECT * FROM history "
                                     "WHERE regime = 'cold' ORDER BY run_id)"),
                        "11 2000.0 -; 12 50000.0 0");
    /* A finished point stays finished. */
    assert_fails(assay_store_begin_point(f->store, 21), ASSAY_E_INTERNAL, "already finished");
    assert_int_equal(run_sql(f->path, "UPDATE run SET seed = 1"), SQLITE_CONSTRAINT);
    /* Opened again, nothing is left to do. */
    assay_store_close(f->store);
    f->store = NULL;
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "3");
}

/* ---- reading without writing ---- */

static void assert_same_bytes(const char *path, const unsigned char *before, size_t n)
{
    FILE          *file  = fopen(path, "rb");
    unsigned char *after = malloc(1 << 22);

    assert_non_null(file);
    assert_non_null(after);
    assert_int_equal(fread(after, 1, 1 << 22, file), n);
    assert_memory_equal(after, before, n);
    (void)fclose(file);
    free(after);
}

/* A report of an old file is written, and the file stays as it is; nor can it be written to. */
static void test_reads_older(void **state)
{
    fixture       *f     = *state;
    unsigned char *bytes = malloc(1 << 22);
    char          *text  = NULL;
    size_t         size  = 0, n;
    FILE          *file, *out = open_memstream(&text, &size);

    write_v1(f->path);
    file = fopen(f->path, "rb");
    assert_non_null(file);
    assert_non_null(out);
    n = fread(bytes, 1, 1 << 22, file);
    (void)fclose(file);
    assert_ok(assay_report_write(f->path, 11, "details", out));
    assert_int_equal(fclose(out), 0);
    assert_non_null(strstr(text, "2.000 us"));
    assert_non_null(strstr(text, "y[1] is NaN"));
    assert_same_bytes(f->path, bytes, n);

    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    assert_samples_there(f);
    assert_fails(assay_store_end_run(f->store, 12, 0), ASSAY_E_DATABASE, "read-only");
    assert_same_bytes(f->path, bytes, n);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "1");
    free(text);
    free(bytes);
}

/* 0: the old run is there. */
static void child_reads(fixture *f)
{
    assay_cursor *row = NULL;
    assay_status  st  = assay_store_open(f->path, ASSAY_STORE_READ, &f->store);

    if (st == ASSAY_OK)
        st = assay_store_query(f->store, "timings", 11, &row);
    if (st != ASSAY_OK)
        print_error("%s\n", assay_status_message());
    _exit(st == ASSAY_OK && assay_cursor_next(row, &st) ? 0 : 1);
}

static void test_reads_older_archive(void **state)
{
    fixture *f = *state;

    write_v1(f->path);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->directory, 0555), 0);
    assert_int_equal(in_child(child_reads, f, true), 0);
    assert_false(has_companion(f->path));
    assert_int_equal(chmod(f->directory, 0777), 0);
}

/* ---- what may go wrong ---- */

/* A row that breaks a rule: the migration is refused as a whole. */
static void test_refuses_broken(void **state)
{
    fixture *f = *state;

    write_v1(f->path);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER check_result_held; DELETE FROM check_result "
                                      "WHERE check_id = 31"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_INTERNAL,
                 "a PASS needs a check that passed");
    assert_null(f->store);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_v1'"),
                        "0");
}

/* A header of version 1 over something else. */
static void test_refuses_other_tables(void **state)
{
    fixture *f = *state;

    assert_int_equal(run_sql(f->path,
                             "PRAGMA application_id = 1095979865; PRAGMA user_version = 1; "
                             "CREATE TABLE build (x)"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "no such table");
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE,
                 "no such table");
    assert_string_equal(ask(f->path, "SELECT group_concat(name) FROM sqlite_schema"), "build");
}

/* A person's own view goes on meaning what it says. */
static void test_keeps_own_view(void **state)
{
    fixture *f = *state;

    write_v1(f->path);
    assert_int_equal(run_sql(f->path, "CREATE VIEW mine AS SELECT sum(median_ns) AS total FROM "
                                      "measurement"),
                     SQLITE_OK);
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT total FROM mine"), "3500.0");
}

/* What a person added and would lose is named, and the file stays as it is. */
static void assert_refuses_addition(fixture *f, const char *addition, const char *words)
{
    char *schema, *after;

    write_v1(f->path);
    assert_int_equal(run_sql(f->path, addition), SQLITE_OK);
    schema = read_schema(f->path);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE, words);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE, words);
    after = read_schema(f->path);
    assert_string_equal(after, schema);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "2");
    free(schema);
    free(after);
}

#define REFUSES(name, addition, words)                                                             \
    static void test_refuses_##name(void **state)                                                  \
    {                                                                                              \
        assert_refuses_addition(*state, (addition), (words));                                      \
    }

REFUSES(own_column, "ALTER TABLE run ADD COLUMN ticket TEXT", "would be lost: run.ticket;")
REFUSES(own_generated, "ALTER TABLE measurement ADD COLUMN us REAL AS (median_ns / 1000)",
        "would be lost: measurement.us;")
REFUSES(own_reference, "CREATE TABLE mine (run_id INTEGER REFERENCES \"RUN\")",
        "refers to one that is: mine (to run);")

/* A table that refers to nothing of ours stays. */
static void test_keeps_own_table(void **state)
{
    fixture *f = *state;

    write_v1(f->path);
    assert_int_equal(run_sql(f->path, "CREATE TABLE mine (note TEXT); INSERT INTO mine VALUES "
                                      "('kept')"),
                     SQLITE_OK);
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT note FROM mine"), "kept");
}

/* Samples that were pruned stay pruned. */
static void test_pruned(void **state)
{
    fixture             *f    = *state;
    assay_stored_samples read = { 0 };

    write_v1(f->path);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL WHERE block = 1"),
                     SQLITE_OK);
    open_store(f);
    assert_fails(assay_store_read_samples(f->store, 41, &read), ASSAY_E_DATABASE, "pruned");
    assert_ok(assay_store_read_samples(f->store, 42, &read));
    assay_stored_samples_free(&read);
}

static void child_opens(fixture *f)
{
    _exit(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store) == ASSAY_OK ? 0 : 1);
}

/* Several programs find the old file at once: one brings it up to date. */
static void test_migrated_by_several(void **state)
{
    enum {
        N = 6
    };
    fixture *f = *state;
    pid_t    pid[N];

    write_v1(f->path);
    for (int i = 0; i < N; i++) {
        pid[i] = fork();
        assert_true(pid[i] >= 0);
        if (pid[i] == 0)
            child_opens(f);
    }
    for (int i = 0; i < N; i++) {
        int status = 0;

        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    assert_string_equal(ask(f->path, "SELECT count(*) FROM sample_block"), "3");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM policy"), "1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(migrates),
        TEST(goes_on),
        TEST(reads_older),
        TEST(reads_older_archive),
        TEST(refuses_broken),
        TEST(refuses_other_tables),
        TEST(keeps_own_view),
        TEST(refuses_own_column),
        TEST(refuses_own_generated),
        TEST(refuses_own_reference),
        TEST(keeps_own_table),
        TEST(pruned),
        TEST(migrated_by_several),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
