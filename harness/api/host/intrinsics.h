/* Device functions of plain CUDA C++ that a translated .cu file may call, besides those of
 * kernel_host.h. Kernels of this project do not use them. */
#ifndef ASSAY_HOST_INTRINSICS_H
#define ASSAY_HOST_INTRINSICS_H

#include "address_space.h"
#include "integer.h"
#include "rounded.h"
#include "special.h"
#include "video.h"
#include "wide_vector_types.h"

/* A profiler's counter does nothing here. A breakpoint ends the launch, as on a GPU without a
 * debugger. */
inline void __prof_trigger(int) {}
inline void __brkpt(ASSAY_HOST_SITE) { assay_host_trap("__brkpt()", file, line); }

#endif
