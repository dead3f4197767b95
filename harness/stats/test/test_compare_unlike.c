/* How often the rules of compare are wrong if the points of a case are unlike: processes 0.01 % to
 * 2 % apart, runs 0.02 % to 0.6 %. Knowledge of one point alone is compared with knowledge pooled
 * over its case. The tables that this prints are those of docs/comparing.md. */
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
    SUITES      = SIM_SUITES,
    RENEW       = 100, /* suites after which the points are calibrated again */
    MOST_NIGHTS = 20,  /* comparisons of a point in a calibration */
    POINTS      = 5,   /* of a case; each holds spreads from small to large */
    N_CLASSES   = 4,
    PROCESSES   = 3
};

/* The largest spread between processes in each class of points. */
static const double class_ends[N_CLASSES] = { 0.001, 0.003, 0.007, 0.02 };

/* What a comparison knows. */
typedef enum knowledge {
    NOTHING,
    POOLED,       /* spread and band of the case */
    OWN_SPREAD,   /* of the point; band of the case */
    OWN_BAND_TOO, /* of the point, once it has a band: what the rules use */
} knowledge;

typedef struct scenario {
    const char *name;
    knowledge   known;
    int         n_nights, n_suites;
    bool        is_planted;
    double      most_run; /* largest spread between runs */
    uint64_t    seed;
} scenario;

typedef struct tally {
    int n_suites, with_slower, with_faster; /* suites: at least one on a point without difference */
    int verdicts[N_CLASSES][4];             /* on points without a difference */
    int planted[N_CLASSES][4];              /* on +3 %: kinds steady, correlated, outliers */
    int half_slower[4], half_faster[4];
} tally;

static assay_compared rows[SIM_CASES];

static double between(double least, double most, int step)
{
    return least * pow(most / least, (double)step / (SIM_CASES - 1));
}

/* The spreads of points and of runs are independent of the kind of noise and of each other. */
static sim_noise noise_of(const scenario *s, int i)
{
    const double run = between(0.0002, s->most_run, 13 * i % SIM_CASES);

    return (sim_noise) { between(0.0001, 0.02, 7 * i % SIM_CASES), run, run };
}

static int class_of(const scenario *s, int i)
{
    int k = 0;

    while (k + 1 < N_CLASSES && noise_of(s, i).process > class_ends[k])
        k++;
    return k;
}

static double shift_of(const scenario *s, int k, int i)
{
    return s->is_planted ? sim_shift(k, i) : 0;
}

static void take(sim_random *random, const scenario *s, int k, const assay_compare_known *known)
{
    static sim_side          a[SIM_CASES], b[SIM_CASES];
    const assay_compare_rule rule = assay_compare_rule_default();
    assay_compare_input      inputs[SIM_CASES];

    for (int i = 0; i < SIM_CASES; i++) {
        sim_noises = noise_of(s, i);
        sim_run(random, sim_kind_of(i), PROCESSES, 0, 0.001 * sim_normal(random), &a[i]);
        sim_run(random, sim_kind_of(i), PROCESSES, shift_of(s, k, i), 0.001 * sim_normal(random),
                &b[i]);
        inputs[i] = (assay_compare_input) { a[i].side, b[i].side, known[i] };
    }
    assert_int_equal(assay_compare_table(inputs, SIM_CASES, &rule, rows), ASSAY_OK);
}

static assay_compare_known known_from(const assay_compared *nights, int n)
{
    assay_calibration c;

    assert_int_equal(assay_calibrate(nights, n, &c), ASSAY_OK);
    return (assay_compare_known) { c.band, NAN, c.process_sd, c.process_df };
}

