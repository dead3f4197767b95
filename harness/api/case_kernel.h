/* Kernels that a case launches without host code. Part of case.h. */
#ifndef ASSAY_CASE_KERNEL_H
#define ASSAY_CASE_KERNEL_H

#include <stdbool.h>

enum {
    ASSAY_MAX_KERNELS = 8 /* of one variant */
};

/* The launch of a __global__ function, as data. Each text is a list of expressions, separated by
 * commas. An expression has numbers, names, + - * / % ( ), min(a, b), max(a, b) and ceil_div(a, b).
 * Names are: axes (of a grid its extents: size.x), tuning axes, buffers, count(buffer), and the
 * params and scalars that the shape names; those without a name are param[i] and scalar[i]. Whole
 * numbers have 64 bits; one that a parameter of the kernel cannot hold is an error. */
typedef struct assay_kernel {
    const char *name;         /* as in the source: "scale", "mine::sum<float, 4>"; NULL: the end */
    const char *grid, *block; /* one to three extents each */
    const char *shared;       /* bytes of dynamic shared memory; NULL: none */
    const char *arguments;    /* in the order of the kernel's parameters */
    bool        is_co_resident; /* a cooperative launch: all blocks are resident at once */
} assay_kernel;

#endif
