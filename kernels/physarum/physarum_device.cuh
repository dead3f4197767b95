/* An agent's step on the device, in all three semantics. */
#ifndef PHYSARUM_DEVICE_CUH
#define PHYSARUM_DEVICE_CUH

#include "physarum_launch.h"

/* ---- places on an axis */

/* Wraps a position, or a canonical or torch sensor. Within one extent of the axis, the branches
 * below give the bits of the definition without its division. */
template <int S>
__device__ inline float physarum_wrapped(const physarum_grid &g, float v, float extent)
{
    float w;

    if (!g.is_small) {
        w = v < 0.0f ? v + extent : v >= extent ? v - extent : v;
    } else if (S == PHYSARUM_TORCH) {
        w = fmodf(v, extent);
        w = w < 0.0f ? w + extent : w;
    } else {
        w = v - floorf(v / extent) * extent;
    }
    return S == PHYSARUM_CANONICAL && w >= extent ? 0.0f : w;
}

/* A triton sensor: the remainder has the sign of v, and the clamp sends negative values to cell
 * 0. */
__device__ inline float physarum_truncated(const physarum_grid &g, float v, float extent)
{
    if (g.is_small)
        return fmodf(v, extent);
    return v >= extent ? v - extent : v;
}

/* Cell of a coordinate; only canonical coordinates are always inside. */
template <int S> __device__ inline int physarum_cell(float v, int extent)
{
    const int cell = static_cast<int>(v);

    return S == PHYSARUM_CANONICAL ? cell : min(max(cell, 0), extent - 1);
}

template <int S> __device__ inline int physarum_deposit_at(const physarum_grid &g, float2 pos)
{
    return physarum_cell<S>(pos.x, g.height) * g.width + physarum_cell<S>(pos.y, g.width);
}

/* ---- sensors; float2 positions hold y in .x and x in .y, as in memory */

struct physarum_heading {
    float sine, cosine;
};

__device__ inline physarum_heading physarum_heading_of(float angle)
{
    physarum_heading h;

    sincosf(angle, &h.sine, &h.cosine);
    return h;
}

template <int S> __device__ inline float
physarum_nearest(const physarum_grid &g, const float *field, float2 pos, physarum_heading h)
{
    const float y = pos.x + g.reach * h.sine, x = pos.y + g.reach * h.cosine;
    float       at_y, at_x;

    if (S == PHYSARUM_TRITON) {
        at_y = physarum_truncated(g, y, g.extent_y);
        at_x = physarum_truncated(g, x, g.extent_x);
    } else {
        at_y = physarum_wrapped<S>(g, y, g.extent_y);
        at_x = physarum_wrapped<S>(g, x, g.extent_x);
    }
    return field[physarum_cell<S>(at_y, g.height) * g.width + physarum_cell<S>(at_x, g.width)];
}

/* ---- torch sensors: bilinear, corners aligned, zeros outside */

__device__ inline float physarum_through_unit(float v, float extent)
{
    const float last = extent - 1.0f;
    const float unit = v / last * 2.0f - 1.0f;

    return (unit + 1.0f) / 2.0f * last;
}

__device__ inline float physarum_or_zero(const physarum_grid &g, const float *field, int y, int x)
{
    const bool is_inside = y >= 0 && y < g.height && x >= 0 && x < g.width;

    return is_inside ? field[y * g.width + x] : 0.0f;
}

__device__ inline float physarum_bilinear(const physarum_grid &g, const float *field, float y,
                                          float x)
{
    const float at_y  = physarum_through_unit(y, g.extent_y);
    const float at_x  = physarum_through_unit(x, g.extent_x);
    const float low_y = floorf(at_y), low_x = floorf(at_x);
    const float up = low_y + 1.0f - at_y, down = at_y - low_y;
    const float left = low_x + 1.0f - at_x, right = at_x - low_x;
    const int   cell_y = static_cast<int>(low_y), cell_x = static_cast<int>(low_x);

    return physarum_or_zero(g, field, cell_y, cell_x) * (left * up) +
           physarum_or_zero(g, field, cell_y, cell_x + 1) * (right * up) +
           physarum_or_zero(g, field, cell_y + 1, cell_x) * (left * down) +
           physarum_or_zero(g, field, cell_y + 1, cell_x + 1) * (right * down);
}

