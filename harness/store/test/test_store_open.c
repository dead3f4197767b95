/* Which files the store opens, and that refused files do not change. */
#include "testing/store_raw.h"

#include <inttypes.h>

static void write_file(const char *path, const void *bytes, size_t n)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, n, file), n);
    assert_int_equal(fclose(file), 0);
}

/* Caller frees. */
static unsigned char *read_file(const char *path, size_t *n)
{
    FILE          *file  = fopen(path, "rb");
    unsigned char *bytes = malloc(1 << 22);

    assert_non_null(file);
    assert_non_null(bytes);
    *n = fread(bytes, 1, 1 << 22, file);
    assert_int_equal(fclose(file), 0);
    return bytes;
}

/* Opening for reading and for writing is refused with this sentence, and no byte changes in the
 * file or beside it. */
static void assert_refused(const char *path, const char *sentence)
{
    size_t         n_before, n_after;
    unsigned char *before = read_file(path, &n_before);
    unsigned char *after;
    assay_store   *store = NULL;

    assert_fails(assay_store_open(path, ASSAY_STORE_WRITE, &store), ASSAY_E_DATABASE, sentence);
    assert_null(store);
    assert_fails(assay_store_open(path, ASSAY_STORE_READ, &store), ASSAY_E_DATABASE, sentence);
    assert_null(store);
    after = read_file(path, &n_after);
    assert_int_equal(n_before, n_after);
    assert_memory_equal(before, after, n_before);
    assert_false(has_companion(path));
    free(before);
    free(after);
}

/* ---- opening ---- */

static void test_creates(void **state)
{
    fixture *f = *state;

    open_store(f);
    assert_string_equal(ask(f->path, "PRAGMA journal_mode"), "wal");
    assert_string_equal(ask(f->path, "PRAGMA user_version"), "6");
    assert_int_equal(strtol(ask(f->path, "PRAGMA application_id"), NULL, 10), ASSAY_APPLICATION_ID);
    assert_string_equal(ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM pragma_table_list WHERE type = 'table' "
                                     "AND schema = 'main' AND NOT strict AND name NOT LIKE "
                                     "'sqlite_%'"),
                        "0");
    assay_store_close(f->store);
    f->store = NULL;
    open_store(f);
}

/* schema.sql has a comment for every table and every column. */
static void test_schema_is_commented(void **state)
{
    const char *line      = assay_sql_schema;
    bool        in_table  = false;
    int         n_columns = 0;

    (void)state;
    while (*line) {
        const char  *end = strchr(line, '\n');
        const size_t n   = end ? (size_t)(end - line) : strlen(line);
        char         text[512];

        (void)snprintf(text, sizeof text, "%.*s", (int)n, line);
        if (strncmp(text, "CREATE TABLE", 12) == 0)
            in_table = true;
        else if (text[0] == ')')
            in_table = false;
        else if (in_table && text[4] >= 'a' && text[4] <= 'z') {
            n_columns++;
            if (!strstr(text, "--"))
                print_error("no comment: %s\n", text);
            assert_non_null(strstr(text, "--"));
        }
        line += n + (end ? 1 : 0);
    }
    assert_true(n_columns > 100);
}

static void test_refuses_strangers(void **state)
{
    fixture *f = *state;

    write_file(f->path,
               "This is a text, and a long enough one, but no database at all. ........."
               "....................................................................",
               140);
    assert_refused(f->path, "not a database");

    (void)unlink(f->path);
    assert_int_equal(run_sql(f->path, "CREATE TABLE bookmarks (url TEXT)"), SQLITE_OK);
    assert_refused(f->path, "another program");

    (void)unlink(f->path);
    assert_int_equal(run_sql(f->path, "PRAGMA application_id = 252006674; PRAGMA user_version = 1; "
                                      "CREATE TABLE run (run_id INTEGER)"),
                     SQLITE_OK);
    assert_refused(f->path, "another program");
}

