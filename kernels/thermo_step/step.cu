/* thermo_step: deposit, gravity, dt, Heun step of the gas with halving of dt until no cell is NaN,
 * gather and motion. host_retry reads the decision back after each attempt; device_retry enqueues
 * all attempts that there can be, and those after the last needed one return at once. */
#include "step_gas.cuh"
#include "step_gravity.cuh"
#include "step_particles.cuh"

#include "../thermo/thermo_arena.cuh"

/* What a launcher returns for arguments it has no kernel for: CUDA's cudaErrorInvalidValue. */
static const int INVALID_VALUE = 1;

static float *buffer(const assay_args *args, int b)
{
    return args->buf ? static_cast<float *>(args->buf[b]) : nullptr;
}

static thermo_fields fields_at(const assay_args *args, int first)
{
    return { buffer(args, first), buffer(args, first + 1), buffer(args, first + 2) };
}

/* Returns the bytes of the workspace that its arrays take. */
static size_t take_workspace(const assay_args *args, step_problem *q)
{
    const int64_t *g     = args->param + STEP_PARAM_GX;
    const int64_t  cells = args->count[STEP_BUF_RHO];
    const int64_t  modes = args->param[STEP_PARAM_GRAVITY] != 0 ? cells : 0;
    thermo_arena   arena(args->workspace);

    q->u1.rho      = arena.take<float>(cells);
    q->u1.mom      = arena.take<float>(3 * cells);
    q->u1.e        = arena.take<float>(cells);
    q->control     = arena.take<step_control>(1);
    q->twiddle     = arena.take<step_complex>(g[0] + g[1] + g[2]);
    q->spectrum[0] = arena.take<step_complex>(modes);
    q->spectrum[1] = arena.take<step_complex>(modes);
    return arena.bytes();
}

static float spacing(const int64_t *g)
{
    const int64_t yz = g[1] > g[2] ? g[1] : g[2];

    return static_cast<float>(1.0 / static_cast<double>(g[0] > yz ? g[0] : yz));
}

static step_problem problem_of(const assay_args *args)
{
    const int64_t *g  = args->param + STEP_PARAM_GX;
    const float    dx = spacing(g);
    step_problem   q  = {};

    q.grid       = { static_cast<int>(g[0]), static_cast<int>(g[1]), static_cast<int>(g[2]), dx };
    q.n          = static_cast<int>(args->count[STEP_BUF_MASS]);
    q.cells      = static_cast<int>(args->count[STEP_BUF_RHO]);
    q.rule       = static_cast<int>(args->param[STEP_PARAM_RULE]);
    q.dx         = static_cast<double>(dx);
    q.gravity    = static_cast<float>(args->param[STEP_PARAM_GRAVITY]);
    q.per_volume = static_cast<float>(1 / (q.dx * q.dx * q.dx));
    q.per_dx     = static_cast<float>(1 / q.dx);
    q.from       = { buffer(args, STEP_BUF_POS),    buffer(args, STEP_BUF_VEL),
                     buffer(args, STEP_BUF_MASS),   buffer(args, STEP_BUF_HEAT),
                     buffer(args, STEP_BUF_ENERGY), buffer(args, STEP_BUF_OMEGA) };
    q.to         = { buffer(args, STEP_BUF_NEW_POS), buffer(args, STEP_BUF_NEW_VEL),
                     buffer(args, STEP_BUF_NEW_HEAT), buffer(args, STEP_BUF_NEW_ENERGY) };
    q.u0         = fields_at(args, STEP_BUF_RHO);
    q.u2         = fields_at(args, STEP_BUF_RHO_2);
    q.phi        = buffer(args, STEP_BUF_PHI);
    q.used_dt    = buffer(args, STEP_BUF_DT);
    q.halvings   = static_cast<int *>(args->buf[STEP_BUF_HALVINGS]);
    q.errors     = static_cast<unsigned *>(args->buf[STEP_BUF_ERRORS]);
    (void)take_workspace(args, &q);
    return q;
}

/* ---- launches */

enum {
    BLOCK = 256
};

