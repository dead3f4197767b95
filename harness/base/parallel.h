/* Large arrays over a few threads. Knows nothing of what the work is. */
#ifndef ASSAY_PARALLEL_H
#define ASSAY_PARALLEL_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A thread that cannot be started is done without. */
assay_parallel_for_fn assay_parallel_for;

/* Number of chunks that assay_parallel_for makes of this. */
int64_t assay_parallel_chunks(int64_t count, int64_t size);

/* How many processors this process may use. */
int assay_parallel_processors(void);

/* Most threads this process uses from now on; 0: as many as it may use processors, at most 128, the
 * start value. The calling thread works alone for alone_s (negative: ASSAY_PARALLEL_ALONE_S, the
 * start value) before it starts others. */
#define ASSAY_PARALLEL_ALONE_S 2e-4
void assay_parallel_limit(int n_threads, double alone_s);

#ifdef __cplusplus
}
#endif
#endif
