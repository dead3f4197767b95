/* The numbers of a step: each set is a model of its own. Variants that are not made for it refuse
 * it, and programs take the numbers as options. */
#include "physarum_options.h"
#include "physarum_test.h"

#include "../physarum_settings.h"
#include "../physarum_shape.h"

#include <math.h>
#include <string.h>

enum {
    SIDE   = 32,
    AGENTS = 300
};

static physarum_model model_of(int64_t setting, assay_shape *s)
{
    const physarum_point p = {
        .width = SIDE, .height = SIDE, .agents = AGENTS, .blur = 3, .steps = 1, .setting = setting
    };

    memset(s, 0, sizeof *s);
    physarum_set_run_shape(&p, ASSAY_INPUT_RANDOM, s);
    return physarum_model_of(s->param, s->scalar, NULL);
}

/* The sum of a field after ten steps, with each cell weighted by its place. */
static double print_of(const physarum_model *m)
{
    physarum_owned s   = physarum_state_create(m);
    double         sum = 0;

    physarum_state_seed(m, 7, &s);
    (void)physarum_advance(m, s.pos, s.angle, s.field, 10);
    for (int64_t i = 0; i < m->height * m->width; i++)
        sum += (double)s.field[i] * (double)(i + 1);
    physarum_state_free(&s);
    return sum;
}

static void test_sets(void)
{
    double      print[PHYSARUM_N_SETTINGS];
    assay_shape s;

    for (int a = 0; a < PHYSARUM_N_SETTINGS; a++) {
        const physarum_model m       = model_of(a, &s);
        const double         circles = 6.283185307179586 / (double)m.spread;
        const double         share   = physarum_doubt_share(&m);

        print[a] = print_of(&m);
        for (int b = 0; b < a; b++)
            trial_expect(fabs(print[a] - print[b]) > 1e-3 * print[b],
                         "sets %d and %d come to the same field", a, b);
        trial_expect(fabs(circles - rint(circles)) < 1e-5, "spread of set %d: no part of a circle",
                     a);
        trial_expect(share > 0 && share < 0.1, "set %d: %.3g of the agents are in doubt", a, share);
    }
}

static void test_article(void)
{
    const physarum_model known = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, AGENTS);
    assay_shape          s;
    const physarum_model m = model_of(PHYSARUM_ARTICLE, &s);

    trial_expect(memcmp(&known.step, &m.step, sizeof m.step) == 0 &&
                     memcmp(&known.reach, &m.reach, sizeof m.reach) == 0 &&
                     memcmp(&known.spread, &m.spread, sizeof m.spread) == 0 &&
                     memcmp(&known.blend, &m.blend, sizeof m.blend) == 0 &&
                     memcmp(&known.decay, &m.decay, sizeof m.decay) == 0 &&
                     memcmp(&known.deposit, &m.deposit, sizeof m.deposit) == 0,
                 "set 0 is the article's");
}

/* Turns are stored as eighths of a circle, and places are wrapped only once. */
static void test_sorted_limits(void)
{
    assay_shape s;
    const char *said;

    (void)model_of(PHYSARUM_WIDE, &s);
    said = physarum_sorted_limits(&s);
    trial_expect(said && strstr(said, "eighths"), "a spread of pi/3 is refused");
    (void)model_of(PHYSARUM_FAR, &s);
    trial_expect(!physarum_sorted_limits(&s), "sensors at 13 cells fit on 32 x 32");
    s.param[PHYSARUM_PARAM_WIDTH] = 15;
    said                          = physarum_sorted_limits(&s);
    trial_expect(said && strstr(said, "wrap"), "and not on 15");
    s.param[PHYSARUM_PARAM_WIDTH] = 16;
    trial_expect(!physarum_sorted_limits(&s), "but on 16");
    s.param[PHYSARUM_PARAM_SEMANTICS] = PHYSARUM_TRITON;
    trial_expect(physarum_sorted_limits(&s) != NULL, "for canonical semantics only");
}

/* Without decay the field keeps everything that was ever deposited. */
static void test_mass_without_decay(void)
{
    float                  in[SIDE * SIDE] = { 1 }, out[SIDE * SIDE] = { 0 };
    const void            *ins[9]  = { [PHYSARUM_BUF_FIELD] = in };
    const void            *outs[9] = { [PHYSARUM_BUF_NEW_FIELD] = out };
    assay_shape            s;
    const assay_evidence   e = { .shape = &s, .in = ins, .out = outs };
    assay_invariant_result r;

    (void)model_of(PHYSARUM_DENSE, &s);
    s.param[PHYSARUM_PARAM_STEPS] = 3;
    r                             = physarum_run_mass(&e);
    trial_expect(fabs(r.expected - (1 + 2.5 * 3 * AGENTS)) < 1e-9, "%.9g is expected", r.expected);
}

static bool takes(const char *words[], int n, physarum_model *m, char *said, int *left)
{
    char *argv[16 + 1] = { NULL }; /* the last is NULL, as in main */

    for (int i = 0; i < n; i++)
        memcpy(&argv[i], &words[i], sizeof *argv);
    *left = n;
    return physarum_options_take(left, argv, m, said);
}

static void test_options(void)
{
    const char *all[]        = { "x",   "--step",      "2",   "--distance", "7.5", "--angle",
                                 "0.5", "--strength",  "0.3", "--decay",    "0",   "--deposit",
                                 "4",   "--diffusion", "5",   "64" };
    const char *bad[][3]     = { { "x", "--step", "two" },    { "x", "--decay", "1.5" },
                                 { "x", "--decay", "nan" },   { "x", "--step", "-1" },
                                 { "x", "--diffusion", "4" }, { "x", "--angle", "" } };
    const char *long_words[] = { "x",         "--step",    "2.12345",    "--distance",  "7.12345",
                                 "--angle",   "0.512345",  "--strength", "0.312345",    "--decay",
                                 "0.0123456", "--deposit", "4.12345",    "--diffusion", "5" };
    char        said[PHYSARUM_OPTIONS_TEXT];
    physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, AGENTS);
    int            left;

    trial_expect(takes(all, 16, &m, said, &left) && left == 2, "one word is left of %d", left);
    trial_expect(fabsf(m.step - 2) + fabsf(m.reach - 7.5f) + fabsf(m.spread - 0.5f) < 1e-6f &&
                     fabs(m.blend - 0.3) + fabs(m.decay) + fabs(m.deposit - 4) < 1e-12 &&
                     m.blur == 5,
                 "every number has its place");
    trial_expect(strcmp(said, "step2_reach7.5_spread0.5_blend0.3_decay0_deposit4_blur5") == 0,
                 "said: %s", said);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        trial_expect(!takes(bad[i], 3, &m, said, &left) && strstr(said, bad[i][1]), "%s %s: %s",
                     bad[i][1], bad[i][2], said);
    trial_expect(!takes(long_words, 15, &m, said, &left) && strstr(said, "digits"), "%s", said);
    trial_expect(!takes(all, 2, &m, said, &left) && strstr(said, "--step takes"), "no value");
    trial_expect(takes(all, 1, &m, said, &left) && left == 1 && said[0] == '\0', "no option");
}

int main(void)
{
    test_sets();
    test_article();
    test_sorted_limits();
    test_mass_without_decay();
    test_options();
    return trial_finish("test_physarum_settings");
}
