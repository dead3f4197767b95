/* Fourier transforms of a grid in double, in place and axis by axis. */
#ifndef ASSAY_REFERENCE_THERMO_TRANSFORM_H
#define ASSAY_REFERENCE_THERMO_TRANSFORM_H

#include "kernel.h"

#include <stdbool.h>
#include <stdlib.h>

typedef struct complex_number {
    double re, im;
} complex_number;

typedef struct transform_grid {
    const int64_t         *extent;
    int64_t                cells;
    bool                   is_fast; /* by FFTW; else the sum, by definition */
    assay_parallel_for_fn *parallel_for;
} transform_grid;

/* Zeroed memory; the program ends if there is none, as a reference cannot report that. */
static inline void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory)
        abort();
    return memory;
}

bool transform_has_fast(void);

/* Sum over the cells of a exp(sign 2 pi i k x / n), sign -1 forward and 1 back, without scaling. */
void transform(const transform_grid *g, int sign, complex_number *a);

#endif