static void test_refuses_newer(void **state)
{
    fixture *f = *state;

    open_store(f);
    assay_store_close(f->store);
    f->store = NULL;
    assert_int_equal(run_sql(f->path, "PRAGMA user_version = 7"), SQLITE_OK);
    assert_refused(f->path, "made by a newer assay (schema version 7, this one knows 6)");
}

/* A header of ours, with a version that has no migration. */
static void test_refuses_unknown_version(void **state)
{
    fixture *f = *state;

    assert_int_equal(run_sql(f->path, "PRAGMA application_id = 1095979865; PRAGMA user_version = "
                                      "-3; CREATE TABLE t (x)"),
                     SQLITE_OK);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store), ASSAY_E_DATABASE,
                 "made before release 0.2 (schema version -3");
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &f->store), ASSAY_E_DATABASE,
                 "made before release 0.2 (schema version -3");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM sqlite_schema"), "1");
}

static void test_refuses_places(void **state)
{
    fixture     *f     = *state;
    assay_store *store = NULL;
    char         path[160];

    assert_fails(assay_store_open("", ASSAY_STORE_WRITE, &store), ASSAY_E_USAGE, "empty");
    assert_fails(assay_store_open(f->directory, ASSAY_STORE_WRITE, &store), ASSAY_E_DATABASE,
                 "is a directory");
    assert_fails(assay_store_open("/dev/null", ASSAY_STORE_WRITE, &store), ASSAY_E_DATABASE,
                 "no regular file");
    (void)snprintf(path, sizeof path, "%s/absent/results.db", f->directory);
    assert_fails(assay_store_open(path, ASSAY_STORE_WRITE, &store), ASSAY_E_DATABASE,
                 "No such file");
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &store), ASSAY_E_DATABASE,
                 "no results yet");
    assert_int_not_equal(access(f->path, F_OK), 0);
    write_file(f->path, "", 0);
    assert_fails(assay_store_open(f->path, ASSAY_STORE_READ, &store), ASSAY_E_DATABASE,
                 "no results yet");
    open_store(f); /* an empty file counts as a new one */
}

/* Names that SQLite, URIs or a shell could interpret are plain names of files. */
static void test_odd_names(void **state)
{
    static const char *const names[] = { "a b?mode=memory#x%20.db", "file:x.db",
                                         ":memory:", "it's \"quoted\".db" };
    fixture                 *f       = *state;
    char                     here[256];

    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(f->directory), 0);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assay_store *store = NULL;

        assert_ok(assay_store_open(names[i], ASSAY_STORE_WRITE, &store));
        assay_store_close(store);
        assert_int_equal(access(names[i], F_OK), 0);
        assert_ok(assay_store_open(names[i], ASSAY_STORE_READ, &store));
        assay_store_close(store);
    }
    assert_int_equal(chdir(here), 0);
}

/* Returns 0 if it is refused with a sentence about permissions. */
static void child_opens_for_writing(fixture *f)
{
    const assay_status st = assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store);

    _exit(st == ASSAY_E_DATABASE && strstr(assay_status_message(), "read-only") ? 0 : 1);
}

/* Returns 0 if the run is there. */
static void child_reads(fixture *f)
{
    assay_cursor *row = NULL;
    assay_status  st  = assay_store_open(f->path, ASSAY_STORE_READ, &f->store);

    if (st == ASSAY_OK)
        st = assay_store_query(f->store, "run", 1, &row);
    _exit(st == ASSAY_OK && assay_cursor_next(row, &st) ? 0 : 1);
}

