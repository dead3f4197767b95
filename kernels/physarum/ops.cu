/* ops: torch semantics with one kernel for each tensor operation and every temporary in memory, as
 * an eager framework runs them. The number of launches is checked too. */
#include "ops.cuh"

enum {
    /* offsets: cosine, sine, sums and stacks 14; sample points 3; to [-1, 1], stacked 7; repeat,
     * sample 2; stack, argmax 2; steering 6; movement 7; deposition 7; diffusion, decay 5 */
    LAUNCHES_A_STEP = 53
};

OPS_PART(sense_compute_offsets);
OPS_PART(sense_sample_points);
OPS_PART(sense_grid_sample);
OPS_PART(sensing);
OPS_PART(steering);
OPS_PART(movement);
OPS_PART(deposition);
OPS_PART(diffusion);

/* One call: counts its launches, takes its temporaries from the workspace, and gives them back in
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
    T *const     at    = c->memory ? reinterpret_cast<T *>(c->memory + c->used) : nullptr;

    c->used += bytes;
    c->peak = c->used > c->peak ? c->used : c->peak;
    return at;
}

template <typename Part, typename Operation>
static void run(ops_call *c, int64_t n, const Operation &operation)
{
    if (c->memory)
        Part::launch(n, operation, c->stream);
    c->launches++;
}

static ops_view whole(const float *at) { return ops_view { at, 1, 0 }; }
static ops_view column(const float *at, int k) { return ops_view { at, 2, k }; }
static float   *after(float *at, int64_t n) { return at ? at + n : nullptr; }

template <typename Part, typename Op>
static float *with_number(ops_call *c, Op op, int64_t n, ops_view a, float b)
{
    float *const to = take<float>(c, n);

    run<Part>(c, n, ops_with_number<Op> { op, to, a, b });
    return to;
}

template <typename Part>
static float *stack(ops_call *c, int64_t rows, int parts, int64_t width, const float *const from[3])
{
    const int64_t n  = rows * parts * width;
    float *const  to = take<float>(c, n);

    run<Part>(c, n,
              ops_stack { to, { from[0], from[1], from[2] }, parts, static_cast<int>(width) });
    return to;
}

/* ---- sensing: the article's parts of it; the choice among the samples is under steering */

/* The turned heading is computed twice, once for each of the two functions. */
static float *offset_of(ops_call *c, const float *angle, float turn)
{
    const int64_t n        = c->g.agents;
    const bool    is_ahead = turn == 0.0f;
    const float  *of =
        is_ahead ? angle : with_number<sense_compute_offsets>(c, ops_plus(), n, whole(angle), turn);
    float *const cosine = with_number<sense_compute_offsets>(c, ops_cosine(), n, whole(of), 0.0f);
    const float *again =
        is_ahead ? angle : with_number<sense_compute_offsets>(c, ops_plus(), n, whole(angle), turn);
    float *const sine = with_number<sense_compute_offsets>(c, ops_sine(), n, whole(again), 0.0f);
    const float *const both[3] = { cosine, sine, nullptr };

    return stack<sense_compute_offsets>(c, n, 2, 1, both);
}

static float *to_unit(ops_call *c, const float *points, int axis, float extent)
{
    const int64_t n = 3 * static_cast<int64_t>(c->g.agents);
    float *const  share =
        with_number<sense_grid_sample>(c, ops_divided(), n, column(points, axis), extent - 1.0f);
    float *const twice = with_number<sense_grid_sample>(c, ops_times(), n, whole(share), 2.0f);

    return with_number<sense_grid_sample>(c, ops_plus(), n, whole(twice), -1.0f);
}

/* [n, 3, 2] places of the sensors, wrapped. */
static float *sample_points(ops_call *c, const physarum_slot &from)
{
    const physarum_grid &g       = c->g;
    const int64_t        n       = g.agents;
    const float *const   rows[3] = { offset_of(c, from.angle, 0.0f),
                                     offset_of(c, from.angle, g.spread),
                                     offset_of(c, from.angle, -g.spread) };
    float *const         offsets = stack<sense_compute_offsets>(c, n, 3, 2, rows);
    float *const         scaled =
        with_number<sense_sample_points>(c, ops_times(), 6 * n, whole(offsets), g.reach);
    float *const points  = take<float>(c, 6 * n);
    float *const wrapped = take<float>(c, 6 * n);

    run<sense_sample_points>(
        c, 6 * n, ops_add_position { points, scaled, reinterpret_cast<const float *>(from.pos) });
    run<sense_sample_points>(c, 6 * n, ops_remainder { wrapped, points, g.extent_y, g.extent_x });
    return wrapped;
}

