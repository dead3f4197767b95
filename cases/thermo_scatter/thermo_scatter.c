/* thermo_scatter: particles deposit mass, momentum and heat on a periodic grid, cloud in cell. What
 * is gained by sorting them first, and by which sort? docs/thermo.md has the definition. */
#include "../thermo/thermo_particles.h"
#include "thermo_scatter_inputs.h"
#include "thermo_scatter_oracles.h"

assay_reference_fn thermo_scatter_reference; /* reference/thermo_scatter/thermo_scatter.c */

enum {
    AXIS_GRID,
    AXIS_N,
    AXIS_DISTRIBUTION,
    AXIS_OUTPUTS
};

/* ---- shape ---- */

static void set_stages(assay_shape *s, int64_t n, int64_t cells)
{
    static const struct {
        const char *name;
        int         b, per_particle, per_bin;
        assay_type  type;
    } stages[] = {
        { "cell_id", SCATTER_BUF_CELL_ID, 1, 0, ASSAY_I32 },
        { "count", SCATTER_BUF_COUNT, 0, 1, ASSAY_I32 },
        { "start", SCATTER_BUF_START, 0, 1, ASSAY_I32 },
        { "sorted_index", SCATTER_BUF_SORTED_INDEX, 1, 0, ASSAY_I32 },
        { "sorted_pos", SCATTER_BUF_SORTED_POS, 3, 0, ASSAY_F32 },
        { "sorted_vel", SCATTER_BUF_SORTED_VEL, 3, 0, ASSAY_F32 },
        { "sorted_mass", SCATTER_BUF_SORTED_MASS, 1, 0, ASSAY_F32 },
        { "sorted_heat", SCATTER_BUF_SORTED_HEAT, 1, 0, ASSAY_F32 },
        { "sorted_energy", SCATTER_BUF_SORTED_ENERGY, 1, 0, ASSAY_F32 },
    };
    const bool has = s->param[SCATTER_PARAM_OUTPUTS] == SCATTER_STAGES;

    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        const int64_t count = stages[i].per_particle * n + stages[i].per_bin * (cells + 1);

        s->buf[stages[i].b] = (assay_buffer) { .name  = stages[i].name,
                                               .role  = has ? ASSAY_OUT : ASSAY_WORK,
                                               .type  = stages[i].type,
                                               .count = has ? count : 0 };
        s->bytes_written += 4 * s->buf[stages[i].b].count;
    }
}

static void set_buffers(assay_shape *s, assay_input input, int64_t n, int64_t cells)
{
    const fills      f      = fills_of(input);
    const assay_fill energy = ASSAY_UNIFORM(0, 1);
    const bool       sorts  = s->param[SCATTER_PARAM_OUTPUTS] == SCATTER_STAGES;

    s->buf[SCATTER_BUF_POS]    = (assay_buffer) { "pos", ASSAY_IN, ASSAY_F32, 3 * n, f.pos };
    s->buf[SCATTER_BUF_VEL]    = (assay_buffer) { "vel", ASSAY_IN, ASSAY_F32, 3 * n, f.vel };
    s->buf[SCATTER_BUF_MASS]   = (assay_buffer) { "mass", ASSAY_IN, ASSAY_F32, n, f.mass };
    s->buf[SCATTER_BUF_HEAT]   = (assay_buffer) { "heat", ASSAY_IN, ASSAY_F32, n, f.heat };
    s->buf[SCATTER_BUF_ENERGY] = (assay_buffer) { "energy", ASSAY_IN, ASSAY_F32, n, energy };
    s->buf[SCATTER_BUF_RHO]    = (assay_buffer) { "rho", ASSAY_OUT, ASSAY_F32, cells, { 0 } };
    s->buf[SCATTER_BUF_MOM]    = (assay_buffer) { "mom", ASSAY_OUT, ASSAY_F32, 3 * cells, { 0 } };
    s->buf[SCATTER_BUF_E_INT]  = (assay_buffer) { "e_int", ASSAY_OUT, ASSAY_F32, cells, { 0 } };
    s->buf[SCATTER_BUF_ERRORS] = (assay_buffer) { "errors", ASSAY_OUT, ASSAY_U32, 1, { 0 } };
    s->bytes_read              = 32 * n + (sorts ? 4 * n : 0);
    s->bytes_written           = 20 * cells + 4;
}

