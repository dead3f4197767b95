/* Tells which memory an address is in, and converts to and from PTX's 32-bit addresses of shared
 * memory. */
#ifndef ASSAY_HOST_ADDRESS_SPACE_H
#define ASSAY_HOST_ADDRESS_SPACE_H

#include "device_calls.h"

#pragma GCC visibility push(hidden)

/* All shared arrays of a block have addresses in one 32-bit range, with the same distances as in
 * memory and the alignment that was asked for. An address that is not in an array of this block, or
 * right after its end, ends the launch with a fault. */
uint32_t assay_host_shared_address(const void *p, const char *file, int line);
void    *assay_host_shared_pointer(uint32_t address, const char *file, int line);

bool assay_host_is_shared(const void *p);
/* Is it on the stack of the running CUDA thread? */
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

/* Addresses of the other kinds are the pointers themselves. */
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
/* The host device does not distinguish constant from global memory, so there is no __isConstant. */
inline unsigned __isGlobal(const void *p)
{
    return !assay_host_is_shared(p) && !assay_host_is_local(p);
}

#endif
