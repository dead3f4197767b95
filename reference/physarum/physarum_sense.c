/* What agents sense and how they turn, in all three semantics. */
#include "physarum.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>
#include <string.h>

enum {
    AHEAD,
    LEFT,
    RIGHT
};

/* ---- places along one axis, fp32 */

static float remainder_of(float v, float extent)
{
    const float r = fmodf(v, extent);

    return r != 0 && (r < 0) != (extent < 0) ? r + extent : r;
}

static float floor_wrap(float v, float extent)
{
    const float turns = floorf(v / extent);
    const float back  = turns * extent;

    return v - back;
}

float physarum_wrap_around(const physarum_model *m, float v, int64_t extent)
{
    const float e = (float)extent;
    float       w;

    if (m->semantics == PHYSARUM_TORCH)
        return remainder_of(v, e);
    w = floor_wrap(v, e);
    return m->semantics == PHYSARUM_CANONICAL && w >= e ? 0 : w;
}

float physarum_sensor_around(const physarum_model *m, float v, int64_t extent)
{
    if (m->semantics == PHYSARUM_TRITON)
        return fmodf(v, (float)extent);
    return physarum_wrap_around(m, v, extent);
}

physarum_direction physarum_direction_of(const physarum_model *m, float heading)
{
    if (!m->has_doubts)
        return (physarum_direction) { (double)sinf(heading), (double)cosf(heading) };
    return (physarum_direction) { sin((double)heading), cos((double)heading) };
}

/* ---- one sensor */

/* A coordinate of a sensor: as defined, and at both ends of its error. */
typedef struct place {
    float nominal, low, high;
} place;

static place place_of(const physarum_model *m, float from, double direction, int64_t extent)
{
    const float  offset  = m->reach * (float)direction;
    const float  nominal = physarum_sensor_place(m, from + offset, extent);
    const double error   = (double)m->reach * PHYSARUM_ANGLE_ERROR;
    double       exact;

    if (!m->has_doubts)
        return (place) { nominal, nominal, nominal };
    exact = (double)from + (double)m->reach * direction;
    return (place) {
        .nominal = nominal,
        .low     = physarum_sensor_place(m, (float)(exact - error), extent),
        .high    = physarum_sensor_place(m, (float)(exact + error), extent),
    };
}

static void include(physarum_sample *s, double value)
{
    s->low  = fmin(s->low, value);
    s->high = fmax(s->high, value);
}

static physarum_sample sample_nearest(const physarum_model *m, const float *field, place y, place x)
{
    const int64_t   ys[3] = { physarum_cell_on(y.nominal, m->height),
                              physarum_cell_on(y.low, m->height),
                              physarum_cell_on(y.high, m->height) };
    const int64_t   xs[3] = { physarum_cell_on(x.nominal, m->width),
                              physarum_cell_on(x.low, m->width), physarum_cell_on(x.high, m->width) };
    const double    value = (double)field[ys[0] * m->width + xs[0]];
    physarum_sample s     = { value, value, value, { y.nominal, x.nominal } };

    for (int i = 0; i < 3 && m->has_doubts; i++)
        for (int j = 0; j < 3; j++)
            include(&s, (double)field[ys[i] * m->width + xs[j]]);
    s.low -= m->field_error * fabs(s.low);
    s.high += m->field_error * fabs(s.high);
    return s;
}

/* ---- bilinear: through coordinates in [-1, 1], corners aligned, zeros outside */

static float through_unit(float v, int64_t extent)
{
    const float last  = (float)(extent - 1);
    const float share = v / last;
    const float twice = share * 2;
    const float unit  = twice - 1;
    const float half  = (unit + 1) / 2;

    return half * last;
}

static double cell_or_zero(const physarum_model *m, const float *field, double y, double x)
{
    if (!(y >= 0 && y <= (double)(m->height - 1) && x >= 0 && x <= (double)(m->width - 1)))
        return 0;
    return (double)field[(int64_t)y * m->width + (int64_t)x];
}

/* *size gets the mean of the corners' magnitudes with the same weights. */
static double bilinear(const physarum_model *m, const float *field, double y, double x,
                       double *size)
{
    const double y0 = floor(y), x0 = floor(x), wy = y - y0, wx = x - x0;
    const double weight[4] = { (1 - wy) * (1 - wx), (1 - wy) * wx, wy * (1 - wx), wy * wx };
    double       value     = 0;

    *size = 0;
    for (int k = 0; k < 4; k++) {
        const double term = weight[k] * cell_or_zero(m, field, y0 + k / 2, x0 + k % 2);

        value += term;
        *size += fabs(term);
    }
    return value;
}

/* The round trip through [-1, 1] costs up to 4 roundings of the extent. */
static double unit_error(int64_t extent) { return 4 * PHYSARUM_ROUNDOFF * (double)extent; }