/* Arithmetic of a particle: place 9, weights 15, and at each corner m w, four products and five
 * sums. */
enum {
    FLOPS_PARTICLE = 9 + 15 + 8 * 10
};

static void thermo_scatter_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *g     = axis[AXIS_GRID].i;
    const int64_t  cells = g[0] * g[1] * g[2];

    for (int d = 0; d < 3; d++)
        s->param[SCATTER_PARAM_GX + d] = g[d];
    s->param[SCATTER_PARAM_DISTRIBUTION] = axis[AXIS_DISTRIBUTION].i[0];
    s->param[SCATTER_PARAM_OUTPUTS]      = axis[AXIS_OUTPUTS].i[0];
    s->scalar[SCATTER_SCALAR_DX]         = (double)(float)(1.0 / (double)longest_side(g));
    s->cells                             = axis[AXIS_N].i[0];
    s->flops                             = FLOPS_PARTICLE * (double)s->cells;
    set_buffers(s, input, s->cells, cells);
    set_stages(s, s->cells, cells);
}

static const char *thermo_scatter_uncountable(const assay_value *axis)
{
    return thermo_uncountable_sizes(axis[AXIS_GRID].i, axis[AXIS_N].i[0]);
}

/* Crowds and clusters only with the most particles and cells; a long grid once. */
static const char *excluded_quick(int64_t cells, int64_t n, int64_t distribution, int64_t outputs)
{
    enum {
        LONG = 10000
    };

    if (cells < 100 && n > 1000)
        return "sums of this many particles in few nodes hide mistakes";
    if (cells > LONG && (n < 1000 || distribution != SCATTER_UNIFORM || outputs != SCATTER_FIELDS))
        return "a long grid is for the number of tiles";
    return distribution != SCATTER_UNIFORM && (n < 1000 || cells < 1000)
               ? "too few particles or cells to show a distribution"
               : NULL;
}

/* Full sizes: 1 to 64 particles a cell, fields only, no crowd in one place. */
static const char *thermo_scatter_excluded(const assay_value *axis)
{
    const int64_t *g       = axis[AXIS_GRID].i;
    const int64_t  cells   = g[0] * g[1] * g[2];
    const int64_t  n       = axis[AXIS_N].i[0];
    const bool     is_full = axis[AXIS_GRID].tier == ASSAY_FULL;

    if (g[0] < 1 || g[1] < 1 || g[2] < 1)
        return "a grid without cells";
    if (is_full != (axis[AXIS_N].tier == ASSAY_FULL))
        return "a small grid with many particles, or a large one with few";
    if (!is_full)
        return excluded_quick(cells, n, axis[AXIS_DISTRIBUTION].i[0], axis[AXIS_OUTPUTS].i[0]);
    if (thermo_excluded_load(cells, n))
        return thermo_excluded_load(cells, n);
    if (axis[AXIS_DISTRIBUTION].i[0] >= SCATTER_ONE_CELL)
        return "a crowd is for small sizes";
    return axis[AXIS_OUTPUTS].i[0] == SCATTER_STAGES ? "stages are for small sizes" : NULL;
}

static const char *thermo_scatter_input_excluded(const assay_value *axis, assay_input input)
{
    return thermo_excluded_input(axis[AXIS_GRID].i, input);
}

/* ---- variants ---- */

static const char *sorts_nothing(const assay_shape *s)
{
    return s->param[SCATTER_PARAM_OUTPUTS] == SCATTER_STAGES
               ? "does not sort by cell, so there are no stages"
               : NULL;
}

