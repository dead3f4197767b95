/* How the three semantics differ: one test for each difference, with the numbers of
 * docs/physarum.md. Each expected value follows by hand from the sentence on the difference. */
#include "physarum_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SIDE = 32
};

static const float HALF_PI = 0x1.921fb6p+0f;

/* One agent in a world of SIDE x SIDE. */
typedef struct lone {
    physarum_model m;
    physarum_owned s;
} lone;

static lone lone_agent(int semantics, float y, float x, float angle)
{
    lone l = { .m = physarum_test_model(semantics, SIDE, SIDE, 1) };

    l.m.has_doubts = true;
    l.s            = physarum_state_create(&l.m);
    l.s.pos[0]     = y;
    l.s.pos[1]     = x;
    l.s.angle[0]   = angle;
    return l;
}

static void set_cell(lone *l, int y, int x, float value) { l->s.field[y * SIDE + x] = value; }

/* What the sensor ahead reads. */
static double ahead_of(const lone *l)
{
    const physarum_state s = physarum_state_view(&l->s);
    physarum_sample      sample[3];

    physarum_sense(&l->m, &s, 0, sample);
    return sample[0].value;
}

/* ---- 1 to 5: sensing */

static void test_1_axes(void)
{
    static const struct {
        int    semantics;
        double along_y, along_x;
    } rows[] = { { PHYSARUM_CANONICAL, 7, 0 },
                 { PHYSARUM_TRITON, 7, 0 },
                 { PHYSARUM_TORCH, 0, 9 } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lone y = lone_agent(rows[i].semantics, 10.5f, 12.5f, HALF_PI);
        lone x = lone_agent(rows[i].semantics, 10.5f, 12.5f, HALF_PI);

        for (int k = 0; k < 4; k++) { /* bilinear samples take four cells */
            set_cell(&y, 15 + k / 2, 12 + k % 2, 7);
            set_cell(&x, 10 + k / 2, 17 + k % 2, 9);
        }
        trial_expect(fabs(ahead_of(&y) - rows[i].along_y) < 1e-4,
                     "1: semantics %d with heading pi/2 reads %g along y", rows[i].semantics,
                     ahead_of(&y));
        trial_expect(fabs(ahead_of(&x) - rows[i].along_x) < 1e-4,
                     "1: semantics %d with heading pi/2 reads %g along x", rows[i].semantics,
                     ahead_of(&x));
        physarum_state_free(&y.s);
        physarum_state_free(&x.s);
    }
}

/* Counts agents whose three samples are taken where their own sensors are. */
static int64_t count_with_own_samples(int semantics, int64_t n, int64_t *of_one_sensor)
{
    physarum_model m    = physarum_test_model(semantics, 512, 512, n);
    physarum_model one  = physarum_test_model(PHYSARUM_TORCH, 512, 512, 1);
    physarum_owned s    = physarum_state_create(&m);
    physarum_state view = physarum_state_view(&s);
    int64_t        own  = 0;

    physarum_state_seed(&m, 5, &s);
    *of_one_sensor = 0;
    for (int64_t i = 0; i < n; i++) {
        const physarum_state alone = { s.pos + 2 * i, s.angle + i, s.field };
        physarum_sample      got[3], want[3];

        one.semantics = semantics;
        physarum_sense(&m, &view, i, got);
        physarum_sense(&one, &alone, 0, want);
        own += memcmp(got[0].at, want[0].at, sizeof got[0].at) == 0 &&
               memcmp(got[1].at, want[1].at, sizeof got[0].at) == 0 &&
               memcmp(got[2].at, want[2].at, sizeof got[0].at) == 0;
        *of_one_sensor += (i % 3 == (n + i) % 3) && (i % 3 == (2 * n + i) % 3);
    }
    physarum_state_free(&s);
    return own;
}

static void test_2_view(void)
{
    int64_t       one_sensor;
    const int64_t torch = count_with_own_samples(PHYSARUM_TORCH, 1000, &one_sensor);

    trial_expect(torch == 0, "2: %d of 1000 agents get their own samples", (int)torch);
    trial_expect(one_sensor == 0, "2: 1000 agents mix the sensors");
    (void)count_with_own_samples(PHYSARUM_TORCH, 999, &one_sensor);
    trial_expect(one_sensor == 999, "2: of 999 agents %d get one sensor thrice", (int)one_sensor);
    trial_expect(count_with_own_samples(PHYSARUM_TORCH, 1, &one_sensor) == 1,
                 "2: a lone agent gets its own samples");
    trial_expect(count_with_own_samples(PHYSARUM_TRITON, 1000, &one_sensor) == 1000,
                 "2: triton agents get their own samples");
}

