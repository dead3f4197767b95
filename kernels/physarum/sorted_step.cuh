/* An agent's step, for kernels whose agents are in the order of tiles. */
#ifndef PHYSARUM_SORTED_STEP_CUH
#define PHYSARUM_SORTED_STEP_CUH

#include "sorted_agent.cuh"

#include <math.h>

/* Wraps a coordinate; agents away from the seam need no wrap at all. */
template <bool WRAPS> __device__ inline float place_at(float v, float extent)
{
    float w;

    if (!WRAPS)
        return v;
    w = v < 0.0f ? v + extent : v;
    return w >= extent ? w - extent : w;
}

/* What an agent's sensors look at: ahead, left, right. */
struct sorted_view {
    physarum_heading ahead;
    unsigned         cell[3];
};

template <bool WRAPS> __device__ inline unsigned
sensed_cell(const physarum_grid &g, const sorted_agent &a, physarum_heading h)
{
    const float y = place_at<WRAPS>(a.y + g.reach * h.sine, g.extent_y);
    const float x = place_at<WRAPS>(a.x + g.reach * h.cosine, g.extent_x);

    return cell_of(g, y, x);
}

/* `rest` is the direction of the heading's rest. */
template <bool WRAPS> __device__ inline sorted_view
view_of(const physarum_grid &g, const sorted_agent &a, physarum_heading rest)
{
    const physarum_headings h = physarum_turned(g, turned_by(rest, a.turn));

    return sorted_view { h.ahead,
                         { sensed_cell<WRAPS>(g, a, h.ahead), sensed_cell<WRAPS>(g, a, h.left),
                           sensed_cell<WRAPS>(g, a, h.right) } };
}

/* The agent after the turn that the samples decide. */
template <bool WRAPS>
__device__ inline sorted_agent moved_agent(const physarum_grid &g, const sorted_agent &a,
                                           physarum_heading heading, float ahead, float left,
                                           float right)
{
    const physarum_headings h         = physarum_turned(g, heading);
    const bool              is_left   = left > ahead && left > right;
    const bool              is_right  = right > ahead && right > left;
    const physarum_heading  direction = is_left ? h.left : is_right ? h.right : h.ahead;
    sorted_agent            next;

    next.turn = a.turn + (is_left ? 1u : is_right ? 7u : 0u) & TURN_MASK;
    next.y    = place_at<WRAPS>(a.y + g.step * direction.sine, g.extent_y);
    next.x    = place_at<WRAPS>(a.x + g.step * direction.cosine, g.extent_x);
    return next;
}

/* Cells further from the seam than sensors and steps reach. */
struct inner_cells {
    float middle_y, middle_x, half_y, half_x;
};

inline inner_cells inner_cells_of(const physarum_grid &g)
{
    const float margin = g.reach + g.step + 1.0f;

    return inner_cells { g.extent_y / 2, g.extent_x / 2, g.extent_y / 2 - margin,
                         g.extent_x / 2 - margin };
}

__device__ inline bool is_inside(const inner_cells &inner, const sorted_agent &a)
{
    return fabsf(a.y - inner.middle_y) < inner.half_y && fabsf(a.x - inner.middle_x) < inner.half_x;
}

__device__ inline void write_state(const physarum_slot &to, int i, const sorted_agent &a,
                                   float rest)
{
    to.pos[i]   = make_float2(a.y, a.x);
    to.angle[i] = angle_of(rest, a.turn);
}

/* Agents of a warp in the same cell add up their deposits before they go to memory. All lanes call
 * it; cell -1 means none. Returns how many agents deposit in this lane's cell, or 0 if another lane
 * does it for them. */
__device__ inline int count_in_warp(int cell)
{
    const unsigned same  = __match_any_sync(0xffffffffu, cell);
    const unsigned below = (1u << threadIdx.x % 32) - 1u;

    return cell >= 0 && (same & below) == 0 ? __popc(same) : 0;
}

#endif
