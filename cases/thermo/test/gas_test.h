/* What the stand-alone gas programs share: memory and noise. */
#ifndef ASSAY_GAS_TEST_H
#define ASSAY_GAS_TEST_H

#include "../../../reference/thermo_gas/thermo_gas.h"
#include "../../testing/trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Ends the program if there is no memory: a test could not go on. */
static inline void *get_memory(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);

    if (memory == NULL) {
        (void)printf("out of memory\n");
        exit(1);
    }
    return memory;
}

/* In [-1, 1), the same everywhere. */
static inline double noise(uint64_t seed, uint64_t i)
{
    uint64_t x = (seed + 1) * 0x9E3779B97F4A7C15u + i * 0xD1B54A32D192ED03u;

    x = (x ^ x >> 31) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (double)(x >> 11) * 0x1p-52 - 1;
}

#endif