static void test_3_sampling(void)
{
    static const int all[3]  = { PHYSARUM_CANONICAL, PHYSARUM_TRITON, PHYSARUM_TORCH };
    const double     want[3] = { 15, 15, 15.75 }; /* the field is x, the sensor at x = 15.75 */

    for (int i = 0; i < 3; i++) {
        lone l = lone_agent(all[i], 10.5f, 10.75f, i == 2 ? HALF_PI : 0);

        for (int c = 0; c < SIDE * SIDE; c++)
            l.s.field[c] = (float)(c % SIDE);
        trial_expect(fabs(ahead_of(&l) - want[i]) < 1e-4, "3: semantics %d reads %.9g", all[i],
                     ahead_of(&l));
        physarum_state_free(&l.s);
    }
}

static void test_4_border(void)
{
    static const int all[3]  = { PHYSARUM_CANONICAL, PHYSARUM_TRITON, PHYSARUM_TORCH };
    const double     want[3] = { 8, 8, 2 }; /* x = 31.75 in a field of 8: a quarter is inside */

    for (int i = 0; i < 3; i++) {
        lone l = lone_agent(all[i], 10.5f, 26.75f, i == 2 ? HALF_PI : 0);

        for (int c = 0; c < SIDE * SIDE; c++)
            l.s.field[c] = 8;
        trial_expect(fabs(ahead_of(&l) - want[i]) < 1e-3, "4: semantics %d reads %.9g at the seam",
                     all[i], ahead_of(&l));
        physarum_state_free(&l.s);
    }
}

static void test_5_sensor_wrap(void)
{
    lone triton    = lone_agent(PHYSARUM_TRITON, 10.5f, 2.5f, 2 * HALF_PI); /* x = -2.5 */
    lone canonical = lone_agent(PHYSARUM_CANONICAL, 10.5f, 2.5f, 2 * HALF_PI);

    for (int y = 0; y < SIDE; y++) {
        set_cell(&triton, y, 0, 1);
        set_cell(&triton, y, 29, 2);
    }
    memcpy(canonical.s.field, triton.s.field, sizeof(float) * SIDE * SIDE);
    trial_expect(ahead_of(&triton) == 1, "5: the remainder keeps the sign and ends in column 0");
    trial_expect(ahead_of(&canonical) == 2, "5: a torus goes on in column 29");
    physarum_state_free(&triton.s);
    physarum_state_free(&canonical.s);
}

/* ---- 6, 7: places and ties */

static void test_6_position_wrap(void)
{
    static const struct {
        int     semantics;
        float   place;
        int64_t row;
    } rows[] = { { PHYSARUM_TORCH, 512, 511 },
                 { PHYSARUM_TRITON, 512, 511 },
                 { PHYSARUM_CANONICAL, 0, 0 } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const physarum_model m     = physarum_test_model(rows[i].semantics, 512, 512, 1);
        const float          place = physarum_wrap(&m, -1e-6f, 512);
        const float          at[2] = { place, 0 };

        trial_expect(place == rows[i].place, "6: semantics %d puts -1e-6 to %g", rows[i].semantics,
                     (double)place);
        trial_expect(physarum_deposit_cell(&m, at) == 512 * rows[i].row,
                     "6: semantics %d deposits in another row", rows[i].semantics);
    }
}

static int turn_by(int semantics, double ahead, double left, double right)
{
    const physarum_model  m         = physarum_test_model(semantics, SIDE, SIDE, 1);
    const physarum_sample sample[3] = { { ahead, ahead, ahead, { 0, 0 } },
                                        { left, left, left, { 1, 1 } },
                                        { right, right, right, { 2, 2 } } };

    return physarum_decide(&m, sample).turn;
}

