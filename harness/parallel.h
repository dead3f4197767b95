/* Large arrays over a few threads. Knows nothing of what the work is. */
#ifndef ASSAY_PARALLEL_H
#define ASSAY_PARALLEL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef void assay_parallel_fn(void *context, int64_t chunk, int64_t begin, int64_t end);

/* Calls fn once for each chunk of 0..count-1 and returns when all are done. Chunk k starts at
 * k * size: results kept per chunk and merged in order do not depend on the number of threads. A
 * thread that cannot be started is done without. */
void assay_parallel_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context);

/* Number of chunks that assay_parallel_for makes of this. */
int64_t assay_parallel_chunks(int64_t count, int64_t size);

/* Most threads this process uses from now on; 0: as many as it has processors, the start value. */
void assay_parallel_limit(int n_threads);

#ifdef __cplusplus
}
#endif
#endif
