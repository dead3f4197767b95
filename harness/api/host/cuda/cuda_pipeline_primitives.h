/* Asynchronous copies for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_PIPELINE_PRIMITIVES_H
#define ASSAY_HOST_CUDA_PIPELINE_PRIMITIVES_H

#include "cuda_awbarrier_primitives.h"
#include "host/copy_calls.h"

/* The last zfill bytes become zero. */
inline void __pipeline_memcpy_async(void *to, const void *from, size_t size_and_align,
                                    size_t zfill = 0, ASSAY_HOST_SITE)
{
    assay_host_copy_async(to, from, size_and_align - zfill, size_and_align, file, line);
}
inline void __pipeline_commit(ASSAY_HOST_SITE) { assay_host_copy_commit(file, line); }
/* CUDA allows 0 to 8. */
inline void __pipeline_wait_prior(size_t n_left, ASSAY_HOST_SITE)
{
    assay_host_copy_wait(n_left < 8 ? static_cast<unsigned>(n_left) : 8u, file, line);
}
inline void __pipeline_arrive_on(__mbarrier_t *barrier, ASSAY_HOST_SITE)
{
    assay_host_copy_arrive(barrier, false, file, line);
}

#endif