static void test_7_ties(void)
{
    trial_expect(turn_by(PHYSARUM_TORCH, 1, 2, 2) == 1, "7: argmax turns left on a tie");
    trial_expect(turn_by(PHYSARUM_TRITON, 1, 2, 2) == 0, "7: strict comparison goes straight");
    trial_expect(turn_by(PHYSARUM_CANONICAL, 1, 2, 2) == 0, "7: canonical goes straight");
    for (int semantics = 0; semantics < 3; semantics++) {
        trial_expect(turn_by(semantics, 0, 0, 0) == 0, "7: an empty field turns nobody");
        trial_expect(turn_by(semantics, 2, 2, 1) == 0, "7: ahead wins a tie");
        trial_expect(turn_by(semantics, 1, 1, 2) == -1, "7: the right one is above both");
    }
}

/* ---- 8 to 12: the field */

/* The field's sum after a step of agents that all stand in one cell. */
static double mass_of_crowd(int semantics, int64_t n)
{
    physarum_model m    = physarum_test_model(semantics, SIDE, SIDE, n);
    physarum_owned s    = physarum_state_create(&m);
    double         mass = 0;

    for (int64_t i = 0; i < n; i++)
        s.pos[2 * i] = s.pos[2 * i + 1] = 10.5f;
    (void)physarum_advance(&m, s.pos, s.angle, s.field, 1);
    mass = physarum_field_sum(&m, s.field);
    physarum_state_free(&s);
    return mass;
}

static void test_8_deposit(void)
{
    trial_expect(fabs(mass_of_crowd(PHYSARUM_TORCH, 9) - 0.99) < 1e-6, "8: torch writes once");
    trial_expect(fabs(mass_of_crowd(PHYSARUM_TRITON, 9) - 9 * 0.99) < 1e-5, "8: triton adds nine");
    trial_expect(fabs(mass_of_crowd(PHYSARUM_CANONICAL, 9) - 9 * 0.99) < 1e-5,
                 "8: canonical adds nine");
}

/* Adds 1 seven times, and 7 at once: how often do the bits differ? */
static void test_9_aggregation(void)
{
    int n_different = 0;

    for (uint64_t i = 0; i < 10000; i++) {
        volatile float one_by_one = (float)(100 * physarum_uniform(3, i));
        volatile float at_once    = one_by_one;

        for (int k = 0; k < 7; k++)
            one_by_one = one_by_one + 1;
        at_once = at_once + 7;
        n_different += one_by_one != at_once;
    }
    trial_expect(n_different > 0 && n_different < 5000, "9: %d of 10000 differ", n_different);
}

static void test_10_borders(void)
{
    for (int semantics = 0; semantics < 3; semantics++) {
        physarum_model m    = physarum_test_model(semantics, SIDE, SIDE, 0);
        physarum_owned s    = physarum_state_create(&m);
        const double   want = semantics == PHYSARUM_CANONICAL ? 0.99 : 0.99 * (0.8 + 0.2 * 4 / 9);

        s.field[0] = 1; /* the corner: 4 of the 9 cells of the square around it are inside */
        (void)physarum_advance(&m, s.pos, s.angle, s.field, 1);
        trial_expect(fabs(physarum_field_sum(&m, s.field) - want) < 1e-6,
                     "10: semantics %d keeps %.9g of a corner", semantics,
                     physarum_field_sum(&m, s.field));
        physarum_state_free(&s);
    }
}

/* A mantissa of 10 bits in the mean: beyond what the reference allows. */
static void test_11_precision(void)
{
    physarum_model m = physarum_test_model(PHYSARUM_TORCH, SIDE, SIDE, 0);
    physarum_owned s = physarum_state_create(&m), t = physarum_state_create(&m);
    double         value[SIDE * SIDE], size[SIDE * SIDE], coarse[SIDE * SIDE];
    int            n_seen = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        int          exponent;
        const double exact    = 1 + physarum_uniform(11, (uint64_t)i);
        const double fraction = frexp(exact, &exponent);

        s.field[i] = (float)exact;
        t.field[i] = (float)ldexp(rint(ldexp(fraction, 11)), exponent - 11);
    }
    physarum_next_field(&m, s.field, s.pos,
                        &(physarum_field_out) { .value = value, .magnitude = size });
    physarum_next_field(&m, t.field, t.pos, &(physarum_field_out) { .value = coarse });
    for (int i = 0; i < SIDE * SIDE; i++) {
        const double blurred = coarse[i] - 0.99 * 0.8 * ((double)t.field[i] - (double)s.field[i]);

        n_seen += fabs(blurred - value[i]) > PHYSARUM_ROUNDOFF * (fabs(value[i]) + size[i]);
    }
    trial_expect(n_seen > SIDE * SIDE / 2, "11: only %d cells tell the coarse mean", n_seen);
    physarum_state_free(&s);
    physarum_state_free(&t);
}

