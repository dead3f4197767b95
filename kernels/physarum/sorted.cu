/* fused_sorted: agents in the order of tiles, so that a warp senses and deposits in one
 * neighbourhood. Agents of a warp that come to one cell deposit by one atomic. What limits a step
 * is the traffic to the L2 cache: agents are 12 bytes there. They are sorted at the beginning of a
 * call and every so many steps. */
#include "sorted_agent.cuh"

#include <math.h>

/* ---- an agent's step */

/* Coordinates wrapped; agents away from the seam need no wrap at all. */
template <bool WRAPS> __device__ inline float place_at(float v, float extent)
{
    float w;

    if (!WRAPS)
        return v;
    w = v < 0.0f ? v + extent : v;
    return w >= extent ? w - extent : w;
}

template <bool WRAPS> __device__ inline float sensed(const physarum_grid &g, const float *field,
                                                     const sorted_agent &a, physarum_heading h)
{
    const float y = place_at<WRAPS>(a.y + g.reach * h.sine, g.extent_y);
    const float x = place_at<WRAPS>(a.x + g.reach * h.cosine, g.extent_x);

    return field[cell_of(g, y, x)];
}

template <bool WRAPS, bool IS_LAST> __device__ inline sorted_agent
next_agent(const physarum_grid &g, const float *field, const sorted_agent &a, float rest)
{
    const physarum_headings h         = physarum_turned(g, direction_of(rest, a.turn));
    const float             ahead     = sensed<WRAPS>(g, field, a, h.ahead);
    const float             left      = sensed<WRAPS>(g, field, a, h.left);
    const float             right     = sensed<WRAPS>(g, field, a, h.right);
    const bool              is_left   = left > ahead && left > right;
    const bool              is_right  = right > ahead && right > left;
    const physarum_heading  direction = is_left ? h.left : is_right ? h.right : h.ahead;
    sorted_agent            next;

    next.turn = a.turn + (is_left ? 1u : is_right ? 7u : 0u) & TURN_MASK;
    next.y    = place_at<WRAPS>(a.y + g.step * direction.sine, g.extent_y);
    next.x    = place_at<WRAPS>(a.x + g.step * direction.cosine, g.extent_x);
    if (WRAPS && !IS_LAST)
        next.x = kept_x(g, next.x);
    return next;
}

/* Further from the seam than sensors and steps reach. */
struct inner_cells {
    float middle_y, middle_x, half_y, half_x;
};

static inner_cells inner_cells_of(const physarum_grid &g)
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

/* In place, as it is kept; the last step of a call writes the states before and after it as arrays
 * instead. Returns the cell to deposit in. */
template <bool IS_LAST>
__device__ inline int step_agent(const physarum_grid &g, const inner_cells &inner,
                                 const physarum_sorted &agents, int i, const sorted_agent &a,
                                 float rest, const float *field, const physarum_slot &before,
                                 const physarum_slot &to)
{
    const sorted_agent next = is_inside(inner, a) ? next_agent<false, IS_LAST>(g, field, a, rest)
                                                  : next_agent<true, IS_LAST>(g, field, a, rest);

    if (IS_LAST) {
        write_state(before, i, a, rest);
        write_state(to, i, next, rest);
    } else {
        agents.place[i] = packed(next);
    }
    return static_cast<int>(cell_of(g, next.y, next.x));
}

/* Agents of a warp in one cell add up their deposits before they go to memory. All lanes are here;
 * cell -1 is none. Returns how many deposit in this one's cell, and 0 if another lane speaks for
 * them. */
__device__ inline int count_in_warp(int cell)
{
    const unsigned same  = __match_any_sync(0xffffffffu, cell);
    const unsigned below = (1u << threadIdx.x % 32) - 1u;

    return cell >= 0 && (same & below) == 0 ? __popc(same) : 0;
}

template <bool IS_LAST>
static __global__ void sorted_step_kernel(physarum_grid g, inner_cells inner,
                                          physarum_sorted agents, const float *field,
                                          float *deposited, physarum_slot before, physarum_slot to)
{
    const int i     = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int       cell  = -1, n;
    uint2     place = {};
    float     rest  = 0.0f;

    assay_grid_launch_dependents();
    /* The step before has completed when this kernel may begin: the update between the two lets it
     * in only then. Another SM's cache may still hold what the agents were. */
    if (i < g.agents) {
        place = __ldcg(agents.place + i);
        rest  = __ldcg(agents.rest + i);
    }
    assay_grid_dependency_wait();
    if (i < g.agents)
        cell = step_agent<IS_LAST>(g, inner, agents, i, unpacked(place), rest, field, before, to);
    n = count_in_warp(cell);
    if (n > 0)
        atomicAdd(deposited + cell, g.deposit * static_cast<float>(n));
}

/* ---- a call */

/* Tuning axes, as in the case's table. */
enum {
    TUNE_BLOCK,
    TUNE_ROWS,
    TUNE_TILE,
    TUNE_EVERY
};

struct sorted_call {
    physarum_grid        g;
    physarum_tiles       tiles;
    physarum_sort_memory sort;
    physarum_sorted      agents, other; /* sorted, and to sort into */
    float               *copy[2];       /* where deposits go, step by step */
};

static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

