/* An agent as fused_sorted keeps it: 12 bytes, of which a step reads all and writes 8. Turns are
 * eighths of a circle, so that all that a step changes of a heading is a number of 3 bits; the
 * rest, within a sixteenth of a circle of 0, stays as it was read at the beginning of the call. */
#ifndef PHYSARUM_SORTED_AGENT_CUH
#define PHYSARUM_SORTED_AGENT_CUH

#include "physarum_device.cuh"
#include "sort.h"

/* The heading is rest + (turn - 4) / 4 half turns, `turn` from 0 to 7. */
struct sorted_agent {
    float    y, x;
    unsigned turn;
};

/* x + 2 is 2 to 2^17 for every width: the three bits of a float below its exponent's highest are
 * clear, and hold the turn. Adding 2 rounds as adding a step does. */
enum {
    TURN_SHIFT = 27,
    TURN_MASK  = 7
};

__device__ inline uint2 packed(const sorted_agent &a)
{
    return make_uint2(__float_as_uint(a.y), __float_as_uint(a.x + 2.0f) | a.turn << TURN_SHIFT);
}

/* Rounded up, an x just below the width became the width. */
__device__ inline sorted_agent unpacked(const physarum_grid &g, uint2 place)
{
    const unsigned turn = place.y >> TURN_SHIFT & TURN_MASK;
    const float    x    = __uint_as_float(place.y ^ turn << TURN_SHIFT) - 2.0f;

    return sorted_agent { __uint_as_float(place.x), x >= g.extent_x ? 0.0f : x, turn };
}

/* ---- headings, in half turns */

__device__ inline float heading_of(float rest, unsigned turn)
{
    return rest + (static_cast<float>(turn) - 4.0f) * 0.25f;
}

/* As everywhere, within half a turn of 0. */
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

#endif
