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

/* Agents by the seed; the field begins as `field`, or empty where that is NULL. The caller frees;
 * aborts without memory on the host. */
physarum_simulation physarum_simulation_create(const physarum_model *m, uint64_t seed,
                                               const float *field, bool uses_kernels);
void                physarum_simulation_free(physarum_simulation *s);

/* false: the device could not, and `error` says why; the state is as it was. */
bool physarum_simulation_advance(physarum_simulation *s, int64_t steps, char *error, size_t size);

#endif
