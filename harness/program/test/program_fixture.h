/* A device, a plan of two groups of two points, and a database to examine: for the tests of
 * program.h. */
#ifndef ASSAY_TEST_PROGRAM_FIXTURE_H
#define ASSAY_TEST_PROGRAM_FIXTURE_H

#include "testing/store_fixture.h"

#include "exit_status.h"
#include "program.h"

#include <math.h>
#include <sqlite3.h>

/* ---- a device, and a plan of two groups ---- */

static bool device_can_time, device_is_there;

static inline int count(char *why, size_t size)
{
    (void)snprintf(why, size, "it was taken out");
    return device_is_there;
}

static inline assay_status open_device(int index, assay_device **device, assay_device_info *info)
{
    (void)index;
    *device        = NULL;
    *info          = a_device();
    info->can_time = device_can_time;
    return ASSAY_OK;
}

static inline void        close_device(assay_device *device) { (void)device; }
static inline const char *message(void) { return "never"; }

static const assay_device_api fake = {
    .kind = "cuda", .count = count, .open = open_device, .close = close_device, .message = message
};

enum {
    N = 4
};

static assay_program_point points[N];
static char               *own_words[] = { (char[]) { "prog" }, NULL };
static assay_program_words words;
static assay_program      *program;

static inline assay_program_start a_start(void)
{
    return (assay_program_start) { "prog", &words, &fake, points, N };
}

static inline int begin(void **state)
{
    if (set_up(state) != 0)
        return -1;
    for (int i = 0; i < N; i++)
        points[i] = (assay_program_point) {
            .case_name    = "own_sums",
            .case_what    = "sums of my own",
            .case_version = 1,
            .variant      = i % 2 ? "fast" : "slow",
            .baseline     = i % 2 ? "slow" : NULL,
            .axis         = { { .name = "n", .value = { 10 * (1 + i / 2) } },
                              { .name = "kind", .word = "even" },
                              { .name = "grid", .value = { 2, 3, 4 } } },
            .n_axes       = 3,
            .seed         = 5,
            .cells        = 100,
            .bytes        = 4000,
            .is_timed     = true,
        };
    device_can_time = device_is_there = true;
    words                             = (assay_program_words) {
                                    .database = ((fixture *)*state)->path, .n_processes = 1, .argc = 1, .argv = own_words
    };
    program = NULL;
    return 0;
}

static inline int finish(void **state)
{
    int status = ASSAY_EXIT_PASS;

    if (program)
        (void)assay_program_close(program, &status);
    assay_status_reset();
    return tear_down(state);
}

static inline void open_program(void)
{
    const assay_program_start start = a_start();

    assert_ok(assay_program_open(&start, &program));
    assert_non_null(program);
}

static inline int close_program(void)
{
    int status = ASSAY_EXIT_PASS;

    assert_ok(assay_program_close(program, &status));
    program = NULL;
    return status;
}

static inline void put_check(int64_t point, double error, double bound)
{
    const assay_program_check check = {
        .output = "sum", .why = "by hand", .error = error, .bound = bound
    };

    assert_ok(assay_program_put_check(program, point, &check));
}

static inline assay_status put_times(int64_t point, double at)
{
    double                    ns[12];
    const assay_program_times times = {
        .clock = ASSAY_PROGRAM_EVENT, .time_ns = ns, .n = 12, .n_blocks = 3, .calls = 10
    };

    for (int i = 0; i < 12; i++)
        ns[i] = at + 100 * i;
    return assay_program_put_times(program, point, &times);
}

static inline void take(int64_t first, int64_t n)
{
    bool is_wanted = false;

    assert_ok(assay_program_take(program, first, n, &is_wanted));
    assert_true(is_wanted);
}

/* A group that is right, and twice as fast as its baseline. */
static inline void do_group(int64_t first)
{
    take(first, 2);
    for (int i = 0; i < 2; i++) {
        put_check(first + i, 0.5, 1);
        assert_ok(put_times(first + i, i ? 1e5 : 2e5));
        assert_ok(assay_program_put_fact(program, first + i, "hits", 3));
        assert_ok(assay_program_put_fact(program, first + i, "nothing", (double)NAN));
    }
    assert_ok(assay_program_finish(program));
}

/* The first column of the result of an SQL query. */
static inline double ask(const fixture *f, const char *sql)
{
    sqlite3      *db    = NULL;
    sqlite3_stmt *stmt  = NULL;
    double        value = NAN;

    assert_int_equal(sqlite3_open_v2(f->path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    if (sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_double(stmt, 0);
    (void)sqlite3_finalize(stmt);
    (void)sqlite3_close(db);
    return value;
}

static inline void expect(const fixture *f, const char *sql, double value)
{
    const double found = ask(f, sql);

    if (found != value)
        print_error("%s: %g, expected %g\n", sql, found, value);
    assert_true(found == value);
}

static inline void expect_sound(fixture *f)
{
    int64_t n_problems = 0;

    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    assert_ok(assay_store_examine(f->store, NULL, NULL, &n_problems));
    assert_int_equal(n_problems, 0);
    assay_store_close(f->store);
    f->store = NULL;
}

#endif
