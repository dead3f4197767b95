/* The only header that kernels/ and reference/ include. Valid C17, C++17 and CUDA C++.
 *
 * C and C++ see the argument block, the reference's contract and the launcher declaration. A .cu
 * file also gets the device side: from CUDA itself under nvcc, from the host executor
 * (host/kernel_host.h) under a C++ compiler with ASSAY_HOST_KERNELS defined, behind assay-cc. Both
 * spell everything the same way. */
#ifndef ASSAY_KERNEL_H
#define ASSAY_KERNEL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#define ASSAY_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ASSAY_EXPORT __attribute__((visibility("default")))
#endif

/* The same type as cudaStream_t, declared here so that C callers need no CUDA header. */
typedef struct CUstream_st *assay_stream;

/* What a launcher, a CPU variant and a workspace query get. Index b, p, s: as the case's shape
 * numbers its buffers, parameters and scalars. */
typedef struct assay_args {
    void *const   *buf;       /* device memory; host memory for a CPU variant */
    const int64_t *count;     /* elements of each buffer, may be 0 */
    const int64_t *param;     /* integers the shape computed from the axes */
    const double  *scalar;    /* reals the shape computed from the axes */
    const int64_t *tune;      /* values of the variant's tuning axes, in order; NULL without any */
    void          *workspace; /* as large as the variant's workspace query asked for, else NULL */
    size_t         workspace_bytes;
    void          *state; /* what the variant's setup returned, else NULL */
    const struct assay_launch_plan
        *plan; /* of a variant that declares kernels (device.h), else NULL */
} assay_args;

/* Enqueues the variant's whole work on the stream and returns: no allocation, no waiting (a variant
 * that must wait declares ASSAY_HOST_SYNC). Returns 0 or the error number of the launch, which is
 * CUDA's on both devices. */
typedef int assay_launch_fn(const assay_args *args, assay_stream stream);

/* Bytes of workspace a variant needs for these arguments (buf, workspace and state are NULL). */
typedef size_t assay_workspace_fn(const assay_args *args);

/* Creates what must outlive one launch (a plan, a handle); 0 or an error number. Teardown accepts
 * NULL. A set-up that misses something on this machine (a library) returns ASSAY_NOT_HERE and
 * leaves in *state the reason, a text that outlives it: the point is UNSUPPORTED. */
enum {
    ASSAY_NOT_HERE = -1
};
typedef int  assay_setup_fn(const assay_args *args, void **state);
typedef void assay_teardown_fn(void *state);

/* Defines a launcher: ASSAY_LAUNCHER(axpy_naive) { ...; return assay_launch_status(); } */
#define ASSAY_LAUNCHER(name)  ASSAY_EXPORT int name(const assay_args *args, assay_stream stream)
#define ASSAY_WORKSPACE(name) ASSAY_EXPORT size_t name(const assay_args *args)

/* A launcher in one line, around a host function that launches on the default stream, which is the
 * harness's:
 *
 *   ASSAY_CALLER(softmax_online, softmax_forward(ASSAY_BUFFER(float, Y), ASSAY_BUFFER(float, X),
 * ASSAY_PARAM(N)))
 *
 * Buffers and params are places in the lists of the case's shape, of which an enumeration has the
 * names. It may also be a launch itself,
 * or a block of statements. */
#define ASSAY_CALLER(name, ...)                                                                    \
    ASSAY_LAUNCHER(name)                                                                           \
    {                                                                                              \
        (void)args;                                                                                \
        (void)stream;                                                                              \
        __VA_ARGS__;                                                                               \
        return assay_launch_status();                                                              \
    }
#define ASSAY_BUFFER(T, b) static_cast<T *>(args->buf[b])
#define ASSAY_COUNT(b)     (args->count[b])
#define ASSAY_PARAM(p)     static_cast<int>(args->param[p])
#define ASSAY_SCALAR(s)    static_cast<float>(args->scalar[s])

/* How many parts of `size` hold n items; size > 0. */
static inline int64_t assay_ceil_div(int64_t n, int64_t size)
{
    return n > 0 ? (n - 1) / size + 1 : 0;
}

/* Blocks of a grid for n items, `block` of them each. At least 1, since a grid of none is an error
 * of its launch; 0, which the launch refuses, where they are more than a grid may have. */
static inline unsigned assay_blocks_for(int64_t n, int64_t block)
{
    const int64_t blocks = n > 0 ? assay_ceil_div(n, block) : 1;

    return blocks <= INT32_MAX ? (unsigned)blocks : 0;
}

/* How one element of an output is judged. */
typedef enum assay_law {
    ASSAY_COMPARE = 0, /* against the expected value, by the case's tolerance */
    ASSAY_MUST_BE_NAN, /* any quiet NaN; a number fails */
    ASSAY_EXEMPT,      /* may differ (a tie, a cell edge); counted against exempt_share */
    ASSAY_MAY_BE_NAN,  /* as COMPARE, but NaN is right too (rounding decides); NaN counts as exempt
                        */
    ASSAY_ANYTHING, /* not judged: any value is right, and so is no write at all (padding of a row,
                       what lies behind the end of a list). Not of all elements of all outputs. Of
                       an output with such elements the bits of a deterministic variant are not
                       compared while it is timed */
} assay_law;

/* What the reference says of one output. The harness allocates; the reference fills. */
typedef struct assay_expected {
    double  *value;        /* [count], floating-point outputs */
    int64_t *integer;      /* [count], integer outputs (64-bit patterns for unsigned ones) */
    double  *magnitude;    /* [count], sum of |terms| behind the value; 0 on entry */
    uint8_t *law;          /* [count], assay_law; ASSAY_COMPARE on entry */
    double   terms;        /* terms in the longest sum, for the growth g(n); 1 on entry */
    double   exempt_share; /* predicted share of exempt elements; 0 on entry */
} assay_expected;

/* Spreads work over threads: calls fn once for each chunk of 0..count-1, chunk k beginning at
 * k * size, and returns when all are done. What is kept by chunk and merged in order does not
 * depend on the number of threads. */
typedef void assay_parallel_fn(void *context, int64_t chunk, int64_t begin, int64_t end);
typedef void assay_parallel_for_fn(int64_t count, int64_t size, assay_parallel_fn *fn,
                                   void *context);

typedef struct assay_reference_args {
    const void *const *in;     /* initial contents of IN and INOUT buffers, else NULL */
    assay_expected    *expect; /* by buffer; its pointers are NULL for buffers that are no output */
    const int64_t     *count;
    const int64_t     *param;
    const double      *scalar;
    assay_parallel_for_fn *parallel_for; /* for those who have much to do; never NULL */
} assay_reference_args;

/* The reference: double precision, plain loops, from the exact bits that the kernel gets. */
typedef void assay_reference_fn(const assay_reference_args *args);

/* Derives inputs from the filled ones before anything runs (a state some steps on, a consistent
 * residual): in[b] is writable here. */
typedef struct assay_prepare_args {
    void *const           *in; /* IN and INOUT as filled, to be changed; NULL for others */
    const int64_t         *count, *param;
    const double          *scalar;
    assay_parallel_for_fn *parallel_for; /* never NULL */
} assay_prepare_args;
typedef void assay_prepare_fn(const assay_prepare_args *args);

#ifdef __cplusplus
}
#endif

/* ---- device side ---- */

#if defined(ASSAY_HOST_KERNELS)
#include "host/kernel_host.h"
#elif defined(__CUDACC__)
#include "kernel_cuda.h"
#endif
#include "kernel_macros.h"

#endif
