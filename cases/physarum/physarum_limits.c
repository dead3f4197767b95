/* What the physarum variants are made for, and sums that the cases' invariants need. */
#include "physarum_shape.h"

#include "../../kernels/physarum/physarum_case.h"

#include <math.h>

/* ---- semantics ---- */

const char *physarum_torch_alone(const assay_shape *s)
{
    return s->param[PHYSARUM_PARAM_SEMANTICS] == PHYSARUM_TORCH ? NULL : "for torch semantics only";
}

const char *physarum_triton_alone(const assay_shape *s)
{
    return s->param[PHYSARUM_PARAM_SEMANTICS] == PHYSARUM_TRITON ? NULL
                                                                 : "for triton semantics only";
}

const char *physarum_not_torch(const assay_shape *s)
{
    return s->param[PHYSARUM_PARAM_SEMANTICS] != PHYSARUM_TORCH
               ? NULL
               : "accumulates deposits: canonical and triton semantics";
}

/* Turns are stored as eighths of a circle, and places are wrapped only once. */
const char *physarum_sorted_limits(const assay_shape *s)
{
    const double reach  = s->scalar[PHYSARUM_SCALAR_REACH] + s->scalar[PHYSARUM_SCALAR_STEP] + 2;
    const double height = (double)s->param[PHYSARUM_PARAM_HEIGHT];
    const double width  = (double)s->param[PHYSARUM_PARAM_WIDTH];

    if (s->param[PHYSARUM_PARAM_SEMANTICS] != PHYSARUM_CANONICAL)
        return "for canonical semantics only";
    if (fabs(s->scalar[PHYSARUM_SCALAR_SPREAD] - 0.78539816339744831) > 1e-6)
        return "turns are kept as eighths of a circle: for a spread of pi/4 only";
    if (height < reach || width < reach)
        return "sensors would wrap more than once: a side has at least their reach, the step and 2 "
               "cells more";
    return NULL;
}

bool physarum_is_on_torus(const assay_shape *s, assay_input input)
{
    (void)input;
    return s->param[PHYSARUM_PARAM_SEMANTICS] == PHYSARUM_CANONICAL;
}

double physarum_sum(const float *from, int64_t count)
{
    double sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum += (double)from[i];
    return sum;
}

/* Each step rounds every cell as in physarum; the errors add up as the mass does. */
assay_invariant_result physarum_run_mass(const assay_evidence *e)
{
    const assay_shape *s      = e->shape;
    const double       remain = 1 - s->scalar[PHYSARUM_SCALAR_DECAY];
    const double       steps  = (double)s->param[PHYSARUM_PARAM_STEPS];
    const double       left   = pow(remain, steps);
    const double       deposits =
        remain < 1 ? remain * (1 - left) / (1 - remain) : steps; /* of one agent */
    const double deposit =
        s->scalar[PHYSARUM_SCALAR_DEPOSIT] * (double)s->param[PHYSARUM_PARAM_AGENTS];
    const int64_t cells = s->buf[PHYSARUM_BUF_FIELD].count;
    const double  expected =
        left * physarum_sum(e->in[PHYSARUM_BUF_FIELD], cells) + deposit * deposits;

    return (assay_invariant_result) {
        .value    = physarum_sum(e->out[PHYSARUM_BUF_NEW_FIELD], cells),
        .expected = expected,
        .bound    = expected * steps * 40 * ASSAY_U32_ROUNDOFF,
    };
}
