/* Which memory an address lies in, and shared memory's addresses of 32 bits, as PTX has them. */
#ifndef ASSAY_HOST_ADDRESS_SPACE_H
#define ASSAY_HOST_ADDRESS_SPACE_H

#include "device_calls.h"

#pragma GCC visibility push(hidden)

/* All arrays of a block have addresses in one range of 32 bits, apart from each other as in memory
 * and aligned as they were asked to be. For an address that is in no array of this block, nor right
 * behind one, the launch ends with a fault. */
uint32_t assay_host_shared_address(const void *p, const char *file, int line);
void    *assay_host_shared_pointer(uint32_t address, const char *file, int line);

bool assay_host_is_shared(const void *p);
/* On the stack of the running CUDA thread. */
bool assay_host_is_local(const void *p);

#pragma GCC visibility pop

inline size_t __cvta_generic_to_shared(const void *p, ASSAY_HOST_SITE)
{
    return assay_host_shared_address(p, file, line);
}
inline void *__cvta_shared_to_generic(size_t address, ASSAY_HOST_SITE)
{
    return assay_host_shared_pointer(static_cast<uint32_t>(address), file, line);
}

/* The other kinds keep their pointers. */
#define ASSAY_HOST_CVTA(kind)                                                                      \
    inline size_t __cvta_generic_to_##kind(const void *p) { return reinterpret_cast<size_t>(p); }  \
    inline void  *__cvta_##kind##_to_generic(size_t p) { return reinterpret_cast<void *>(p); }
ASSAY_HOST_CVTA(global)
ASSAY_HOST_CVTA(local)
ASSAY_HOST_CVTA(constant)
ASSAY_HOST_CVTA(grid_constant)
#undef ASSAY_HOST_CVTA

inline unsigned __isShared(const void *p) { return assay_host_is_shared(p); }
inline unsigned __isLocal(const void *p) { return assay_host_is_local(p); }
/* Constant memory is not told apart from global memory here: __isConstant does not exist. */
inline unsigned __isGlobal(const void *p)
{
    return !assay_host_is_shared(p) && !assay_host_is_local(p);
}

#endif
