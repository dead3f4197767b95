/* What a crash, a lock, a full disk and a damaged file leave behind. */
#include "testing/store_raw.h"

#include "store/store_internal.h"

#include <signal.h>
#include <sys/resource.h>

/* ---- crashes, locks, full disks ---- */

/* Finishes one point, and is killed in the middle of the next one. */
static void child_is_killed(fixture *f)
{
    const assay_check_row check = a_check(0.5);

    open_store(f);
    {
        const int64_t   run = begin_run(f, "run-1");
        assay_point_row p[3];
        int64_t         ids[3];

        for (int i = 0; i < 3; i++)
            p[i] = a_point("axpy", "naive", "", 64 + i);
        assert_ok(assay_store_plan(f->store, run, "what", 1, p, 3, ids));
        pass_point(f, ids[0], 0.5, 1000);
        assert_ok(assay_store_begin_point(f->store, ids[1]));
        assert_ok(assay_store_put_check(f->store, ids[1], &check));
        put_measurement(f, ids[1], ASSAY_REGIME_COLD, 1000);
    }
    (void)kill(getpid(), SIGKILL);
}

typedef struct {
    fixture *f;
    int      n;
    char     keys[256];
} visits;

/* Finishes each point that it reads. */
static assay_status visit_ready(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    visits      *v    = context;
    const size_t used = strlen(v->keys);

    assert_int_equal(seed, 42);
    v->n++;
    (void)snprintf(v->keys + used, sizeof v->keys - used, "%s ", key);
    pass_point(v->f, point_id, 0.5, 2000);
    return ASSAY_OK;
}

static assay_status visit_and_fail(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    (void)context;
    (void)point_id;
    (void)key;
    (void)seed;
    return ASSAY_FAIL(ASSAY_E_IO, "the visitor has had enough");
}

static void test_killed_and_resumed(void **state)
{
    fixture      *f = *state;
    visits        v = { .f = f };
    assay_run_row run;
    int64_t       run_id = 0;
    bool          found  = false;

    assert_int_equal(in_child(child_is_killed, f, false), 1000 + SIGKILL);
    open_store(f);
    assert_string_equal(ask(f->path, "PRAGMA integrity_check"), "ok");
    assert_string_equal(ask(f->path, "SELECT group_concat(state) FROM verdicts"),
                        "done,ready,ready");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM measurement"), "1");
    assert_ok(assay_store_find_interrupted(f->store, NULL, 0, &run_id, &run, &found));
    assert_true(found);
    assert_string_equal(run.options, "--case=axpy\n--seed=42\n");
    assert_string_equal(run.verb, "check");
    assert_fails(assay_store_each_ready(f->store, run_id, visit_and_fail, NULL), ASSAY_E_IO,
                 "had enough");
    assert_ok(assay_store_each_ready(f->store, run_id, visit_ready, &v));
    assert_int_equal(v.n, 2);
    assert_string_equal(v.keys, "axpy/naive/n=65 axpy/naive/n=66 ");
    assert_ok(assay_store_each_ready(f->store, run_id, visit_ready, &v));
    assert_int_equal(v.n, 2);
}

static void test_latest_run(void **state)
{
    fixture              *f     = *state;
    const assay_point_row p     = a_point("axpy", "naive", "", 64);
    int64_t               id    = 0, first;
    bool                  found = true;

    open_store(f);
    assert_ok(assay_store_latest_run(f->store, &id, &found));
    assert_false(found);
    first = begin_run(f, "run-1");
    assert_ok(assay_store_latest_run(f->store, &id, &found));
    assert_false(found);
    pass_point(f, plan_point(f, first, &p), 0.5, 0);
    (void)plan_point(f, begin_run(f, "run-2"), &p); /* no point in it is finished */
    assert_ok(assay_store_latest_run(f->store, &id, &found));
    assert_true(found);
    assert_int_equal(id, first);
}

/* A second writer waits for the first; if that takes too long, it reports this. */
static void test_second_writer(void **state)
{
    fixture                *f      = *state;
    sqlite3                *other  = (open_store(f), open_raw(f->path));
    const assay_run_row     run    = a_run("run-1");
    const assay_device_info device = a_device();
    int64_t                 id;
    pid_t                   pid;
    int                     status = 0, locked[2];
    char                    byte;

    assert_int_equal(pipe(locked), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        /* A connection must not be used after a fork, so this process opens its own. */
        sqlite3 *mine = open_raw(f->path);

        if (sqlite3_exec(mine, "BEGIN IMMEDIATE", NULL, NULL, NULL) != SQLITE_OK ||
            write(locked[1], "x", 1) != 1)
            _exit(1);
        (void)usleep(500000); /* usually long enough for the other process to be refused first */
        (void)sqlite3_exec(mine, "ROLLBACK", NULL, NULL, NULL);
        _exit(0);
    }
    assert_int_equal(close(locked[1]), 0);
    assert_int_equal(read(locked[0], &byte, 1), 1);
    assert_int_equal(close(locked[0]), 0);
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id)); /* it waited */
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);

    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assay_store_set_patience(f->store, 0.1);
    assert_fails(assay_store_end_run(f->store, id, 0), ASSAY_E_DATABASE,
                 "another process keeps it locked");
    assert_int_equal(sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    assert_ok(assay_store_end_run(f->store, id, 0));
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
}

