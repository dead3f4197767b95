/* physarum_setting: calls of some steps with other numbers than the article's: step, distance and
 * spread of the sensors, blend, decay and deposit. It is judged as physarum_run is. It is a case of
 * its own, so that the points of the other two keep their keys and their history. */
#include "../physarum/physarum_settings.h"
#include "../physarum/physarum_variants.h"
#include "../physarum_run/physarum_run_compare.h"

assay_reference_fn physarum_run_reference; /* reference/physarum_run/physarum_run.c */
assay_prepare_fn   physarum_prepare;       /* reference/physarum/physarum.c */
assay_launch_fn    physarum_run_cpu_ref;

enum {
    AXIS_SEMANTICS,
    AXIS_SETTING,
    AXIS_GRID,
    AXIS_AGENTS,
    AXIS_START,
    AXIS_STEPS
};

enum {
    PARAM_BLUR = 3
};

static physarum_point point_of(const assay_value *axis)
{
    return (physarum_point) {
        .width     = axis[AXIS_GRID].i[0],
        .height    = axis[AXIS_GRID].i[1],
        .agents    = axis[AXIS_AGENTS].i[0],
        .semantics = axis[AXIS_SEMANTICS].i[0],
        .setting   = axis[AXIS_SETTING].i[0],
        .blur      = PARAM_BLUR,
        .start     = axis[AXIS_START].i[0],
        .steps     = axis[AXIS_STEPS].i[0],
    };
}

static void physarum_setting_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const physarum_point p = point_of(axis);

    physarum_set_run_shape(&p, input, s);
}

static const char *physarum_setting_uncountable(const assay_value *axis)
{
    const physarum_point p = point_of(axis);

    return physarum_uncountable_sizes(&p);
}

/* Sizes that are combined; a user's own numbers are combined with all others. */
typedef struct sizes {
    int64_t width, height, agents, start, steps;
} sizes;

static const sizes listed[] = {
    { 33, 17, 257, 0, 1 },       { 33, 17, 257, 0, 5 },          { 128, 19, 1023, 10, 2 },
    { 256, 256, 1 << 16, 0, 5 }, { 1024, 1024, 1 << 20, 0, 50 },
};

static bool is_on_axes(const physarum_point *p)
{
    bool has_grid = false, has_agents = false, has_start = false, has_steps = false;

    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        has_grid |= p->width == listed[i].width && p->height == listed[i].height;
        has_agents |= p->agents == listed[i].agents;
        has_start |= p->start == listed[i].start;
        has_steps |= p->steps == listed[i].steps;
    }
    return has_grid && has_agents && has_start && has_steps;
}

static bool is_listed(const physarum_point *p)
{
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++)
        if (p->width == listed[i].width && p->height == listed[i].height &&
            p->agents == listed[i].agents && p->start == listed[i].start &&
            p->steps == listed[i].steps)
            return true;
    return false;
}

static const char *physarum_setting_excluded(const assay_value *axis)
{
    const physarum_point p = point_of(axis);

    if (p.width < 1 || p.height < 1)
        return "a grid without cells";
    if (p.steps < 1)
        return "a call without a step";
    if (p.semantics == PHYSARUM_TORCH && (p.width < 2 || p.height < 2))
        return "torch semantics divide by the extent less one";
    if (p.setting == PHYSARUM_ARTICLE && p.width < 256)
        return "the article's numbers: edge sizes are points of physarum and physarum_run";
    if (!is_on_axes(&p) || is_listed(&p))
        return NULL;
    return "one number of agents, start and steps for each grid";
}

static const char *physarum_setting_input_excluded(const assay_value *axis, assay_input input)
{
    const physarum_point p = point_of(axis);

    return physarum_excluded_input(&p, input);
}

/* The other two cases check the article's numbers; here they are timed for comparison. */
#define ARTICLE                                                                                    \
    {                                                                                              \
        .i = { PHYSARUM_ARTICLE, 0, 0 }, .text = "article", .tier = ASSAY_FULL                     \
    }

const assay_case assay_case_physarum_setting = {
    .name    = "physarum_setting",
    .what    = "steps of trail-following agents with other numbers than the article's: distances, "
               "angles, blend, decay, deposit",
    .version = 1,
    .axes    = {
        PHYSARUM_AXIS_SEMANTICS,
        ASSAY_AXIS("setting", ASSAY_AXIS_TEXT, ARTICLE, ASSAY_WORD(PHYSARUM_FAR, "far"),
                   ASSAY_WORD(PHYSARUM_WIDE, "wide"),
                   ASSAY_WORD(PHYSARUM_LONG_STEPS, "long_steps"),
                   ASSAY_WORD(PHYSARUM_DENSE, "dense"), ASSAY_WORD(PHYSARUM_STILL, "still"),
                   ASSAY_WORD(PHYSARUM_NO_DIFFUSION, "no_diffusion")),
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(33, 17, 1), ASSAY_QGRID(128, 19, 1),
                   ASSAY_FGRID(256, 256, 1), ASSAY_FGRID(1024, 1024, 1)),
        ASSAY_AXIS("agents", ASSAY_AXIS_INT, ASSAY_Q(257), ASSAY_Q(1023), ASSAY_F(1 << 16),
                   ASSAY_F(1 << 20)),
        ASSAY_AXIS("start", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(10)),
        ASSAY_AXIS("steps", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(2), ASSAY_Q(5), ASSAY_F(50)),
    },
    .inputs         = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED) |
                      ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = physarum_setting_shape,
    .reference      = physarum_run_reference,
    .prepare        = physarum_prepare,
    .compare        = physarum_run_compare,
    .uncountable    = physarum_setting_uncountable,
    .excluded       = physarum_setting_excluded,
    .input_excluded = physarum_setting_input_excluded,
    .invariants     = {
        { "mass", "on a torus the field's sum follows from the deposits alone, whoever made them",
          physarum_run_mass, physarum_is_on_torus },
    },
    .variants       = {
        PHYSARUM_CALL_VARIANTS
    },
};
