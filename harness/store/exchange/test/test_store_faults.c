/* A file after a kill or a full disk at every place of a short run: it opens, and has everything
 * that it confirmed. With a number as argument: after that many kills at random moments. */
#include <sqlite3.h>

#include "testing/import_fixture.h"

#include "store/store_internal.h"
#include "store/test/fault_vfs.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum {
    N_POINTS = 3,
    MOST     = 10000 /* most places of a scenario; with more it would never end */
};

/* What the child was told has been kept; shared with the child. */
static struct {
    long n_verdicts;
} * told;

/* ---- what a scenario does ---- */

static assay_status finish_one(assay_store *store, int64_t id)
{
    const assay_check_row       check      = a_check(0.5);
    const assay_verdict_row     pass       = a_verdict(ASSAY_PASS, "");
    const assay_measurement_row m          = a_measurement(ASSAY_REGIME_COLD, 1000);
    const double                samples[4] = { 1000, 1100, 900, 1000 };
    assay_block                 blocks[2]  = { a_block(2, 0), a_block(2, 1) };
    assay_status                st         = ASSAY_OK;

    blocks[0].median_ns = 1050;
    blocks[1].median_ns = 950;
    ASSAY_CHECK(assay_store_begin_point(store, id));
    ASSAY_CHECK(assay_store_put_check(store, id, &check));
    ASSAY_CHECK(assay_store_put_measurement(store, id, &m, samples, NULL, blocks));
    ASSAY_CHECK(assay_store_finish_point(store, id, &pass));
    told->n_verdicts++;
out:
    return st;
}

static assay_status begin(assay_store *store, int64_t *run_id, int64_t *ids)
{
    assay_run_row           run    = a_run("");
    const assay_device_info device = a_device();
    assay_point_row         points[N_POINTS];
    assay_status            st = ASSAY_OK;

    (void)snprintf(run.uuid, sizeof run.uuid, "run-%ld-%ld", (long)getpid(), random());
    for (int i = 0; i < N_POINTS; i++)
        points[i] = a_point("axpy", "naive", "", 64 + i);
    ASSAY_CHECK(assay_store_begin_plan(store));
    ASSAY_CHECK(assay_store_begin_run(store, &run, &device, run_id));
    ASSAY_CHECK(assay_store_plan(store, *run_id, "what", 1, points, N_POINTS, ids));
    ASSAY_CHECK(assay_store_end_plan(store, true));
out:
    return st;
}

static assay_status visit(void *context, int64_t point_id, const char *key, uint64_t seed)
{
    (void)key;
    (void)seed;
    return finish_one(context, point_id);
}

static assay_status do_create(const fixture *f)
{
    assay_store       *store = NULL;
    const assay_status st    = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);

    assay_store_close(store);
    return st;
}

static assay_status do_check(const fixture *f)
{
    assay_store *store  = NULL;
    int64_t      run_id = 0, ids[N_POINTS];
    assay_status st     = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);

    if (st == ASSAY_OK)
        ASSAY_CHECK(begin(store, &run_id, ids));
    for (int i = 0; st == ASSAY_OK && i < N_POINTS; i++)
        ASSAY_CHECK(finish_one(store, ids[i]));
    if (st == ASSAY_OK)
        ASSAY_CHECK(assay_store_end_run(store, run_id, 0));
out:
    assay_store_close(store);
    return st;
}

static assay_status do_resume(const fixture *f)
{
    assay_store  *store  = NULL;
    int64_t       run_id = 0;
    bool          found  = false;
    assay_run_row run;
    assay_status  st = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);

    if (st == ASSAY_OK)
        ASSAY_CHECK(assay_store_find_interrupted(store, NULL, 0, &run_id, &run, &found));
    if (st == ASSAY_OK && found) {
        ASSAY_CHECK(assay_store_each_ready(store, run_id, visit, store));
        ASSAY_CHECK(assay_store_end_run(store, run_id, 0));
    }
out:
    assay_store_close(store);
    return st;
}

static assay_status do_report(const fixture *f)
{
    FILE              *out = fopen("/dev/null", "w");
    const assay_status st  = assay_report_write(f->path, 1, "csv", out);

    if (out)
        (void)fclose(out);
    return st;
}

static assay_status do_merge(const fixture *f)
{
    char         other[160];
    assay_store *store = NULL;
    assay_merge  merge;
    assay_status st = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);

    if (st == ASSAY_OK)
        st = assay_store_merge(store, other_path(f, other), &merge);
    assay_store_close(store);
    return st;
}