static void calibrate(sim_random *random, const scenario *s, assay_compare_known *known)
{
    static assay_compared nights[SIM_CASES][MOST_NIGHTS], of_case[POINTS * MOST_NIGHTS];
    const scenario        null               = { .most_run = s->most_run };
    assay_compare_known   unknown[SIM_CASES] = { 0 };

    for (int k = 0; k < s->n_nights; k++) {
        take(random, &null, k, unknown);
        for (int i = 0; i < SIM_CASES; i++)
            nights[i][k] = rows[i];
    }
    for (int i = 0; i < SIM_CASES; i++) {
        assay_compare_known own = known_from(nights[i], s->n_nights), pooled;

        for (int k = 0; k < POINTS; k++)
            memcpy(of_case + k * s->n_nights, nights[i / POINTS * POINTS + k],
                   (size_t)s->n_nights * sizeof *of_case);
        pooled        = known_from(of_case, POINTS * s->n_nights);
        own.band      = s->known == OWN_SPREAD ? pooled.band : own.band;
        own.case_band = pooled.band;
        known[i]      = s->known == POOLED ? pooled : own;
    }
}

static bool is_searched(sim_kind kind)
{
    return kind == SIM_steady || kind == SIM_correlated || kind == SIM_outliers;
}

static void count(const scenario *s, int k, tally *t)
{
    bool has_slower = false, has_faster = false;

    for (int i = 0; i < SIM_CASES; i++) {
        const assay_compare_verdict v     = rows[i].verdict;
        const double                shift = shift_of(s, k, i);

        if (shift > 0.01)
            t->planted[class_of(s, i)][v] += is_searched(sim_kind_of(i));
        else if (shift > 0)
            t->half_slower[v]++;
        else if (shift < 0)
            t->half_faster[v]++;
        else {
            t->verdicts[class_of(s, i)][v]++;
            has_slower = has_slower || v == ASSAY_COMPARE_SLOWER;
            has_faster = has_faster || v == ASSAY_COMPARE_FASTER;
        }
    }
    t->n_suites++;
    t->with_slower += has_slower;
    t->with_faster += has_faster;
}

static void print(const scenario *s, const tally *t)
{
    print_message("%s, %d nights, runs up to %.1f %% apart: suites with a false SLOWER %.2f %%, "
                  "FASTER %.2f %%\n    by the largest spread between processes:\n",
                  s->name, s->n_nights, 100 * s->most_run, 100.0 * t->with_slower / t->n_suites,
                  100.0 * t->with_faster / t->n_suites);
    for (int k = 0; k < N_CLASSES; k++)
        print_message("    up to %5.1f %%: SAME %6.2f SLOWER %.3f FASTER %.3f %%   +3 %%: SLOWER "
                      "%6.2f FASTER %.3f %%\n",
                      100 * class_ends[k], sim_share(t->verdicts[k], ASSAY_COMPARE_SAME),
                      sim_share(t->verdicts[k], ASSAY_COMPARE_SLOWER),
                      sim_share(t->verdicts[k], ASSAY_COMPARE_FASTER),
                      sim_share(t->planted[k], ASSAY_COMPARE_SLOWER),
                      sim_share(t->planted[k], ASSAY_COMPARE_FASTER));
    if (s->is_planted)
        print_message("    0.5 %% slower: FASTER %.3f SLOWER %.3f %%   0.5 %% faster: FASTER %.3f "
                      "SLOWER %.3f %%\n",
                      sim_share(t->half_slower, ASSAY_COMPARE_FASTER),
                      sim_share(t->half_slower, ASSAY_COMPARE_SLOWER),
                      sim_share(t->half_faster, ASSAY_COMPARE_FASTER),
                      sim_share(t->half_faster, ASSAY_COMPARE_SLOWER));
}

static void play(const scenario *s, tally *t)
{
    assay_compare_known known[SIM_CASES] = { 0 };
    sim_random          random           = sim_seed(s->seed);

    *t = (tally) { 0 };
    for (int k = 0; k < s->n_suites; k++) {
        if (s->known != NOTHING && k % RENEW == 0)
            calibrate(&random, s, known);
        take(&random, s, k, known);
        count(s, k, t);
    }
    print(s, t);
}

/* At most 1 % on each side. With few suites the side is a matter of chance, so only the sum is
 * asserted. */
static void assert_seldom_wrong(const tally *t)
{
    assert_true((t->with_slower + t->with_faster) * 100 <= 2 * t->n_suites);
    if (t->n_suites >= 5000) {
        assert_true(t->with_slower * 100 <= t->n_suites);
        assert_true(t->with_faster * 100 <= t->n_suites);
    }
}

/* ---- what is promised ---- */