/* A reader sees the finished points while a point is being written. */
static void test_reader_beside_writer(void **state)
{
    fixture              *f     = *state;
    const int64_t         run   = (open_store(f), begin_run(f, "run-1"));
    assay_point_row       p     = a_point("axpy", "naive", "", 64);
    const int64_t         first = plan_point(f, run, &p);
    const assay_check_row check = a_check(0.5);
    assay_store          *other = NULL;
    assay_cursor         *row   = NULL;
    assay_status          st;

    pass_point(f, first, 0.5, 1000);
    p = a_point("axpy", "naive", "", 65);
    {
        const int64_t second = plan_point(f, run, &p);

        assert_ok(assay_store_begin_point(f->store, second));
        assert_ok(assay_store_put_check(f->store, second, &check));
    }
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &other));
    assert_ok(assay_store_query(other, "timings", run, &row));
    assert_true(assay_cursor_next(row, &st));
    assert_string_equal(assay_cursor_text(row, assay_cursor_find(row, "key")), "axpy/naive/n=64");
    assert_false(assay_cursor_next(row, &st));
    assert_ok(st);
    assay_cursor_close(row);
    assert_fails(assay_store_end_run(other, run, 0), ASSAY_E_DATABASE, "read-only");
    assay_store_close(other);
}

static void test_full_database(void **state)
{
    fixture                *f     = *state;
    const int64_t           run   = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row   p     = a_point("axpy", "naive", "", 64);
    const int64_t           id    = plan_point(f, run, &p);
    const assay_check_row   check = a_check(0.5);
    const assay_verdict_row pass  = a_verdict(ASSAY_PASS, "");
    static double           many[100000];
    const assay_block       block = a_block(100000, 0);
    assay_measurement_row   m     = a_measurement(ASSAY_REGIME_COLD, 1000);

    m.n_samples = 100000;
    m.n_blocks  = 1;
    assert_int_equal(sqlite3_exec(f->store->db, "PRAGMA max_page_count = 1", NULL, NULL, NULL),
                     SQLITE_OK); /* 1 means: no larger than now */
    assert_ok(assay_store_begin_point(f->store, id));
    assert_ok(assay_store_put_check(f->store, id, &check));
    assert_fails(assay_store_put_measurement(f->store, id, &m, many, NULL, &block),
                 ASSAY_E_DATABASE, "no space is left");
    assert_fails(assay_store_finish_point(f->store, id, &pass), ASSAY_E_INTERNAL, "not open");
    assert_ok(assay_store_abandon_point(f->store));
    assert_string_equal(ask(f->path, "SELECT count(*) FROM check_result"), "0");
    assert_int_equal(
        sqlite3_exec(f->store->db, "PRAGMA max_page_count = 1000000", NULL, NULL, NULL), SQLITE_OK);
    pass_point(f, id, 0.5, 1000); /* there is room again */
}

/* The disk is full; a limit on the size of files stands in for this. Returns 0 if that was
 * reported. */
static void child_fills_disk(fixture *f)
{
    const struct rlimit limit = { 16384, 16384 };
    assay_status        st;

    (void)signal(SIGXFSZ, SIG_IGN);
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        _exit(2);
    st = assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store);
    if (st != ASSAY_E_DATABASE || !strstr(assay_status_message(), "no space is left"))
        print_error("%d %s\n", (int)st, assay_status_message());
    _exit(st == ASSAY_E_DATABASE && strstr(assay_status_message(), "no space is left") ? 0 : 1);
}

static void test_full_disk(void **state)
{
    fixture *f = *state;

    assert_int_equal(in_child(child_fills_disk, f, false), 0);
    open_store(f); /* what the failure left counts as no file */
    assert_string_equal(ask(f->path, "PRAGMA integrity_check"), "ok");
}

/* A file that was cut is damaged, not empty. */
static void test_damaged_file(void **state)
{
    fixture      *f = *state;
    assay_cursor *row;
    assay_status  st;
    bool          has_row = true;

    open_store(f);
    (void)begin_run(f, "run-1");
    assay_store_close(f->store);
    f->store = NULL;
    assert_int_equal(truncate(f->path, 4096), 0);
    st = assay_store_open(f->path, ASSAY_STORE_READ, &f->store);
    if (st == ASSAY_OK)
        st = assay_store_query(f->store, "run", 1, &row);
    if (st == ASSAY_OK) {
        has_row = assay_cursor_next(row, &st);
        assay_cursor_close(row);
        assert_false(has_row);
    }
    assert_fails(st, ASSAY_E_DATABASE, "damaged");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(killed_and_resumed), TEST(latest_run), TEST(second_writer), TEST(reader_beside_writer),
        TEST(full_database),      TEST(full_disk),  TEST(damaged_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
