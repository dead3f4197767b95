/* thermo_step: deposit, gravity, dt, Heun step of the gas with halving of dt until no cell is NaN,
 * gather and motion. host_retry reads the decision back after each attempt. device_retry repeats
 * attempts on the device. device_retry_enqueued enqueues as many attempts as there can be; those
 * after the last needed one return at once. */
#include "step_decide.cuh"
#include "step_gas.cuh"
#include "step_gravity.cuh"
#include "step_launch.h"
#include "step_particles.cuh"

#include "../thermo/thermo_arena.cuh"

#include <stdlib.h>

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

/* Takes the arrays of the workspace; returns their bytes. */
static size_t take_workspace(const assay_args *args, step_call *c)
{
    const int64_t *g     = args->param + STEP_PARAM_GX;
    const int64_t  cells = args->count[STEP_BUF_RHO];
    const int64_t  modes = g[0] * g[1] * (g[2] / 2 + 1);
    step_problem  *q     = &c->q;
    thermo_arena   arena(args->workspace);

    q->u1.rho         = arena.take<float>(cells);
    q->u1.mom         = arena.take<float>(3 * cells);
    q->u1.e           = arena.take<float>(cells);
    q->control        = arena.take<step_control>(1);
    q->spectrum       = arena.take<step_complex>(args->param[STEP_PARAM_GRAVITY] ? modes : 0);
    q->nodes          = arena.take<gather_node>(c->way == STEP_TILED ? cells : 0);
    c->deposit_bytes  = step_deposit_workspace(args, c->way);
    c->deposit_memory = arena.take<char>(static_cast<int64_t>(c->deposit_bytes));
    return arena.bytes();
}

static float spacing(const int64_t *g)
{
    const int64_t yz = g[1] > g[2] ? g[1] : g[2];

    return static_cast<float>(1.0 / static_cast<double>(g[0] > yz ? g[0] : yz));
}

static void set_grid(const assay_args *args, step_problem *q)
{
    const int64_t *g  = args->param + STEP_PARAM_GX;
    const float    dx = spacing(g);

    q->grid = thermo_grid_of(g, dx);
    for (int d = 0; d < 3; d++)
        q->length[d] = static_cast<float>(g[d]) * dx;
    q->dx     = static_cast<double>(dx);
    q->per_dx = static_cast<float>(1 / q->dx);
}

static void set_buffers(const assay_args *args, step_problem *q)
{
    q->from     = { buffer(args, STEP_BUF_POS),    buffer(args, STEP_BUF_VEL),
                    buffer(args, STEP_BUF_MASS),   buffer(args, STEP_BUF_HEAT),
                    buffer(args, STEP_BUF_ENERGY), buffer(args, STEP_BUF_OMEGA) };
    q->to       = { buffer(args, STEP_BUF_NEW_POS), buffer(args, STEP_BUF_NEW_VEL),
                    buffer(args, STEP_BUF_NEW_HEAT), buffer(args, STEP_BUF_NEW_ENERGY) };
    q->u0       = fields_at(args, STEP_BUF_RHO);
    q->u2       = fields_at(args, STEP_BUF_RHO_2);
    q->phi      = q->gravity > 0 ? buffer(args, STEP_BUF_PHI) : nullptr;
    q->used_dt  = buffer(args, STEP_BUF_DT);
    q->halvings = reinterpret_cast<int *>(buffer(args, STEP_BUF_HALVINGS));
    if (args->count[STEP_BUF_LOG_COUNT] > 0) {
        q->log_count = reinterpret_cast<unsigned *>(buffer(args, STEP_BUF_LOG_COUNT));
        q->log       = reinterpret_cast<unsigned *>(buffer(args, STEP_BUF_LOG));
    }
}

step_call step_call_of(const assay_args *args, step_way way)
{
    const step_state *state = static_cast<const step_state *>(args->state);
    step_call         c     = {};

    c.args      = args;
    c.way       = way;
    c.block     = static_cast<unsigned>(args->tune[STEP_TUNE_BLOCK]);
    c.march     = way == STEP_TILED ? args->tune[STEP_TUNE_MARCH] : 0;
    c.fft       = state ? state->fft : nullptr;
    c.q.n       = static_cast<int>(args->count[STEP_BUF_MASS]);
    c.q.cells   = static_cast<int>(args->count[STEP_BUF_RHO]);
    c.q.rule    = static_cast<int>(args->param[STEP_PARAM_RULE]);
    c.q.gravity = static_cast<float>(args->param[STEP_PARAM_GRAVITY]);
    set_grid(args, &c.q);
    set_buffers(args, &c.q);
    (void)take_workspace(args, &c);
    return c;
}

