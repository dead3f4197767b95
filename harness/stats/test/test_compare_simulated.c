/* How often the rules of compare are wrong: 10,000 simulated suites of 20 cases, with seven kinds
 * of noise. The tables that it prints are those of docs/comparing.md. */
#include "compare_simulator.h"
#include "testing/testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SIM_SUITES 1000 /* enough to check the arithmetic */
#else
#define SIM_SUITES 5000
#endif

enum {
    SUITES = SIM_SUITES,
    RENEW  = 100, /* suites after which the cases are calibrated again */
    NIGHTS = 20,  /* comparisons in a calibration */
};

typedef struct suite {
    sim_side            a[SIM_CASES], b[SIM_CASES];
    assay_compare_input inputs[SIM_CASES];
    assay_compared      rows[SIM_CASES];
} suite;

static suite now, again;

/* The results of a scenario. A suite counts if it has such a verdict on a case without a
 * difference. */
typedef struct tally {
    int n_suites, with_slower, with_faster, with_confirmed;
    int verdicts[SIM_N_KINDS][4]; /* on cases without a difference */
    int planted[SIM_N_KINDS][4];  /* on cases that are 3 % slower */
    int half_slower[4], half_faster[4];
} tally;

typedef struct scenario {
    const char *name;
    int         n_processes;
    bool        is_planted, is_calibrated;
    uint64_t    seed;
    sim_noise   noise;
} scenario;

/* ---- a suite ---- */

static double shift_of(const scenario *s, int k, int i)
{
    return s->is_planted ? sim_shift(k, i) : 0;
}

static void take(sim_random *random, const scenario *s, int k, const assay_compare_known *known,
                 suite *to)
{
    const assay_compare_rule rule = assay_compare_rule_default();

    for (int i = 0; i < SIM_CASES; i++) {
        sim_run(random, sim_kind_of(i), s->n_processes, 0, 0.001 * sim_normal(random), &to->a[i]);
        sim_run(random, sim_kind_of(i), s->n_processes, shift_of(s, k, i),
                0.001 * sim_normal(random), &to->b[i]);
        to->inputs[i] = (assay_compare_input) { to->a[i].side, to->b[i].side, known[i] };
    }
    assert_int_equal(assay_compare_table(to->inputs, SIM_CASES, &rule, to->rows), ASSAY_OK);
}

static void calibrate(sim_random *random, const scenario *s, assay_compare_known *known)
{
    static assay_compared nights[SIM_CASES][NIGHTS];
    const scenario        null               = { .n_processes = s->n_processes };
    assay_compare_known   unknown[SIM_CASES] = { 0 };
    assay_calibration     calibration;

    for (int k = 0; k < NIGHTS; k++) {
        take(random, &null, k, unknown, &now);
        for (int i = 0; i < SIM_CASES; i++)
            nights[i][k] = now.rows[i];
    }
    for (int i = 0; i < SIM_CASES; i++) {
        assert_int_equal(assay_calibrate(nights[i], NIGHTS, &calibration), ASSAY_OK);
        known[i] = (assay_compare_known) { calibration.band, NAN, calibration.process_sd,
                                           calibration.process_df };
    }
}

static void count(const scenario *s, int k, tally *t)
{
    bool has_slower = false, has_faster = false;

    for (int i = 0; i < SIM_CASES; i++) {
        const assay_compare_verdict v     = now.rows[i].verdict;
        const double                shift = shift_of(s, k, i);

        if (shift > 0.01)
            t->planted[sim_kind_of(i)][v]++;
        else if (shift > 0)
            t->half_slower[v]++;
        else if (shift < 0)
            t->half_faster[v]++;
        else {
            t->verdicts[sim_kind_of(i)][v]++;
            has_slower = has_slower || v == ASSAY_COMPARE_SLOWER;
            has_faster = has_faster || v == ASSAY_COMPARE_FASTER;
        }
    }
    t->n_suites++;
    t->with_slower += has_slower;
    t->with_faster += has_faster;
}

/* Does what the gate does: a case that is SLOWER is measured again. */
static void confirm(sim_random *random, const scenario *s, int k, const assay_compare_known *known,
                    tally *t)
{
    bool is_confirmed = false, is_asked = false;

    for (int i = 0; i < SIM_CASES; i++)
        is_asked =
            is_asked || (shift_of(s, k, i) == 0 && now.rows[i].verdict == ASSAY_COMPARE_SLOWER);
    if (!is_asked)
        return;
    take(random, s, k, known, &again);
    for (int i = 0; i < SIM_CASES; i++)
        is_confirmed =
            is_confirmed || (shift_of(s, k, i) == 0 &&
                             assay_compare_confirm(now.rows[i].verdict, again.rows[i].verdict) ==
                                 ASSAY_COMPARE_SLOWER);
    t->with_confirmed += is_confirmed;
}

