/* Calls from kernel code into the host device, besides those of device_calls.h: barriers of a part
 * of a block, asynchronous copies, and barriers in memory. Few kernels need this header. */
#ifndef ASSAY_HOST_BLOCK_CALLS_H
#define ASSAY_HOST_BLOCK_CALLS_H

#include "device_calls.h"

/* Operations on a part of a block: named barriers, then groups of whole warps. */
enum assay_part_op : unsigned char {
    ASSAY_NAMED_SYNC,
    ASSAY_NAMED_ARRIVE,
    ASSAY_NAMED_AND,
    ASSAY_NAMED_OR,
    ASSAY_NAMED_COUNT,
    ASSAY_GROUP_SYNC,
    ASSAY_GROUP_SHUFFLE,
    ASSAY_GROUP_ANY,
    ASSAY_GROUP_ALL,
    ASSAY_N_PART_OPS
};

#pragma GCC visibility push(hidden)

/* Barrier `id` (0 to 15) of the block for n_threads, a multiple of 32; 0: all that have not exited.
 * A warp arrives when all its threads that have not exited are here. is_aligned: the threads of a
 * warp must call it from one line of the source. Returns the vote that ASSAY_NAMED_AND and the like
 * ask for.
 */
int assay_host_named_barrier(assay_part_op op, unsigned id, unsigned n_threads, bool is_aligned,
                             bool predicate, const char *file, int line);
/* All threads from first to first + n_threads - 1 of the block meet and exchange values. They are
 * whole warps; the last warp of the block may be short. `source` counts from `first`. */
uint64_t assay_host_group_exchange(assay_part_op op, unsigned first, unsigned n_threads,
                                   uint64_t value, unsigned source, const char *file, int line);

#pragma GCC visibility pop

#endif
