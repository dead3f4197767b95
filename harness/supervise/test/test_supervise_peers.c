/* The parent with peers beside kernels: what is timed, compared and stored, and what a peer that
 * fails costs the others. */
#include "supervise_fixture.h"

CASE_WITH(case_right, .peer = { "fake_peer.py", "right" });
CASE_WITH(case_wrong, .peer = { "fake_peer.py", "goes_wrong" });
CASE_WITH(case_death, .peer = { "fake_peer.py", "ends" });
CASE_WITH(case_untraced, .peer = { "fake_peer.py", "untraced" });
CASE_OF(case_two, { .name = "eager", .peer = { "fake_peer.py", "took_once" } },
        { .name = "compiled", .peer = { "fake_peer.py", "took_once" } });

static const assay_case *const cases[] = { &case_death,    &case_right, &case_two,
                                           &case_untraced, &case_wrong, NULL };

static assay_case_table all_cases(void) { return cases; }

static int begin(void **state)
{
    assert_int_equal(setenv("ASSAY_PEERS", FAKE_PEERS, 1), 0);
    return start(state);
}

/* A column of the comparison of a variant in a regime. */
static const char *compared(const fixture *f, const char *variant, const char *against,
                            const char *what)
{
    char from[256];

    (void)snprintf(from, sizeof from,
                   "JOIN comparison AS c ON c.point_id = p.point_id AND c.regime = 'cold' AND "
                   "c.against = '%s'",
                   against);
    return of(f, variant, what, from);
}

static const char *measured(const fixture *f, const char *what)
{
    return of(f, "middle", what,
              "JOIN measurement AS m USING (point_id) JOIN sample_block AS b USING "
              "(measurement_id)");
}

/* The script reports 4 ms; the kernels take 0.1 ms and 0.05 ms. */
static void a_peer_is_timed_beside_kernels(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_right);
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(measured(f, "group_concat(DISTINCT m.regime || '/' || m.clock)"),
                        "cold/peer,hot/peer");
    assert_string_equal(measured(f, "count(*)"), "12"); /* 2 regimes, 3 processes, 2 blocks */
    assert_string_equal(measured(f, "min(m.decides)"), "1");
    assert_string_equal(compared(f, "middle", "base", "c.clock"), "peer");
    assert_string_equal(compared(f, "middle", "base", "round(c.ratio, 9)"), "0.025");
    assert_string_equal(compared(f, "middle", "base", "c.n_processes"), "3");
    assert_string_equal(compared(f, "base", "middle", "round(c.ratio, 9)"), "40.0");
    assert_string_equal(compared(f, "last", "middle", "round(c.ratio, 9)"), "80.0");
    assert_string_equal(compared(f, "last", "base", "c.clock"), "event");
    /* Each by its own clock. */
    assert_string_equal(ask(f->path, "SELECT median_ns || ' ' || baseline_median_ns FROM speedup "
                                     "WHERE variant = 'last' AND baseline = 'middle' AND regime = "
                                     "'cold'"),
                        "50000.0 4000000.0");
    /* No comparison is missing in regimes in which a peer has no times. */
    assert_string_equal(ask(f->path, "SELECT count(*) FROM comparison WHERE NOT is_known"), "0");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM comparison WHERE regime = 'graph'"),
                        "1");
}

static void one_that_goes_wrong_has_no_numbers(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_wrong);
    assert_verdict(f, "middle", "WRONG_VALUE", "element 3");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
    assert_string_equal(comparison(f, "base", "count(*)"), "0");
}

static void one_that_dies_costs_nobody_anything(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_death);
    assert_verdict(f, "middle", "CRASHED", "the disk is full");
    assert_verdict(f, "base", "PASS", "");
    assert_verdict(f, "last", "PASS", "");
}

static void the_same_within_this_process(void **state)
{
    const fixture *f = *state;

    options.in_process = true;
    supervise(*state, &case_right);
    assert_string_equal(measured(f, "count(*)"), "4");
    assert_string_equal(compared(f, "last", "middle", "round(c.ratio, 9)"), "80.0");
}

/* The script reports 10 us for the first step of its process and 1 us for all others. Each of
 * the two variants has a process of its own, so both report 10 us. */
static void first_calls_are_of_processes_that_ran_nothing_else(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_two);
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(variant || ' ' || name || ' ' || value || ' ' || "
                            "n_passes, '; ') FROM metric JOIN point USING (point_id) "
                            "WHERE replay = 'first'"),
                        "eager first_call_ns 10000.0 2; compiled first_call_ns 10000.0 2");
}

/* Three processes time each variant, and report the same facts. */
static void what_a_peer_tells_is_one_fact_a_point(void **state)
{
    const fixture *f = *state;

    supervise(*state, &case_two);
    assert_string_equal(ask(f->path, "SELECT group_concat(variant || ' ' || name || ' ' || value, "
                                     "'; ') FROM metric JOIN point USING (point_id) "
                                     "WHERE replay = 'peer'"),
                        "eager room 4096.0; compiled room 4096.0");
}

/* Traces the case of a peer. Returns whether the trace was made. */
static bool trace(fixture *f, const assay_case *c)
{
    bool is_traced = false;

    options.is_cuda   = true;
    options.times     = false;
    options.trace     = "/dev/null";
    options.is_traced = &is_traced;
    n_left_out        = 1; /* kernels are traced by CUPTI, which may be missing here */
    supervise(f, c);
    assert_string_equal(of(f, "middle", "v.verdict", "JOIN verdict AS v USING (point_id)"), "PASS");
    return is_traced;
}

static void a_traced_peer_is_stored_like_kernels(void **state)
{
    const fixture *f = *state;

    assert_true(trace(*state, &case_right));
    assert_string_equal(of(f, "middle", "group_concat(s.name || ' ' || s.launches, ', ')",
                           "JOIN section AS s USING (point_id)"),
                        "memcpy DtoD 1, scale 2");
    assert_string_equal(of(f, "middle", "count(*)", "JOIN launch AS l USING (point_id)"), "3");
    assert_string_equal(of(f, "middle", "v.launches", "JOIN verdict AS v USING (point_id)"), "2");
}

static void one_without_such_a_tool_keeps_its_verdict(void **state)
{
    const fixture *f = *state;

    assert_false(trace(*state, &case_untraced));
    assert_string_equal(of(f, "middle", "count(*)", "JOIN launch AS l USING (point_id)"), "0");
    assert_string_equal(of(f, "middle", "v.launches", "JOIN verdict AS v USING (point_id)"),
                        "NULL");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_peer_is_timed_beside_kernels, begin, tear_down),
        cmocka_unit_test_setup_teardown(one_that_goes_wrong_has_no_numbers, begin, tear_down),
        cmocka_unit_test_setup_teardown(one_that_dies_costs_nobody_anything, begin, tear_down),
        cmocka_unit_test_setup_teardown(the_same_within_this_process, begin, tear_down),
        cmocka_unit_test_setup_teardown(first_calls_are_of_processes_that_ran_nothing_else, begin,
                                        tear_down),
        cmocka_unit_test_setup_teardown(what_a_peer_tells_is_one_fact_a_point, begin, tear_down),
        cmocka_unit_test_setup_teardown(a_traced_peer_is_stored_like_kernels, begin, tear_down),
        cmocka_unit_test_setup_teardown(one_without_such_a_tool_keeps_its_verdict, begin,
                                        tear_down),
    };

    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return assay_main(argc, argv, cases);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