size_t step_workspace_bytes(const assay_args *args, step_way way)
{
    step_call c = {};

    c.way = way;
    return take_workspace(args, &c);
}

/* ---- parts ---- */

static int enqueue_gravity(const step_call &c, assay_stream stream)
{
    const int modes = c.q.grid.gx * c.q.grid.gy * (c.q.grid.gz / 2 + 1);
    int       error = c.fft ? 0 : INVALID_VALUE;

    error = error ? error : step_fft_forward(c.fft, c.q.u0.rho, c.q.spectrum, stream);
    if (error)
        return error;
    step_apply_green<<<assay_blocks_for(modes, c.block), c.block, 0, stream>>>(c.q);
    error = assay_launch_status();
    return error ? error : step_fft_back(c.fft, c.q.spectrum, c.q.phi, stream);
}

/* Whole warps, and no more threads than cells need. */
static void enqueue_begin(const step_call &c, assay_stream stream)
{
    const int needed  = (c.q.cells + STEP_SPEED_THREADS - 1) / STEP_SPEED_THREADS;
    const int blocks  = needed < STEP_SPEED_BLOCKS ? needed : int { STEP_SPEED_BLOCKS };
    const int threads = needed > 1 ? int { STEP_SPEED_THREADS } : (c.q.cells + 31) / 32 * 32;

    step_begin<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads), 0, stream>>>(c.q);
}

int step_enqueue_before(const step_call &c, assay_stream stream)
{
    int error = assay_memset_zero(c.q.control, sizeof *c.q.control, stream);

    if (c.args->count[STEP_BUF_RHO] > INT32_MAX / 3 || c.args->count[STEP_BUF_MASS] > INT32_MAX / 3)
        return INVALID_VALUE;
    error = error ? error : step_deposit(c, stream);
    if (!error && c.q.gravity > 0)
        error = enqueue_gravity(c, stream);
    if (error)
        return error;
    enqueue_begin(c, stream);
    return assay_launch_status();
}

/* Shape of the marching tiles: thermo_gas's default. */
enum {
    MARCH_ROWS   = 8,
    MARCH_BLOCKS = 3, /* on an SM */
    MARCH_UNROLL = 2,
    MARCH_PLANES = 32
};

/* A marching block that has an SM to itself does a plane of 256 cells in 0.9 us; with one thread a
 * cell an SM does about as much in that time. Several blocks on an SM do more. So marching pays
 * from one block for each SM on. The default of the tuning value is the 132 SMs of an H200, which a
 * grid of a million cells reaches. */
static bool marches(const step_call &c, const gas_args &a)
{
    return c.march > 0 &&
           march_block_count(a, march_grid_of<MARCH_ROWS>(a, MARCH_PLANES)) >= c.march;
}

template <int STAGE> static int enqueue_stage(const step_call &c, assay_stream stream)
{
    const gas_args a = step_gas_args(c.q, STAGE);

    if (marches(c, a))
        return march_launch<MARCH_ROWS, STAGE, MARCH_BLOCKS, MARCH_UNROLL>(
            a, MARCH_PLANES, step_march { c.q }, stream);
    step_stage<STAGE><<<assay_blocks_for(c.q.cells, c.block), c.block, 0, stream>>>(c.q, a);
    return assay_launch_status();
}

int step_enqueue_stages(const step_call &c, assay_stream stream)
{
    const int error = enqueue_stage<1>(c, stream);

    return error ? error : enqueue_stage<2>(c, stream);
}

static void enqueue_gather(const step_call &c, assay_stream stream)
{
    const step_from_fields load = { step_read(c.q.u2), c.q.phi };

    if (c.way == STEP_PLAIN) {
        pic_gather_update_particles<<<assay_blocks_for(c.q.n, c.block), c.block, 0, stream>>>(c.q,
                                                                                              load);
        return;
    }
    pic_pack_nodes<<<assay_blocks_for(c.q.cells, c.block), c.block, 0, stream>>>(c.q, load);
    pic_gather_update_staged<<<assay_blocks_for(c.q.n, c.block), c.block,
                               3 * c.block * sizeof(float), stream>>>(c.q);
}

