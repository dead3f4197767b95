/* What the stand-alone physarum programs share: states on the host. */
#ifndef PHYSARUM_TEST_H
#define PHYSARUM_TEST_H

#include "../../../kernels/physarum/physarum_case.h"
#include "../../../reference/physarum/physarum.h"

#include "../../testing/trial.h"

/* The article's constants. */
physarum_model physarum_test_model(int semantics, int64_t height, int64_t width, int64_t agents);

/* A state in memory of its own; aborts if there is none. */
typedef struct physarum_owned {
    float *pos, *angle, *field;
} physarum_owned;
physarum_owned physarum_state_create(const physarum_model *m);
void           physarum_state_free(physarum_owned *s);
physarum_state physarum_state_view(const physarum_owned *s);

/* From a seed: agents on whole cells with any headings; an empty field. */
void physarum_state_seed(const physarum_model *m, uint64_t seed, physarum_owned *s);

/* Uniform in [0, 1), a pure function of both arguments. */
double physarum_uniform(uint64_t seed, uint64_t index);

double physarum_field_sum(const physarum_model *m, const float *field);

#endif