static size_t place_bytes(const physarum_grid &g)
{
    return padded(sizeof(uint2) * static_cast<size_t>(g.agents));
}
static size_t rest_bytes(const physarum_grid &g)
{
    return padded(sizeof(float) * static_cast<size_t>(g.agents));
}
static size_t field_bytes(const physarum_grid &g)
{
    return padded(sizeof(float) * static_cast<size_t>(g.height) * static_cast<size_t>(g.width));
}

ASSAY_WORKSPACE(physarum_fused_sorted_workspace)
{
    const physarum_grid g = physarum_grid_of(args);

    return 2 * (place_bytes(g) + rest_bytes(g) + field_bytes(g)) +
           physarum_sort_bytes(g, physarum_tiles_of(g, args->tune[TUNE_TILE]));
}

/* The next `bytes` of the workspace. */
static void *take(unsigned char **memory, size_t bytes)
{
    void *const part = *memory;

    *memory += bytes;
    return part;
}

static sorted_call call_of(const assay_args *args)
{
    unsigned char *memory = static_cast<unsigned char *>(args->workspace);
    sorted_call    c      = {};

    c.g            = physarum_grid_of(args);
    c.tiles        = physarum_tiles_of(c.g, args->tune[TUNE_TILE]);
    c.agents.place = static_cast<uint2 *>(take(&memory, place_bytes(c.g)));
    c.other.place  = static_cast<uint2 *>(take(&memory, place_bytes(c.g)));
    c.agents.rest  = static_cast<float *>(take(&memory, rest_bytes(c.g)));
    c.other.rest   = static_cast<float *>(take(&memory, rest_bytes(c.g)));
    c.copy[0]      = static_cast<float *>(take(&memory, field_bytes(c.g)));
    c.copy[1]      = static_cast<float *>(take(&memory, field_bytes(c.g)));
    c.sort         = physarum_sort_memory_of(c.g, c.tiles, memory);
    return c;
}

static int sort_at(sorted_call *c, int64_t j, const physarum_slot &from, assay_stream stream)
{
    const physarum_sorted sorted = c->other;
    const int             error  = j == 0
                                       ? physarum_sort(c->g, c->tiles, c->sort, from, sorted, stream)
                                       : physarum_sort_again(c->g, c->tiles, c->sort, c->agents, sorted, stream);

    c->other  = c->agents;
    c->agents = sorted;
    return error;
}

/* The state before the last step goes where physarum_slot_of has it after j = steps - 1, unless
 * that is the input. */
static physarum_slot before_last(const assay_args *args)
{
    physarum_slot slot;

    slot.pos   = static_cast<float2 *>(args->buf[PHYSARUM_BUF_BEFORE_POS]);
    slot.angle = static_cast<float *>(args->buf[PHYSARUM_BUF_BEFORE_ANGLE]);
    slot.field = static_cast<float *>(args->buf[PHYSARUM_BUF_BEFORE_FIELD]);
    return slot;
}

/* The agents of a step are read before its wait, so one that follows a sort begins when that has
 * ended. */
template <bool IS_LAST> static void launch_agents(const sorted_call *c, const assay_args *args,
                                                  int64_t j, assay_stream stream)
{
    const unsigned      block  = static_cast<unsigned>(args->tune[TUNE_BLOCK]);
    const unsigned      blocks = physarum_blocks(c->g.agents, block);
    const float *const  field  = physarum_slot_of(args, j).field;
    const physarum_slot before = before_last(args), to = physarum_slot_of(args, j + 1);

    if (j % args->tune[TUNE_EVERY] == 0)
        ASSAY_LAUNCH((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g,
                     inner_cells_of(c->g), c->agents, field, c->copy[j % 2], before, to);
    else
        ASSAY_LAUNCH_DEPENDENT((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g,
                               inner_cells_of(c->g), c->agents, field, c->copy[j % 2], before, to);
}

static void step(const sorted_call *c, const assay_args *args, int64_t j, assay_stream stream)
{
    const bool is_last = j + 1 == args->param[PHYSARUM_PARAM_STEPS];

    if (is_last)
        launch_agents<true>(c, args, j, stream);
    else
        launch_agents<false>(c, args, j, stream);
    physarum_launch_update(c->g, c->copy[j % 2], physarum_slot_of(args, j + 1).field,
                           is_last ? nullptr : c->copy[(j + 1) % 2], args->tune[TUNE_ROWS], stream);
}

/* Turns other than an eighth of a circle: cudaErrorInvalidValue. */
enum {
    NOT_AN_EIGHTH = 1
};

ASSAY_LAUNCHER(physarum_fused_sorted)
{
    sorted_call   c     = call_of(args);
    const int64_t cells = args->count[PHYSARUM_BUF_FIELD];

    if (fabsf(c.g.spread - 0.785398163f) > 1e-6f)
        return NOT_AN_EIGHTH;
    physarum_keep_input(args, stream);
    physarum_copy(c.copy[0], physarum_slot_of(args, 0).field, cells, stream);
    for (int64_t j = 0; j < args->param[PHYSARUM_PARAM_STEPS]; j++) {
        const int error =
            j % args->tune[TUNE_EVERY] == 0 ? sort_at(&c, j, physarum_slot_of(args, j), stream) : 0;

        if (error != 0)
            return error;
        step(&c, args, j, stream);
    }
    return assay_launch_status();
}
