/* Bytes that each variant moves by its design, in all steps of a call. */
#ifndef PHYSARUM_BYTES_H
#define PHYSARUM_BYTES_H

#include "case.h"

enum {
    PHYSARUM_SORT_EVERY = 128 /* steps between sorts, unless a search says otherwise */
};

int64_t physarum_cpu_omp_bytes(const assay_shape *s);
int64_t physarum_ops_bytes(const assay_shape *s);
int64_t physarum_two_kernel_bytes(const assay_shape *s);
int64_t physarum_fused_bytes(const assay_shape *s);
int64_t physarum_sorted_bytes(const assay_shape *s);
int64_t physarum_resident_bytes(const assay_shape *s);

#endif
