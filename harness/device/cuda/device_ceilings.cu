/* Kernels that show what the card can do: bandwidth of copy, read, write and triad, fp32 rate. */
#include "device/device_ceilings.h"

static const unsigned BLOCK         = 256;
static const unsigned MOST          = 4; /* 16-byte words that a thread has in flight */
static const int      INVALID_VALUE = static_cast<int>(cudaErrorInvalidValue);

/* Sizes of an array in 16-byte words. Below SMALL the card is not full, and more and smaller blocks
 * fill it sooner. From LARGE on nothing stays in the cache, and stores come from as many blocks as
 * possible (measured on an H100: copy 3.02 TB/s with one word a thread, 2.98 with four; within the
 * cache 3.8 with four, 3.5 with one). */
static const size_t SMALL = size_t(1) << 17;
static const size_t LARGE = size_t(1) << 21;

/* ---- arrays: vectors of four floats, then up to three floats that are left ---- */

static __device__ size_t first_vector(unsigned depth)
{
    return static_cast<size_t>(blockIdx.x) * depth * BLOCK + threadIdx.x;
}

/* Finds the float of the rest that this thread computes; false: none. */
static __device__ bool has_rest(size_t n, size_t *i)
{
    *i = n / 4 * 4 + threadIdx.x;
    return blockIdx.x == 0 && *i < n;
}

/* Loads everything before the first use, so that `depth` loads are in flight. */
static __device__ void load(float4 (&v)[MOST], const float4 *from, size_t n_vectors, unsigned depth)
{
#pragma unroll
    for (unsigned k = 0; k < MOST; k++) {
        const size_t i = first_vector(depth) + k * BLOCK;

        v[k] = k < depth && i < n_vectors ? from[i] : make_float4(0, 0, 0, 0);
    }
}

static __device__ void store(float4 *to, const float4 (&v)[MOST], size_t n_vectors, unsigned depth)
{
#pragma unroll
    for (unsigned k = 0; k < MOST; k++) {
        const size_t i = first_vector(depth) + k * BLOCK;

        if (k < depth && i < n_vectors)
            to[i] = v[k];
    }
}

/* A launch over arrays. */
typedef struct shape {
    size_t   n;
    unsigned depth, blocks;
} shape;

/* False: there is nothing to launch, and *error is what the launcher returns. */
static bool plan(const assay_args *args, bool stores, shape *s, int *error)
{
    const int64_t n = args->count[0], depth = args->param[0];
    size_t        n_vectors;

    *error = n < 0 || depth < 0 || depth > MOST ? INVALID_VALUE : 0;
    if (*error != 0 || n == 0)
        return false;
    s->n      = static_cast<size_t>(n);
    n_vectors = s->n / 4;
    s->depth  = depth > 0                                             ? static_cast<unsigned>(depth)
                : n_vectors < SMALL || (stores && n_vectors >= LARGE) ? 1
                                                                      : MOST;
    s->blocks = static_cast<unsigned>(n_vectors / (s->depth * BLOCK) + 1);
    return true;
}

/* ---- copy ---- */

extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_timed_copy(float *__restrict__ to, const float *__restrict__ from, size_t n,
                     unsigned depth)
{
    float4 v[MOST];
    size_t i;

    load(v, reinterpret_cast<const float4 *>(from), n / 4, depth);
    store(reinterpret_cast<float4 *>(to), v, n / 4, depth);
    if (has_rest(n, &i))
        to[i] = from[i];
}

ASSAY_LAUNCHER(assay_ceiling_copy)
{
    shape s;
    int   error;

    if (!plan(args, true, &s, &error))
        return error;
    assay_timed_copy<<<s.blocks, BLOCK, 0, stream>>>(
        static_cast<float *>(args->buf[0]), static_cast<const float *>(args->buf[1]), s.n, s.depth);
    return assay_launch_status();
}

/* ---- read ---- */

static __device__ unsigned sum_of_bits(float4 v)
{
    return __float_as_uint(v.x) + __float_as_uint(v.y) + __float_as_uint(v.z) +
           __float_as_uint(v.w);
}

/* Each block writes one word, so that no load can be optimized away and the reading can be
 * checked. */
extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_timed_read(unsigned *__restrict__ to, const float *__restrict__ from, size_t n,
                     unsigned depth)
{
    __shared__ unsigned of_block[1];
    float4              v[MOST];
    unsigned            sum = 0;
    size_t              i;

    if (threadIdx.x == 0)
        of_block[0] = 0;
    __syncthreads();
    load(v, reinterpret_cast<const float4 *>(from), n / 4, depth);
#pragma unroll
    for (unsigned k = 0; k < MOST; k++)
        sum += sum_of_bits(v[k]);
    if (has_rest(n, &i))
        sum += __float_as_uint(from[i]);
    for (int lanes = 16; lanes > 0; lanes /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(of_block, sum);
    __syncthreads();
    if (threadIdx.x == 0)
        to[blockIdx.x] = of_block[0];
}

ASSAY_LAUNCHER(assay_ceiling_read)
{
    shape s;
    int   error;

    if (!plan(args, false, &s, &error))
        return error;
    assay_timed_read<<<s.blocks, BLOCK, 0, stream>>>(static_cast<unsigned *>(args->buf[0]),
                                                     static_cast<const float *>(args->buf[1]), s.n,
                                                     s.depth);
    return assay_launch_status();
}

/* ---- write ---- */

static __device__ float written(size_t i)
{
    return __uint_as_float(0x3f800000u | (static_cast<uint32_t>(i) * 2654435761u) >> 9);
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_timed_write(float *to, size_t n, unsigned depth)
{
    float4 v[MOST];
    size_t i;

#pragma unroll
    for (unsigned k = 0; k < MOST; k++) {
        i    = 4 * (first_vector(depth) + k * BLOCK);
        v[k] = make_float4(written(i), written(i + 1), written(i + 2), written(i + 3));
    }
    store(reinterpret_cast<float4 *>(to), v, n / 4, depth);
    if (has_rest(n, &i))
        to[i] = written(i);
}

ASSAY_LAUNCHER(assay_ceiling_write)
{
    shape s;
    int   error;

    if (!plan(args, true, &s, &error))
        return error;
    assay_timed_write<<<s.blocks, BLOCK, 0, stream>>>(static_cast<float *>(args->buf[0]), s.n,
                                                      s.depth);
    return assay_launch_status();
}

/* ---- triad ---- */

static __device__ float triad(float b, float c) { return fmaf(3.0f, c, b); }

static __device__ float4 triad(float4 b, float4 c)
{
    return make_float4(triad(b.x, c.x), triad(b.y, c.y), triad(b.z, c.z), triad(b.w, c.w));
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_timed_triad(float *__restrict__ a, const float *__restrict__ b,
                      const float *__restrict__ c, size_t n, unsigned depth)
{
    float4 v[MOST], w[MOST];
    size_t i;

    load(v, reinterpret_cast<const float4 *>(b), n / 4, depth);
    load(w, reinterpret_cast<const float4 *>(c), n / 4, depth);
#pragma unroll
    for (unsigned k = 0; k < MOST; k++)
        v[k] = triad(v[k], w[k]);
    store(reinterpret_cast<float4 *>(a), v, n / 4, depth);
    if (has_rest(n, &i))
        a[i] = triad(b[i], c[i]);
}

ASSAY_LAUNCHER(assay_ceiling_triad)
{
    shape s;
    int   error;

    if (!plan(args, true, &s, &error))
        return error;
    assay_timed_triad<<<s.blocks, BLOCK, 0, stream>>>(
        static_cast<float *>(args->buf[0]), static_cast<const float *>(args->buf[1]),
        static_cast<const float *>(args->buf[2]), s.n, s.depth);
    return assay_launch_status();
}

/* ---- fma ---- */

/* The factor and the summand are both 1, which the compiler does not know. */
extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_timed_fma(float *to, size_t n, unsigned rounds, float factor, float summand)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * BLOCK + threadIdx.x;
    float        x[ASSAY_CEILING_CHAINS];
    float        sum = 0;

    if (i >= n)
        return;
#pragma unroll
    for (int c = 0; c < ASSAY_CEILING_CHAINS; c++)
        x[c] = static_cast<float>(c);
#pragma unroll 1
    for (unsigned r = 0; r < rounds; r++) {
#pragma unroll
        for (int s = 0; s < ASSAY_CEILING_STEPS; s++)
#pragma unroll
            for (int c = 0; c < ASSAY_CEILING_CHAINS; c++)
                x[c] = fmaf(x[c], factor, summand);
    }
#pragma unroll
    for (int c = 0; c < ASSAY_CEILING_CHAINS; c++)
        sum += x[c];
    to[i] = sum;
}

ASSAY_LAUNCHER(assay_ceiling_fma)
{
    const int64_t n = args->count[0], rounds = args->param[0];

    if (n < 0 || rounds < 0 || rounds > ASSAY_CEILING_MAX_ROUNDS)
        return INVALID_VALUE;
    if (n == 0)
        return 0;
    assay_timed_fma<<<assay_blocks_for(n, BLOCK), BLOCK, 0, stream>>>(
        static_cast<float *>(args->buf[0]), static_cast<size_t>(n), static_cast<unsigned>(rounds),
        1.0f, 1.0f);
    return assay_launch_status();
}
