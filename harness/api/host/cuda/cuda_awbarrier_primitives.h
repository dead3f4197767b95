/* Barriers in memory for host compilation, by the documentation of CUDA's header of this name. */
#ifndef ASSAY_HOST_CUDA_AWBARRIER_PRIMITIVES_H
#define ASSAY_HOST_CUDA_AWBARRIER_PRIMITIVES_H

#include "host/copy_calls.h"

using __mbarrier_t       = uint64_t;
using __mbarrier_token_t = uint64_t;

inline uint32_t __mbarrier_maximum_count(void) { return (1u << 20) - 1u; }
inline void     __mbarrier_init(__mbarrier_t *barrier, uint32_t expected_count, ASSAY_HOST_SITE)
{
    assay_host_mbarrier_init(barrier, expected_count, file, line);
}
inline void __mbarrier_inval(__mbarrier_t *barrier, ASSAY_HOST_SITE)
{
    assay_host_mbarrier_inval(barrier, file, line);
}
inline __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier, ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_arrive(barrier, 1, 0, false, file, line);
}
inline __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier, ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_arrive(barrier, 1, 0, true, file, line);
}
inline uint32_t __mbarrier_token_pending_count(__mbarrier_token_t token)
{
    return assay_host_mbarrier_pending(token);
}
inline bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token, ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_test(barrier, assay_host_mbarrier_parity(token), file, line);
}
inline bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity, ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_test(barrier, parity, file, line);
}
inline bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, uint32_t,
                                ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_try(barrier, assay_host_mbarrier_parity(token), file, line);
}
inline bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, uint32_t,
                                       ASSAY_HOST_SITE)
{
    return assay_host_mbarrier_try(barrier, parity, file, line);
}

#endif
