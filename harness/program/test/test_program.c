/* A run of a program of one's own: what is stored, what is refused, and what is left when it is cut
 * off. Processes: test_cli_programs.sh. */
#include "testing/store_fixture.h"

#include "exit_status.h"
#include "program.h"

#include <math.h>
#include <sqlite3.h>

/* ---- a device, and a plan of two groups ---- */

static bool device_can_time, device_is_there;

static int count(char *why, size_t size)
{
    (void)snprintf(why, size, "it was taken out");
    return device_is_there;
}

static assay_status open_device(int index, assay_device **device, assay_device_info *info)
{
    (void)index;
    *device        = NULL;
    *info          = a_device();
    info->can_time = device_can_time;
    return ASSAY_OK;
}

static void        close_device(assay_device *device) { (void)device; }
static const char *message(void) { return "never"; }

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

static assay_program_start a_start(void)
{
    return (assay_program_start) { "prog", &words, &fake, points, N };
}

static int begin(void **state)
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

static int finish(void **state)
{
    int status = ASSAY_EXIT_PASS;

    if (program)
        (void)assay_program_close(program, &status);
    assay_status_reset();
    return tear_down(state);
}

static void open_program(void)
{
    const assay_program_start start = a_start();

    assert_ok(assay_program_open(&start, &program));
    assert_non_null(program);
}

static int close_program(void)
{
    int status = ASSAY_EXIT_PASS;

    assert_ok(assay_program_close(program, &status));
    program = NULL;
    return status;
}

static void put_check(int64_t point, double error, double bound)
{
    const assay_program_check check = {
        .output = "sum", .why = "by hand", .error = error, .bound = bound
    };

    assert_ok(assay_program_put_check(program, point, &check));
}

static assay_status put_times(int64_t point, double at)
{
    double                    ns[12];
    const assay_program_times times = {
        .clock = ASSAY_PROGRAM_EVENT, .time_ns = ns, .n = 12, .n_blocks = 3, .calls = 10
    };

    for (int i = 0; i < 12; i++)
        ns[i] = at + 100 * i;
    return assay_program_put_times(program, point, &times);
}

static void take(int64_t first, int64_t n)
{
    bool is_wanted = false;

    assert_ok(assay_program_take(program, first, n, &is_wanted));
    assert_true(is_wanted);
}

/* A group that is right, 2 x faster than its baseline. */
static void do_group(int64_t first)
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

/* The first column of a query of SQLite. */
static double ask(const fixture *f, const char *sql)
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

static void expect(const fixture *f, const char *sql, double value)
{
    const double found = ask(f, sql);

    if (found != value)
        print_error("%s: %g, expected %g\n", sql, found, value);
    assert_true(found == value);
}

static void expect_sound(fixture *f)
{
    int64_t n_problems = 0;

    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    assert_ok(assay_store_examine(f->store, NULL, NULL, &n_problems));
    assert_int_equal(n_problems, 0);
    assay_store_close(f->store);
    f->store = NULL;
}

/* ---- what is stored ---- */

static void test_stores(void **state)
{
    fixture *f = *state;

    open_program();
    expect(f, "SELECT count(*) FROM planned_point", N);
    do_group(0);
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM run_end WHERE exit_status = 0", 1);
    expect(f,
           "SELECT verb = 'prog' AND lane <> '' AND kernels_id = binary_id FROM run JOIN build "
           "USING (build_id)",
           1);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS' AND launches IS NULL", N);
    expect(f, "SELECT count(*) FROM point WHERE key = 'own_sums/fast/n=20/kind=even/grid=2x3x4'",
           1);
    expect(f, "SELECT count(*) FROM axis_value WHERE kind = 'grid' AND value_z = 4", 2);
    expect(f, "SELECT worst_ratio FROM check_result LIMIT 1", 0.5);
    expect(f, "SELECT count(*) FROM metric WHERE name = 'hits' AND replay = 'check' AND value = 3",
           N);
    expect(f, "SELECT count(*) FROM metric WHERE name = 'nothing'", 0);
    expect(f,
           "SELECT count(*) FROM measurement WHERE decides = 1 AND n_samples = 12 AND n_blocks = 3 "
           "AND launches_per_sample = 10 AND mean_ns > p05_ns AND p95_ns > mean_ns",
           N);
    expect(f, "SELECT count(*) FROM speedup WHERE speedup > 1.9 AND speedup < 2 AND n_pairs = 3",
           2);
    expect_sound(f);
}

