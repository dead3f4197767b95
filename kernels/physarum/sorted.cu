/* fused_sorted: agents in the order of tiles, so that a warp senses and deposits in one
 * neighbourhood. Agents of a warp that come to one cell deposit by one atomic; what is in an
 * agent's 16-byte record needs no sine. Agents are sorted at the beginning of a call and every so
 * many steps. */
#include "physarum_device.cuh"
#include "sort.h"

/* ---- an agent's step on its record */

/* Coordinates wrapped; agents away from the seam need no wrap at all. */
template <bool WRAPS> __device__ inline float place_at(float v, float extent)
{
    float w;

    if (!WRAPS)
        return v;
    w = v < 0.0f ? v + extent : v;
    return w >= extent ? w - extent : w;
}

template <bool WRAPS>
__device__ inline float sensed(const physarum_grid &g, const float *field, float y, float x)
{
    return field[static_cast<int>(place_at<WRAPS>(y, g.extent_y)) * g.width +
                 static_cast<int>(place_at<WRAPS>(x, g.extent_x))];
}

/* Directions are turned as complex numbers, and kept at length 1. */
template <bool WRAPS> __device__ inline physarum_record
next_record(const physarum_grid &g, const float *field, physarum_record r)
{
    const physarum_headings h = physarum_turned(g, physarum_heading { r.sine, r.cosine });
    const float             ahead =
        sensed<WRAPS>(g, field, r.y + g.reach * h.ahead.sine, r.x + g.reach * h.ahead.cosine);
    const float left =
        sensed<WRAPS>(g, field, r.y + g.reach * h.left.sine, r.x + g.reach * h.left.cosine);
    const float right =
        sensed<WRAPS>(g, field, r.y + g.reach * h.right.sine, r.x + g.reach * h.right.cosine);
    const bool is_left = left > ahead && left > right, is_right = right > ahead && right > left;
    const physarum_heading to    = is_left ? h.left : is_right ? h.right : h.ahead;
    const float            scale = 1.5f - 0.5f * (to.sine * to.sine + to.cosine * to.cosine);

    r.sine   = to.sine * scale;
    r.cosine = to.cosine * scale;
    r.y      = place_at<WRAPS>(r.y + g.step * r.sine, g.extent_y);
    r.x      = place_at<WRAPS>(r.x + g.step * r.cosine, g.extent_x);
    return r;
}

__device__ inline bool is_inside(const physarum_grid &g, const physarum_record &r)
{
    const float margin = g.reach + g.step + 1.0f;

    return r.y >= margin && r.y < g.extent_y - margin && r.x >= margin && r.x < g.extent_x - margin;
}

/* All lanes of the warp are here; cell -1 is none. */
__device__ inline void deposit_together(const physarum_grid &g, float *deposited, int cell)
{
    const unsigned same = __match_any_sync(0xffffffffu, cell);
    const int      lane = static_cast<int>(threadIdx.x % 32);

    if (cell >= 0 && lane == __ffs(static_cast<int>(same)) - 1)
        atomicAdd(deposited + cell, g.deposit * static_cast<float>(__popc(same)));
}

__device__ inline void write_state(const physarum_slot &to, int i, const physarum_record &r)
{
    to.pos[i]   = make_float2(r.y, r.x);
    to.angle[i] = atan2f(r.sine, r.cosine);
}

/* In place; the last step of a call writes the states before and after it as arrays instead. */
template <bool IS_LAST>
static __global__ void sorted_step_kernel(physarum_grid g, physarum_record *records,
                                          const float *field, float *deposited,
                                          physarum_slot before, physarum_slot to)
{
    const int i    = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    int       cell = -1;
    float4    v    = {};

    assay_grid_launch_dependents();
    /* The step before has completed when this kernel may begin: the update between the two lets it
     * in only then. Another SM's cache may still hold what the records were. */
    if (i < g.agents)
        v = __ldcg(reinterpret_cast<const float4 *>(records) + i);
    assay_grid_dependency_wait();
    if (i < g.agents) {
        const physarum_record r = { v.x, v.y, v.z, v.w };
        const physarum_record next =
            is_inside(g, r) ? next_record<false>(g, field, r) : next_record<true>(g, field, r);

        cell = static_cast<int>(next.y) * g.width + static_cast<int>(next.x);
        if (IS_LAST) {
            write_state(before, i, r);
            write_state(to, i, next);
        } else {
            reinterpret_cast<float4 *>(records)[i] =
                make_float4(next.y, next.x, next.sine, next.cosine);
        }
    }
    deposit_together(g, deposited, cell);
}