static unsigned blocks_for(int items) { return (static_cast<unsigned>(items) + BLOCK - 1) / BLOCK; }

static int clear(const step_problem &q, assay_stream stream)
{
    const size_t cells = static_cast<size_t>(q.cells);
    int          error = assay_memset_zero(q.u0.rho, cells * sizeof(float), stream);

    error = error ? error : assay_memset_zero(q.u0.mom, 3 * cells * sizeof(float), stream);
    error = error ? error : assay_memset_zero(q.u0.e, cells * sizeof(float), stream);
    error = error ? error : assay_memset_zero(q.control, sizeof *q.control, stream);
    return error ? error : assay_memset_zero(q.errors, sizeof *q.errors, stream);
}

/* Six passes, back and forth between the two spectra. */
static void launch_gravity(const step_problem &q, assay_stream stream)
{
    ASSAY_LAUNCH(step_twiddles, blocks_for(q.grid.gx + q.grid.gy + q.grid.gz), BLOCK, 0, stream, q);
    for (int d = 0; d < 3; d++)
        ASSAY_LAUNCH(step_transform<true>, blocks_for(q.cells), BLOCK, 0, stream, q, d,
                     (d + 1) % 2);
    for (int d = 0; d < 3; d++)
        ASSAY_LAUNCH(step_transform<false>, blocks_for(q.cells), BLOCK, 0, stream, q, d, d % 2);
}

static int launch_before(const step_problem &q, assay_stream stream)
{
    const int error = clear(q, stream);

    if (error)
        return error;
    if (q.n > 0)
        ASSAY_LAUNCH(step_scatter, blocks_for(q.n), BLOCK, 0, stream, q);
    if (q.gravity > 0)
        launch_gravity(q, stream);
    ASSAY_LAUNCH(step_speeds, blocks_for(q.cells), BLOCK, 0, stream, q);
    ASSAY_LAUNCH(step_start, 1, 1, 0, stream, q);
    return assay_launch_status();
}

static int launch_attempt(const step_problem &q, assay_stream stream)
{
    ASSAY_LAUNCH(step_stage<1>, blocks_for(q.cells), BLOCK, 0, stream, q);
    ASSAY_LAUNCH(step_stage<2>, blocks_for(q.cells), BLOCK, 0, stream, q);
    ASSAY_LAUNCH(step_decide, 1, 1, 0, stream, q);
    return assay_launch_status();
}

static int launch_after(const step_problem &q, assay_stream stream)
{
    if (q.n > 0)
        ASSAY_LAUNCH(pic_gather_update_particles, blocks_for(q.n), BLOCK, 0, stream, q);
    ASSAY_LAUNCH(step_finish, 1, 1, 0, stream, q);
    return assay_launch_status();
}

static int attempts_by_host(const step_problem &q, assay_stream stream)
{
    step_control seen  = {};
    int          error = 0;

    while (!error && !seen.is_done) {
        error = launch_attempt(q, stream);
        error = error ? error : assay_read_back(&seen, q.control, sizeof seen, stream);
    }
    return error;
}

static int attempts_on_device(const step_problem &q, assay_stream stream)
{
    int error = 0;

    for (int attempt = 0; !error && attempt <= THERMO_MAX_HALVINGS; attempt++)
        error = launch_attempt(q, stream);
    return error;
}

static int run(const assay_args *args, assay_stream stream,
               int (*attempts)(const step_problem &q, assay_stream stream))
{
    const step_problem q     = problem_of(args);
    int                error = INVALID_VALUE;

    if (args->count[STEP_BUF_RHO] <= INT32_MAX / 3 && args->count[STEP_BUF_MASS] <= INT32_MAX / 3)
        error = launch_before(q, stream);
    error = error ? error : attempts(q, stream);
    return error ? error : launch_after(q, stream);
}

ASSAY_WORKSPACE(thermo_step_workspace)
{
    step_problem q = {};

    return take_workspace(args, &q);
}

ASSAY_LAUNCHER(thermo_step_host_retry) { return run(args, stream, attempts_by_host); }

ASSAY_LAUNCHER(thermo_step_device_retry) { return run(args, stream, attempts_on_device); }
