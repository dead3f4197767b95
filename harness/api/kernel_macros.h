/* Older macros for plain CUDA C++, kept for cases outside this tree. The release after 0.2 removes
 * them. Only their test uses them here. */
#ifndef ASSAY_KERNEL_MACROS_H
#define ASSAY_KERNEL_MACROS_H

/* Put a kernel with commas between template arguments in parentheses. */
#define ASSAY_LAUNCH(kernel, grid, block, smem_bytes, stream, ...)                                 \
    kernel<<<(grid), (block), (smem_bytes), (stream)>>>(__VA_ARGS__)
#define ASSAY_LAUNCH_CO_RESIDENT         assay_launch_co_resident
#define ASSAY_LAUNCH_DEPENDENT           assay_launch_dependent
#define ASSAY_ALLOW_SHARED(kernel, size) assay_allow_shared((kernel), static_cast<size_t>(size))

#define ASSAY_SHARED(T, name, n) __shared__ T name[n]
#define ASSAY_SHARED_DYNAMIC(T, name)                                                              \
    extern __shared__ __align__(16) unsigned char assay_dynamic_shared[];                          \
    T                                            *name = reinterpret_cast<T *>(assay_dynamic_shared)

#endif
