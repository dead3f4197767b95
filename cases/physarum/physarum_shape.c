/* Inputs of the physarum cases, and which sizes are combined. */
#include "physarum_shape.h"

#include "physarum_settings.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static double unit_interval(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }

/* Height for y, width for x: coordinates come in pairs. */
static int64_t extent_of(int64_t i, const assay_shape *s)
{
    return s->param[i % 2 == 0 ? PHYSARUM_PARAM_HEIGHT : PHYSARUM_PARAM_WIDTH];
}

/* Also in fp32 below the extent. */
static double below(double v, int64_t extent)
{
    const float most = nextafterf((float)extent, 0);

    return v < (double)most ? v : (double)most;
}

/* ---- random: as a simulation begins, with agents on whole cells and an empty field */

static double whole_cell(uint64_t random, int64_t i, const assay_shape *s)
{
    return floor(unit_interval(random) * (double)extent_of(i, s));
}

/* ---- indexed: positions anywhere, and a field that tells where it was read */

static double anywhere(uint64_t random, int64_t i, const assay_shape *s)
{
    return below(unit_interval(random) * (double)extent_of(i, s), extent_of(i, s));
}

/* ---- adversarial: ties, edges, seams and crowds */

static uint64_t mix(uint64_t v)
{
    v = (v ^ (v >> 30)) * 0xBF58476D1CE4E5B9u;
    v = (v ^ (v >> 27)) * 0x94D049BB133111EBu;
    return v ^ (v >> 31);
}

/* Kinds of agents. In torch semantics agent c gets samples of agents c/3, (n+c)/3 and (2n+c)/3:
 * where the upper two thirds are alike, left and right tie for every agent whenever n is a multiple
 * of 3. */
enum {
    ON_EDGE  = 0, /* at a corner of a cell or of the world */
    IN_CROWD = 1, /* many in one cell */
    N_KINDS  = 16 /* the others, in the middle of a cell */
};

static uint64_t agent_bits(int64_t agent, const assay_shape *s)
{
    const int64_t third    = s->param[PHYSARUM_PARAM_AGENTS] / 3;
    const bool    is_torch = s->param[PHYSARUM_PARAM_SEMANTICS] == PHYSARUM_TORCH;
    const int64_t like     = is_torch && third > 0 && agent >= 2 * third ? agent - third : agent;

    return mix((uint64_t)like + 0x9E3779B97F4A7C15u);
}

static double hard_place(uint64_t random, int64_t i, const assay_shape *s)
{
    const uint64_t bits    = agent_bits(i / 2, s);
    const uint64_t axis    = mix(bits + (uint64_t)(i % 2));
    const int64_t  extent  = extent_of(i, s);
    const double   cell    = floor(unit_interval(axis) * (double)extent);
    const double   edge[4] = { 0, (double)nextafterf((float)extent, 0), cell, cell + 0x1p-12 };

    (void)random;
    if (bits % N_KINDS == ON_EDGE)
        return below(edge[axis % 4], extent);
    return (bits % N_KINDS == IN_CROWD ? floor((double)extent / 2) : cell) + 0.5;
}

/* Eight directions, turned a little, so that a sensor of an agent in the middle of a cell is not
 * close to an edge: their 5 sin and 5 cos end in .25, .36, .71 and .99, and halves are added. (With
 * sensors at 13 cells, or 7.3, or turned by thirds of half a turn, they are not close to edges
 * either.) */
static double hard_angle(uint64_t random, int64_t i, const assay_shape *s)
{
    const uint64_t bits = agent_bits(i, s);

    (void)random;
    return ((double)(bits >> 32 & 7) - 4) * PI / 4 + 0.05;
}

/* Three levels: most decisions are ties. */
static double hard_field(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)i, (void)s;
    return (double)(random % 3);
}

/* ---- shape */

typedef struct state_fill {
    assay_fill pos, angle, field;
} state_fill;

static state_fill fill_of(assay_input input)
{
    const assay_fill angle = ASSAY_UNIFORM(-PI, PI);

    switch (input) {
    case ASSAY_INPUT_INDEXED:
        return (state_fill) { ASSAY_CUSTOM(anywhere), angle, ASSAY_INDEX(1021, 1.0 / 64) };
    case ASSAY_INPUT_ADVERSARIAL:
        return (state_fill) { ASSAY_CUSTOM(hard_place), ASSAY_CUSTOM(hard_angle),
                              ASSAY_CUSTOM(hard_field) };
    case ASSAY_INPUT_RANDOM:
    case ASSAY_INPUT_EXACT:
    case ASSAY_INPUT_SMOOTH:
    case ASSAY_N_INPUTS:
        break;
    }
    return (state_fill) { ASSAY_CUSTOM(whole_cell), angle, ASSAY_INTEGERS(0, 0, 1) };
}

