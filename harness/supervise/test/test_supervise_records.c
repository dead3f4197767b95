/* A point whose trace fails loses its own records, not those of the whole run; and how many
 * processes a budget allows. Real workers: this program, started again, on the device of plain
 * memory, with a CUPTI that records nothing. */
#include "assay.h"
#include "cupti/cupti.h"
#include "supervise/supervise.h"
#include "testing/run_fixture.h"
#include "testing/store_raw.h"
#include "testing/toy_module.h"

#include <signal.h>
#include <unistd.h>

static int cupti_use; /* of this worker */

/* ---- a CUPTI in place of the real one ---- */

static const char *say_nothing(void) { return ""; }

static assay_status start_activity(bool with_api)
{
    (void)with_api;
    return ASSAY_OK;
}

static assay_status collect_nothing(const assay_activity **records, int64_t *n, int64_t *n_dropped)
{
    *records = NULL;
    *n = *n_dropped = 0;
    return ASSAY_OK;
}

static void stop_activity(void) {}

const assay_cupti_api *assay_cupti_load(char *why, size_t why_size)
{
    static const assay_cupti_api api = { .abi              = ASSAY_CUPTI_ABI,
                                         .message          = say_nothing,
                                         .activity_start   = start_activity,
                                         .activity_collect = collect_nothing,
                                         .activity_stop    = stop_activity };

    (void)why, (void)why_size;
    return &api;
}

/* ---- launchers that know which worker they are in ---- */

static bool is_recorded(void) { return cupti_use == ASSAY_CUPTI_RECORDS; }

LAUNCHER(steady, toy_gpu.clock_ns += 100000)
LAUNCHER(dies_when_recorded, toy_gpu.clock_ns += 100000; if (is_recorded())(void) raise(SIGTERM))
LAUNCHER(sleeps, toy_gpu.clock_ns += 100000; (void)usleep(30000))

#define CASE(name_, first, second)                                                                 \
    CASE_OF(name_, { .name = "one", .launch = #first }, { .name = "two", .launch = #second })
CASE(case_a, dies_when_recorded, steady);
CASE(case_b, steady, dies_when_recorded);
CASE(case_c, dies_when_recorded, dies_when_recorded);
CASE(case_d, sleeps, steady);
static const assay_case *const cases[] = { &case_a, &case_b, &case_c, &case_d, NULL };

/* ---- running ---- */

static assay_supervise_options options;

static int start(void **state)
{
    options                    = (assay_supervise_options) { .module_path = "",
                                                             .is_cuda     = true,
                                                             .lane        = ASSAY_LANE_HOST,
                                                             .cases       = cases,
                                                             .policy      = assay_policy_default(),
                                                             .times       = true,
                                                             .is_quiet    = true };
    options.policy.n_processes = 1;
    options.policy.budget_s    = 10;
    options.policy.min_samples = options.policy.max_samples = 6;
    return set_up(state);
}

/* Which of the points with these keys, in this order, have a time by records ("011"). */
static const char *recorded(fixture *f, int n, const char *const *keys)
{
    assay_run_row           run  = a_run("11111111-2222-4333-8444-555555555555");
    const assay_device_info info = a_device();
    assay_point             points[4];
    int64_t                 ids[4], run_id;

    (void)strcpy(run.lane, "host");
    assert_ok(assay_store_open(f->path, ASSAY_STORE_WRITE, &f->store));
    assert_ok(assay_store_begin_run(f->store, &run, &info, &run_id));
    for (int i = 0; i < n; i++) {
        assay_point_row row;

        assert_ok(assay_point_parse(cases, keys[i], &points[i]));
        points[i].seed     = 7;
        points[i].is_timed = true;
        assay_point_row_fill(&points[i], ASSAY_LANE_HOST, &row);
        assert_ok(
            assay_store_plan(f->store, run_id, points[i].definition->what, 1, &row, 1, &ids[i]));
    }
    assert_ok(assay_supervise(f->store, run_id, points, ids, n, &options));
    assay_store_close(f->store);
    f->store = NULL;
    assert_string_equal(ask(f->path, "SELECT group_concat(DISTINCT verdict) FROM verdict"), "PASS");
    return ask(f->path, "SELECT group_concat(has, '') FROM (SELECT EXISTS (SELECT 1 FROM "
                        "measurement AS m WHERE m.point_id = p.point_id AND m.clock = 'record') AS "
                        "has FROM point AS p ORDER BY p.point_id)");
}

static void one_point_is_no_machine(void **state)
{
    const char *const keys[] = { "case_a/one/n=40", "case_a/two/n=41", "case_b/two/n=40",
                                 "case_b/one/n=41" };

    assert_string_equal(recorded(*state, 4, keys), "0101");
}

static void with_its_twin_it_is_still_one(void **state)
{
    const char *const keys[] = { "case_a/one/n=40", "case_a/two/n=41" };

    options.against_itself = true;
    assert_string_equal(recorded(*state, 2, keys), "01");
}

static void a_group_that_has_lost_only_one(void **state)
{
    const char *const keys[] = { "case_a/one/n=40", "case_a/two/n=40", "case_b/one/n=40" };

    assert_string_equal(recorded(*state, 3, keys), "011");
}

static void two_of_a_group_are_the_machine(void **state)
{
    const char *const keys[] = { "case_c/one/n=40", "case_c/two/n=40", "case_a/two/n=40" };

    assert_string_equal(recorded(*state, 3, keys), "000");
}

static void two_in_a_row_are_the_machine(void **state)
{
    const char *const keys[] = { "case_a/one/n=40", "case_b/two/n=40", "case_b/one/n=41" };

    assert_string_equal(recorded(*state, 3, keys), "000");
}

/* 32 processes would sleep for more than ten seconds. Three are enough for an interval, and they
 * fit. */
static void a_budget_that_is_spent_in_some_processes(void **state)
{
    const fixture    *f      = *state;
    const char *const keys[] = { "case_d/one/n=40" };

    options.policy.n_processes = 32;
    options.budget_s           = 1.5;
    assert_string_equal(recorded(*state, 1, keys), "1");
    assert_string_equal(ask(f->path, "SELECT min(n_processes) >= 3 AND max(n_processes) < 32 FROM "
                                     "measurement WHERE clock <> 'record'"),
                        "1");
}

int main(int argc, char **argv)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(one_point_is_no_machine),        TEST(with_its_twin_it_is_still_one),
        TEST(a_group_that_has_lost_only_one), TEST(two_of_a_group_are_the_machine),
        TEST(two_in_a_row_are_the_machine),   TEST(a_budget_that_is_spent_in_some_processes),
    };

    if (argc > 4 && strcmp(argv[1], "worker") == 0) {
        cupti_use = atoi(argv[4]);
        return assay_main(argc, argv, cases);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
