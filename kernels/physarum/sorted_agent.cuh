/* An agent as the variants that sort keep it: 12 bytes, of which a step reads all and writes 8.
 * Turns are eighths of a circle, so that a step changes only a 3-bit number of a heading. The rest
 * of the heading, within a sixteenth of a circle of 0, stays as it was read at the beginning of the
 * call. */
#ifndef PHYSARUM_SORTED_AGENT_CUH
#define PHYSARUM_SORTED_AGENT_CUH

#include "physarum_device.cuh"
#include "sort.h"

/* The heading is rest + (turn - 4) / 4 half turns, `turn` from 0 to 7. */
struct sorted_agent {
    float    y, x;
    unsigned turn;
};

/* x + 2 is 2 to 2^17 for every width. So the three bits below the highest bit of its exponent are
 * clear, and hold the turn. Adding 2 rounds as adding a step does. */
enum {
    TURN_SHIFT = 27,
    TURN_MASK  = 7
};

__device__ inline uint2 packed(const sorted_agent &a)
{
    return make_uint2(__float_as_uint(a.y), __float_as_uint(a.x + 2.0f) | a.turn << TURN_SHIFT);
}

/* The x to keep for an x on the grid. Just below the width, x + 2 may round to width + 2, which
 * means place 0. The width itself is no place: a step from there would round differently from the
 * step from 0 that the state means. */
__device__ inline float kept_x(const physarum_grid &g, float x)
{
    return x + 2.0f >= g.extent_x + 2.0f ? 0.0f : x;
}

__device__ inline sorted_agent unpacked(uint2 place)
{
    const unsigned turn = place.y >> TURN_SHIFT & TURN_MASK;

    return sorted_agent { __uint_as_float(place.x),
                          __uint_as_float(place.y ^ turn << TURN_SHIFT) - 2.0f, turn };
}

/* A whole agent, as a sort leaves it. */
__device__ inline uint4 record_of(uint2 place, float rest)
{
    return make_uint4(place.x, place.y, __float_as_uint(rest), 0);
}
__device__ inline uint2 place_of(const uint4 &record) { return make_uint2(record.x, record.y); }
__device__ inline float rest_of(const uint4 &record) { return __uint_as_float(record.z); }

/* ---- headings, in half turns */

__device__ inline float heading_of(float rest, unsigned turn)
{
    return rest + (static_cast<float>(turn) - 4.0f) * 0.25f;
}

/* Within half a turn of 0, as everywhere. */
__device__ inline float angle_of(float rest, unsigned turn)
{
    const float heading = heading_of(rest, turn);

    return (heading < -1.0f ? heading + 2.0f : heading) * 3.14159265f;
}

__device__ inline void split_angle(float angle, float *rest, unsigned *turn)
{
    const float quarters = angle * (4 * 0.318309886f), nearest = rintf(quarters);

    *rest = (quarters - nearest) * 0.25f;
    *turn = static_cast<unsigned>(static_cast<int>(nearest) + 4) & TURN_MASK;
}

/* The direction of the rest alone, by the series up to rest^7 and rest^6, whose errors are 2^-30
 * and 2^-26. */
__device__ inline physarum_heading direction_of_rest(float rest)
{
    const float t = rest * rest;
    const float sine =
        fmaf(t, fmaf(t, fmaf(t, -0.599264529f, 2.55016404f), -5.16771278f), 3.14159265f);

    return physarum_heading {
        rest * sine, fmaf(t, fmaf(t, fmaf(t, -1.33526277f, 4.05871213f), -4.9348022f), 1.0f)
    };
}

/* Turned by eighths of a circle. */
__device__ inline physarum_heading turned_by(physarum_heading d, unsigned turn)
{
    const float root = 0.707106781f;

    if (turn & 1)
        d = physarum_heading { root * d.sine + root * d.cosine, root * d.cosine - root * d.sine };
    if (turn & 2)
        d = physarum_heading { d.cosine, -d.sine };
    return turn & 4 ? d : physarum_heading { -d.sine, -d.cosine };
}

/* ---- cells */

/* A float from 0 to below 2^22, added to 2^23 and rounded down, has its whole part in its last
 * bits. That is cheaper than a conversion, of which a step needs eight. */
__device__ inline unsigned cell_of(const physarum_grid &g, float y, float x)
{
    const unsigned width = static_cast<unsigned>(g.width), base = 0x4b000000u;
    const unsigned row    = __float_as_uint(__fadd_rd(y, 8388608.0f));
    const unsigned column = __float_as_uint(__fadd_rd(x, 8388608.0f));

    return row * width + (column - base * (width + 1));
}

#endif
