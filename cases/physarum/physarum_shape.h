/* What the cases physarum and physarum_run share: inputs and the state's buffers. */
#ifndef PHYSARUM_SHAPE_H
#define PHYSARUM_SHAPE_H

#include "case.h"

/* The values of either case's axes. */
typedef struct physarum_point {
    int64_t width, height, agents, semantics, blur, start, steps;
    int64_t setting; /* physarum_settings.h; 0: the article's numbers */
} physarum_point;

/* More than fused_resident has in registers on the host device, so that a block orders its agents;
 * on 256 x 128 cells its warps also update twice. */
enum {
    PHYSARUM_MANY = 8200
};

/* Parameters, scalars, the state's buffers, and those of the new state; work counts for `steps`
 * steps. */
void physarum_set_shape(const physarum_point *p, assay_input input, assay_shape *s);
/* The same, and buffers for the state before the last step. */
void physarum_set_run_shape(const physarum_point *p, assay_input input, assay_shape *s);

/* Which kernel belongs to which part of a step, for all variants. */
extern const assay_section_name physarum_sections[];

/* NULL, or why kernels and shape, which count cells and agents in 32 bits, cannot count this. */
const char *physarum_uncountable_sizes(const physarum_point *p);

/* NULL, or why this is not a point: sizes that show nothing together, or are too much for one
 * axis. */
const char *physarum_excluded_sizes(const physarum_point *p);

/* NULL, or why a variant does not have the point's semantics, or its numbers. */
const char *physarum_torch_alone(const assay_shape *s);
const char *physarum_triton_alone(const assay_shape *s);
const char *physarum_not_torch(const assay_shape *s);
const char *physarum_sorted_limits(const assay_shape *s);

/* Does the field have no borders, so that its mass balances? */
bool   physarum_is_on_torus(const assay_shape *s, assay_input input);
double physarum_sum(const float *from, int64_t count);

/* On a torus the field's sum after all steps of a call follows from the deposits alone. */
assay_invariant_result physarum_run_mass(const assay_evidence *e);

/* The other classes than random are states of their own: they are not advanced. */
const char *physarum_excluded_input(const physarum_point *p, assay_input input);

#endif