/* Bytes by design. Particles: pos, vel, mass, heat are 32, and 36 with the oscillator's energy; a
 * bin or a number is 4. Nodes: 20 to clear, 40 to add to. */
static int64_t nodes_of(const assay_shape *s) { return s->buf[SCATTER_BUF_RHO].count; }

static int64_t atomic_bytes(const assay_shape *s) { return 32 * s->cells + 60 * nodes_of(s); }
/* Nodes of 16 bytes: cleared, added to and unpacked. */
static int64_t vector_bytes(const assay_shape *s)
{
    return 32 * s->cells + (16 + 32 + 16 + 16 + 12) * nodes_of(s);
}
/* Bin 32 + 4, count 4, reorder 36 + 4 + 36 + 4, deposit 32; counts and starts. */
static int64_t sorted_particle_bytes(const assay_shape *s)
{
    return 152 * s->cells + (60 + 24) * nodes_of(s);
}
/* Bin 32 + 4, count 4, place 4 + 4, order 4 + 4, records 4 + 32 + 32, deposit 32. */
static int64_t sorted_cell_bytes(const assay_shape *s)
{
    return 156 * s->cells + (20 + 24) * nodes_of(s);
}
/* Bin 32 + 4, number 4, four passes of 16, starts 4, records 4 + 32 + 32, deposit 32. */
static int64_t sorted_cub_bytes(const assay_shape *s)
{
    return 208 * s->cells + (20 + 12) * nodes_of(s);
}
/* Count 12 + 4, reorder 32 + 4 + 32, deposit 32. */
static int64_t tiled_bytes(const assay_shape *s) { return 116 * s->cells + 60 * nodes_of(s); }

/* ---- the case ---- */

#define WHY_FIELDS                                                                                 \
    "a term carries at most 9 roundings, a sum of k terms k - 1 more, or 4 sqrt(k) as they do "    \
    "not all point one way, and each addition in a GPU's global memory may lose what is below "    \
    "2^-126, twice; the reference counts the k terms of each node and gives (9 + min(k - 1, "      \
    "4 sqrt(k))) sum|terms| + 2^-101 k as its magnitude, so c = 1"
#define WHY_SORTED                                                                                 \
    {                                                                                              \
        .rule = ASSAY_RULE_OWN, .why = "the order within a cell is free: each particle once, in "  \
                                       "its cell, with all its values"                             \
    }

