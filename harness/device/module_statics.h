/* Static memory of a module's launchers. Kernel objects are linked between two marker objects, so
 * in each section their variables are between the markers' variables; those of the harness are
 * outside. Both devices use this source. */
#ifndef ASSAY_MODULE_STATICS_H
#define ASSAY_MODULE_STATICS_H

#include "device_evidence.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif
/* Defined by cmake/statics_begin.c and statics_end.c; missing in a module that was linked without
 * them. */
#define ASSAY_OF_THIS_MODULE extern __attribute__((weak, visibility("hidden")))
ASSAY_OF_THIS_MODULE unsigned char assay_statics_data_begin[], assay_statics_data_end[];
ASSAY_OF_THIS_MODULE unsigned char assay_statics_zero_begin[], assay_statics_zero_end[];
#ifdef __cplusplus
}
#endif

/* Reads variables of any type. */
typedef uint64_t __attribute__((may_alias)) assay_statics_word;

/* Reads also the gaps that AddressSanitizer puts between variables, on purpose. */
__attribute__((no_sanitize_address, no_sanitize_thread, noinline)) static uint64_t
assay_statics_sum(const volatile unsigned char *begin, const volatile unsigned char *end)
{
    const volatile unsigned char *p   = begin;
    uint64_t                      sum = 0;

    for (; p < end && (uintptr_t)p % sizeof(assay_statics_word) != 0; p++)
        sum = assay_evidence_mix(sum ^ *p);
    for (; (size_t)(end - p) >= sizeof(assay_statics_word); p += sizeof(assay_statics_word))
        sum = assay_evidence_mix(sum ^ *(const volatile assay_statics_word *)p);
    for (; p < end; p++)
        sum = assay_evidence_mix(sum ^ *p);
    return sum;
}

static inline uint64_t assay_statics_digest(void)
{
    if (assay_statics_data_begin == NULL || assay_statics_data_end == NULL)
        return 0;
    return assay_statics_sum(assay_statics_data_begin, assay_statics_data_end) ^
           assay_evidence_mix(assay_statics_sum(assay_statics_zero_begin, assay_statics_zero_end));
}

#endif
