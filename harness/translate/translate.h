/* Plain CUDA C++ for the host device. The compiler preprocesses a file; tokens of it are rewritten
 * here; the compiler compiles the result. Only these are rewritten:
 *
 *   K<<<grid, block, bytes, stream>>>(...)   the launch of a kernel (launches.c)
 *   __global__ void K(...) { ... }           which runs its body once per thread (kernels.c)
 *   __shared__ T x[n];                       the block's memory (shared.c)
 *   asm("..." : ...)                         inline PTX (ptx.c)
 *   while (*flag == 0) ;                     a loop that waits gives way (waits.c)
 *   __global__, __device__, ...              words that C++ does not have (translate.c)
 *
 * Their replacements are declared in api/host. Markers of file and line stay, so that later
 * messages name the user's file. A construct that is not supported is reported with file and line:
 * a meaning is never changed silently. */
#ifndef ASSAY_TRANSLATE_H
#define ASSAY_TRANSLATE_H

#include "status.h"

#include <stddef.h>
#include <stdio.h>

/* One preprocessed text. */
typedef struct assay_translate_text {
    const char *text;
    size_t      size;
} assay_translate_text;

/* host: preprocessed without __CUDA_ARCH__. device: with it, or empty if no file uses it. Writes
 * C++ to `out`, and messages for the user to `notes`. ASSAY_E_CASE: a construct is not supported;
 * the message says where. */
assay_status assay_translate(assay_translate_text host, assay_translate_text device, FILE *out,
                             FILE *notes);

#endif
