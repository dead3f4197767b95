/* thermo_step: deposit of particles, gravity, dt, Heun step of the gas with halving of dt and
 * retry, gather and motion, exchange of heat with oscillators. What does deciding on the host cost?
 * docs/thermo_step.md has the equations. */
#include "case.h"

#include "thermo_step_inputs.h"
#include "thermo_step_log.h"
#include "thermo_step_oracles.h"

assay_reference_fn thermo_step_reference; /* reference/thermo_step/thermo_step.c */

enum {
    AXIS_GRID,
    AXIS_PER_CELL,
    AXIS_START,
    AXIS_GRAVITY,
    AXIS_RULE,
    AXIS_LOG
};

/* ---- shape ---- */

static void set_particles(assay_shape *s, int64_t n)
{
    static const struct {
        const char    *name;
        int            width;
        assay_fill_fn *fill;
    } given[] = {
        { "pos", 3, fill_pos },   { "vel", 3, fill_vel },       { "mass", 1, fill_mass },
        { "heat", 1, fill_heat }, { "energy", 1, fill_energy }, { "omega", 1, fill_omega }
    };
    static const struct {
        const char *name;
        int         width;
    } moved[] = { { "new_pos", 3 }, { "new_vel", 3 }, { "new_heat", 1 }, { "new_energy", 1 } };

    for (int b = 0; b < 6; b++)
        s->buf[STEP_BUF_POS + b] =
            (assay_buffer) { given[b].name, ASSAY_IN, ASSAY_F32, given[b].width * n,
                             ASSAY_CUSTOM(given[b].fill) };
    for (int b = 0; b < 4; b++)
        s->buf[STEP_BUF_NEW_POS + b] = (assay_buffer) {
            .name = moved[b].name, .role = ASSAY_OUT, .type = ASSAY_F32, .count = moved[b].width * n
        };
}

static assay_buffer output(const char *name, assay_type type, int64_t count)
{
    return (assay_buffer) { .name = name, .role = ASSAY_OUT, .type = type, .count = count };
}

static void set_results(assay_shape *s, bool has_gravity)
{
    s->buf[STEP_BUF_RHO]      = output("rho", ASSAY_F32, s->cells);
    s->buf[STEP_BUF_MOM]      = output("mom", ASSAY_F32, 3 * s->cells);
    s->buf[STEP_BUF_E]        = output("e", ASSAY_F32, s->cells);
    s->buf[STEP_BUF_PHI]      = output("phi", ASSAY_F32, has_gravity ? s->cells : 0);
    s->buf[STEP_BUF_RHO_2]    = output("rho_2", ASSAY_F32, s->cells);
    s->buf[STEP_BUF_MOM_2]    = output("mom_2", ASSAY_F32, 3 * s->cells);
    s->buf[STEP_BUF_E_2]      = output("e_2", ASSAY_F32, s->cells);
    s->buf[STEP_BUF_DT]       = output("dt", ASSAY_F32, 1);
    s->buf[STEP_BUF_HALVINGS] = output("halvings", ASSAY_I32, 1);
    s->buf[STEP_BUF_ERRORS]   = output("errors", ASSAY_U32, 1);
    if (!has_gravity)
        s->buf[STEP_BUF_PHI].role = ASSAY_WORK;
}

/* The log starts empty: entries that no source writes are 0 afterwards. */
static void set_log(assay_shape *s, bool has_log)
{
    const assay_fill zero = ASSAY_INTEGERS(0, 0, 1);
    const assay_role role = has_log ? ASSAY_INOUT : ASSAY_WORK;
    const int64_t    n    = has_log ? GAS_LOG_CAPACITY * GAS_LOG_WORDS : 0;

    s->buf[STEP_BUF_LOG_COUNT] =
        (assay_buffer) { "log_count", role, ASSAY_U32, has_log ? 1 : 0, zero };
    s->buf[STEP_BUF_LOG] = (assay_buffer) { "log", role, ASSAY_U32, n, zero };
}

/* A particle: 8 weights of 3, 5 values of 2 each way, motion and exchange 40. A cell: two stages of
 * 207. Bytes: particles and results once. */