int step_enqueue_after(const step_call &c, assay_stream stream)
{
    if (c.q.n > 0)
        enqueue_gather(c, stream);
    step_finish<<<1, 1, 0, stream>>>(c.q);
    return assay_launch_status();
}

/* ---- ways to retry ---- */

static int enqueue_attempt(const step_call &c, assay_stream stream)
{
    const int error = step_enqueue_stages(c, stream);

    if (error)
        return error;
    step_decide<step_tell_nobody><<<1, 1, 0, stream>>>(c.q, step_tell_nobody());
    return assay_launch_status();
}

static int retry_by_host(const step_call &c, assay_stream stream)
{
    step_control seen  = {};
    int          error = 0;

    while (!error && !seen.is_done) {
        error = enqueue_attempt(c, stream);
        error = error ? error : assay_read_back(&seen, c.q.control, sizeof seen, stream);
    }
    return error;
}

static int enqueue_all_attempts(const step_call &c, assay_stream stream)
{
    int error = 0;

    for (int attempt = 0; !error && attempt <= THERMO_MAX_HALVINGS; attempt++)
        error = enqueue_attempt(c, stream);
    return error;
}

static int run(const assay_args *args, step_way way, assay_stream stream,
               int (*attempts)(const step_call &c, assay_stream stream))
{
    const step_call c     = step_call_of(args, way);
    int             error = step_enqueue_before(c, stream);

    error = error ? error : attempts(c, stream);
    return error ? error : step_enqueue_after(c, stream);
}

ASSAY_LAUNCHER(thermo_step_host_retry) { return run(args, STEP_PLAIN, stream, retry_by_host); }
ASSAY_LAUNCHER(thermo_step_host_retry_tiled)
{
    return run(args, STEP_TILED, stream, retry_by_host);
}
ASSAY_LAUNCHER(thermo_step_device_retry_enqueued)
{
    return run(args, STEP_PLAIN, stream, enqueue_all_attempts);
}
ASSAY_LAUNCHER(thermo_step_device_retry) { return step_repeat(args, STEP_PLAIN, stream); }
ASSAY_LAUNCHER(thermo_step_device_retry_tiled) { return step_repeat(args, STEP_TILED, stream); }

/* ---- set-up ---- */

ASSAY_WORKSPACE(thermo_step_workspace) { return step_workspace_bytes(args, STEP_PLAIN); }
ASSAY_WORKSPACE(thermo_step_workspace_tiled) { return step_workspace_bytes(args, STEP_TILED); }

ASSAY_EXPORT void thermo_step_teardown(void *state)
{
    step_state *const s = static_cast<step_state *>(state);

    if (s != nullptr) {
        step_repeat_teardown(s);
        step_fft_destroy(s->fft);
    }
    free(s);
}

/* Plans for gravity, if there is gravity. */
static int make_fft(const assay_args *args, step_way way, step_state *s, const char **why)
{
    const step_call c    = step_call_of(args, way);
    const int       n[3] = { c.q.grid.gx, c.q.grid.gy, c.q.grid.gz };

    return c.q.gravity > 0 ? step_fft_create(n, c.q.phi, c.q.spectrum, &s->fft, why) : 0;
}

static int set_up(const assay_args *args, step_way way, bool repeats, void **state)
{
    step_state *s   = static_cast<step_state *>(calloc(1, sizeof *s));
    const char *why = nullptr;
    int         error;

    if (s == nullptr)
        return 2; /* cudaErrorMemoryAllocation */
    error = make_fft(args, way, s, &why);
    if (!error && repeats) {
        assay_args with_state = *args;

        with_state.state = s;
        error            = step_repeat_setup(&with_state, way, s, &why);
    }
    if (error) {
        thermo_step_teardown(s);
        *state = error == ASSAY_NOT_HERE ? const_cast<char *>(why) : nullptr;
        return error;
    }
    *state = s;
    return 0;
}

ASSAY_EXPORT int thermo_step_setup(const assay_args *args, void **state)
{
    return set_up(args, STEP_PLAIN, false, state);
}
ASSAY_EXPORT int thermo_step_setup_tiled(const assay_args *args, void **state)
{
    return set_up(args, STEP_TILED, false, state);
}
ASSAY_EXPORT int thermo_step_setup_repeat(const assay_args *args, void **state)
{
    return set_up(args, STEP_PLAIN, true, state);
}
ASSAY_EXPORT int thermo_step_setup_repeat_tiled(const assay_args *args, void **state)
{
    return set_up(args, STEP_TILED, true, state);
}