static void test_null(void **state)
{
    const scenario scenarios[] = {
        { "of points", OWN_BAND_TOO, 2, SUITES / 2, false, 0.002, 51 },
        { "of points", OWN_BAND_TOO, 5, SUITES / 2, false, 0.002, 52 },
        { "of points", OWN_BAND_TOO, 20, SUITES, false, 0.002, 53 },
        { "of points", OWN_BAND_TOO, 2, SUITES / 2, false, 0.006, 54 },
        { "of points", OWN_BAND_TOO, 5, SUITES / 2, false, 0.006, 55 },
        { "of points", OWN_BAND_TOO, 20, SUITES, false, 0.006, 56 },
    };
    tally t;

    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        play(&scenarios[i], &t);
        assert_seldom_wrong(&t);
    }
}

static void test_planted(void **state)
{
    const scenario s = { "of points", OWN_BAND_TOO, 20, SUITES, true, 0.002, 61 };
    tally          t;

    (void)state;
    play(&s, &t);
    assert_seldom_wrong(&t);
    for (int k = 0; k < N_CLASSES && class_ends[k] <= 0.003; k++)
        assert_true(sim_share(t.planted[k], ASSAY_COMPARE_SLOWER) >= 95);
    assert_true(sim_share(t.half_slower, ASSAY_COMPARE_FASTER) <= 0.5);
    assert_true(sim_share(t.half_faster, ASSAY_COMPARE_FASTER) <= 0.5);
    assert_true(sim_share(t.half_slower, ASSAY_COMPARE_SLOWER) <= 0.5);
}

/* Why the rules are as they are: other knowledge of the same points gives worse results. */
static void test_other_knowledge(void **state)
{
    const scenario scenarios[] = {
        { "nothing", NOTHING, 0, SUITES / 2, true, 0.002, 71 },
        { "pooled over the case", POOLED, 20, SUITES / 2, true, 0.002, 72 },
        { "spread of points, band of the case", OWN_SPREAD, 20, SUITES / 2, true, 0.002, 73 },
        { "nothing", NOTHING, 0, SUITES / 2, false, 0.006, 74 },
        { "pooled over the case", POOLED, 20, SUITES / 2, false, 0.006, 75 },
        { "spread of points, band of the case", OWN_SPREAD, 20, SUITES / 2, false, 0.006, 76 },
    };
    tally own, t;

    (void)state;
    play(&(scenario) { "of points", OWN_BAND_TOO, 20, SUITES / 2, true, 0.002, 77 }, &own);
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        play(&scenarios[i], &t);
        if (scenarios[i].is_planted)
            assert_true(sim_share(t.planted[1], ASSAY_COMPARE_SLOWER) <
                        sim_share(own.planted[1], ASSAY_COMPARE_SLOWER));
    }
}

/* One night is known. The interval holds the truth as often as it claims, though both sides use the
 * same estimate of their spread. */
static void test_interval_holds(void **state)
{
    const assay_compare_rule rule   = assay_compare_rule_default();
    sim_random               random = sim_seed(81);
    int                      n_held = 0;

    (void)state;
    sim_noises = (sim_noise) { .process = 0.005 };
    for (int k = 0; k < 4 * SUITES; k++) {
        sim_side            a, b;
        assay_compare_known known = { 0 };
        assay_compared      row;

        for (int night = 0; night < 2; night++) {
            sim_run(&random, SIM_steady, PROCESSES, 0, 0, &a);
            sim_run(&random, SIM_steady, PROCESSES, 0, 0, &b);
            assert_int_equal(assay_compare_table(&(assay_compare_input) { a.side, b.side, known },
                                                 1, &rule, &row),
                             ASSAY_OK);
            known = known_from(&row, 1);
        }
        n_held += row.time.lo <= 0 && row.time.hi >= 0;
    }
    print_message("95 %% intervals, one night known: %.2f %% hold the truth\n",
                  100.0 * n_held / (4 * SUITES));
    assert_true(n_held >= 0.945 * 4 * SUITES && n_held <= 0.965 * 4 * SUITES);
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
        cmocka_unit_test(test_other_knowledge),
        cmocka_unit_test(test_interval_holds),
    };

    return cmocka_run_group_tests(tests, prepare, NULL);
}
