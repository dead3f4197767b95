/* Kernels that a case launches without any host code of theirs. Part of case.h. */
#ifndef ASSAY_CASE_KERNEL_H
#define ASSAY_CASE_KERNEL_H

#include <stdbool.h>

enum {
    ASSAY_MAX_KERNELS = 8 /* of one variant */
};

/* The launch of a __global__ function, as data: no host code is needed. Each text is a list of
 * expressions, separated by commas, of numbers, + - * / % ( ), min(a, b), max(a, b), ceil_div(a,
 * b), and of names: axes (of a grid its extents: size.x), tuning axes, buffers, count(buffer),
 * params and scalars to which the shape gives a name, else param[i], scalar[i]. Whole numbers are
 * 64 bits wide, and refused where a parameter of the kernel cannot hold them. */
typedef struct assay_kernel {
    const char
        *name; /* as the source calls it: "scale", "mine::sum<float, 4>"; NULL ends the list */
    const char *grid, *block;   /* up to three extents each */
    const char *shared;         /* bytes of dynamic shared memory; NULL: none */
    const char *arguments;      /* in the order of the kernel's parameters */
    bool        is_co_resident; /* all blocks at once: a cooperative launch */
} assay_kernel;

#endif