static void set_params(const physarum_point *p, assay_shape *s)
{
    s->param[PHYSARUM_PARAM_HEIGHT]    = p->height;
    s->param[PHYSARUM_PARAM_WIDTH]     = p->width;
    s->param[PHYSARUM_PARAM_AGENTS]    = p->agents;
    s->param[PHYSARUM_PARAM_SEMANTICS] = p->semantics;
    s->param[PHYSARUM_PARAM_BLUR]      = p->blur;
    s->param[PHYSARUM_PARAM_START]     = p->start;
    s->param[PHYSARUM_PARAM_STEPS]     = p->steps;
}

/* Arithmetic of an agent: three sensors (two products and sums, a wrap), four sine and cosine pairs
 * counted as one each, turn, move; of a cell: the mean, the blend, the decay. */
enum {
    FLOPS_AGENT = 40,
    AGENT_BYTES = 12,
    CELL_BYTES  = 4
};

void physarum_set_shape(const physarum_point *p, assay_input input, assay_shape *s)
{
    const state_fill fill  = fill_of(input);
    const int64_t    cells = p->width * p->height, n = p->agents;

    set_params(p, s);
    physarum_set_scalars(p->setting, s);
    s->buf[PHYSARUM_BUF_POS]   = (assay_buffer) { "pos", ASSAY_IN, ASSAY_F32, 2 * n, fill.pos };
    s->buf[PHYSARUM_BUF_ANGLE] = (assay_buffer) { "angle", ASSAY_IN, ASSAY_F32, n, fill.angle };
    s->buf[PHYSARUM_BUF_FIELD] = (assay_buffer) { "field", ASSAY_IN, ASSAY_F32, cells, fill.field };
    s->buf[PHYSARUM_BUF_NEW_POS] =
        (assay_buffer) { .name = "new_pos", .role = ASSAY_OUT, .type = ASSAY_F32, .count = 2 * n };
    s->buf[PHYSARUM_BUF_NEW_ANGLE] =
        (assay_buffer) { .name = "new_angle", .role = ASSAY_OUT, .type = ASSAY_F32, .count = n };
    s->buf[PHYSARUM_BUF_NEW_FIELD] = (assay_buffer) {
        .name = "new_field", .role = ASSAY_OUT, .type = ASSAY_F32, .count = cells
    };
    s->cells = n * p->steps;
    s->flops = (double)p->steps *
               (FLOPS_AGENT * (double)n + (double)(p->blur * p->blur + 4) * (double)cells);
    s->bytes_read    = AGENT_BYTES * n + CELL_BYTES * cells;
    s->bytes_written = AGENT_BYTES * n + CELL_BYTES * cells;
}

/* A call of many steps also stores the state before its last one. */
void physarum_set_run_shape(const physarum_point *p, assay_input input, assay_shape *s)
{
    static const char *const before[3] = { "before_pos", "before_angle", "before_field" };

    physarum_set_shape(p, input, s);
    s->param[PHYSARUM_PARAM_KEEPS_BEFORE] = true;
    for (int b = 0; b < 3; b++) {
        s->buf[PHYSARUM_BUF_BEFORE_POS + b]      = s->buf[PHYSARUM_BUF_NEW_POS + b];
        s->buf[PHYSARUM_BUF_BEFORE_POS + b].name = before[b];
    }
}

/* ---- which sizes can be counted, and which of the listed ones are combined */

const char *physarum_uncountable_sizes(const physarum_point *p)
{
    const int64_t most_side = 1 << 15, most_agents = 1 << 28, most_steps = 1 << 20;

    if (p->width > most_side || p->height > most_side)
        return "a grid has up to 32768 cells a side";
    if (p->agents > most_agents)
        return "there are up to 2^28 agents";
    return p->start > most_steps || p->steps > most_steps ? "there are up to 2^20 steps" : NULL;
}

/* Edge sizes: few agents on tiny grids, some on the others. */
static const char *excluded_small(const physarum_point *p)
{
    const int64_t cells   = p->width * p->height;
    const bool    is_tiny = cells < 32;
    const bool    is_wide = p->width == 256 && p->height == 128;

    if (is_wide != (p->agents == PHYSARUM_MANY))
        return "edge sizes: the largest number of agents goes with the largest grid only";
    if (is_tiny != (p->agents <= 6) && !(p->agents == 1 && cells < 1024))
        return "edge sizes: up to 6 agents on tiny grids, more on the others";
    if (!is_tiny && p->agents == 1023 && cells < 1024)
        return "edge sizes: 1023 agents go with the larger grids only";
    if (!is_tiny && p->agents < 1023 && cells >= 1024)
        return "edge sizes: 1023 agents on the larger grids";
    if ((is_tiny && p->start > 1) || (cells >= 1024 && p->start != 10))
        return "edge sizes: late states on one grid";
    if (p->start > 100)
        return "edge sizes: the first 100 steps";
    return p->blur == 5 && p->start != (is_tiny ? 1 : 10) ? "blur 5: one state a grid" : NULL;
}

