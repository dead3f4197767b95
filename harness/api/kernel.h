/* The only header that kernels/ and reference/ include. Valid C17, C++17 and CUDA C++.
 *
 * C and C++ files see the argument block, the contract of a reference and the declaration of
 * launchers. A .cu file also gets the device side: under nvcc from CUDA itself; under a C++
 * compiler with ASSAY_HOST_KERNELS defined, which assay-cc calls, from the host device
 * (host/kernel_host.h). Names and syntax are the same in both. */
#ifndef ASSAY_KERNEL_H
#define ASSAY_KERNEL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#define ASSAY_EXPORT extern "C" __attribute__((visibility("default")))
#else
#define ASSAY_EXPORT __attribute__((visibility("default")))
#endif

/* The same type as cudaStream_t. It is declared here so that C code needs no CUDA header. */
typedef struct CUstream_st *assay_stream;

/* The arguments of launchers, CPU variants and workspace queries. All indices are those of the
 * case's shape. The harness owns everything but `state`. */
typedef struct assay_args {
    void *const   *buf;    /* addresses on the device; of a CPU variant, on the host */
    const int64_t *count;  /* elements of each buffer; may be 0 */
    const int64_t *param;  /* the shape's integers */
    const double  *scalar; /* the shape's reals */
    const int64_t *tune;   /* values of the variant's tuning axes, in order; NULL if it has none */
    void          *workspace; /* memory of the size that the workspace query returned, else NULL */
    size_t         workspace_bytes;
    void          *state; /* what the variant's setup made, else NULL */
    const struct assay_launch_plan
        *plan; /* the launches of a variant with .kernels (device.h), else NULL */
} assay_args;

/* Enqueues all work of one call on the stream and returns. It must not allocate memory, and must
 * not wait unless the variant declares ASSAY_HOST_SYNC. Returns 0 or CUDA's error number of the
 * launch, on both devices. */
typedef int assay_launch_fn(const assay_args *args, assay_stream stream);

/* Returns the bytes of workspace that the variant needs for these arguments, of which buf,
 * workspace and state are NULL. */
typedef size_t assay_workspace_fn(const assay_args *args);

/* A setup creates in *state what must outlive one call (a plan, a handle). It returns 0 or an error
 * number. The teardown frees it, and accepts NULL. A setup that lacks something on this machine (a
 * library) returns ASSAY_NOT_HERE and leaves the reason in *state, a text of static lifetime: the
 * point is UNSUPPORTED. */
enum {
    ASSAY_NOT_HERE = -1
};
typedef int  assay_setup_fn(const assay_args *args, void **state);
typedef void assay_teardown_fn(void *state);

/* Defines a launcher: ASSAY_LAUNCHER(axpy_naive) { ...; return assay_launch_status(); } */
#define ASSAY_LAUNCHER(name)  ASSAY_EXPORT int name(const assay_args *args, assay_stream stream)
#define ASSAY_WORKSPACE(name) ASSAY_EXPORT size_t name(const assay_args *args)

/* Defines a launcher in one line, around a host function that launches on the default stream. The
 * harness makes its own stream the default:
 *
 *   ASSAY_CALLER(softmax_online, softmax_forward(ASSAY_BUFFER(float, Y), ASSAY_BUFFER(float, X),
 * ASSAY_PARAM(N)))
 *
 * Buffers and params are named by their indices in the case's shape, usually from an enumeration.
 * In place of the function there may be a launch or a block of statements. */
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

/* Returns how many parts of `size` items hold n items; size > 0. */
static inline int64_t assay_ceil_div(int64_t n, int64_t size)
{
    return n > 0 ? (n - 1) / size + 1 : 0;
}

/* Returns the blocks of a grid for n items, with `block` items each. At least 1, since CUDA does
 * not launch an empty grid. 0 if there are more than a grid may have: the launch then fails. */
static inline unsigned assay_blocks_for(int64_t n, int64_t block)
{
    const int64_t blocks = n > 0 ? assay_ceil_div(n, block) : 1;

    return blocks <= INT32_MAX ? (unsigned)blocks : 0;
}

/* How one element of an output is judged. */
typedef enum assay_law {
    ASSAY_COMPARE = 0, /* by the case's tolerance against the expected value */
    ASSAY_MUST_BE_NAN, /* any quiet NaN; a number fails */
    ASSAY_EXEMPT,      /* may differ (a tie, the edge of a cell); at most exempt_share of them */
    ASSAY_MAY_BE_NAN,  /* as COMPARE, but NaN is right too (rounding decides) and counts as exempt
                        */
    ASSAY_ANYTHING, /* not judged: any value is right, also no write at all (padding of a row, what
                       follows the end of a list). At least one element of a case must be judged.
                       Bits of an output with such elements are not compared while a deterministic
                       variant is timed */
} assay_law;

/* What the reference computes for one output. The harness allocates and frees the arrays; the
 * reference fills them. [count]: one entry for each element. */
typedef struct assay_expected {
    double  *value;        /* [count], of floating-point outputs */
    int64_t *integer;      /* [count], of integer outputs (the bits, if unsigned) */
    double  *magnitude;    /* [count], sum of |terms| of the value; 0 on entry */
    uint8_t *law;          /* [count], assay_law; ASSAY_COMPARE on entry */
    double   terms;        /* terms in the longest sum, for the growth g(n); 1 on entry */
    double   exempt_share; /* predicted share of exempt elements, 0 to 1; 0 on entry */
} assay_expected;

/* Spreads work over threads: calls fn once for each chunk of 0..count-1 and returns when all are
 * done. Chunk k begins at k * size. Results that are kept by chunk and merged in order do not
 * depend on the number of threads. */
typedef void assay_parallel_fn(void *context, int64_t chunk, int64_t begin, int64_t end);
typedef void assay_parallel_for_fn(int64_t count, int64_t size, assay_parallel_fn *fn,
                                   void *context);

typedef struct assay_reference_args {
    const void *const *in;     /* initial contents of IN and INOUT buffers; NULL for others */
    assay_expected    *expect; /* by buffer; the arrays are NULL for buffers that are not outputs */
    const int64_t     *count;
    const int64_t     *param;
    const double      *scalar;
    assay_parallel_for_fn *parallel_for; /* spreads work over threads; never NULL */
} assay_reference_args;

/* The reference: computes the answer in double precision, from the same bits that the kernel gets.
 */
typedef void assay_reference_fn(const assay_reference_args *args);

/* Derives inputs from the filled ones before anything runs: a state after some steps, a consistent
 * residual. in[b] may be written. */
typedef struct assay_prepare_args {
    void *const           *in; /* IN and INOUT buffers as filled; NULL for others */
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