enum {
    FLOPS_PARTICLE = 8 * (3 + 2 * 10) + 40,
    FLOPS_CELL     = 2 * 207,
    BYTES_IN       = 4 * 10,
    BYTES_OUT      = 4 * 8,
    BYTES_FIELDS   = 4 * 10
};

static void thermo_step_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *n           = axis[AXIS_GRID].i;
    const bool     has_gravity = axis[AXIS_GRAVITY].i[0] != 0;
    int64_t        particles;

    s->cells  = n[0] * n[1] * n[2];
    particles = axis[AXIS_PER_CELL].i[0] * s->cells;
    for (int d = 0; d < 3; d++)
        s->param[STEP_PARAM_GX + d] = n[d];
    s->param[STEP_PARAM_GRAVITY] = axis[AXIS_GRAVITY].i[0];
    s->param[STEP_PARAM_RULE]    = axis[AXIS_RULE].i[0];
    s->param[STEP_PARAM_START]   = axis[AXIS_START].i[0];
    s->param[STEP_PARAM_INPUT]   = (int64_t)input;
    set_particles(s, particles);
    set_results(s, has_gravity);
    set_log(s, axis[AXIS_LOG].i[0] == 1);
    s->flops         = FLOPS_PARTICLE * (double)particles + FLOPS_CELL * (double)s->cells;
    s->bytes_read    = BYTES_IN * particles;
    s->bytes_written = BYTES_OUT * particles + (BYTES_FIELDS + (has_gravity ? 4 : 0)) * s->cells;
}

enum {
    BLOCK_OF_DT = 1024 /* cells */
};

static bool is_long_grid(const assay_value *axis)
{
    const int64_t *n = axis[AXIS_GRID].i;

    return axis[AXIS_GRID].tier == ASSAY_QUICK && n[0] * n[1] * n[2] > BLOCK_OF_DT;
}

/* Both starts that choose places need a quarter of each axis to be whole cells. */
static const char *excluded_by_start(const assay_value *axis)
{
    const int64_t *n     = axis[AXIS_GRID].i;
    const int64_t  start = axis[AXIS_START].i[0], each = axis[AXIS_PER_CELL].i[0];
    const bool     fits = each == 1 && n[0] % 4 == 0 && n[1] % 4 == 0 && n[2] % 4 == 0;

    if (start == START_HOT && !fits)
        return "the hot start fills half of each axis with two particles a cell and axis";
    if (start >= START_SPARK &&
        !(fits && axis[AXIS_GRID].tier == ASSAY_QUICK && axis[AXIS_GRAVITY].i[0] == 0 &&
          axis[AXIS_RULE].i[0] == STEP_DT_METAL))
        return "the spark is exact on small grids of powers of two, and tuned to one rule for dt";
    if (start < START_SPARK && axis[AXIS_LOG].i[0] == 1)
        return "the log is checked where it holds all sources of NaN: those of the spark";
    if (start < START_HOT && each == 1)
        return "one particle a cell leaves thin cells in which rounding decides about halving";
    return NULL;
}

static const char *thermo_step_excluded(const assay_value *axis)
{
    if (is_long_grid(axis) &&
        (axis[AXIS_PER_CELL].i[0] != 8 || axis[AXIS_START].i[0] != START_CALM ||
         axis[AXIS_GRAVITY].i[0] != 0 || axis[AXIS_RULE].i[0] != STEP_DT_METAL))
        return "a long grid is for the number of blocks that dt takes";
    if (axis[AXIS_GRID].tier == ASSAY_FULL && axis[AXIS_RULE].i[0] != STEP_DT_METAL)
        return "rules for dt are compared on small grids";
    if (axis[AXIS_GRAVITY].i[0] != 0 && axis[AXIS_RULE].i[0] != STEP_DT_METAL)
        return "rules for dt do not look at gravity";
    return excluded_by_start(axis);
}

static const char *thermo_step_input_excluded(const assay_value *axis, assay_input input)
{
    return axis[AXIS_START].i[0] >= START_HOT && input == ASSAY_INPUT_ADVERSARIAL
               ? "the hot start and the spark have their places"
               : NULL;
}

/* ---- variants ---- */

/* Exchange is part of the gather's kernels. The cuFFT kernels are those for extents that are powers
 * of two. */
