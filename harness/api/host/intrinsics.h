/* The device functions of plain CUDA C++ that kernels of this tree do not use: what a translated
 * .cu file may call beyond kernel_host.h. */
#ifndef ASSAY_HOST_INTRINSICS_H
#define ASSAY_HOST_INTRINSICS_H

#include "address_space.h"
#include "integer.h"
#include "rounded.h"
#include "special.h"
#include "video.h"
#include "wide_vector_types.h"

/* Counters of a profiler; a stop for a debugger, which ends the launch where there is none. */
inline void __prof_trigger(int) {}
inline void __brkpt(ASSAY_HOST_SITE) { assay_host_trap("__brkpt()", file, line); }

#endif