const assay_case assay_case_thermo_scatter = {
    .name           = "thermo_scatter",
    .group          = "thermo",
    .what           = "particles deposit mass, momentum and heat on a periodic grid, cloud in cell",
    .version        = 1,
    .axes           = {
        THERMO_AXIS_GRID,
        THERMO_AXIS_N,
        ASSAY_AXIS("distribution", ASSAY_AXIS_TEXT, ASSAY_WORD(SCATTER_UNIFORM, "uniform"),
                   ASSAY_WORD(SCATTER_CLUSTERED, "clustered"),
                   ASSAY_WORD(SCATTER_ONE_CELL, "one_cell"),
                   ASSAY_WORD(SCATTER_ONE_FACE, "one_face")),
        ASSAY_AXIS("outputs", ASSAY_AXIS_TEXT, ASSAY_WORD(SCATTER_FIELDS, "fields"),
                   ASSAY_WORD(SCATTER_STAGES, "stages")),
    },
    .inputs         = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = thermo_scatter_shape,
    .reference      = thermo_scatter_reference,
    .compare        = compare_sorted,
    .uncountable    = thermo_scatter_uncountable,
    .excluded       = thermo_scatter_excluded,
    .input_excluded = thermo_scatter_input_excluded,
    .tol            = { .rule   = ASSAY_RULE_BOUND,
                        .c      = 1,
                        .u_out  = ASSAY_U32_ROUNDOFF,
                        .u_acc  = ASSAY_U32_ROUNDOFF,
                        .growth = ASSAY_G_ONE,
                        .why    = WHY_FIELDS },
    .tol_for        = { { "sorted_index", WHY_SORTED },
                        { "sorted_pos", WHY_SORTED },
                        { "sorted_vel", WHY_SORTED },
                        { "sorted_mass", WHY_SORTED },
                        { "sorted_heat", WHY_SORTED },
                        { "sorted_energy", WHY_SORTED } },
    .invariants     = {
        { "mass", "dx^3 times the sum of rho is the mass of the particles", mass_is_conserved, NULL },
        { "momentum", "dx^3 times the sum of mom is the momentum of the particles",
          momentum_is_conserved, NULL },
        { "heat", "dx^3 times the sum of e_int is the heat of the particles", heat_is_conserved,
          NULL },
    },
    .variants       = {
        { .name        = "atomic_native",
          .launch      = "thermo_scatter_atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .unsupported = sorts_nothing,
          .bytes_moved = atomic_bytes },
        { .name        = "atomic_cas",
          .launch      = "thermo_scatter_atomic_cas",
          .baseline    = "atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .unsupported = sorts_nothing,
          .bytes_moved = atomic_bytes },
        { .name        = "atomic_vector",
          .launch      = "thermo_scatter_atomic_vector",
          .workspace   = "thermo_scatter_atomic_vector_workspace",
          .baseline    = "atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .unsupported = sorts_nothing,
          .bytes_moved = vector_bytes },
        { .name        = "sorted_cas",
          .what        = "as in Metal: counting sort of whole particles, then additions by compare "
                         "and swap; 256 threads a block, always",
          .launch      = "thermo_scatter_sorted_cas",
          .workspace   = "thermo_scatter_sorted_particle_workspace",
          .baseline    = "atomic_native",
          .bytes_moved = sorted_particle_bytes },
        { .name        = "sorted_particle",
          .launch      = "thermo_scatter_sorted_particle",
          .workspace   = "thermo_scatter_sorted_particle_workspace",
          .baseline    = "atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .bytes_moved = sorted_particle_bytes },
        { .name        = "sorted_cell",
          .launch      = "thermo_scatter_sorted_cell",
          .workspace   = "thermo_scatter_sorted_cell_workspace",
          .baseline    = "atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .flags       = ASSAY_DETERMINISTIC,
          .bytes_moved = sorted_cell_bytes },
        { .name        = "sorted_cub",
          .launch      = "thermo_scatter_sorted_cub",
          .workspace   = "thermo_scatter_sorted_cub_workspace",
          .baseline    = "atomic_native",
          .tuning      = { THERMO_BLOCKS },
          .flags       = ASSAY_DETERMINISTIC,
          .gpu_only    = "the radix sort of CUB",
          .bytes_moved = sorted_cub_bytes },
        { .name        = "tiled",
          .launch      = "thermo_scatter_tiled",
          .workspace   = "thermo_scatter_tiled_workspace",
          .baseline    = "atomic_native",
          .tuning      = { ASSAY_TUNING("window", 1024, 512, 2048, 4096),
                           ASSAY_TUNING("items", 16, 8, 4),
                           ASSAY_TUNING("block", 256, 512) },
          .unsupported = sorts_nothing,
          .bytes_moved = tiled_bytes },
        { .name        = "torch_eager",
          .peer        = { "thermo_scatter.py", "eager" },
          .baseline    = "atomic_native",
          .unsupported = sorts_nothing },
        { .name        = "triton",
          .peer        = { "thermo_scatter.py", "triton" },
          .baseline    = "atomic_native",
          .unsupported = sorts_nothing },
        { .name        = "triton_sorted",
          .peer        = { "thermo_scatter.py", "triton_sorted" },
          .baseline    = "sorted_particle" },
    },
};
