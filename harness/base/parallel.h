/* Spreads work on large arrays over a few threads. */
#ifndef ASSAY_PARALLEL_H
#define ASSAY_PARALLEL_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* If a thread cannot be started, the others do its work. */
assay_parallel_for_fn assay_parallel_for;

/* The number of chunks into which assay_parallel_for divides this work. */
int64_t assay_parallel_chunks(int64_t count, int64_t size);

/* The number of processors that this process may use. */
int assay_parallel_processors(void);

/* Sets the largest number of threads of this process; 0: as many as processors, at most 128, which
 * is the initial value. The calling thread works alone for alone_s seconds before it starts others;
 * negative: ASSAY_PARALLEL_ALONE_S, the initial value. */
#define ASSAY_PARALLEL_ALONE_S 2e-4
void assay_parallel_limit(int n_threads, double alone_s);

#ifdef __cplusplus
}
#endif
#endif