/* Real sizes: as many agents as cells on every grid, the article's 100 agents on every grid, and
 * every number of agents on 1024 x 1024. */
static const char *excluded_large(const physarum_point *p)
{
    const int64_t cells   = p->width * p->height;
    const bool    is_mega = p->width == 1024;

    if (p->agents != cells && p->agents != 100 && !is_mega)
        return "real sizes: an agent a cell, 100 agents, or any number on 1024 x 1024";
    if (p->agents > 16 * cells && (p->start != 0 || p->steps == 1))
        return "real sizes: more than 16 agents a cell for many steps from the start alone";
    if (p->start != 0 && p->start != 200 && !(p->width == 256 && p->start == 100))
        return "real sizes: at the start, and after 200 steps, when trails have formed";
    return p->blur == 5 && !is_mega ? "blur 5: on 1024 x 1024" : NULL;
}

static bool is_power_of_2(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

/* Numbers that the axes list; others are the user's choice, and can all be combined. */
static bool is_listed(const physarum_point *p)
{
    const bool is_grid =
        p->width < 256 || p->height < 256 || (p->width == p->height && is_power_of_2(p->width));
    const bool is_agents = p->agents <= 6 || p->agents == 100 || p->agents == 257 ||
                           p->agents == 1023 || p->agents == PHYSARUM_MANY || p->agents == 10000 ||
                           (p->agents >= 1 << 16 && is_power_of_2(p->agents));

    return is_grid && is_agents;
}

/* The small grid of the quick tier. */
static bool is_edge_grid(const physarum_point *p) { return p->width == 3 && p->height == 2; }

const char *physarum_excluded_sizes(const physarum_point *p)
{
    const bool is_large = p->width >= 256 && p->height >= 256;
    const bool is_many  = p->agents == 100 || p->agents > PHYSARUM_MANY;

    if (p->width < 1 || p->height < 1)
        return "a grid without cells";
    if (p->blur != 3 && p->blur != 5)
        return "the mean is over 3 x 3 or 5 x 5 cells";
    if (p->steps < 1)
        return "a call without a step";
    if (p->semantics == PHYSARUM_TORCH && (p->width < 2 || p->height < 2))
        return "torch semantics divide by the extent less one";
    if (p->semantics == PHYSARUM_TORCH && (p->width < 9 || p->height < 9) && !is_edge_grid(p))
        return "torch semantics on a small grid: sensors see its border, and roundings decide the "
               "turns";
    if (!is_listed(p))
        return NULL;
    if (is_large != is_many)
        return "edge sizes of one axis with real ones of another";
    return is_large ? excluded_large(p) : excluded_small(p);
}

const char *physarum_excluded_input(const physarum_point *p, assay_input input)
{
    return input != ASSAY_INPUT_RANDOM && p->start > 0
               ? "a state of its own, not one that a simulation comes to"
               : NULL;
}

/* ---- parts of a step, by the kernels that do them; in a peer by its ranges, which have the
 * article's names */

const assay_section_name physarum_sections[] = {
    { "sense_compute_offsets", "sense_compute_offsets" },
    { "sense_sample_points", "sense_sample_points" },
    { "sense_grid_sample", "sense_grid_sample" },
    { "step_sensing", "sensing" },
    { "step_steering", "steering" },
    { "step_movement", "movement" },
    { "step_deposition", "deposition" },
    { "step_diffusion", "diffusion" },
    { "sense_compute_offsets_kernel", "sense_compute_offsets" },
    { "sense_sample_points_kernel", "sense_sample_points" },
    { "sense_grid_sample_kernel", "sense_grid_sample" },
    { "sensing_kernel", "sensing" },
    { "steering_kernel", "steering" },
    { "movement_kernel", "movement" },
    { "deposition_kernel", "deposition" },
    { "diffusion_kernel", "diffusion" },
    { "agent_sense_and_update_kernel", "sensing, steering, movement" },
    { "pheromone_deposit_kernel", "deposition" },
    { "blur_kernel", "diffusion" },
    { "blend_kernel", "diffusion" },
    { "decay_kernel", "diffusion" },
    { "agent_step_kernel", "sensing to deposition" },
    { "sorted_step_kernel", "sensing to deposition" },
    { "resident_kernel", "sensing to diffusion" },
    { "update_cells_kernel", "diffusion" },
    { "update_rows_kernel", "diffusion" },
    { "count_kernel", "sorting" },
    { "scan_kernel", "sorting" },
    { "scatter_kernel", "sorting" },
    { "split_kernel", "sorting" },
    { "memset", "sorting" },
    { "physarum_copy_kernel", "copies of the call" },
    { NULL, NULL },
};
