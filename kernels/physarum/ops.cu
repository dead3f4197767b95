/* ops: torch semantics with one kernel for each tensor operation and every temporary in memory, as
 * an eager framework runs them. The number of launches is part of what is checked. */
#include "ops.cuh"

enum {
    BLOCK = 256,
    /* cosine, sine, sums and stacks of the offsets 14; sample points 3; to [-1, 1] and stacked 7;
     * repeat, sample 2; argmax 2; steering 6; movement 7; deposition 7; diffusion and decay 5 */
    LAUNCHES_A_STEP = 53
};

/* One call: its launches counted, its temporaries taken from the workspace and given back in
 * blocks. Without memory it only counts both. */
struct ops_call {
    physarum_grid  g;
    assay_stream   stream;
    unsigned char *memory; /* NULL: nothing is launched */
    size_t         used, peak;
    int            launches;
};

template <typename T> static T *take(ops_call *c, int64_t count)
{
    const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + 255) / 256 * 256;
    T *const     at    = reinterpret_cast<T *>(c->memory + c->used);

    c->used += bytes;
    c->peak = c->used > c->peak ? c->used : c->peak;
    return at;
}

/* The kernel in parentheses; n threads. */
#define OPS_LAUNCH(call, kernel, n, ...)                                                           \
    do {                                                                                           \
        if ((call)->memory)                                                                        \
            ASSAY_LAUNCH(kernel, physarum_blocks((n), BLOCK), BLOCK, 0, (call)->stream,            \
                         __VA_ARGS__);                                                             \
        (call)->launches++;                                                                        \
    } while (0)

static ops_view whole(const float *at) { return ops_view { at, 1, 0 }; }
static ops_view column(const float *at, int k) { return ops_view { at, 2, k }; }

template <typename Op> static float *with_number(ops_call *c, Op op, int64_t n, ops_view a, float b)
{
    float *const to = take<float>(c, n);

    OPS_LAUNCH(c, (ops_with_number_kernel<Op>), n, op, n, to, a, b);
    return to;
}

template <typename Op>
static void with_tensor(ops_call *c, Op op, int64_t n, float *to, const float *a, const float *b)
{
    OPS_LAUNCH(c, (ops_with_tensor_kernel<Op>), n, op, n, to, a, b);
}

static float *stack(ops_call *c, int64_t rows, int parts, int width, const float *a, const float *b,
                    const float *d)
{
    const int64_t n  = rows * parts * width;
    float *const  to = take<float>(c, n);

    OPS_LAUNCH(c, (ops_stack_kernel), n, n, to, (ops_parts { { a, b, d } }), parts, width);
    return to;
}

/* ---- sensing */

/* The turned heading is computed twice, once for each of the two functions. */
static float *offset_of(ops_call *c, const float *angle, float turn)
{
    const int64_t n        = c->g.agents;
    const bool    is_ahead = turn == 0.0f;
    const float  *of       = is_ahead ? angle : with_number(c, ops_plus(), n, whole(angle), turn);
    float *const  cosine   = with_number(c, ops_cosine(), n, whole(of), 0.0f);
    const float  *again    = is_ahead ? angle : with_number(c, ops_plus(), n, whole(angle), turn);
    float *const  sine     = with_number(c, ops_sine(), n, whole(again), 0.0f);

    return stack(c, n, 2, 1, cosine, sine, nullptr);
}

static float *to_unit(ops_call *c, const float *points, int axis, float extent)
{
    const int64_t n     = 3 * static_cast<int64_t>(c->g.agents);
    float *const  share = with_number(c, ops_divided(), n, column(points, axis), extent - 1.0f);
    float *const  twice = with_number(c, ops_times(), n, whole(share), 2.0f);

    return with_number(c, ops_plus(), n, whole(twice), -1.0f);
}