/* Without a database nothing happens, and all of it is wanted. */
static void test_without_database(void **state)
{
    const assay_program_start start     = a_start();
    bool                      is_wanted = false;
    int                       status    = 7;

    (void)state;
    words.database = NULL;
    assert_ok(assay_program_open(&start, &program));
    assert_null(program);
    assert_ok(assay_program_take(program, 0, 2, &is_wanted));
    assert_true(is_wanted && assay_program_can_time(program, 0));
    put_check(0, 9, 1);
    assert_ok(put_times(0, 1e5));
    assert_ok(assay_program_put_fact(program, 0, "hits", 1));
    assert_ok(assay_program_skip(program, 1, "no"));
    assert_ok(assay_program_finish(program));
    assert_ok(assay_program_close(program, &status));
    assert_int_equal(status, 7);
}

/* A device whose times mean nothing has none, but for what runs on no device. */
static void test_device_that_cannot_time(void **state)
{
    fixture *f = *state;

    device_can_time  = false;
    points[0].is_cpu = true;
    open_program();
    assert_true(assay_program_can_time(program, 0) && !assay_program_can_time(program, 1));
    do_group(0);
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS'", N);
    expect(f, "SELECT count(*) FROM measurement", 1);
    expect_sound(f);
}

/* ---- no verdict, no number ---- */

static void test_wrong_point(void **state)
{
    fixture *f = *state;

    open_program();
    take(0, 2);
    assert_fails(put_times(0, 1e5), ASSAY_E_USAGE, "was not checked, and has no times");
    assert_fails(assay_program_put_fact(program, 0, "hits", 1), ASSAY_E_USAGE,
                 "no verdict, no number");
    put_check(0, 2, 1);
    assert_fails(put_times(0, 1e5), ASSAY_E_USAGE, "is wrong, and has no times");
    put_check(1, 0, 0);
    assert_ok(put_times(1, 1e5));
    put_check(1, 1, 0); /* found later: what was kept is dropped */
    assert_ok(assay_program_finish(program));
    take(2, 2);
    put_check(2, (double)NAN, 1);
    put_check(3, 0, 0);
    assert_ok(put_times(3, 1e5));
    assert_ok(assay_program_finish(program));
    assert_int_equal(close_program(), ASSAY_EXIT_WRONG);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'WRONG_VALUE'", 3);
    expect(f, "SELECT count(*) FROM measurement", 1);
    expect(f, "SELECT finding = 'CANNOT_TELL' FROM compared", 1); /* its baseline is wrong */
    expect(f, "SELECT count(*) FROM check_result WHERE worst_ratio = 2 AND reason <> ''", 1);
    expect_sound(f);
}

static void test_skipped_point(void **state)
{
    fixture *f = *state;

    open_program();
    for (int g = 0; g < N; g += 2) {
        take(g, 2);
        assert_fails(assay_program_skip(program, g, ""), ASSAY_E_USAGE, "without a reason");
        for (int i = 0; i < 2; i++)
            assert_ok(assay_program_skip(program, g + i, "too large"));
        assert_fails(put_times(g, 1e5), ASSAY_E_USAGE, "was skipped, and has no times");
        assert_ok(assay_program_finish(program));
    }
    assert_int_equal(close_program(), ASSAY_EXIT_SKIPPED);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'SKIPPED' AND reason = 'too large'", N);
}

