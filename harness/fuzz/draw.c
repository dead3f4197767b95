#include "draw.h"

#include "check/fill.h"

#include <string.h>

static const uint64_t STREAM_OF_AXES = 0xF000, STREAM_OF_TUNING = 0xF800;

enum {
    PARTS       = 3, /* extents of a grid */
    STEPS       = 6, /* ways to a simpler number */
    MOST_PRIMES = 200
};

/* ---- ranges ---- */

typedef struct range {
    int64_t least, most;
} range;

/* Of one extent; an axis without a number in its quick tier has none: most < least. */
static range range_of(const assay_axis *axis, int d)
{
    range r = { INT64_MAX, INT64_MIN };

    for (int v = 0; v < axis->n_values; v++) {
        if (axis->values[v].tier != ASSAY_QUICK)
            continue;
        r.least = axis->values[v].i[d] < r.least ? axis->values[v].i[d] : r.least;
        r.most  = axis->values[v].i[d] > r.most ? axis->values[v].i[d] : r.most;
    }
    if (axis->kind == ASSAY_AXIS_INT && axis->most > axis->least)
        r = (range) { axis->least, axis->most };
    return r;
}

/* ---- numbers by class ---- */

static int64_t beside(int64_t value, uint64_t random) { return value + (int64_t)(random % 3) - 1; }

static int64_t any(range r, uint64_t random)
{
    return r.least + (int64_t)(random % ((uint64_t)(r.most - r.least) + 1));
}

static int64_t near_listed(const assay_axis *axis, int d, range r, uint64_t random)
{
    (void)r;
    return beside(axis->values[random % (uint64_t)axis->n_values].i[d], random >> 32);
}

static int64_t near_power(const assay_axis *axis, int d, range r, uint64_t random)
{
    int n = 1;

    (void)axis;
    (void)d;
    while (n < 62 && INT64_C(1) << n <= r.most)
        n++;
    return beside(INT64_C(1) << random % (uint64_t)n, random >> 32);
}

static int64_t near_tile(const assay_axis *axis, int d, range r, uint64_t random)
{
    static const int64_t tiles[] = { 8, 16, 32, 64, 128, 256, 1024 };
    const int64_t        tile    = tiles[random % (sizeof tiles / sizeof *tiles)];

    (void)axis;
    (void)d;
    return beside(any((range) { 0, r.most / tile }, random >> 8) * tile, random >> 56);
}

static bool is_prime(int64_t n)
{
    for (int64_t f = 2; f * f <= n; f++)
        if (n % f == 0)
            return false;
    return n > 1;
}

static int64_t prime(const assay_axis *axis, int d, range r, uint64_t random)
{
    int64_t n = any(r, random);

    (void)axis;
    (void)d;
    for (int i = 0; i < MOST_PRIMES && !is_prime(n); i++)
        n++;
    return n;
}

static int64_t end_of(const assay_axis *axis, int d, range r, uint64_t random)
{
    const int64_t ends[] = { r.least, r.least + 1, r.most, r.most - 1, 0, 1 };

    (void)axis;
    (void)d;
    return ends[random % (sizeof ends / sizeof *ends)];
}

/* As many small ones as large ones. */
static int64_t of_any_size(const assay_axis *axis, int d, range r, uint64_t random)
{
    const int64_t most = near_power(axis, d, r, random);

    return any((range) { r.least, most > r.least ? most : r.least }, random >> 16);
}

static int64_t draw_number(const assay_axis *axis, int d, uint64_t random, uint64_t more)
{
    static int64_t (*const classes[])(const assay_axis *, int, range, uint64_t) = {
        near_listed, near_power, near_tile, prime, end_of, of_any_size,
    };
    const range r = range_of(axis, d);
    int64_t     n;

    if (r.most <= r.least)
        return r.most < r.least ? axis->values[0].i[d] : r.least;
    n = classes[random % (sizeof classes / sizeof *classes)](axis, d, r, more);
    return n < r.least ? r.least : n > r.most ? r.most : n;
}

