/* Bytes that each variant moves by its design, in all steps of a call. */
#ifndef PHYSARUM_BYTES_H
#define PHYSARUM_BYTES_H

#include "case.h"

enum {
    /* Steps between sorts, unless a search says otherwise. */
    PHYSARUM_SORT_EVERY          = 128,
    PHYSARUM_RESIDENT_SORT_EVERY = 128
};

int64_t physarum_cpu_omp_bytes(const assay_shape *s);
int64_t physarum_ops_bytes(const assay_shape *s);
int64_t physarum_two_kernel_bytes(const assay_shape *s);
int64_t physarum_fused_bytes(const assay_shape *s);
int64_t physarum_sorted_bytes(const assay_shape *s);
int64_t physarum_resident_bytes(const assay_shape *s);

#endif
