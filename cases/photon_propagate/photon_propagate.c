/* photon_propagate: photons through a detector of triangles, one step from given states or whole
 * histories. What does a resident kernel gain over a launch for each step? Random numbers have no
 * state, so that a history depends only on its key, whatever the schedule.
 * docs/photon_propagate.md. */
#include "photon_propagate_compare.h"
#include "photon_propagate_inputs.h"
#include "photon_propagate_mesh.h"

#include "../../kernels/photon_propagate/propagate_case.h"

assay_reference_fn photon_propagate_reference; /* reference/photon_propagate/photon_propagate.c */
assay_launch_fn    photon_propagate_cpu_ref;
assay_launch_fn    photon_propagate_cpu_omp; /* kernels/photon_propagate/cpu_omp.c */

enum {
    AXIS_OUTPUT,
    AXIS_GEOMETRY,
    AXIS_MATERIAL,
    AXIS_PHOTONS
};

enum {
    OUTPUT_STEP,
    OUTPUT_HISTORY,
    MOST_STEPS = 64,
    FEW_STEPS  = 6,  /* so that some photons use them up */
    FEW        = 100 /* photons */
};

/* ---- buffers */

static void set_buffer(assay_shape *s, int b, const char *name, assay_role role, assay_type type,
                       int64_t count)
{
    s->buf[b] = (assay_buffer) { .name = name, .role = role, .type = type, .count = count };
}

/* .prepare writes all inputs except the number of the event, which comes from the seed. */
static void set_buffers(assay_shape *s)
{
    const int64_t    photons   = s->param[PROPAGATE_PARAM_PHOTONS];
    const int64_t    triangles = s->param[PROPAGATE_PARAM_TRIANGLES];
    const int64_t    lanes     = (photons + PHOTON_PAGE - 1) / PHOTON_PAGE * PHOTON_PAGE;
    const int64_t    rows      = PHOTON_GENERATIONS * photons;
    const assay_role pages     = s->param[PROPAGATE_PARAM_IS_HISTORY] ? ASSAY_WORK : ASSAY_INOUT;
    const int64_t    nodes     = photon_geometry_nodes_most(triangles);

    set_buffer(s, PROPAGATE_BUF_NODES, "nodes", ASSAY_IN, ASSAY_U32, 8 * nodes);
    set_buffer(s, PROPAGATE_BUF_TRIANGLES, "triangles", ASSAY_IN, ASSAY_F32, 12 * triangles);
    set_buffer(s, PROPAGATE_BUF_FACES, "faces", ASSAY_IN, ASSAY_U32, 2 * triangles);
    set_buffer(s, PROPAGATE_BUF_MEDIA, "media", ASSAY_IN, ASSAY_F32,
               PHOTON_MEDIA * PHOTON_MEDIUM_SIZE);
    set_buffer(s, PROPAGATE_BUF_SURFACES, "surfaces", ASSAY_IN, ASSAY_F32,
               PHOTON_SURFACES * PHOTON_SURFACE_SIZE);
    set_buffer(s, PROPAGATE_BUF_EVENT, "event", ASSAY_IN, ASSAY_U32, 1);
    s->buf[PROPAGATE_BUF_EVENT].fill = (assay_fill)ASSAY_INTEGERS(0, 1 << 30, 1);
    set_buffer(s, PROPAGATE_BUF_WEIGHT, "weight", ASSAY_IN, ASSAY_F32,
               s->param[PROPAGATE_PARAM_IS_HISTORY] ? photons : 0);
    set_buffer(s, PROPAGATE_BUF_REAL, "real", pages, ASSAY_F32, PHOTON_REALS * lanes);
    set_buffer(s, PROPAGATE_BUF_WORD, "word", pages, ASSAY_U32, PHOTON_WORDS * lanes);
    set_buffer(s, PROPAGATE_BUF_END_PLACE, "end_place", ASSAY_OUT, ASSAY_F32, 3 * rows);
    set_buffer(s, PROPAGATE_BUF_END_TIME, "end_time", ASSAY_OUT, ASSAY_F32, rows);
    set_buffer(s, PROPAGATE_BUF_END_FLAGS, "end_flags", ASSAY_OUT, ASSAY_U32, rows);
    set_buffer(s, PROPAGATE_BUF_END_FACE, "end_face", ASSAY_OUT, ASSAY_I32, rows);
    set_buffer(s, PROPAGATE_BUF_END_WEIGHT, "end_weight", ASSAY_OUT, ASSAY_F32, rows);
    set_buffer(s, PROPAGATE_BUF_TALLY, "tally", ASSAY_OUT, ASSAY_U32,
               PHOTON_TALLIES + s->param[PROPAGATE_PARAM_SENSORS]);
}

/* ---- the shape */