static void test_refuses_numbers(void **state)
{
    double                    ns    = 5;
    assay_program_times       times = { .time_ns = &ns, .n = 1, .n_blocks = 1, .calls = 1 };
    const assay_program_check mute  = { .output = "", .why = "x" };

    (void)state;
    points[0].is_timed = false;
    open_program();
    take(0, 2);
    put_check(0, 0, 0);
    put_check(1, 0, 0);
    assert_fails(assay_program_put_times(program, 0, &times), ASSAY_E_USAGE,
                 "was not planned to be timed");
    times.n_blocks = 2;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE,
                 "do not make 2 blocks");
    times.n_blocks = 1;
    ns             = 0;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE, "that is no time");
    ns          = 5;
    times.clock = (assay_program_clock)9;
    assert_fails(assay_program_put_times(program, 1, &times), ASSAY_E_USAGE, "9 is no clock");
    assert_fails(assay_program_put_fact(program, 1, "a.b", 1), ASSAY_E_USAGE, "name of a fact");
    assert_fails(assay_program_put_check(program, 1, &mute), ASSAY_E_USAGE,
                 "a check has an output");
    assert_fails(put_times(2, 1e5), ASSAY_E_USAGE, "not of the group that was taken");
    assert_ok(put_times(1, 1e5));
    assert_ok(assay_program_finish(program));
}

/* ---- plans and groups that are none ---- */

static void test_groups(void **state)
{
    fixture *f         = *state;
    bool     is_wanted = false;
    int      status    = ASSAY_EXIT_PASS;

    open_program();
    assert_fails(assay_program_take(program, 3, 2, &is_wanted), ASSAY_E_USAGE,
                 "not all of the plan");
    assert_fails(assay_program_finish(program), ASSAY_E_USAGE, "no group was taken");
    take(0, 2);
    assert_fails(assay_program_take(program, 2, 2, &is_wanted), ASSAY_E_USAGE, "are not finished");
    put_check(0, 0, 0);
    assert_fails(assay_program_finish(program), ASSAY_E_USAGE,
                 "own_sums/fast/n=10/kind=even/grid=2x3x4 was neither checked nor skipped");
    assert_ok(assay_program_close(program, &status));
    program = NULL;
    assert_int_equal(status, ASSAY_EXIT_USAGE); /* four points without a verdict */
    expect(f, "SELECT count(*) FROM verdict", 0);
    expect(f, "SELECT count(*) FROM run_end", 0);
}

static void refuse(fixture *f, const char *part)
{
    const assay_program_start start = a_start();

    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE, part);
    assert_null(program);
    assert_int_equal(access(f->path, F_OK), -1); /* not even a file */
}

static void test_refuses_plans(void **state)
{
    fixture            *f     = *state;
    assay_program_start start = a_start();

    points[1].n_axes = ASSAY_MAX_AXES + 1;
    refuse(f, "has 9 axes: at most 8");
    points[1].n_axes       = 3;
    points[1].axis[1].word = "a/b";
    refuse(f, "axis 1 of point 1");
    points[1].axis[1].word = "even";
    points[2].cells        = 0;
    refuse(f, "works on 0 cells");
    points[2].cells   = 1;
    points[3].variant = "";
    refuse(f, "point 3 of the plan: its case, variant");
    points[3].variant      = "fast";
    points[0].case_version = 0;
    refuse(f, "neither what it is nor its version");
    points[0].case_version = 1;
    start.name             = "a program";
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE, "the name of a program");
    start.name = "prog";
    start.n    = 0;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_NOTHING, "plans no point");
    start.n         = N;
    device_is_there = false;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_DEVICE, "it was taken out");
}

static void test_point_twice(void **state)
{
    points[3] = points[1];
    refuse(*state, "own_sums/fast/n=10/kind=even/grid=2x3x4 is planned twice");
}

static void test_unknown_database(void **state)
{
    const assay_program_start start = a_start();

    (void)state;
    words.database = "/no/such/folder/x.db";
    assert_fails(assay_program_open(&start, &program), ASSAY_E_DATABASE, "/no/such/folder/x.db");
    assert_null(program);
}

