/* Groups are checked side by side: each verdict is the same as one after the other, whatever
 * happens to other workers. A failure of the store ends all of them. */
#include "supervise_fixture.h"

#include <signal.h>
#include <unistd.h>

enum {
    N_SIZES = 12
};

/* ---- launchers and cases ---- */

LAUNCHER(wrong_here, y[3] += 1)
LAUNCHER(dies_here, (void)raise(SIGTERM))
ASSAY_WORKSPACE(too_much)
{
    (void)args;
    toy_gpu.bytes_allowed = 1 << 24;
    return (size_t)1 << 30;
}

#define CASE_BESIDE(name_, launcher)                                                               \
    CASE_OF(name_, { .name = "before", .launch = "right" },                                        \
            { .name = "middle", .launch = launcher }, { .name = "after", .launch = "right" })
CASE_BESIDE(beside_right, "right");
CASE_BESIDE(beside_wrong, "wrong_here");
CASE_BESIDE(beside_death, "dies_here");
CASE_OF(beside_greed, { .name = "before", .launch = "right" },
        { .name = "middle", .launch = "right", .workspace = "too_much" },
        { .name = "after", .launch = "right" });

static assay_case_table all_cases(void)
{
    static const assay_case *const cases[] = { &beside_right, &beside_wrong, &beside_death,
                                               &beside_greed, NULL };

    return cases;
}

/* ---- a plan of all of them ---- */

enum {
    N_CASES    = 4,
    N_VARIANTS = 3,
    N_POINTS   = N_CASES * N_SIZES * N_VARIANTS
};

static void make_point(int i, assay_point *point)
{
    const assay_case *c = all_cases()[i / (N_SIZES * N_VARIANTS)];
    char              key[64];

    (void)snprintf(key, sizeof key, "%s/%s/n=%d", c->name, c->variants[i % N_VARIANTS].name,
                   N + i / N_VARIANTS % N_SIZES);
    assert_ok(assay_point_parse(all_cases(), key, point));
    point->seed = 7;
}

/* Checks everything, n_jobs groups at a time; first, `harm` is done to the planned file. */
static assay_status check_all(fixture *f, int n_jobs, const char *harm)
{
    assay_run_row           run  = a_run("11111111-2222-4333-8444-555555555555");
    const assay_device_info info = a_device();
    static assay_point      points[N_POINTS];
    static assay_point_row  rows[N_POINTS];
    int64_t                 ids[N_POINTS], run_id;
    assay_status            st;

    (void)strcpy(run.lane, "host");
    options.times  = false;
    options.n_jobs = n_jobs;
    for (int i = 0; i < N_POINTS; i++) {
        make_point(i, &points[i]);
        assay_point_row_fill(&points[i], ASSAY_LANE_HOST, &rows[i]);
    }
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    for (int c = 0; c < N_CASES; c++) {
        const int first = c * N_SIZES * N_VARIANTS;

        assert_ok(assay_store_plan(f->store, run_id, all_cases()[c]->what, all_cases()[c]->version,
                                   rows + first, N_SIZES * N_VARIANTS, ids + first));
    }
    if (harm)
        assert_int_equal(run_sql(f->path, harm), SQLITE_OK);
    st = assay_supervise(f->store, run_id, points, ids, N_POINTS, &options);
    assay_store_close(f->store);
    f->store = NULL;
    return st;
}

static const char verdicts[] =
    "SELECT group_concat(line, '; ') FROM (SELECT substr(p.key, 1, instr(p.key, '/n=') - 1) || ' ' "
    "|| coalesce(v.verdict, 'ready') || ' ' || count(*) AS line FROM point AS p LEFT JOIN verdict "
    "AS v USING (point_id) GROUP BY substr(p.key, 1, instr(p.key, '/n=')), v.verdict ORDER BY 1)";

static const char expected[] =
    "beside_death/after PASS 12; beside_death/before PASS 12; beside_death/middle CRASHED 12; "
    "beside_greed/after PASS 12; beside_greed/before PASS 12; beside_greed/middle SKIPPED 12; "
    "beside_right/after PASS 12; beside_right/before PASS 12; beside_right/middle PASS 12; "
    "beside_wrong/after PASS 12; beside_wrong/before PASS 12; beside_wrong/middle WRONG_VALUE 12";

/* ---- tests ---- */

static void verdicts_are_what_they_are_alone(void **state)
{
    static const int n_jobs[] = { 0, 1, 2, 5, 64, 1000 };

    for (size_t i = 0; i < sizeof n_jobs / sizeof n_jobs[0]; i++) {
        const fixture *f;

        (void)tear_down(state);
        (void)start(state);
        f = *state;
        assert_ok(check_all(*state, n_jobs[i], NULL));
        assert_string_equal(ask(f->path, verdicts), expected);
        /* Points are stored whole: each that has a verdict has its checks. */
        assert_string_equal(ask(f->path, "SELECT count(*) FROM verdict AS v WHERE v.verdict = "
                                         "'PASS' AND NOT EXISTS (SELECT 1 FROM check_result AS k "
                                         "WHERE k.point_id = v.point_id)"),
                            "0");
    }
}

/* On a GPU the next worker is started while one works; none is left at the end. */
static void a_spare_worker_changes_nothing(void **state)
{
    const fixture *f = *state;

    for (int n_jobs = 1; n_jobs <= 3; n_jobs++) {
        (void)tear_down(state);
        (void)start(state);
        f            = *state;
        options.lane = ASSAY_LANE_CUDA;
        assert_ok(check_all(*state, n_jobs, NULL));
        assert_string_equal(ask(f->path, verdicts), expected);
        assert_int_equal(waitpid(-1, NULL, WNOHANG), -1); /* no child is left */
    }
}

static void a_store_that_fails_ends_all(void **state)
{
    assert_failed_with(check_all(*state, 4,
                                 "CREATE TRIGGER no_more BEFORE INSERT ON verdict WHEN "
                                 "(SELECT count(*) FROM verdict) >= 20 BEGIN SELECT "
                                 "RAISE(ABORT, 'the tape is full'); END"),
                       ASSAY_E_INTERNAL, "the tape is full");
    assert_string_equal(ask(((fixture *)*state)->path, "SELECT count(*) FROM verdict"), "20");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(verdicts_are_what_they_are_alone),
        TEST(a_spare_worker_changes_nothing),
        TEST(a_store_that_fails_ends_all),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, all_cases());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