/* ---- points ---- */

static assay_value draw_value(const assay_axis *axis, int a, uint64_t seed, uint64_t index)
{
    const uint64_t stream = STREAM_OF_AXES + 8 * (uint64_t)a;
    assay_value    value  = { .text = NULL };
    const int      n      = axis->kind == ASSAY_AXIS_GRID ? PARTS : 1;

    if (axis->kind == ASSAY_AXIS_TEXT)
        return axis->values[assay_random(seed, stream, index) % (uint64_t)axis->n_values];
    for (int d = 0; d < n; d++)
        value.i[d] = draw_number(axis, d, assay_random(seed, stream + (uint64_t)d, index),
                                 assay_random(seed, stream + 4 + (uint64_t)d, index));
    assay_value_settle(axis, &value);
    return value;
}

static int64_t bytes_of(const assay_point *point)
{
    assay_shape shape;
    int64_t     bytes = 0;

    assay_point_shape(point, point->definition->timed_input, &shape);
    for (int b = 0; b < assay_shape_buffer_count(&shape); b++)
        bytes += (int64_t)assay_buffer_bytes(&shape.buf[b]);
    return bytes;
}

static bool is_point(const assay_point *point)
{
    const assay_case *c  = point->definition;
    const bool        is = assay_point_countable(c, point->axis) == ASSAY_OK;

    assay_status_reset();
    return is && !(c->excluded && c->excluded(point->axis));
}

bool assay_draw_point(const assay_case *c, uint64_t seed, uint64_t index, int64_t most_bytes,
                      assay_point *point)
{
    *point = (assay_point) { .definition = c, .tier = ASSAY_QUICK, .seed = seed };
    for (int a = 0; a < assay_case_axis_count(c); a++)
        point->axis[a] = draw_value(&c->axes[a], a, seed, index);
    assay_point_tune(point, 0);
    return is_point(point) && bytes_of(point) <= most_bytes;
}

void assay_draw_tuning(uint64_t seed, uint64_t index, assay_point *point)
{
    const assay_variant *variant = &point->definition->variants[point->variant];
    const uint64_t       random  = assay_random(seed, STREAM_OF_TUNING, index);
    const uint64_t       n       = (uint64_t)assay_point_tuning_count(variant);

    assay_point_tune(point, random % 2 == 0 ? 0 : (int64_t)(random / 2 % n));
}

/* ---- simpler ---- */

/* The least one, or less by half, a quarter, ... or one. */
static void simplify_number(const assay_axis *axis, int d, int step, assay_value *value)
{
    const range   r  = range_of(axis, d);
    const int64_t v  = value->i[d];
    const int64_t to = step == 0 ? r.least : step == STEPS - 1 ? v - 1 : v - (v >> step);

    if (r.most >= r.least && to >= r.least && to < v)
        value->i[d] = to;
    assay_value_settle(axis, value);
}

static void simplify_axis(const assay_axis *axis, int way, assay_value *value)
{
    if (axis->kind != ASSAY_AXIS_TEXT)
        simplify_number(axis, way % PARTS, way / PARTS, value);
    else if (way == 0)
        *value = axis->values[0];
}

bool assay_draw_simpler(const assay_point *point, int i, assay_point *simpler)
{
    const assay_case    *c       = point->definition;
    const assay_variant *variant = &c->variants[point->variant];
    const int            n_ways  = PARTS * STEPS;
    const int            axis = i / n_ways, tuning = axis - assay_case_axis_count(c);

    *simpler = *point;
    if (tuning >= assay_variant_tuning_axes(variant))
        return false;
    if (tuning >= 0)
        simpler->tune[tuning] = variant->tuning[tuning].values[0];
    else
        simplify_axis(&c->axes[axis], i % n_ways, &simpler->axis[axis]);
    if (!is_point(simpler))
        *simpler = *point;
    return true;
}