/* ---- a run that is cut off ---- */

static void test_resumes(void **state)
{
    const assay_program_start start     = a_start();
    fixture                  *f         = *state;
    bool                      is_wanted = true;
    int                       status    = ASSAY_EXIT_PASS;

    open_program();
    do_group(0);
    take(2, 2);
    put_check(2, 0, 0);
    assert_ok(assay_program_close(program, &status)); /* the second group is not finished */
    program = NULL;
    assert_int_equal(status, ASSAY_EXIT_USAGE);
    expect(f, "SELECT count(*) FROM verdicts WHERE outcome = 'ready'", 2);
    expect(f, "SELECT count(*) FROM measurement", 2);

    words.resumes              = true;
    points[3].axis[0].value[0] = 21;
    assert_fails(assay_program_open(&start, &program), ASSAY_E_USAGE,
                 "was begun with other points");
    points[3].axis[0].value[0] = 20;
    open_program();
    assert_ok(assay_program_take(program, 0, 2, &is_wanted));
    assert_false(is_wanted); /* it is there */
    do_group(2);
    assert_int_equal(close_program(), ASSAY_EXIT_PASS);
    expect(f, "SELECT count(*) FROM run", 1);
    expect(f, "SELECT count(*) FROM run_end WHERE exit_status = 0", 1);
    expect(f, "SELECT count(*) FROM verdict WHERE verdict = 'PASS'", N);
    expect_sound(f);
    assert_fails(assay_program_open(&start, &program), ASSAY_E_NOTHING, "holds no run of prog");
}

/* ---- the command line ---- */

static assay_status take_words(int n, const char *const *from, int *left, char **argv)
{
    static char text[16][32];

    for (int i = 0; i < n; i++) {
        (void)snprintf(text[i], sizeof text[i], "%s", from[i]);
        argv[i] = text[i];
    }
    *left = n;
    return assay_program_take_words(left, argv, &words);
}

static void test_words(void **state)
{
    const char *const all[] = { "prog",  "sizes",    "--db",        "x.db", "--mesh",
                                "m.obj", "--resume", "--processes", "5",    "9" };
    char             *argv[16];
    int               left;

    (void)state;
    assert_ok(take_words(10, all, &left, argv));
    assert_int_equal(left, 5);
    assert_string_equal(argv[1], "sizes");
    assert_string_equal(argv[2], "--mesh");
    assert_string_equal(argv[4], "9");
    assert_string_equal(words.database, "x.db");
    assert_true(words.resumes && words.n_processes == 5 && words.n == 0 && words.argc == 10);
    assert_ok(take_words(2, all, &left, argv));
    assert_true(!words.database && words.n_processes == 3 && left == 2);
    assert_fails(take_words(3, all, &left, argv), ASSAY_E_USAGE, "--db takes a file");
    assert_fails(take_words(3, (const char *const[]) { "p", "--processes", "0" }, &left, argv),
                 ASSAY_E_USAGE, "not '0'");
    assert_fails(take_words(3, (const char *const[]) { "p", "--processes", "3x" }, &left, argv),
                 ASSAY_E_USAGE, "not '3x'");
    assert_fails(take_words(3, (const char *const[]) { "p", "--only", "3:" }, &left, argv),
                 ASSAY_E_USAGE, "FIRST:N");
    assert_fails(take_words(2, (const char *const[]) { "p", "--resume" }, &left, argv),
                 ASSAY_E_USAGE, "name it with --db");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(test_stores),
        TEST(test_without_database),
        TEST(test_device_that_cannot_time),
        TEST(test_wrong_point),
        TEST(test_skipped_point),
        TEST(test_refuses_numbers),
        TEST(test_groups),
        TEST(test_refuses_plans),
        TEST(test_point_twice),
        TEST(test_unknown_database),
        TEST(test_resumes),
        TEST(test_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
