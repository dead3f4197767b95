/* A file with the oldest schema that can be read: it is migrated when opened for writing, and
 * read as it is when opened for reading. All its contents stay the same. */
#include "migrate_fixture.h"
#include "testing/store_old.h"

#include <sys/stat.h>

/* ---- contents stay the same ---- */

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_old(f, f->path);
    copy_old(f, old);
    open_store(f);
    assert_keeps(f->path, old, tables_old, N_TABLES_OLD);
    assert_string_equal(ask(old, "PRAGMA user_version"), "5");
}

static void test_schema_is_new(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_schema_is_new(f);
}

/* The errors of a run that had ended are kept; they come from its checks. */
static void test_finds_errors_of_runs(void **state)
{
    static const char errors[] =
        "SELECT group_concat(t) FROM (SELECT variant || input || output || run_id || worst_ratio "
        "|| n_checks || n_failed AS t FROM trend ORDER BY t)";
    fixture *f = *state;
    char     old[160], *before;

    write_old(f, f->path);
    copy_old(f, old);
    open_store(f);
    before = copy_text(ask(old, errors));
    assert_string_equal(ask(f->path, errors), before);
    assert_string_equal(ask(f->path, "SELECT count(*) > 0 FROM run_error"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM open_point"), "0");
    free(before);
}

/* An interrupted run can be resumed, and a finished run stays finished. */
static void test_goes_on(void **state)
{
    fixture      *f = *state;
    assay_run_row run;
    int64_t       id    = 0;
    bool          found = false;

    write_old(f, f->path);
    open_store(f);
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &id, &run, &found));
    assert_true(found);
    assert_string_equal(run.uuid, "run-b");
    pass_point(f, 3, 0.5, 50000);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM verdict WHERE point_id = 3"), "1");
    assert_fails(assay_store_begin_point(f->store, 1), ASSAY_E_INTERNAL, "already finished");
    assert_int_equal(run_sql(f->path, "UPDATE run SET seed = 1"), SQLITE_CONSTRAINT);
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

/* Reports of an old file can be written, and the file does not change. It cannot be written to. */
static void test_reads_without_writing(void **state)
{
    fixture       *f     = *state;
    unsigned char *bytes = malloc(1 << 22);
    FILE          *file;
    size_t         n;

    write_old(f, f->path);
    file = fopen(f->path, "rb");
    assert_non_null(file);
    n = fread(bytes, 1, 1 << 22, file);
    (void)fclose(file);
    assert_reads_without_writing(f, "5");
    assert_same_bytes(f->path, bytes, n);
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    assert_fails(assay_store_end_run(f->store, 2, 0), ASSAY_E_DATABASE, "read-only");
    assert_same_bytes(f->path, bytes, n);
    free(bytes);
}

/* Returns 0 if the old run is there. */
static void child_reads(fixture *f)
{
    assay_cursor *row = NULL;
    assay_status  st  = assay_store_open(f->path, ASSAY_STORE_READ, &f->store);

    if (st == ASSAY_OK)
        st = assay_store_query(f->store, "timings", 1, &row);
    if (st != ASSAY_OK)
        print_error("%s\n", assay_status_message());
    _exit(st == ASSAY_OK && assay_cursor_next(row, &st) ? 0 : 1);
}

static void test_reads_archive(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(chmod(f->directory, 0555), 0);
    assert_int_equal(in_child(child_reads, f, true), 0);
    assert_false(has_companion(f->path));
    assert_int_equal(chmod(f->directory, 0777), 0);
}

/* ---- failures ---- */

/* Files from before release 0.2 are not read, and nothing in them is changed. */
static void test_refuses_unreleased(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, "PRAGMA user_version = 4"), SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "made before release 0.2 (schema version 4");
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE,
                 "made before release 0.2 (schema version 4");
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "4");
}

/* If a row breaks a rule, the whole migration is refused. */
static void test_refuses_broken(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER check_result_held; DELETE FROM check_result "
                                      "WHERE point_id = 1"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_INTERNAL,
                 "a PASS needs a check that passed");
    assert_null(f->store);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "5");
    assert_string_equal(ask(f->path, "SELECT count(*) > 0 FROM measurement"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE '%_old'"),
                        "0");
}

/* The header of an old version on a file with other tables. */
static void test_refuses_other_tables(void **state)
{
    fixture *f = *state;

    assert_int_equal(run_sql(f->path,
                             "PRAGMA application_id = 1095979865; PRAGMA user_version = 5; "
                             "CREATE TABLE build (x)"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "no such table");
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE,
                 "no such table");
    assert_string_equal(ask(f->path, "SELECT group_concat(name) FROM sqlite_schema"), "build");
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

/* A user's own view keeps its meaning. */
static void test_keeps_own_view(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, "CREATE VIEW mine AS SELECT sum(median_ns) AS total FROM "
                                      "measurement"),
                     SQLITE_OK);
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT total > 0 FROM mine"), "1");
}

/* An addition of the user that would be lost is named, and the file does not change. */
static void assert_refuses_addition(fixture *f, const char *addition, const char *words)
{
    char *schema, *after;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, addition), SQLITE_OK);
    schema = read_schema(f->path);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE, words);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE, words);
    after = read_schema(f->path);
    assert_string_equal(after, schema);
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "5");
    assert_string_equal(ask(f->path, "SELECT count(*) > 0 FROM measurement"), "1");
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

/* A user's own table is kept if it does not refer to our tables. */
static void test_keeps_own_table(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, "CREATE TABLE mine (note TEXT); INSERT INTO mine VALUES "
                                      "('kept')"),
                     SQLITE_OK);
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT note FROM mine"), "kept");
}

/* Samples that were pruned stay pruned. */
static void test_pruned(void **state)
{
    fixture *f = *state;

    write_old(f, f->path);
    assert_int_equal(run_sql(f->path, "UPDATE sample_block SET time_ns = NULL, clock_mhz = NULL"),
                     SQLITE_OK);
    open_store(f);
    assert_string_equal(
        ask(f->path, "SELECT count(*) > 0 AND count(time_ns) = 0 FROM sample_block"), "1");
}

static void child_opens(fixture *f)
{
    _exit(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store) == ASSAY_OK ? 0 : 1);
}

/* Several programs open the old file at once: one of them migrates it. */
static void test_migrated_by_several(void **state)
{
    enum {
        N = 6
    };
    fixture *f = *state;
    pid_t    pid[N];

    write_old(f, f->path);
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
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "6");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "2");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_everything),
        TEST(schema_is_new),
        TEST(finds_errors_of_runs),
        TEST(goes_on),
        TEST(reads_without_writing),
        TEST(reads_archive),
        TEST(refuses_unreleased),
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