/* [3, n] samples; all else is given back. */
static float *sense(ops_call *c, const physarum_slot &from)
{
    const physarum_grid &g = c->g;
    const int64_t        n = g.agents, cells = static_cast<int64_t>(g.height) * g.width;
    float *const         sampled = take<float>(c, 3 * n);
    const size_t         mark    = c->used;
    float *const         ahead   = offset_of(c, from.angle, 0.0f);
    float *const         left    = offset_of(c, from.angle, g.spread);
    float *const         right   = offset_of(c, from.angle, -g.spread);
    float *const         offsets = stack(c, n, 3, 2, ahead, left, right);
    float *const         scaled  = with_number(c, ops_times(), 6 * n, whole(offsets), g.reach);
    float *const         points  = take<float>(c, 6 * n);
    float *const         wrapped = take<float>(c, 6 * n);
    float               *y, *x, *places, *images;

    OPS_LAUNCH(c, ops_add_position_kernel, 6 * n, 6 * n, points, scaled,
               reinterpret_cast<const float *>(from.pos));
    OPS_LAUNCH(c, ops_remainder_kernel, 6 * n, 6 * n, wrapped, points, g.extent_y, g.extent_x);
    y      = to_unit(c, wrapped, 0, g.extent_y);
    x      = to_unit(c, wrapped, 1, g.extent_x);
    places = stack(c, 3 * n, 2, 1, x, y, nullptr);
    images = take<float>(c, 3 * cells);
    OPS_LAUNCH(c, ops_repeat_kernel, 3 * cells, 3 * cells, images, from.field, cells);
    OPS_LAUNCH(c, ops_grid_sample_kernel, 3 * n, g, sampled, images, places);
    c->used = mark;
    return sampled;
}

/* ---- steering and movement */

static void steer(ops_call *c, const float *sampled, const float *angle, float *new_angle)
{
    const int64_t n = c->g.agents;
    float *const  stacked =
        stack(c, 1, 3, static_cast<int>(n), sampled, sampled + n, sampled + 2 * n);
    int64_t *const       best     = take<int64_t>(c, n);
    unsigned char *const is_left  = take<unsigned char>(c, n);
    unsigned char *const is_right = take<unsigned char>(c, n);
    float *const         inner    = take<float>(c, n);
    float               *left, *right;

    OPS_LAUNCH(c, ops_argmax_kernel, n, n, best, stacked);
    OPS_LAUNCH(c, ops_equal_kernel, n, n, is_left, best, static_cast<int64_t>(1));
    left = with_number(c, ops_plus(), n, whole(angle), c->g.spread);
    OPS_LAUNCH(c, ops_equal_kernel, n, n, is_right, best, static_cast<int64_t>(2));
    right = with_number(c, ops_plus(), n, whole(angle), -c->g.spread);
    OPS_LAUNCH(c, ops_where_kernel, n, n, inner, is_right, right, angle);
    OPS_LAUNCH(c, ops_where_kernel, n, n, new_angle, is_left, left, inner);
}

static void move(ops_call *c, const float *angle, const float *pos, float *new_pos)
{
    const physarum_grid &g      = c->g;
    const int64_t        n      = g.agents;
    float *const         sine   = with_number(c, ops_sine(), n, whole(angle), 0.0f);
    float *const         dy     = with_number(c, ops_times(), n, whole(sine), g.step);
    float *const         cosine = with_number(c, ops_cosine(), n, whole(angle), 0.0f);
    float *const         dx     = with_number(c, ops_times(), n, whole(cosine), g.step);
    float *const         both   = stack(c, n, 2, 1, dy, dx, nullptr);
    float *const         moved  = take<float>(c, 2 * n);

    with_tensor(c, ops_plus(), 2 * n, moved, pos, both);
    OPS_LAUNCH(c, ops_remainder_kernel, 2 * n, 2 * n, new_pos, moved, g.extent_y, g.extent_x);
}

/* ---- deposition, diffusion, decay */