static assay_status do_import(const fixture *f)
{
    char         name[160];
    assay_store *store = NULL;
    assay_csv    csv   = { .path = NULL };
    assay_import made;
    assay_status st;

    (void)snprintf(name, sizeof name, "%s/points.csv", f->directory);
    st = assay_csv_read(name, &csv);
    if (st == ASSAY_OK)
        st = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);
    if (st == ASSAY_OK)
        st = assay_store_import(store, &csv, 1, &made);
    assay_store_close(store);
    assay_csv_free(&csv);
    return st;
}

/* ---- what the file has before ---- */

static void prepare_finished(const fixture *f) { assert_ok(do_check(f)); }

/* The writer ends after one of three points, without ending the run. */
static void prepare_interrupted(const fixture *f)
{
    const pid_t pid    = fork();
    int         status = 0;

    if (pid == 0) {
        assay_store *store  = NULL;
        int64_t      run_id = 0, ids[N_POINTS];

        if (assay_store_open(f->path, ASSAY_STORE_WRITE, &store) == ASSAY_OK &&
            begin(store, &run_id, ids) == ASSAY_OK && finish_one(store, ids[0]) == ASSAY_OK)
            _exit(0);
        _exit(1);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

static void prepare_two(const fixture *f)
{
    fixture other = *f;

    prepare_finished(f);
    (void)snprintf(other.path, sizeof other.path, "%s/other.db", f->directory);
    prepare_finished(&other);
}

static void prepare_csv(const fixture *f)
{
    char  name[160];
    char *text;
    FILE *file;

    prepare_finished(f);
    text = csv_of(f->path, 1);
    (void)snprintf(name, sizeof name, "%s/points.csv", f->directory);
    file = fopen(name, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    free(text);
    assert_int_equal(unlink(f->path), 0);
}

static const struct scenario {
    const char *name;
    void (*prepare)(const fixture *f);
    assay_status (*act)(const fixture *f);
} scenarios[] = {
    { "create", NULL, do_create },
    { "check", NULL, do_check },
    { "check into an older run's file", prepare_finished, do_check },
    { "resume", prepare_interrupted, do_resume },
    { "report", prepare_finished, do_report },
    { "report of an interrupted run", prepare_interrupted, do_report },
    { "merge", prepare_two, do_merge },
    { "import", prepare_csv, do_import },
};

/* ---- one place ---- */

static long count_verdicts(assay_store *store)
{
    int value = -1;

    assert_ok(assay_store_read_integer(store->db, "", "SELECT count(*) FROM verdict", &value));
    return value;
}

static void print_problem(void *context, const char *problem)
{
    (void)context;
    print_error("%s\n", problem);
}

/* Caller frees; NULL if the file does not exist. */
static char *read_bytes(const char *path, size_t *n)
{
    FILE *file  = fopen(path, "rb");
    char *bytes = malloc(1 << 22);

    *n = file && bytes ? fread(bytes, 1, 1 << 22, file) : 0;
    if (file)
        (void)fclose(file);
    return bytes;
}

/* The number of verdicts that a reader finds; 0 if it is told that there is nothing yet; -1 if
 * it is refused. */
static long read_verdicts(const fixture *f)
{
    assay_store *store = NULL;
    assay_status st    = assay_store_open(f->path, ASSAY_STORE_READ, &store);
    long         n     = 0;

    if (st == ASSAY_OK)
        n = count_verdicts(store);
    else if (!strstr(assay_status_message(), "no results yet"))
        n = -1;
    if (n < 0)
        print_error("%s\n", assay_status_message());
    assay_status_reset();
    assay_store_close(store);
    return n;
}

/* As above while nobody writes: -1 also if the reader has changed the file. */
static long read_alone(const fixture *f)
{
    size_t     n_before, n_after;
    char      *before = read_bytes(f->path, &n_before);
    const long n      = read_verdicts(f);
    char      *after  = read_bytes(f->path, &n_after);
    const bool is_same =
        before && after && n_before == n_after && memcmp(before, after, n_before) == 0;

    free(before);
    free(after);
    return is_same ? n : -1;
}

/* Returns 0 if a reader, a writer and a repetition of the scenario find a whole file with
 * everything that was kept. */
static int examine(const struct scenario *s, const fixture *f)
{
    assay_store *store      = NULL;
    int64_t      n_problems = 0;
    assay_status st         = ASSAY_OK;

    if (read_alone(f) < told->n_verdicts)
        return 11;
    assay_status_reset();
    st = assay_store_open(f->path, ASSAY_STORE_WRITE, &store);
    if (st != ASSAY_OK)
        return 12;
    st = assay_store_examine(store, print_problem, NULL, &n_problems);
    if (st != ASSAY_OK || n_problems > 0 || count_verdicts(store) < told->n_verdicts)
        return 13;
    assay_store_close(store);
    st = s->act(f);
    return st == ASSAY_OK ? 0 : 14;
}

static int in_a_child(int (*body)(const struct scenario *, const fixture *, fault_kind, long),
                      const struct scenario *s, const fixture *f, fault_kind kind, long n)
{
    const pid_t pid    = fork();
    int         status = 0;

    assert_true(pid >= 0);
    if (pid == 0) {
        const int answer = body(s, f, kind, n);

        if (answer > FAULT_EXIT)
            print_error("%s, place %ld: %d: %s\n", s->name, n, answer, assay_status_message());
        _exit(answer);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

/* Returns 0 if it ended without a fault; 1 if the disk was full, whether or not that was a
 * failure. */
static int act_with_fault(const struct scenario *s, const fixture *f, fault_kind kind, long n)
{
    assay_status st;

    fault_vfs_arm(kind, n);
    st = s->act(f);
    if (!fault_vfs_has_come())
        return st == ASSAY_OK ? 0 : 20;
    return st == ASSAY_OK || strstr(assay_status_message(), "no space is left") ||
                   strstr(assay_status_message(), "unable to open")
               ? 1
               : 21;
}

static int examine_afterwards(const struct scenario *s, const fixture *f, fault_kind kind, long n)
{
    (void)kind;
    (void)n;
    return examine(s, f);
}

/* ---- the folder before a scenario ---- */

static void run_shell(const char *format, const fixture *f)
{
    char command[512];

    (void)snprintf(command, sizeof command, format, f->directory, f->directory, f->directory);
    assert_int_equal(system(command), 0);
}

static void begin_scenario(const struct scenario *s, const fixture *f)
{
    run_shell("rm -rf %s/* %s.kept", f);
    if (s->prepare)
        s->prepare(f);
    run_shell("cp -a %s %s.kept", f);
}

static void restore(const fixture *f)
{
    run_shell("rm -rf %s/* && cp -a %s.kept/. %s/", f);
    told->n_verdicts = 0;
}

/* ---- every place, and random moments ---- */

static long every = 23; /* one place in this many is tried, other places for each kind; with the
                           label full, every place */

/* Returns how many places were tried, up to the first that the scenario does not reach. */
static long try_places(const struct scenario *s, const fixture *f, fault_kind kind, long *n_refused)
{
    const long shift   = (kind - FAULT_KILL) % every;
    int        came    = 1;
    long       n_tried = 0;

    for (long n = 1; came != 0 && n < MOST; n += every + (n == 1 ? shift : 0), n_tried++) {
        restore(f);
        came = in_a_child(act_with_fault, s, f, kind, n);
        assert_true(came == 0 || came == (kind == FAULT_FULL ? 1 : FAULT_EXIT));
        *n_refused += in_a_child(examine_afterwards, s, f, kind, n) != 0;
    }
    assert_true(n_tried < MOST / every);
    return n_tried - 1;
}

static void test_every_place(void **state)
{
    static const char *const names[] = { "", "kill", "torn write and kill", "full disk" };
    const fixture           *f       = *state;
    long                     n_all = 0, n_all_refused = 0;

    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        begin_scenario(&scenarios[i], f);
        for (int kind = FAULT_KILL; kind <= FAULT_FULL; kind++) {
            long       n_refused = 0;
            const long n         = try_places(&scenarios[i], f, (fault_kind)kind, &n_refused);

            print_message("%s, %s: %ld places, %ld refused\n", scenarios[i].name, names[kind], n,
                          n_refused);
            n_all += n;
            n_all_refused += n_refused;
        }
    }
    print_message("%ld places, %ld refused\n", n_all, n_all_refused);
    assert_int_equal(n_all_refused, 0);
    assert_true(n_all > 1000 / every); /* otherwise the faults miss the writes */
}

/* Returns 0 if it ended without a fault; 1 if the file was refused, or opened despite the fault. */
static int create_with_fault(const struct scenario *s, const fixture *f, fault_kind kind, long n)
{
    enum {
        JOURNAL_AT = 18, /* place in the header; its value is 2 with a write-ahead log */
    };
    assay_store *store = NULL;
    size_t       size  = 0;
    char        *bytes;
    bool         has_log;

    (void)s;
    fault_vfs_arm(kind, n);
    if (assay_store_open(f->path, ASSAY_STORE_WRITE, &store) != ASSAY_OK)
        return 1;
    bytes   = read_bytes(f->path, &size);
    has_log = size > JOURNAL_AT && bytes[JOURNAL_AT] == 2;
    free(bytes);
    if (!has_log)
        return 22;
    return fault_vfs_has_come();
}

/* SQLite reports a write-ahead log for a file before it has written that to the file. */
static void test_log_or_refused(void **state)
{
    const fixture *f    = *state;
    int            came = 1;

    for (long n = 1; came != 0; n++) {
        run_shell("rm -rf %s/*", f);
        came = in_a_child(create_with_fault, &scenarios[0], f, FAULT_FULL, n);
        assert_true(came <= 1 && n < MOST);
    }
}

/* A process creates and fills a file slowly; a reader beside it is never refused. */
static void test_reports_beside_a_slow_disk(void **state)
{
    fixture               *f         = *state;
    const struct scenario *check     = &scenarios[1];
    long                   n_reports = 0, n_refused = 0;
    int                    status = 0;
    const pid_t            pid    = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(act_with_fault(check, f, FAULT_SLOW, 0));
    while (waitpid(pid, &status, WNOHANG) == 0) {
        n_refused += read_verdicts(f) < 0;
        n_reports++;
    }
    assert_int_equal(status, 0);
    print_message("%ld reports beside a slow disk, %ld refused\n", n_reports, n_refused);
    assert_int_equal(n_refused, 0);
    assert_true(n_reports > 20);
}

static double now_s(void)
{
    struct timespec t;

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Kills it at a random moment of its usual duration; true if it was still at work. */
static bool kill_at_random(const struct scenario *s, const fixture *f, double takes_s)
{
    const useconds_t pause_us = (useconds_t)((double)(random() % 1000) * 1e3 * takes_s);
    const pid_t      pid      = fork();
    int              status   = 0;

    assert_true(pid >= 0);
    if (pid == 0)
        _exit(s->act(f) == ASSAY_OK ? 0 : 1);
    (void)usleep(pause_us);
    assert_int_equal(kill(pid, SIGKILL), 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

static void try_moments(const fixture *f, long n_kills)
{
    const size_t n_scenarios = sizeof scenarios / sizeof scenarios[0];
    long         n = 0, n_refused = 0;

    for (size_t i = 0; i < n_scenarios; i++) {
        double takes_s = 0;
        long   n_left  = n_kills / (long)n_scenarios + 1;

        begin_scenario(&scenarios[i], f);
        restore(f);
        takes_s = -now_s();
        assert_int_equal(in_a_child(act_with_fault, &scenarios[i], f, FAULT_NONE, 0), 0);
        takes_s += now_s();
        for (; n_left > 0; n++) {
            restore(f);
            n_left -= kill_at_random(&scenarios[i], f, takes_s);
            n_refused += in_a_child(examine_afterwards, &scenarios[i], f, FAULT_NONE, n) != 0;
        }
    }
    print_message("%ld random moments, %ld refused\n", n, n_refused);
    assert_int_equal(n_refused, 0);
}

static long n_random_kills;

static void test_random_moments(void **state) { try_moments(*state, n_random_kills); }

static int set_up_faults(void **state)
{
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return told == MAP_FAILED ? -1 : set_up(state);
}

static int tear_down_faults(void **state)
{
    run_shell("rm -rf %s.kept", *state);
    return tear_down(state);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest places[] = {
        cmocka_unit_test_setup_teardown(test_reports_beside_a_slow_disk, set_up_faults,
                                        tear_down_faults),
        cmocka_unit_test_setup_teardown(test_log_or_refused, set_up_faults, tear_down_faults),
        cmocka_unit_test_setup_teardown(test_every_place, set_up_faults, tear_down_faults),
    };
    const struct CMUnitTest moments[] = {
        cmocka_unit_test_setup_teardown(test_random_moments, set_up_faults, tear_down_faults),
    };

    fault_vfs_install();
    n_random_kills = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    every          = n_random_kills > 0 ? 1 : every;
    return cmocka_run_group_tests(places, NULL, NULL) +
           (n_random_kills > 0 ? cmocka_run_group_tests(moments, NULL, NULL) : 0);
}