/* The source is off the centre: nothing is symmetric about it. */
static void set_source(assay_shape *s)
{
    s->scalar[PROPAGATE_SCALAR_SOURCE_X]    = 0.37;
    s->scalar[PROPAGATE_SCALAR_SOURCE_Y]    = -0.21;
    s->scalar[PROPAGATE_SCALAR_SOURCE_Z]    = 0.13;
    s->scalar[PROPAGATE_SCALAR_SOURCE_TIME] = 5;
}

/* Bytes: the tables once; for a step, states in and out; for a history, weights in, and the records
 * of a photon and of those that followed it. */
static void set_work(assay_shape *s)
{
    const int64_t photons = s->param[PROPAGATE_PARAM_PHOTONS];
    const int64_t state = 4 * (PHOTON_WEIGHT + PHOTON_WORDS), record = 4 * 7;
    const bool    is_step = !s->param[PROPAGATE_PARAM_IS_HISTORY];

    s->cells      = photons;
    s->bytes_read = is_step ? state * photons : 4 * photons;
    for (int b = PROPAGATE_BUF_NODES; b <= PROPAGATE_BUF_SURFACES; b++)
        s->bytes_read += 4 * s->buf[b].count;
    s->bytes_written = (is_step ? state : 0) * photons + record * PHOTON_GENERATIONS * photons;
}

static void photon_propagate_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int  geometry   = (int)axis[AXIS_GEOMETRY].i[0];
    const int  material   = (int)axis[AXIS_MATERIAL].i[0];
    const bool is_history = axis[AXIS_OUTPUT].i[0] == OUTPUT_HISTORY;

    s->param[PROPAGATE_PARAM_GEOMETRY]   = geometry;
    s->param[PROPAGATE_PARAM_MATERIAL]   = material;
    s->param[PROPAGATE_PARAM_PHOTONS]    = axis[AXIS_PHOTONS].i[0];
    s->param[PROPAGATE_PARAM_STEPS]      = !is_history                     ? 1
                                           : axis[AXIS_PHOTONS].i[0] < FEW ? FEW_STEPS
                                                                           : MOST_STEPS;
    s->param[PROPAGATE_PARAM_IS_HISTORY] = is_history;
    s->param[PROPAGATE_PARAM_SENSORS]    = photon_propagate_sensors(geometry);
    s->param[PROPAGATE_PARAM_TRIANGLES]  = photon_propagate_triangles(geometry);
    s->param[PROPAGATE_PARAM_MEDIUM]     = photon_propagate_medium(geometry);
    s->param[PROPAGATE_PARAM_IS_HARD]    = input == ASSAY_INPUT_ADVERSARIAL;
    set_source(s);
    set_buffers(s);
    set_work(s);
}

/* ---- which values go together */

static const char *photon_propagate_uncountable(const assay_value *axis)
{
    return axis[AXIS_PHOTONS].i[0] > 1 << 28 ? "there are up to 2^28 photons" : NULL;
}

static const char *excluded_small(const assay_value *axis)
{
    const int64_t geometry = axis[AXIS_GEOMETRY].i[0], material = axis[AXIS_MATERIAL].i[0];
    const int64_t photons = axis[AXIS_PHOTONS].i[0];

    if (geometry == PHOTON_LARGE)
        return "edge sizes in small detectors";
    if (photons < 33 && (geometry != PHOTON_BOX || material != PHOTON_SCINTILLATOR))
        return "up to 32 photons: in the box, with a scintillator";
    if (photons < 1009 && geometry != PHOTON_BOX && material == PHOTON_WATER)
        return "edge sizes: water in the box";
    return photons == 1009 && (geometry != PHOTON_SPHERE || material != PHOTON_WHITE)
               ? "1009 photons: in the white sphere"
               : NULL;
}

/* Real sizes: the scintillator in every detector, the others in one; the reference of 100 million
 * histories takes minutes. */
static const char *excluded_large(const assay_value *axis)
{
    const int64_t geometry = axis[AXIS_GEOMETRY].i[0], material = axis[AXIS_MATERIAL].i[0];
    const int64_t photons = axis[AXIS_PHOTONS].i[0], million = 1000000;

    if (geometry == PHOTON_OBJ)
        return "real sizes in detectors that close";
    if (axis[AXIS_OUTPUT].i[0] == OUTPUT_STEP &&
        (material != PHOTON_SCINTILLATOR || photons < million || photons > 10 * million))
        return "one step: 1 and 10 million photons, with a scintillator";
    if (material != PHOTON_SCINTILLATOR && (geometry != PHOTON_SPHERE || photons > million))
        return "water and white walls: in the sphere, up to 1 million photons";
    return photons > 10 * million && geometry != PHOTON_SPHERE
               ? "100 million photons: in the sphere"
               : NULL;
}