static const assay_section_name sections[] = {
    { "scatter_atomic_kernel", "deposit" },
    { "scatter_count_tiles", "deposit" },
    { "scatter_scan_sum_chunks", "deposit" },
    { "scatter_scan_sums_kernel", "deposit" },
    { "scatter_scan_chunks", "deposit" },
    { "scatter_reorder_tiles", "deposit" },
    { "scatter_find_windows", "deposit" },
    { "scatter_tiles_kernel", "deposit" },
    { "regular_fft", "gravity" },
    { "regular_fft_factor", "gravity" },
    { "regular_fft_r2c", "gravity" },
    { "regular_fft_c2r", "gravity" },
    { "vector_fft", "gravity" },
    { "vector_fft_r2c", "gravity" },
    { "vector_fft_c2r", "gravity" },
    { "vector_fft_symm_r2c", "gravity" },
    { "vector_fft_symm_c2r", "gravity" },
    { "vector_2d_fft", "gravity" },
    { "composite_vector_2d_fft", "gravity" },
    { "step_apply_green", "gravity" },
    { "step_begin", "dt" },
    { "step_stage", "gas" },
    { "gas_stream_kernel", "gas" },
    { "step_decide", "gas" },
    { "pic_pack_nodes", "gather" },
    { "pic_gather_update_particles", "gather" },
    { "pic_gather_update_staged", "gather" },
    { "step_finish", "gather" },
    { NULL, NULL },
};

/* Kernels of the Triton peer; kernels that it leaves to PyTorch have PyTorch's names. */
static const assay_section_name triton_sections[] = {
    { "scatter_compute_cell_idx", "deposit" },
    { "scatter_count_cells", "deposit" },
    { "scatter_reorder_particles", "deposit" },
    { "scatter_sorted", "deposit" },
    { "gas_rk2_stage1", "gas" },
    { "gas_rk2_stage2", "gas" },
    { "pic_gather_update_particles", "gather" },
    { NULL, NULL },
};

static const char *keeps_no_log(const assay_shape *s)
{
    return s->buf[STEP_BUF_LOG].count > 0 ? "the log is written from within kernels of our own"
                                          : NULL;
}

#define PEER(word)                                                                                 \
    .peer = { "thermo_step.py", word }, .baseline = "host_retry", .unsupported = keeps_no_log

#define PLAIN_WAY                                                                                  \
    .workspace = "thermo_step_workspace", .teardown = "thermo_step_teardown",                      \
    .tuning = { THERMO_BLOCKS }, .sections = sections
#define TILED_WAY                                                                                  \
    .workspace = "thermo_step_workspace_tiled", .teardown = "thermo_step_teardown",                \
    .tuning   = { THERMO_BLOCKS, ASSAY_TUNING("window", 1024, 2048),                               \
                  ASSAY_TUNING("march", 132, 1, 1 << 20) },                                        \
    .sections = sections

/* ---- the case ---- */

static bool starts_with_spark(const assay_value *axis)
{
    return axis[AXIS_START].i[0] >= START_SPARK;
}

#define AT_REST(corruption_)                                                                       \
    {                                                                                              \
        "new_vel", (corruption_),                                                                  \
            "the gas of the spark is at rest but for roundings of terms that cancel, 1e-18 of "    \
            "17: "                                                                                 \
            "any velocity within their rounding is as right",                                      \
            starts_with_spark                                                                      \
    }