/* [3, n] samples; all other temporaries are given back. */
static float *sense(ops_call *c, const physarum_slot &from)
{
    const physarum_grid &g = c->g;
    const int64_t        n = g.agents, cells = static_cast<int64_t>(g.height) * g.width;
    float *const         sampled = take<float>(c, 3 * n);
    const size_t         mark    = c->used;
    float *const         points  = sample_points(c, from);
    float *const         y       = to_unit(c, points, 0, g.extent_y);
    const float *const   both[3] = { to_unit(c, points, 1, g.extent_x), y, nullptr };
    float *const         places  = stack<sense_grid_sample>(c, 3 * n, 2, 1, both);
    float *const         images  = take<float>(c, 3 * cells);

    run<sense_grid_sample>(c, 3 * cells, ops_repeat { images, from.field, cells });
    run<sense_grid_sample>(c, 3 * n, ops_grid_sample { g, sampled, images, places });
    c->used = mark;
    return sampled;
}

/* ---- steering and movement */

static void steer(ops_call *c, float *sampled, const float *angle, float *new_angle)
{
    const int64_t        n        = c->g.agents;
    const float *const   rows[3]  = { sampled, after(sampled, n), after(sampled, 2 * n) };
    float *const         stacked  = stack<sensing>(c, 1, 3, n, rows);
    int64_t *const       best     = take<int64_t>(c, n);
    unsigned char *const is_left  = take<unsigned char>(c, n);
    unsigned char *const is_right = take<unsigned char>(c, n);
    float *const         inner    = take<float>(c, n);
    float               *left, *right;

    run<sensing>(c, n, ops_argmax { best, stacked, n });
    run<steering>(c, n, ops_equal { is_left, best, 1 });
    left = with_number<steering>(c, ops_plus(), n, whole(angle), c->g.spread);
    run<steering>(c, n, ops_equal { is_right, best, 2 });
    right = with_number<steering>(c, ops_plus(), n, whole(angle), -c->g.spread);
    run<steering>(c, n, ops_where { inner, is_right, right, angle });
    run<steering>(c, n, ops_where { new_angle, is_left, left, inner });
}

static void move(ops_call *c, const float *angle, const float *pos, float *new_pos)
{
    const physarum_grid &g       = c->g;
    const int64_t        n       = g.agents;
    float *const         sine    = with_number<movement>(c, ops_sine(), n, whole(angle), 0.0f);
    float *const         dy      = with_number<movement>(c, ops_times(), n, whole(sine), g.step);
    float *const         cosine  = with_number<movement>(c, ops_cosine(), n, whole(angle), 0.0f);
    float *const         dx      = with_number<movement>(c, ops_times(), n, whole(cosine), g.step);
    const float *const   both[3] = { dy, dx, nullptr };
    float *const         offset  = stack<movement>(c, n, 2, 1, both);
    float *const         moved   = take<float>(c, 2 * n);

    run<movement>(c, 2 * n, ops_with_tensor<ops_plus> { ops_plus(), moved, pos, offset });
    run<movement>(c, 2 * n, ops_remainder { new_pos, moved, g.extent_y, g.extent_x });
}

/* ---- deposition, diffusion, decay */

static int64_t *cells_along(ops_call *c, const float *pos, int axis, int64_t extent)
{
    const int64_t  n          = c->g.agents;
    int64_t *const whole_part = take<int64_t>(c, n);
    int64_t *const cell       = take<int64_t>(c, n);

    run<deposition>(c, n, ops_to_integer { whole_part, column(pos, axis) });
    run<deposition>(c, n, ops_clamp { cell, whole_part, extent - 1 });
    return cell;
}

static void deposit(ops_call *c, const float *pos, float *field)
{
    const physarum_grid &g    = c->g;
    const int64_t        n    = g.agents;
    int64_t *const       y    = cells_along(c, pos, 0, g.height);
    int64_t *const       x    = cells_along(c, pos, 1, g.width);
    float *const         read = take<float>(c, n);

    run<deposition>(c, n, ops_gather { read, field, y, x, g.width });
    run<deposition>(c, n, ops_with_number<ops_plus> { ops_plus(), read, whole(read), g.deposit });
    run<deposition>(c, n, ops_put { field, read, y, x, g.width });
}

static void diffuse(ops_call *c, const float *field, float *new_field)
{
    const physarum_grid &g     = c->g;
    const int64_t        cells = static_cast<int64_t>(g.height) * g.width;
    float *const         mean  = take<float>(c, cells);
    float *const         sum   = take<float>(c, cells);
    float               *kept, *blended;

    run<diffusion>(c, cells, ops_convolve { g, mean, field });
    kept    = with_number<diffusion>(c, ops_times(), cells, whole(field), g.keep);
    blended = with_number<diffusion>(c, ops_times(), cells, whole(mean), g.blend);
    run<diffusion>(c, cells, ops_with_tensor<ops_plus> { ops_plus(), sum, kept, blended });
    run<diffusion>(c, cells,
                   ops_with_number<ops_times> { ops_times(), new_field, whole(sum), g.remain });
}

/* ---- a step */

/* `field` is the field that was sensed, or a copy where that field has to stay. */
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