static const char *excluded_mesh(int64_t photons)
{
    return photons != 257 && (photons < 1000 || photons == 1009 || photons > 10000000)
               ? "a mesh of one's own: 257 photons, and 1000 to 10 million"
               : NULL;
}

static const char *photon_propagate_excluded(const assay_value *axis)
{
    const int64_t photons   = axis[AXIS_PHOTONS].i[0];
    const bool    is_listed = photons < 10000 || photons % 10000 == 0;

    const char *const no_material =
        photon_propagate_no_material((int)axis[AXIS_GEOMETRY].i[0], (int)axis[AXIS_MATERIAL].i[0]);

    if (axis[AXIS_GEOMETRY].i[0] == PHOTON_OBJ && axis[AXIS_MATERIAL].i[0] == PHOTON_WATER)
        return "the open tank has no vessel: its medium is the tank's, whatever is in a vessel";
    if (axis[AXIS_GEOMETRY].i[0] == PHOTON_MESH_FILE && photon_propagate_no_mesh())
        return photon_propagate_no_mesh();
    if (no_material)
        return no_material;
    if (axis[AXIS_GEOMETRY].i[0] == PHOTON_MESH_FILE)
        return is_listed ? excluded_mesh(photons) : NULL;
    if (!is_listed)
        return NULL;
    return photons <= 1009 && photons != 1000 ? excluded_small(axis) : excluded_large(axis);
}

static const char *photon_propagate_input_excluded(const assay_value *axis, assay_input input)
{
    return axis[AXIS_OUTPUT].i[0] == OUTPUT_HISTORY && input != ASSAY_INPUT_RANDOM
               ? "a history begins at its source"
               : NULL;
}

/* ---- what takes too long */

static const char *not_in_one_thread(const assay_shape *s)
{
    return s->param[PROPAGATE_PARAM_PHOTONS] > 1000000 ? "one thread: up to 1 million photons"
                                                       : NULL;
}

static const char *not_on_a_cpu(const assay_shape *s)
{
    return s->param[PROPAGATE_PARAM_PHOTONS] > 10000000 ? "on a CPU: up to 10 million photons"
                                                        : NULL;
}

/* ---- the case */

#define WHY_RUNNING                                                                                \
    "the reference carries with every photon the errors of its place, direction, polarisation, "   \
    "time and wavelength, a few roundings more with each operation; decisions within them are "    \
    "in doubt"
#define WHY_WEIGHT "a record has the weight of its photon, bit for bit: nothing changes it"
#define WHY_TALLY                                                                                  \
    "every photon ends once, others in the places of those re-emitted; the tally is the sum of "   \
    "the kernel's own records"

static const assay_section_name photon_propagate_sections[] = {
    { "initialize_kernel", "initialize" },
    { "fill_kernel", "initialize" },
    { "graph_start_kernel", "initialize" },
    { "propagate_step_kernel", "propagate" },
    { "propagate_persistent_kernel", "propagate" },
    { "propagate_specialised_kernel", "propagate" },
    { "propagate_list_kernel", "propagate" },
    { "emit_secondary_kernel", "emit_secondary" },
    { "graph_turn_kernel", "compact" },
    { "tally_kernel", "postprocess" },
    { NULL, NULL },
};

/* Threads of a block; nodes of the tree that it keeps in shared memory. */
#define TUNING_BLOCK  ASSAY_TUNING("block", 256, 128)
#define TUNING_STAGED ASSAY_TUNING("staged", 512, 128)
/* Steps before a photon goes back into its queue; lanes without a photon before a warp takes
 * more. */
#define TUNING_BUDGET ASSAY_TUNING("budget", 64, 8)
#define TUNING_VACANT ASSAY_TUNING("vacant", 8, 1, 16)
/* Photons in the shared memory of a block; the eighths of its warps that walk the tree. */
#define TUNING_WARPS   ASSAY_TUNING("block", 256, 128, 512)
#define TUNING_SLOTS   ASSAY_TUNING("slots", 256, 128)
#define TUNING_TRACING ASSAY_TUNING("tracing", 4, 2, 6)

static const assay_unseen unseen[] = {
    { "persistent_specialised", ASSAY_GPU_TOOL_RACECHECK,
      "persistent_specialised.cu, resident.cuh, ring_queue.cuh, kernel_cuda.h, photon_step.h, "
      "photon_respond.h, photon_trace.h",
      "a slot in shared memory changes hands by release and acquire of its sequence number, and "
      "racecheck knows no other order than that of barriers" },
    { "graph", ASSAY_GPU_TOOL_SYNCCHECK, NULL,
      "in the body of a WHILE node it takes warps for divergent at a barrier that stands directly "
      "behind __syncwarp(), and stops the kernel" },
    { NULL, ASSAY_GPU_TOOL_NONE, NULL, NULL },
};

