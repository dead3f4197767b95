/* physarum_run: many steps in one call, from a state some steps on. What does a step cost as one of
 * many? That includes sorting now and then, and the launches or a graph of them. */
#include "../physarum/physarum_variants.h"
#include "physarum_run_compare.h"

#include <stdbool.h>

assay_reference_fn physarum_run_reference; /* reference/physarum_run/physarum_run.c */
assay_prepare_fn   physarum_prepare;       /* reference/physarum/physarum.c */
assay_launch_fn    physarum_run_cpu_ref;

enum {
    AXIS_SEMANTICS,
    AXIS_GRID,
    AXIS_AGENTS,
    AXIS_START,
    AXIS_STEPS
};

enum {
    EARLY_STEPS = 50,  /* from the start: before trails have formed */
    LATE_STEPS  = 128, /* from step 200 on */
    LONG_STEPS  = 500, /* with 100 agents, as in the article */
    FEW_AGENTS  = 100,
    PARAM_BLUR  = 3
};

/* Numbers of steps, at one grid and number of agents, for the curve of time over steps. */
static const int64_t swept_steps[] = { 100, 200, LONG_STEPS, 1000, 2000 };

static physarum_point point_of(const assay_value *axis)
{
    return (physarum_point) {
        .width     = axis[AXIS_GRID].i[0],
        .height    = axis[AXIS_GRID].i[1],
        .agents    = axis[AXIS_AGENTS].i[0],
        .semantics = axis[AXIS_SEMANTICS].i[0],
        .blur      = PARAM_BLUR,
        .start     = axis[AXIS_START].i[0],
        .steps     = axis[AXIS_STEPS].i[0],
    };
}

static void physarum_run_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const physarum_point p = point_of(axis);

    physarum_set_run_shape(&p, input, s);
}

static const char *physarum_run_uncountable(const assay_value *axis)
{
    const physarum_point p = point_of(axis);

    return physarum_uncountable_sizes(&p);
}

static bool is_swept(int64_t steps)
{
    for (size_t i = 0; i < sizeof swept_steps / sizeof *swept_steps; i++)
        if (steps == swept_steps[i])
            return true;
    return false;
}

/* 100 agents: 500 steps on every grid; the other numbers of steps on one grid; and, on the grid
 * where the number of agents varies, the steps that those points take. */
static const char *excluded_few(const physarum_point *p)
{
    if (p->start != 0)
        return "100 agents: from the start";
    if (p->steps == LONG_STEPS || (p->width == 512 && is_swept(p->steps)) ||
        (p->width == 1024 && p->steps == EARLY_STEPS))
        return physarum_excluded_sizes(p);
    return "100 agents: 500 steps, 100 to 2000 on 512 x 512, 50 on 1024 x 1024";
}

static const char *physarum_run_excluded(const assay_value *axis)
{
    const physarum_point p        = point_of(axis);
    const bool           is_large = p.width >= 256 && p.height >= 256;
    const bool           is_listed =
        p.steps == EARLY_STEPS || p.steps == LATE_STEPS || is_swept(p.steps) || p.steps <= 5;

    if (is_large && is_listed && p.agents == FEW_AGENTS)
        return excluded_few(&p);
    if (is_large && is_listed && p.steps != (p.start == 0 ? EARLY_STEPS : LATE_STEPS))
        return "real sizes: 50 steps from the start, 128 from step 200";
    if (!is_large && is_listed && p.agents == PHYSARUM_MANY && p.steps != 5)
        return "edge sizes: 5 steps with the most agents";
    if (!is_large && is_listed && p.steps > 5)
        return "edge sizes: up to 5 steps";
    if (!is_large && p.steps == 1 && p.start == 0)
        return "edge sizes: one step from the start is a point of physarum";
    return physarum_excluded_sizes(&p);
}

static const char *physarum_run_input_excluded(const assay_value *axis, assay_input input)
{
    const physarum_point p = point_of(axis);

    return physarum_excluded_input(&p, input);
}

const assay_case assay_case_physarum_run = {
    .name           = "physarum_run",
    .what           = "many steps of trail-following agents in one call; sorting is in the time of those that sort",
    .version        = 2,
    .axes           = {
        PHYSARUM_AXIS_SEMANTICS,
        ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(3, 2, 1), ASSAY_QGRID(33, 17, 1),
                   ASSAY_QGRID(128, 9, 1), ASSAY_QGRID(256, 128, 1), PHYSARUM_REAL_GRIDS),
        ASSAY_AXIS("agents", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(6), ASSAY_Q(257),
                   ASSAY_Q(1023), ASSAY_Q(PHYSARUM_MANY), PHYSARUM_REAL_AGENTS),
        ASSAY_AXIS("start", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(10), ASSAY_F(200)),
        ASSAY_AXIS("steps", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(2), ASSAY_Q(5),
                   ASSAY_F(EARLY_STEPS), ASSAY_F(LATE_STEPS), ASSAY_F(100), ASSAY_F(200),
                   ASSAY_F(LONG_STEPS), ASSAY_F(1000), ASSAY_F(2000)),
    },
    .inputs         = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED) |
                      ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = physarum_run_shape,
    .reference      = physarum_run_reference,
    .prepare        = physarum_prepare,
    .compare        = physarum_run_compare,
    .uncountable = physarum_run_uncountable,
    .excluded = physarum_run_excluded,
    .input_excluded = physarum_run_input_excluded,
    .invariants     = {
        { "mass", "on a torus the field's sum follows from the deposits alone, whoever made them",
          physarum_run_mass, physarum_is_on_torus },
    },
    .variants       = {
        PHYSARUM_CALL_VARIANTS
    },
};
