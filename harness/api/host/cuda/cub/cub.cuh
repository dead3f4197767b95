/* CUB's collectives of a block, a warp and a thread for host compilation. Algorithms of a whole
 * device are not here: a kernel cannot call them. */
#ifndef ASSAY_HOST_CUB_CUH
#define ASSAY_HOST_CUB_CUH

#include "host/cuda/cub/block/block_adjacent_difference.cuh"
#include "host/cuda/cub/block/block_discontinuity.cuh"
#include "host/cuda/cub/block/block_exchange.cuh"
#include "host/cuda/cub/block/block_histogram.cuh"
#include "host/cuda/cub/block/block_load.cuh"
#include "host/cuda/cub/block/block_merge_sort.cuh"
#include "host/cuda/cub/block/block_radix_sort.cuh"
#include "host/cuda/cub/block/block_reduce.cuh"
#include "host/cuda/cub/block/block_run_length_decode.cuh"
#include "host/cuda/cub/block/block_scan.cuh"
#include "host/cuda/cub/block/block_shuffle.cuh"
#include "host/cuda/cub/block/block_store.cuh"
#include "host/cuda/cub/iterator/arg_index_input_iterator.cuh"
#include "host/cuda/cub/iterator/cache_modified_input_iterator.cuh"
#include "host/cuda/cub/iterator/cache_modified_output_iterator.cuh"
#include "host/cuda/cub/iterator/constant_input_iterator.cuh"
#include "host/cuda/cub/iterator/counting_input_iterator.cuh"
#include "host/cuda/cub/iterator/transform_input_iterator.cuh"
#include "host/cuda/cub/thread/thread_load.cuh"
#include "host/cuda/cub/thread/thread_operators.cuh"
#include "host/cuda/cub/thread/thread_reduce.cuh"
#include "host/cuda/cub/thread/thread_store.cuh"
#include "host/cuda/cub/util_ptx.cuh"
#include "host/cuda/cub/util_type.cuh"
#include "host/cuda/cub/version.cuh"
#include "host/cuda/cub/warp/warp_exchange.cuh"
#include "host/cuda/cub/warp/warp_load.cuh"
#include "host/cuda/cub/warp/warp_merge_sort.cuh"
#include "host/cuda/cub/warp/warp_reduce.cuh"
#include "host/cuda/cub/warp/warp_scan.cuh"
#include "host/cuda/cub/warp/warp_store.cuh"

#endif