static void test_read_only(void **state)
{
    fixture *f = *state;

    open_store(f);
    (void)begin_run(f, "run-1");
    assay_store_close(f->store);
    f->store = NULL;
    assert_false(has_companion(f->path));

    assert_int_equal(chmod(f->path, 0444), 0);
    assert_int_equal(in_child(child_opens_for_writing, f, true), 0);
    assert_int_equal(in_child(child_reads, f, true), 0);
    assert_false(has_companion(f->path)); /* a reader leaves nothing */

    /* In a read-only directory no file can be created beside the database. */
    assert_int_equal(chmod(f->path, 0666), 0);
    assert_int_equal(chmod(f->directory, 0555), 0);
    assert_int_equal(in_child(child_opens_for_writing, f, true), 0);
    assert_int_equal(in_child(child_reads, f, true), 0);
    assert_false(has_companion(f->path));

    assert_int_equal(unlink(f->path), 0);
    assert_int_equal(chmod(f->directory, 0555), 0);
    assert_int_equal(in_child(child_opens_for_writing, f, true), 0);
    assert_int_equal(chmod(f->directory, 0777), 0);
}

/* Reading a closed file leaves no other file beside it, and does not block a writer. */
static void test_reader_leaves_nothing(void **state)
{
    fixture     *f      = *state;
    assay_store *reader = NULL;
    int64_t      run    = 0;
    bool         found  = false;

    open_store(f);
    (void)begin_run(f, "run-1");
    assay_store_close(f->store);
    f->store = NULL;
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &reader));
    assert_ok(assay_store_latest_run(reader, &run, &found));
    assert_false(found);
    open_store(f); /* a writer opens and closes the file meanwhile */
    (void)begin_run(f, "run-2");
    assay_store_close(f->store);
    f->store = NULL;
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "2");
    assert_ok(assay_store_latest_run(reader, &run, &found));
    assay_store_close(reader);
    assert_false(has_companion(f->path));
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "2");
}

/* A reader's connection refuses to write, though it could. */
static void test_reader_writes_nothing(void **state)
{
    fixture                *f      = *state;
    assay_store            *reader = NULL;
    assay_run_row           run    = a_run("run-2");
    const assay_device_info device = a_device();
    int64_t                 id     = 0;

    open_store(f);
    (void)begin_run(f, "run-1");
    assay_store_close(f->store);
    f->store = NULL;
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &reader));
    assert_fails(assay_store_begin_run(reader, &run, &device, &id), ASSAY_E_DATABASE, "read-only");
    assay_store_close(reader);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "1");
}

/* Several programs create the same file at once: there is one schema, and none fails. */
static void child_creates(fixture *f)
{
    const assay_run_row     run    = a_run("");
    const assay_device_info device = a_device();
    assay_run_row           mine   = run;
    int64_t                 id     = 0;
    assay_status            st     = assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store);

    (void)snprintf(mine.uuid, sizeof mine.uuid, "run-%ld", (long)getpid());
    if (st == ASSAY_OK)
        st = assay_store_begin_run(f->store, &mine, &device, &id);
    if (st != ASSAY_OK)
        print_error("%s\n", assay_status_message());
    assay_store_close(f->store);
    _exit(st == ASSAY_OK ? 0 : 1);
}

static void test_created_by_several(void **state)
{
    enum {
        N = 8
    };
    fixture *f = *state;
    pid_t    pid[N];

    for (int i = 0; i < N; i++) {
        pid[i] = fork();
        assert_true(pid[i] >= 0);
        if (pid[i] == 0)
            child_creates(f);
    }
    for (int i = 0; i < N; i++) {
        int status = 0;

        assert_int_equal(waitpid(pid[i], &status, 0), pid[i]);
        assert_int_equal(status, 0);
    }
    assert_string_equal(ask(f->path, "SELECT count(*) FROM run"), "8");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM device"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM build"), "1");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(creates),
        TEST(schema_is_commented),
        TEST(refuses_strangers),
        TEST(refuses_newer),
        TEST(refuses_unknown_version),
        TEST(refuses_places),
        TEST(odd_names),
        TEST(read_only),
        TEST(reader_leaves_nothing),
        TEST(reader_writes_nothing),
        TEST(created_by_several),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