static void print(const scenario *s, const tally *t)
{
    print_message("%s, %d processes: suites with a false SLOWER %.2f %%, FASTER %.2f %%, SLOWER "
                  "confirmed %.2f %%\n",
                  s->name, s->n_processes, 100.0 * t->with_slower / t->n_suites,
                  100.0 * t->with_faster / t->n_suites, 100.0 * t->with_confirmed / t->n_suites);
    for (int k = 0; k < SIM_N_KINDS; k++)
        print_message("    %-14s no difference: SAME %6.2f CANNOT_TELL %6.2f SLOWER %.3f FASTER "
                      "%.3f   +3 %%: SLOWER %6.2f %%\n",
                      sim_names[k], sim_share(t->verdicts[k], ASSAY_COMPARE_SAME),
                      sim_share(t->verdicts[k], ASSAY_COMPARE_CANNOT_TELL),
                      sim_share(t->verdicts[k], ASSAY_COMPARE_SLOWER),
                      sim_share(t->verdicts[k], ASSAY_COMPARE_FASTER),
                      sim_share(t->planted[k], ASSAY_COMPARE_SLOWER));
    if (s->is_planted)
        print_message("    0.5 %% slower: FASTER %.3f SLOWER %.3f %%   0.5 %% faster: FASTER %.3f "
                      "SLOWER %.3f %%\n",
                      sim_share(t->half_slower, ASSAY_COMPARE_FASTER),
                      sim_share(t->half_slower, ASSAY_COMPARE_SLOWER),
                      sim_share(t->half_faster, ASSAY_COMPARE_FASTER),
                      sim_share(t->half_faster, ASSAY_COMPARE_SLOWER));
}

static void play(const scenario *s, int n_suites, tally *t)
{
    assay_compare_known known[SIM_CASES] = { 0 };
    sim_random          random           = sim_seed(s->seed);

    memset(t, 0, sizeof *t);
    sim_noises = s->noise;
    for (int k = 0; k < n_suites; k++) {
        if (s->is_calibrated && k % RENEW == 0)
            calibrate(&random, s, known);
        take(&random, s, k, known, &now);
        count(s, k, t);
        confirm(&random, s, k, known, t);
    }
    print(s, t);
}

/* ---- what is promised ---- */

static int found(const tally *t, int *n)
{
    const sim_kind kinds[] = { SIM_steady, SIM_correlated, SIM_outliers };
    int            n_found = 0;

    *n = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        n_found += t->planted[kinds[k]][ASSAY_COMPARE_SLOWER];
        for (int v = 0; v < 4; v++)
            *n += t->planted[kinds[k]][v];
    }
    return n_found;
}

static void test_null(void **state)
{
    const scenario scenarios[] = {
        { "nothing known", 3, false, false, 11, sim_usual },
        { "calibrated", 3, false, true, 12, sim_usual },
        { "nothing known", 5, false, false, 13, sim_usual },
    };
    tally t;

    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        play(&scenarios[i], SUITES, &t);
        assert_true(t.with_slower * 100 <= t.n_suites);
        assert_true(t.with_faster * 100 <= t.n_suites);
        assert_true(t.with_confirmed * 1000 <= t.n_suites);
    }
}

static void test_planted(void **state)
{
    const scenario scenarios[] = {
        { "+3 %, nothing known", 3, true, false, 21, sim_usual },
        { "+3 %, calibrated", 3, true, true, 22, sim_usual },
        { "+3 %, nothing known", 5, true, false, 23, sim_usual },
    };
    tally t;
    int   n;

    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        play(&scenarios[i], SUITES, &t);
        if (scenarios[i].is_calibrated || scenarios[i].n_processes > 3)
            assert_true(found(&t, &n) * 100 >= n * 95);
        assert_true(sim_share(t.half_slower, ASSAY_COMPARE_FASTER) <= 0.5);
        assert_true(sim_share(t.half_faster, ASSAY_COMPARE_FASTER) <= 0.5);
        assert_true(sim_share(t.half_slower, ASSAY_COMPARE_SLOWER) <= 0.5);
    }
}

/* The noise is so large that only the corrected p prevents a verdict. */
static void test_wild_processes(void **state)
{
    const sim_noise wild        = { .process = 0.05 };
    const scenario  scenarios[] = {
         { "processes 5 % apart, nothing known", 3, false, false, 31, wild },
         { "processes 5 % apart, nothing known", 6, false, false, 33, wild },
         { "processes 5 % apart, nothing known", 10, false, false, 34, wild },
    };
    tally t;

    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        play(&scenarios[i], SUITES / 2, &t);
        assert_true(t.with_slower * 100 <= t.n_suites);
        assert_true(t.with_confirmed * 1000 <= t.n_suites);
    }
}

/* Runs differ by more than their processes show, which is what the band is for. Without it the
 * rules are wrong, and the test shows that too. */
static void test_restless_runs(void **state)
{
    const sim_noise restless = { .process = 0.0015, .run = 0.006, .drift_run = 0.006 };
    const scenario  unknown  = { "runs 0.6 % apart, nothing known", 3, false, false, 41, restless };
    const scenario  known    = { "runs 0.6 % apart, calibrated", 3, false, true, 42, restless };
    tally           t;

    (void)state;
    play(&unknown, SUITES / 5, &t);
    play(&known, SUITES / 2, &t);
    assert_true(t.with_slower * 100 <= t.n_suites);
    assert_true(t.with_confirmed * 1000 <= t.n_suites);
}

static int prepare(void **state)
{
    (void)state;
    sim_prepare();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_wild_processes),
        cmocka_unit_test(test_restless_runs),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
