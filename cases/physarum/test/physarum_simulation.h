/* A simulation for people to look at: by the reference, or by the kernels of the device that the
 * program is linked with. */
#ifndef PHYSARUM_SIMULATION_H
#define PHYSARUM_SIMULATION_H

#include "physarum_test.h"

#include <stddef.h>
#include <stdint.h>

typedef struct physarum_simulation {
    physarum_model model;
    physarum_owned state; /* on the host */
    bool           uses_kernels;
} physarum_simulation;

/* Agents follow from the seed; the field begins as `field`, or empty if that is NULL. The caller
 * frees; aborts if the host has no memory. */
physarum_simulation physarum_simulation_create(const physarum_model *m, uint64_t seed,
                                               const float *field, bool uses_kernels);
void                physarum_simulation_free(physarum_simulation *s);

/* False: the device failed, and `error` says why; the state is unchanged. */
bool physarum_simulation_advance(physarum_simulation *s, int64_t steps, char *error, size_t size);

#endif
