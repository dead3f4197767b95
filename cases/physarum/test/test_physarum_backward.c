/* Steps backwards with known results: blur alone, agents whose way is plain, a strength; and cases
 * without an inverse. */
#include "physarum_backward.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE  = 32,
    CELLS = SIDE * SIDE
};

static double first[CELLS], last[CELLS];

static physarum_owned picture(const physarum_model *m)
{
    physarum_owned s = physarum_state_create(m);

    physarum_state_seed(m, 5, &s);
    for (int c = 0; c < CELLS; c++) {
        first[c]   = physarum_level(3 * physarum_uniform(9, (uint64_t)c));
        s.field[c] = (float)first[c];
    }
    return s;
}

static double most_apart(const double *a, const double *b)
{
    double most = 0;

    for (int c = 0; c < CELLS; c++)
        most = fmax(most, fabs(a[c] - b[c]));
    return most;
}

static void widen(const float *from, double *to)
{
    for (int c = 0; c < CELLS; c++)
        to[c] = (double)from[c];
}

/* Compares with the reference's own way forward, on both squares. */
static void test_unblur(void)
{
    for (int blur = 3; blur <= 5; blur += 2) {
        physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 0);
        physarum_owned s = picture(&m);
        double         found[CELLS];

        m.blur = blur;
        (void)physarum_advance(&m, s.pos, s.angle, s.field, 1);
        widen(s.field, last);
        trial_expect(physarum_unblur(&m, last, found) && most_apart(found, first) < 1e-6,
                     "blur %d: off by %.3g", blur, most_apart(found, first));
        m.blend = 0.75;
        trial_expect(!physarum_unblur(&m, last, found), "a strength of 3/4 has no inverse");
        m.blend = 0.2;
        m.decay = 1;
        trial_expect(!physarum_unblur(&m, last, found), "nor has a decay of 1");
        physarum_state_free(&s);
    }
}

/* Nobody deposits: fp32 limits the result, since each step amplifies its errors 1.38 times. */
static void test_blur_alone(void)
{
    const physarum_model m        = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 0);
    const int64_t        steps[2] = { 20, 60 };

    for (int k = 0; k < 2; k++) {
        physarum_owned start = picture(&m), s = picture(&m);
        double         found[CELLS] = { 0 };
        int            rounds;

        (void)physarum_advance(&m, s.pos, s.angle, s.field, steps[k]);
        widen(s.field, last);
        rounds = physarum_find_first(&m, &start, last, steps[k], 5, found);
        trial_expect(rounds == 2, "it takes %d rounds", rounds);
        trial_expect((most_apart(found, first) < 1e-9) == (k == 0), "%d steps: off by %.3g",
                     (int)steps[k], most_apart(found, first));
        physarum_state_free(&start);
        physarum_state_free(&s);
    }
}

/* Agents far apart on an empty field: only an agent's own trail tells how it came, and it does. */
static void test_two_steps(void)
{
    const physarum_model m = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 3);
    physarum_owned       s = physarum_state_create(&m), middle = physarum_state_create(&m);
    physarum_back        b;
    int64_t              open = -1;
    double               most = 0;

    physarum_state_seed(&m, 5, &s);
    physarum_state_seed(&m, 5, &middle);
    (void)physarum_advance(&m, middle.pos, middle.angle, middle.field, 8);
    (void)physarum_advance(&m, s.pos, s.angle, s.field, 9);
    b = physarum_back_create(&m, &s);
    trial_expect(physarum_step_back(&m, &b, &open), "there is an inverse");
    widen(middle.field, last);
    trial_expect(most_apart(b.field, last) < 1e-6, "the field is off by %.3g",
                 most_apart(b.field, last));
    for (int i = 0; i < 6; i++)
        most = fmax(most, fabs(b.pos[i] - (double)middle.pos[i]));
    for (int i = 0; i < 3; i++)
        most = fmax(most, fabs(b.angle[i] - (double)middle.angle[i]));
    trial_expect(most < 1e-5, "agents are off by %.3g, %d open", most, (int)open);
    physarum_back_free(&b);
    physarum_state_free(&s);
    physarum_state_free(&middle);
}

/* One agent, whose way follows from the picture at once. */
static void test_one_agent(void)
{
    const physarum_model m     = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 1);
    physarum_owned       start = picture(&m), s = picture(&m);
    double               found[CELLS] = { 0 };

    (void)physarum_advance(&m, s.pos, s.angle, s.field, 1);
    widen(s.field, last);
    trial_expect(physarum_find_first(&m, &start, last, 1, 20, found) < 20 &&
                     most_apart(found, first) < 1e-9,
                 "off by %.3g", most_apart(found, first));
    physarum_state_free(&start);
    physarum_state_free(&s);
}

static void test_strength(void)
{
    physarum_model m     = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 40);
    physarum_owned start = picture(&m), s = picture(&m);
    double         found;

    m.blend = 0.3217;
    (void)physarum_advance(&m, s.pos, s.angle, s.field, 5);
    found = physarum_find_strength(&m, &start, s.field, 5);
    trial_expect(fabs(found - m.blend) < 1e-6, "a strength of %.9g", found);
    physarum_state_free(&start);
    physarum_state_free(&s);
}

int main(void)
{
    test_unblur();
    test_blur_alone();
    test_two_steps();
    test_one_agent();
    test_strength();
    return trial_finish("test_physarum_backward");
}
