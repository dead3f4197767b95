/* Kernels that a case declares: which ones the module has, and their launch. Code of the compiler
 * registers every kernel with the runtime while the module is loaded; the linker redirects these
 * calls here (--wrap, CMakeLists.txt). */
#include "device_cuda.h"

#include <stdlib.h>

/* The signature with which the compiler's own code calls it. */
typedef void register_fn(void **image, const char *kernel, char *name, const char *mangled,
                         int thread_limit, uint3 *tid, uint3 *bid, dim3 *block, dim3 *grid,
                         int *warp_size);
register_fn  __real___cudaRegisterFunction, __wrap___cudaRegisterFunction;

typedef struct known_kernel {
    const void *kernel;  /* its stub on the host */
    const char *mangled; /* in the image, which stays */
} known_kernel;

/* Written by one thread while the module is loaded. */
static known_kernel *known;
static int           n_known, known_room;

static void keep(const void *kernel, const char *mangled)
{
    if (n_known == known_room) {
        const int     room = known_room ? 2 * known_room : 256;
        known_kernel *more = realloc(known, (size_t)room * sizeof *more);

        if (!more)
            return; /* its name is not found, and the kernel is reported as missing */
        known      = more;
        known_room = room;
    }
    known[n_known++] = (known_kernel) { kernel, mangled };
}

void __wrap___cudaRegisterFunction(void **image, const char *kernel, char *name,
                                   const char *mangled, int thread_limit, uint3 *tid, uint3 *bid,
                                   dim3 *block, dim3 *grid, int *warp_size)
{
    keep(kernel, mangled);
    __real___cudaRegisterFunction(image, kernel, name, mangled, thread_limit, tid, bid, block, grid,
                                  warp_size);
}

bool assay_cuda_kernel(int i, assay_kernel_entry *entry)
{
    if (i < 0 || i >= n_known)
        return false;
    *entry = (assay_kernel_entry) { .signature = known[i].mangled, .kernel = known[i].kernel };
    return true;
}

static cudaError_t launch(const assay_planned_kernel *k, const assay_args *args,
                          cudaStream_t stream)
{
    enum {
        WITHOUT_ASKING = 48 * 1024 /* bytes of shared memory that need no attribute */
    };
    const dim3  grid  = { k->grid[0], k->grid[1], k->grid[2] };
    const dim3  block = { k->block[0], k->block[1], k->block[2] };
    cudaError_t error = cudaSuccess;
    void       *address[ASSAY_MAX_KERNEL_PARAMETERS], *value[ASSAY_MAX_KERNEL_PARAMETERS];

    for (int i = 0; i < k->n_arguments; i++) {
        const assay_planned_argument *a = &k->argument[i];

        address[i] = a->buffer >= 0 ? args->buf[a->buffer] : NULL;
        value[i]   = a->buffer >= 0 ? (void *)&address[i] : (void *)(uintptr_t)a->bytes;
    }
    if (k->shared_bytes > WITHOUT_ASKING)
        error = cudaFuncSetAttribute(k->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)k->shared_bytes);
    if (error != cudaSuccess)
        return error;
    return k->is_co_resident
               ? cudaLaunchCooperativeKernel(k->kernel, grid, block, value, k->shared_bytes, stream)
               : cudaLaunchKernel(k->kernel, grid, block, value, k->shared_bytes, stream);
}

int assay_cuda_launch_plan(const assay_args *args, assay_stream stream)
{
    cudaError_t error = cudaSuccess;

    for (int i = 0; i < args->plan->n && error == cudaSuccess; i++)
        error = launch(&args->plan->kernel[i], args, stream);
    return (int)error;
}