/* Sample q of the [agents, 3, 2] array: sensor q % 3 of agent q / 3, cosine along y. */
__device__ inline float physarum_torch_sample(const physarum_grid &g, const physarum_slot &s,
                                              unsigned q)
{
    const unsigned agent = q / 3, sensor = q % 3;
    const float2   pos    = s.pos[agent];
    const float    angle  = s.angle[agent];
    const float    turned = sensor == 0 ? angle : sensor == 1 ? angle + g.spread : angle - g.spread;
    const physarum_heading h = physarum_heading_of(turned);
    const float y = physarum_wrapped<PHYSARUM_TORCH>(g, pos.x + h.cosine * g.reach, g.extent_y);
    const float x = physarum_wrapped<PHYSARUM_TORCH>(g, pos.y + h.sine * g.reach, g.extent_x);

    return physarum_bilinear(g, s.field, y, x);
}

/* ---- one agent */

struct physarum_agent {
    float2 pos;
    float  angle;
};

template <int S>
__device__ inline float2 physarum_moved(const physarum_grid &g, float2 pos, physarum_heading h)
{
    return make_float2(physarum_wrapped<S>(g, pos.x + g.step * h.sine, g.extent_y),
                       physarum_wrapped<S>(g, pos.y + g.step * h.cosine, g.extent_x));
}

/* Canonical headings stay within half a turn. */
template <int S> __device__ inline float physarum_within_turn(float angle)
{
    const float pi = 3.14159265f, two_pi = 6.28318531f;

    if (S != PHYSARUM_CANONICAL)
        return angle;
    return angle > pi ? angle - two_pi : angle < -pi ? angle + two_pi : angle;
}

/* The headings of the three sensors. A canonical heading is within half a turn: in half turns it
 * needs no reduction, and the others follow by a product of complex numbers. */
struct physarum_headings {
    physarum_heading ahead, left, right;
};

template <int S>
__device__ inline physarum_headings physarum_headings_of(const physarum_grid &g, float angle)
{
    physarum_headings h;

    h.ahead = physarum_heading_of(angle);
    h.left  = physarum_heading_of(angle + g.spread);
    h.right = physarum_heading_of(angle - g.spread);
    return h;
}

__device__ inline physarum_headings physarum_turned(const physarum_grid &g, physarum_heading ahead)
{
    physarum_headings h;

    h.ahead        = ahead;
    h.left.sine    = ahead.sine * g.spread_cosine + ahead.cosine * g.spread_sine;
    h.left.cosine  = ahead.cosine * g.spread_cosine - ahead.sine * g.spread_sine;
    h.right.sine   = ahead.sine * g.spread_cosine - ahead.cosine * g.spread_sine;
    h.right.cosine = ahead.cosine * g.spread_cosine + ahead.sine * g.spread_sine;
    return h;
}

template <> __device__ inline physarum_headings
physarum_headings_of<PHYSARUM_CANONICAL>(const physarum_grid &g, float angle)
{
    physarum_heading ahead;

    sincospif(angle * 0.318309886f, &ahead.sine, &ahead.cosine);
    return physarum_turned(g, ahead);
}

/* An agent uses its own samples; only a sensor above both others turns it. */
template <int S> __device__ inline physarum_agent physarum_next_agent(const physarum_grid &g,
                                                                      const physarum_slot &s, int i)
{
    const float2            pos      = s.pos[i];
    const float             angle    = s.angle[i];
    const physarum_headings h        = physarum_headings_of<S>(g, angle);
    const float             ahead    = physarum_nearest<S>(g, s.field, pos, h.ahead);
    const float             left     = physarum_nearest<S>(g, s.field, pos, h.left);
    const float             right    = physarum_nearest<S>(g, s.field, pos, h.right);
    const bool              is_left  = left > ahead && left > right;
    const bool              is_right = right > ahead && right > left;
    physarum_agent          next;

    next.angle = is_left ? angle + g.spread : is_right ? angle - g.spread : angle;
    next.angle = physarum_within_turn<S>(next.angle);
    next.pos   = physarum_moved<S>(g, pos, is_left ? h.left : is_right ? h.right : h.ahead);
    return next;
}

/* torch's view of the samples gives an agent those of other agents; the first largest wins. */
template <> __device__ inline physarum_agent
physarum_next_agent<PHYSARUM_TORCH>(const physarum_grid &g, const physarum_slot &s, int i)
{
    const unsigned n = static_cast<unsigned>(g.agents), c = static_cast<unsigned>(i);
    const float    v_ahead  = physarum_torch_sample(g, s, c);
    const float    v_left   = physarum_torch_sample(g, s, n + c);
    const float    v_right  = physarum_torch_sample(g, s, 2 * n + c);
    const bool     is_ahead = v_ahead >= v_left && v_ahead >= v_right;
    const float    angle    = s.angle[i];
    physarum_agent next;

    next.angle = is_ahead ? angle : v_left >= v_right ? angle + g.spread : angle - g.spread;
    next.pos   = physarum_moved<PHYSARUM_TORCH>(g, s.pos[i], physarum_heading_of(next.angle));
    return next;
}

#endif