/* The second agent's sensor is where the first one deposits: it must not see that deposit. */
static void test_12_buffers(void)
{
    physarum_model  m = physarum_test_model(PHYSARUM_CANONICAL, SIDE, SIDE, 2);
    physarum_owned  s = physarum_state_create(&m), later = physarum_state_create(&m);
    physarum_sample sample[3];
    physarum_state  view;

    s.pos[0] = 14.5f, s.pos[1] = 13.5f, s.angle[0] = 0;     /* moves to (14.5, 14.5) */
    s.pos[2] = 10.964f, s.pos[3] = 10.964f, s.angle[1] = 0; /* its left sensor is there */
    for (int i = 0; i < 2; i++)
        memcpy(later.pos + 2 * i, s.pos + 2 * i, 2 * sizeof(float));
    later.field[14 * SIDE + 14] = 1;
    view                        = physarum_state_view(&later);
    physarum_sense(&m, &view, 1, sample);
    trial_expect(physarum_decide(&m, sample).turn == 1, "12: after the deposit it turns left");
    (void)physarum_advance(&m, s.pos, s.angle, s.field, 1);
    trial_expect(s.angle[1] == 0, "12: the deposit of the same step turned it");
    trial_expect((double)s.field[14 * SIDE + 14] > 0.5, "12: the deposit is missing");
    physarum_state_free(&s);
    physarum_state_free(&later);
}

/* ---- 13, 14: headings and constants */

static float heading_after_left_turns(int semantics, int n)
{
    lone  l = lone_agent(semantics, 16.5f, 16.5f, 0.05f);
    float new_pos[2], last;

    for (int k = 0; k < n; k++) {
        const physarum_state s        = physarum_state_view(&l.s);
        uint8_t              doubt[1] = { 0 }, cells[SIDE * SIDE] = { 0 };
        physarum_sample      sample[3];
        float                angle;

        memset(l.s.field, 0, sizeof(float) * SIDE * SIDE);
        l.s.pos[0] = l.s.pos[1] = 16.5f;
        physarum_sense(&l.m, &s, 0, sample);
        set_cell(&l, (int)sample[1].at[0], (int)sample[1].at[1], 1);
        physarum_move_agents(&l.m, &s, &(physarum_moves) { new_pos, &angle, doubt, cells });
        l.s.angle[0] = angle;
    }
    last = l.s.angle[0];
    physarum_state_free(&l.s);
    return last;
}

static void test_13_headings(void)
{
    const double turns = 9 * 0.78539816339744831;

    trial_expect(fabs((double)heading_after_left_turns(PHYSARUM_TRITON, 9) - turns - 0.05) < 1e-5,
                 "13: nine turns to the left add up");
    trial_expect(fabs((double)heading_after_left_turns(PHYSARUM_CANONICAL, 9) - 0.05 - turns +
                      6.2831853071795865) < 1e-5,
                 "13: canonical headings stay within half a turn");
}

/* Two products and a sum, or one product fewer: different bits, within the same bound. */
static void test_14_order(void)
{
    int n_different = 0;

    for (uint64_t i = 0; i < 1000; i++) {
        const float    here = (float)(10 * physarum_uniform(14, 2 * i));
        const float    mean = (float)(10 * physarum_uniform(14, 2 * i + 1));
        const float    kept = 0.8f * here, blended = 0.2f * mean, apart = mean - here;
        volatile float two = kept + blended, share = 0.2f * apart;
        const float    one = here + share;

        n_different += two != one;
        trial_expect(fabs((double)(two - one)) <=
                         PHYSARUM_FIELD_ROUNDINGS * PHYSARUM_ROUNDOFF * (double)(here + mean),
                     "14: the orders are further apart than the bound");
    }
    trial_expect(n_different > 0, "14: the order of the blend shows in no bit");
}

int main(void)
{
    test_1_axes();
    test_2_view();
    test_3_sampling();
    test_4_border();
    test_5_sensor_wrap();
    test_6_position_wrap();
    test_7_ties();
    test_8_deposit();
    test_9_aggregation();
    test_10_borders();
    test_11_precision();
    test_12_buffers();
    test_13_headings();
    test_14_order();
    return trial_finish("test_physarum_differences");
}