/* ---- a call */

struct sorted_call {
    physarum_grid        g;
    physarum_tiles       tiles;
    physarum_sort_memory sort;
    physarum_record     *records, *other; /* sorted, and to sort into */
    float               *copy[2];         /* where deposits go, step by step */
};

static size_t padded(size_t bytes) { return (bytes + 255) / 256 * 256; }

static size_t record_bytes(const physarum_grid &g)
{
    return padded(sizeof(physarum_record) * static_cast<size_t>(g.agents));
}
static size_t field_bytes(const physarum_grid &g)
{
    return padded(sizeof(float) * static_cast<size_t>(g.height) * static_cast<size_t>(g.width));
}

ASSAY_WORKSPACE(physarum_fused_sorted_workspace)
{
    const physarum_grid g = physarum_grid_of(args);

    return 2 * record_bytes(g) + 2 * field_bytes(g) +
           physarum_sort_bytes(g, physarum_tiles_of(g, args->tune[2]));
}

static sorted_call call_of(const assay_args *args)
{
    unsigned char *memory = static_cast<unsigned char *>(args->workspace);
    sorted_call    c      = {};

    c.g       = physarum_grid_of(args);
    c.tiles   = physarum_tiles_of(c.g, args->tune[2]);
    c.records = reinterpret_cast<physarum_record *>(memory);
    c.other   = reinterpret_cast<physarum_record *>(memory + record_bytes(c.g));
    memory += 2 * record_bytes(c.g);
    c.copy[0] = reinterpret_cast<float *>(memory);
    c.copy[1] = reinterpret_cast<float *>(memory + field_bytes(c.g));
    c.sort    = physarum_sort_memory_of(c.g, c.tiles, memory + 2 * field_bytes(c.g));
    return c;
}

static int sort_at(sorted_call *c, int64_t j, const physarum_slot &from, assay_stream stream)
{
    physarum_record *const sorted = c->other;
    const int              error =
        j == 0 ? physarum_sort(c->g, c->tiles, c->sort, from, sorted, stream)
                            : physarum_sort_again(c->g, c->tiles, c->sort, c->records, sorted, stream);

    c->other   = c->records;
    c->records = sorted;
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

/* The records of a step are read before its wait, so one that follows a sort begins when that has
 * ended. */
template <bool IS_LAST> static void launch_moves(const sorted_call *c, const assay_args *args,
                                                 int64_t j, const physarum_slot &to,
                                                 assay_stream stream)
{
    const unsigned      block  = static_cast<unsigned>(args->tune[0]);
    const unsigned      blocks = physarum_blocks(c->g.agents, block);
    const float *const  field  = physarum_slot_of(args, j).field;
    float *const        copy   = c->copy[j % 2];
    const physarum_slot before = before_last(args);

    if (j % args->tune[3] == 0)
        ASSAY_LAUNCH((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g, c->records,
                     field, copy, before, to);
    else
        ASSAY_LAUNCH_DEPENDENT((sorted_step_kernel<IS_LAST>), blocks, block, 0, stream, c->g,
                               c->records, field, copy, before, to);
}

static void step(const sorted_call *c, const assay_args *args, int64_t j, assay_stream stream)
{
    const bool          is_last = j + 1 == args->param[PHYSARUM_PARAM_STEPS];
    const physarum_slot to      = physarum_slot_of(args, j + 1);

    if (is_last)
        launch_moves<true>(c, args, j, to, stream);
    else
        launch_moves<false>(c, args, j, to, stream);
    physarum_launch_update(c->g, c->copy[j % 2], to.field, is_last ? nullptr : c->copy[(j + 1) % 2],
                           args->tune[1], stream);
}

ASSAY_LAUNCHER(physarum_fused_sorted)
{
    sorted_call   c     = call_of(args);
    const int64_t cells = args->count[PHYSARUM_BUF_FIELD];

    physarum_keep_input(args, stream);
    physarum_copy(c.copy[0], physarum_slot_of(args, 0).field, cells, stream);
    for (int64_t j = 0; j < args->param[PHYSARUM_PARAM_STEPS]; j++) {
        const int error =
            j % args->tune[3] == 0 ? sort_at(&c, j, physarum_slot_of(args, j), stream) : 0;

        if (error != 0)
            return error;
        step(&c, args, j, stream);
    }
    return assay_launch_status();
}
