/* Plain CUDA C++ for the host device. A file is preprocessed by the compiler; tokens of it are
 * rewritten here; the compiler goes on with what comes out. Nothing is rewritten but
 *
 *   K<<<grid, block, bytes, stream>>>(...)   the launch of a kernel (launches.c)
 *   __global__ void K(...) { ... }           which runs its body once a thread (kernels.c)
 *   __shared__ T x[n];                       the block's memory (shared.c)
 *   asm("..." : ...)                         inline PTX (ptx.c)
 *   while (*flag == 0) ;                     a loop that waits gives way (waits.c)
 *   __global__, __device__, ...              words that C++ has not (translate.c)
 *
 * and what stands for them is declared in api/host. Marks of file and line stay, so that whatever
 * is said later names the user's file. What cannot be taken is said by file, line and construct: a
 * meaning is never changed silently. */
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
