/* Sums over many elements by several threads. Partial sums are added in the order of the elements,
 * so that the result does not depend on the number of threads. */
#ifndef ASSAY_CASES_SUMS_H
#define ASSAY_CASES_SUMS_H

#include "case.h"

#include <math.h>

enum {
    SUMS_MAX    = 3, /* sums in one pass */
    SUMS_CHUNKS = 64
};

/* Adds elements `begin` to `end` to sum[SUMS_MAX]. */
typedef void sums_fn(const void *context, int64_t begin, int64_t end, double *sum);

typedef struct sums_job {
    sums_fn    *fn;
    const void *context;
    double      of_chunk[SUMS_CHUNKS][SUMS_MAX];
} sums_job;

static inline void sums_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    sums_job *job = context;

    job->fn(job->context, begin, end, job->of_chunk[chunk]);
}

/* Adds all `count` elements to sum[SUMS_MAX]. */
static inline void sums_over(assay_parallel_for_fn *parallel_for, int64_t count, sums_fn *fn,
                             const void *context, double *sum)
{
    sums_job job = { .fn = fn, .context = context };

    parallel_for(count, count / SUMS_CHUNKS + 1, sums_chunk, &job);
    for (int chunk = 0; chunk < SUMS_CHUNKS; chunk++)
        for (int k = 0; k < SUMS_MAX; k++)
            sum[k] += job.of_chunk[chunk][k];
}

/* Of two sums that must be conserved, the one that is nearer to its bound. */
static inline assay_invariant_result sums_worse(assay_invariant_result a, assay_invariant_result b)
{
    return fabs(b.value - b.expected) * a.bound <= fabs(a.value - a.expected) * b.bound ? a : b;
}

#endif