const assay_case assay_case_photon_propagate = {
    .name           = "photon_propagate",
    .what           = "photons through a detector: absorption, scattering, re-emission, surfaces",
    .version        = 2,
    .axes           = {
        ASSAY_AXIS("output", ASSAY_AXIS_TEXT, ASSAY_WORD(OUTPUT_STEP, "step"),
                   ASSAY_WORD(OUTPUT_HISTORY, "history")),
        ASSAY_AXIS("geometry", ASSAY_AXIS_TEXT, ASSAY_WORD(PHOTON_BOX, "box"),
                   ASSAY_WORD(PHOTON_SPHERE, "sphere"), ASSAY_WORD(PHOTON_OBJ, "obj"),
                   { .i = { PHOTON_LARGE, 0, 0 }, .text = "large", .tier = ASSAY_FULL },
                   ASSAY_WORD(PHOTON_MESH_FILE, "mesh")),
        ASSAY_AXIS("material", ASSAY_AXIS_TEXT, ASSAY_WORD(PHOTON_WATER, "water"),
                   ASSAY_WORD(PHOTON_SCINTILLATOR, "scintillator"),
                   ASSAY_WORD(PHOTON_WHITE, "white"), ASSAY_WORD(PHOTON_OWN_MATERIALS, "own")),
        ASSAY_AXIS("photons", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(31), ASSAY_Q(32),
                   ASSAY_Q(33), ASSAY_Q(257), ASSAY_Q(1009), ASSAY_F(1000), ASSAY_F(10000),
                   ASSAY_F(100000), ASSAY_F(1000000), ASSAY_F(10000000), ASSAY_F(100000000)),
    },
    .inputs         = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = photon_propagate_shape,
    .reference      = photon_propagate_reference,
    .prepare        = photon_propagate_prepare,
    .compare        = photon_propagate_compare,
    .uncountable    = photon_propagate_uncountable,
    .excluded       = photon_propagate_excluded,
    .input_excluded = photon_propagate_input_excluded,
    .tol            = { .rule  = ASSAY_RULE_BOUND,
                        .c     = 1,
                        .u_out = ASSAY_U32_ROUNDOFF,
                        .u_acc = ASSAY_U32_ROUNDOFF,
                        .why   = WHY_RUNNING },
    .tol_for        = { { "end_weight", { .rule = ASSAY_RULE_OWN, .why = WHY_WEIGHT } },
                        { "tally", { .rule = ASSAY_RULE_OWN, .why = WHY_TALLY } } },
    .invariants     = { { "tally_drift",
                          "photons in doubt go one way as often as the other: no tally is further from the "
                          "reference's than six deviations of their number",
                          photon_propagate_tally_drift, NULL } },
    .facts          = photon_propagate_facts,
    .facts_input    = ASSAY_INPUT_RANDOM,
    .input_fact     = "mesh_digest",
    .unseen         = unseen,
    .variants       = {
        { .name        = "cpu_ref",
          .cpu         = photon_propagate_cpu_ref,
          .unsupported = not_in_one_thread,
          .flags       = ASSAY_IS_REFERENCE },
        { .name        = "cpu_omp",
          .cpu         = photon_propagate_cpu_omp,
          .unsupported = not_on_a_cpu,
          .flags       = ASSAY_THREADED },
        { .name      = "per_step",
          .launch    = "photon_propagate_per_step",
          .workspace = "photon_propagate_per_step_workspace",
          .sections  = photon_propagate_sections,
          .tuning    = { TUNING_BLOCK, TUNING_STAGED },
          .flags     = ASSAY_DETERMINISTIC | ASSAY_HOST_SYNC },
        { .name      = "persistent",
          .launch    = "photon_propagate_persistent",
          .workspace = "photon_propagate_persistent_workspace",
          .baseline  = "per_step",
          .sections  = photon_propagate_sections,
          .tuning    = { TUNING_BLOCK, TUNING_STAGED, TUNING_BUDGET, TUNING_VACANT },
          .flags     = ASSAY_DETERMINISTIC },
        { .name      = "persistent_specialised",
          .launch    = "photon_propagate_specialised",
          .workspace = "photon_propagate_specialised_workspace",
          .baseline  = "per_step",
          .sections  = photon_propagate_sections,
          .tuning    = { TUNING_WARPS, TUNING_SLOTS, TUNING_TRACING },
          .flags     = ASSAY_DETERMINISTIC },
        { .name      = "graph",
          .launch    = "photon_propagate_graph",
          .workspace = "photon_propagate_graph_workspace",
          .setup     = "photon_propagate_graph_setup",
          .teardown  = "photon_propagate_graph_teardown",
          .baseline  = "per_step",
          .sections  = photon_propagate_sections,
          .tuning    = { TUNING_BLOCK, TUNING_STAGED },
          .gpu_only  = "conditional node of a CUDA graph",
          .flags     = ASSAY_DETERMINISTIC },
    },
};