static const assay_waiver waivers[] = {
    AT_REST(ASSAY_CORRUPT_ZEROS),
    AT_REST(ASSAY_CORRUPT_SIGN),
    AT_REST(ASSAY_CORRUPT_PRECISION),
    { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
};

const assay_case assay_case_thermo_step = {
    .name        = "thermo_step",
    .group       = "thermo",
    .what        = "a whole particle-mesh step: deposit, gravity, dt, gas with retry, gather, exchange",
    .version     = 2,
    .axes        = {
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(4, 4, 4), ASSAY_QGRID(5, 7, 6),
                   ASSAY_QGRID(8, 4, 8), ASSAY_QGRID(8, 8, 8), ASSAY_QGRID(68, 4, 4), ASSAY_FGRID(32, 32, 32),
                   ASSAY_FGRID(64, 64, 64), ASSAY_FGRID(128, 128, 128), ASSAY_FGRID(256, 256, 256)),
        ASSAY_AXIS("per_cell", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(8), ASSAY_F(16)),
        ASSAY_AXIS("start", ASSAY_AXIS_TEXT, ASSAY_WORD(START_CALM, "calm"),
                   ASSAY_WORD(START_CLUSTERED, "clustered"), ASSAY_WORD(START_HOT, "hot"),
                   ASSAY_WORD(START_SPARK, "spark"), ASSAY_WORD(START_DEBT, "debt")),
        ASSAY_AXIS("gravity", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1)),
        ASSAY_AXIS("dt_rule", ASSAY_AXIS_TEXT, ASSAY_WORD(STEP_DT_METAL, "metal"),
                   ASSAY_WORD(STEP_DT_TRITON, "triton"), ASSAY_WORD(STEP_DT_STABLE, "stable")),
        ASSAY_AXIS("log", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "off"), ASSAY_WORD(1, "on")),
    },
    .inputs      = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = thermo_step_shape,
    .reference   = thermo_step_reference,
    .tol         = { .rule   = ASSAY_RULE_BOUND,
                     .c      = 2,
                     .u_out  = ASSAY_U32_ROUNDOFF,
                     .u_acc  = ASSAY_U32_ROUNDOFF,
                     .growth = ASSAY_G_ONE,
                     .why    = "magnitude: running error bound of the reference from the deposit to "
                               "the last value; c = 2: a reciprocal and a product round twice where "
                               "a quotient rounds once" },
    .tol_for     = { { "log", { .rule = ASSAY_RULE_OWN,
                                .why  = "each source of NaN once, in the order of attempts: cell, "
                                        "stage and reason exact, state and dt within the "
                                        "reference's bound, c = 2" } } },
    .compare        = compare_log,
    .waivers        = waivers,
    .excluded       = thermo_step_excluded,
    .input_excluded = thermo_step_input_excluded,
    .invariants  = {
        { "mass", "the gas carries the mass that the particles deposit", mass, NULL },
        { "momentum", "fluxes cancel: the gas carries the momentum that the particles deposit",
          momentum, NULL },
        { "heat", "the gas gets the heat of the particles, and nothing of their oscillators", heat,
          NULL },
        { "exchange", "what the oscillator gains the heat loses: two roundings more than the gather",
          exchange, NULL },
        { "below_zero", "what the exchange takes is limited by what is there", below_zero, NULL },
        { "outside", "positions are wrapped into the domain", outside, NULL },
    },
    .variants    = {
        { .name      = "host_retry",
          .launch    = "thermo_step_host_retry",
          PLAIN_WAY,
          .setup     = "thermo_step_setup",
          .flags     = ASSAY_HOST_SYNC | ASSAY_REPEATABLE },
        { .name      = "device_retry",
          .launch    = "thermo_step_device_retry",
          PLAIN_WAY,
          .setup     = "thermo_step_setup_repeat",
          .baseline  = "host_retry",
          .flags     = ASSAY_REPEATABLE },
        { .name      = "device_retry_enqueued",
          .launch    = "thermo_step_device_retry_enqueued",
          PLAIN_WAY,
          .setup     = "thermo_step_setup",
          .baseline  = "device_retry",
          .flags     = ASSAY_REPEATABLE },
        { .name      = "host_retry_tiled",
          .launch    = "thermo_step_host_retry_tiled",
          TILED_WAY,
          .setup     = "thermo_step_setup_tiled",
          .baseline  = "host_retry",
          .flags     = ASSAY_HOST_SYNC | ASSAY_REPEATABLE },
        { .name      = "device_retry_tiled",
          .launch    = "thermo_step_device_retry_tiled",
          TILED_WAY,
          .setup     = "thermo_step_setup_repeat_tiled",
          .baseline  = "device_retry",
          .flags     = ASSAY_REPEATABLE },
        { .name = "torch_eager", PEER("eager") },
        { .name = "torch_compile", PEER("compile"), .time_limit_s = 600 }, /* four programs */
        { .name = "triton", PEER("triton"), .sections = triton_sections },
    },
};