static physarum_sample sample_bilinear(const physarum_model *m, const float *field, place y,
                                       place x)
{
    const float  at[2] = { through_unit(y.nominal, m->height), through_unit(x.nominal, m->width) };
    const double ys[2] = { (double)y.low - unit_error(m->height),
                           (double)y.high + unit_error(m->height) };
    const double xs[2] = { (double)x.low - unit_error(m->width),
                           (double)x.high + unit_error(m->width) };
    double       size, other, slack;
    const double value = bilinear(m, field, (double)at[0], (double)at[1], &size);
    physarum_sample s  = { value, value, value, { at[0], at[1] } };

    for (int k = 0; k < 4 && m->has_doubts; k++)
        include(&s, bilinear(m, field, ys[k / 2], xs[k % 2], &other));
    /* For the bend between the corners, and for 16 roundings of weights and products. */
    slack = 0.5 * (s.high - s.low) + (16 * PHYSARUM_ROUNDOFF + m->field_error) * size;
    s.low -= slack;
    s.high += slack;
    return s;
}

/* ---- sensors of agents */

static float sensor_heading(const physarum_model *m, float angle, int sensor)
{
    return sensor == LEFT ? angle + m->spread : sensor == RIGHT ? angle - m->spread : angle;
}

static physarum_sample sensor_of(const physarum_model *m, const physarum_state *s, int64_t agent,
                                 int sensor)
{
    const physarum_direction d =
        physarum_direction_of(m, sensor_heading(m, s->angle[agent], sensor));
    const bool  is_torch = m->semantics == PHYSARUM_TORCH;
    const place y        = place_of(m, s->pos[2 * agent], is_torch ? d.cosine : d.sine, m->height);
    const place x = place_of(m, s->pos[2 * agent + 1], is_torch ? d.sine : d.cosine, m->width);

    return is_torch ? sample_bilinear(m, s->field, y, x) : sample_nearest(m, s->field, y, x);
}

/* A contiguous [agents, 3, 2] array viewed as [3, agents, 2] puts sample number q = row * agents +
 * agent of the array in place [row, agent]. */
void physarum_sense(const physarum_model *m, const physarum_state *s, int64_t agent,
                    physarum_sample sample[3])
{
    for (int k = 0; k < 3; k++) {
        const int64_t q = k * m->agents + agent;

        if (m->semantics == PHYSARUM_TORCH)
            sample[k] = sensor_of(m, s, q / 3, (int)(q % 3));
        else
            sample[k] = sensor_of(m, s, agent, k);
    }
}

/* ---- decisions */

static bool is_same_place(const physarum_sample *a, const physarum_sample *b)
{
    return memcmp(a->at, b->at, sizeof a->at) == 0;
}

/* a > b, and a >= b, for all readings within the limits. Bilinear samples of the same place are the
 * same number; nearest cells of the same place are two decisions of a kernel that turns direction
 * vectors. */
static bool surely_above(const physarum_sample *a, const physarum_sample *b)
{
    return a->low > b->high;
}
static bool surely_not_below(const physarum_sample *a, const physarum_sample *b)
{
    return a->low >= b->high;
}
static bool surely_not_below_here(const physarum_sample *a, const physarum_sample *b)
{
    return surely_not_below(a, b) || is_same_place(a, b);
}

/* The first of the largest of the three wins. */
static physarum_turn decide_argmax(const physarum_sample s[3])
{
    if (s[AHEAD].value >= s[LEFT].value && s[AHEAD].value >= s[RIGHT].value)
        return (physarum_turn) { 0, surely_not_below_here(&s[AHEAD], &s[LEFT]) &&
                                        surely_not_below_here(&s[AHEAD], &s[RIGHT]) };
    if (s[LEFT].value >= s[RIGHT].value)
        return (physarum_turn) { 1, surely_above(&s[LEFT], &s[AHEAD]) &&
                                        surely_not_below_here(&s[LEFT], &s[RIGHT]) };
    return (physarum_turn) { -1, surely_above(&s[RIGHT], &s[AHEAD]) &&
                                     surely_above(&s[RIGHT], &s[LEFT]) };
}

/* Only a sensor above both others turns the agent. */
static physarum_turn decide_strict(const physarum_sample s[3])
{
    const bool not_left =
        surely_not_below(&s[AHEAD], &s[LEFT]) || surely_not_below(&s[RIGHT], &s[LEFT]);
    const bool not_right =
        surely_not_below(&s[AHEAD], &s[RIGHT]) || surely_not_below(&s[LEFT], &s[RIGHT]);

    if (s[LEFT].value > s[AHEAD].value && s[LEFT].value > s[RIGHT].value)
        return (physarum_turn) { 1, surely_above(&s[LEFT], &s[AHEAD]) &&
                                        surely_above(&s[LEFT], &s[RIGHT]) };
    if (s[RIGHT].value > s[AHEAD].value && s[RIGHT].value > s[LEFT].value)
        return (physarum_turn) { -1, surely_above(&s[RIGHT], &s[AHEAD]) &&
                                         surely_above(&s[RIGHT], &s[LEFT]) };
    return (physarum_turn) { 0, not_left && not_right };
}

physarum_turn physarum_decide(const physarum_model *m, const physarum_sample sample[3])
{
    return m->semantics == PHYSARUM_TORCH ? decide_argmax(sample) : decide_strict(sample);
}