static int64_t *cells_along(ops_call *c, const float *pos, int axis, int64_t extent)
{
    const int64_t  n          = c->g.agents;
    int64_t *const whole_part = take<int64_t>(c, n);
    int64_t *const cell       = take<int64_t>(c, n);

    OPS_LAUNCH(c, ops_to_integer_kernel, n, n, whole_part, column(pos, axis));
    OPS_LAUNCH(c, ops_clamp_kernel, n, n, cell, whole_part, extent - 1);
    return cell;
}

static void deposit(ops_call *c, const float *pos, float *field)
{
    const physarum_grid &g    = c->g;
    const int64_t        n    = g.agents;
    int64_t *const       y    = cells_along(c, pos, 0, g.height);
    int64_t *const       x    = cells_along(c, pos, 1, g.width);
    float *const         read = take<float>(c, n);

    OPS_LAUNCH(c, ops_gather_kernel, n, n, read, field, y, x, g.width);
    OPS_LAUNCH(c, (ops_with_number_kernel<ops_plus>), n, ops_plus(), n, read, whole(read),
               g.deposit);
    OPS_LAUNCH(c, ops_put_kernel, n, n, field, read, y, x, g.width);
}

static void diffuse(ops_call *c, const float *field, float *new_field)
{
    const physarum_grid &g     = c->g;
    const int64_t        cells = static_cast<int64_t>(g.height) * g.width;
    float *const         mean  = take<float>(c, cells);
    float *const         sum   = take<float>(c, cells);
    float               *kept, *blended;

    OPS_LAUNCH(c, ops_convolve_kernel, cells, g, mean, field);
    kept    = with_number(c, ops_times(), cells, whole(field), g.keep);
    blended = with_number(c, ops_times(), cells, whole(mean), g.blend);
    with_tensor(c, ops_plus(), cells, sum, kept, blended);
    OPS_LAUNCH(c, (ops_with_number_kernel<ops_times>), cells, ops_times(), cells, new_field,
               whole(sum), g.remain);
}

/* ---- a step */

/* `field` is the field that was sensed, or a copy where that has to stay. */
static void step(ops_call *c, const physarum_slot &from, const physarum_slot &to, float *field)
{
    const size_t mark = c->used;

    if (c->g.agents > 0) {
        steer(c, sense(c, from), from.angle, to.angle);
        c->used = mark;
        move(c, to.angle, reinterpret_cast<const float *>(from.pos),
             reinterpret_cast<float *>(to.pos));
        c->used = mark;
        deposit(c, reinterpret_cast<const float *>(to.pos), field);
        c->used = mark;
    }
    diffuse(c, field, to.field);
    c->used = mark;
}

ASSAY_WORKSPACE(physarum_ops_workspace)
{
    const physarum_slot none = {};
    ops_call            c    = {};

    c.g = physarum_grid_of(args);
    (void)take<float>(&c, args->count[PHYSARUM_BUF_FIELD]);
    step(&c, none, none, nullptr);
    return c.peak;
}

ASSAY_LAUNCHER(physarum_ops)
{
    const int64_t steps = args->param[PHYSARUM_PARAM_STEPS];
    const int64_t cells = args->count[PHYSARUM_BUF_FIELD];
    ops_call      c     = {};
    float        *spare;

    c.g      = physarum_grid_of(args);
    c.stream = stream;
    c.memory = static_cast<unsigned char *>(args->workspace);
    spare    = take<float>(&c, cells);
    physarum_keep_input(args, stream);
    for (int64_t j = 0; j < steps; j++) {
        const physarum_slot from    = physarum_slot_of(args, j);
        const bool          is_kept = j == 0 || j + 1 == steps;

        if (is_kept)
            physarum_copy(spare, from.field, cells, stream);
        step(&c, from, physarum_slot_of(args, j + 1), is_kept ? spare : from.field);
    }
    if (c.g.agents > 0 && c.launches != steps * LAUNCHES_A_STEP)
        return -1;
    return assay_launch_status();
}
