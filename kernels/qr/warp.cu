/* qr, a warp takes a matrix: each lane keeps one or two columns in registers, and reflectors go
 * through shared memory. In step k a column begins at its row k. */
#include "../ops/ops_rows.cuh"
#include "qr_device.cuh"

enum {
    TUNE_WARPS,
    MAX_THREADS = 256
};

namespace
{

/* The matrix that a warp works on. Reflector k, from its row k on, is line k of memory. */
template <int LINES> struct work {
    static constexpr int WIDTH = ops_lines<LINES>::WIDTH;
    float               *reflectors, *factors;
    int64_t              m;
    float                down[LINES]; /* factors that scale a lane's columns back */

    /* Element i of line j. Lanes that read a line each, or one line together, meet different
     * banks. */
    __device__ float &turned(int i, int j) const { return reflectors[j * WIDTH + (i + j) % WIDTH]; }
    __device__ float *reflector(int k) const { return reflectors + k * WIDTH; }
};

/* ---- in and out ---- */

template <int LINES> __device__ void load(ops_lines<LINES> &c, const qr_problem &p, work<LINES> &w)
{
    for (int j = 0; j < p.columns; j++)
        for (int i = ops_lane(); i < p.rows; i += 32)
            w.turned(i, j) = ops_load_any(p.type, p.a, (w.m * p.columns + j) * p.rows + i);
    __syncwarp();
#pragma unroll
    for (int s = 0; s < LINES; s++) {
        const int j       = ops_lane() + 32 * s;
        unsigned  largest = 0;

#pragma unroll
        for (int i = 0; i < work<LINES>::WIDTH; i++) {
            c.a[s][i] = i < p.rows && j < p.columns ? w.turned(i, j) : 0;
            largest   = max(largest, ops_magnitude(c.a[s][i]));
        }
        const ops_scale scale = ops_scale_of(largest);

        w.down[s] = scale.down;
#pragma unroll
        for (int i = 0; i < work<LINES>::WIDTH; i++)
            c.a[s][i] *= scale.up;
    }
    /* reflectors take the place of the matrix */
}

template <int LINES>
__device__ void store_q(const ops_lines<LINES> &c, const qr_problem &p, const work<LINES> &w)
{
    __syncwarp();
#pragma unroll
    for (int s = 0; s < LINES; s++)
#pragma unroll
        for (int i = 0; i < work<LINES>::WIDTH; i++)
            if (i < p.rows && ops_lane() + 32 * s < p.columns)
                w.turned(i, ops_lane() + 32 * s) = c.a[s][i];
    __syncwarp();
    for (int j = 0; j < p.columns; j++)
        for (int i = ops_lane(); i < p.rows; i += 32)
            ops_store_any(p.type, p.q, (w.m * p.columns + j) * p.rows + i, w.turned(i, j));
}

/* ---- A to R and reflectors ---- */

/* Publishes column k, from its row k on, to all lanes. */
template <int WIDTH, int LINES>
__device__ void publish(const ops_lines<LINES> &c, const work<LINES> &w, int k)
{
    float4 *const to = reinterpret_cast<float4 *>(w.reflector(k));

#pragma unroll
    for (int s = 0; s < LINES; s++) {
        if (ops_lane() + 32 * s != k)
            continue;
#pragma unroll
        for (int i = 0; i < WIDTH; i += 4)
            to[i / 4] = make_float4(c.a[s][i], c.a[s][i + 1], c.a[s][i + 2], c.a[s][i + 3]);
    }
    __syncwarp();
}

/* Products of the published column and each column; a lane does its columns one by one. */
template <int WIDTH, int LINES>
__device__ void multiply(const ops_lines<LINES> &c, const work<LINES> &w, int k, float *product)
{
    const float4 *const from = reinterpret_cast<const float4 *>(w.reflector(k));

#pragma unroll
    for (int s = 0; s < LINES; s++)
        product[s] = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; i += 4) {
        const float4 four = from[i / 4];

#pragma unroll
        for (int s = 0; s < LINES; s++) {
            product[s] = fmaf(four.x, c.a[s][i], product[s]);
            product[s] = fmaf(four.y, c.a[s][i + 1], product[s]);
            product[s] = fmaf(four.z, c.a[s][i + 2], product[s]);
            product[s] = fmaf(four.w, c.a[s][i + 3], product[s]);
        }
    }
}

/* The product of column k with itself, which its lane has. */
template <int LINES> __device__ float own_product(const float *product, int k)
{
    float mine = product[0];

#pragma unroll
    for (int s = 1; s < LINES; s++)
        mine = k >= 32 * s ? product[s] : mine;
    return __shfl_sync(OPS_ALL_LANES, mine, k % 32);
}

/* Stores row k of R, and finds how far each column is moved along the reflector. */
template <int LINES> __device__ void leave(const ops_lines<LINES> &c, const qr_problem &p,
                                           const work<LINES> &w, int k, const qr_reflection &h,
                                           const float *product, float *along)
{
#pragma unroll
    for (int s = 0; s < LINES; s++) {
        const int   j     = ops_lane() + 32 * s;
        const float first = c.a[s][0];

        /* the published column begins with x0, not with v0 */
        along[s]      = h.factor * fmaf(-h.diagonal, first, product[s]);
        const float r = j > k ? fmaf(-along[s], h.v0, first) : j == k ? h.diagonal : 0;

        if (j < p.columns)
            ops_store_any(p.type, p.r, (w.m * p.columns + j) * p.columns + k, r * w.down[s]);
    }
}

/* Reflects the columns and moves them one place up. Those up to k are no longer used. */
template <int WIDTH, int LINES>
__device__ void reflect(ops_lines<LINES> &c, const work<LINES> &w, int k, const float *along)
{
    const float4 *const from = reinterpret_cast<const float4 *>(w.reflector(k));

#pragma unroll
    for (int i = 0; i < WIDTH; i += 4) {
        const float4 four = from[i / 4];

#pragma unroll
        for (int s = 0; s < LINES; s++) {
            if (i > 0)
                c.a[s][i - 1] = fmaf(-along[s], four.x, c.a[s][i]);
            c.a[s][i]     = fmaf(-along[s], four.y, c.a[s][i + 1]);
            c.a[s][i + 1] = fmaf(-along[s], four.z, c.a[s][i + 2]);
            c.a[s][i + 2] = fmaf(-along[s], four.w, c.a[s][i + 3]);
        }
    }
#pragma unroll
    for (int s = 0; s < LINES; s++)
        c.a[s][WIDTH - 1] = 0;
}

/* Does steps from k on, until `rest` rows are left or all columns are done. Returns the next
 * step. */
template <int WIDTH, int LINES> __device__ int steps(ops_lines<LINES> &c, const qr_problem &p,
                                                     const work<LINES> &w, int rest, int k)
{
    float product[LINES], along[LINES];

    for (; k < p.columns && p.rows - k > rest; k++) {
        publish<WIDTH>(c, w, k);
        multiply<WIDTH>(c, w, k, product);
        const qr_reflection h = qr_reflection_of(w.reflector(k)[0], own_product<LINES>(product, k));

        leave(c, p, w, k, h, product, along);
        reflect<WIDTH>(c, w, k, along);
        __syncwarp(); /* all have read x0 */
        if (ops_lane() == 0) {
            w.reflector(k)[0] = h.v0;
            w.factors[k]      = h.factor;
        }
    }
    return k;
}

__device__ void all_steps(ops_lines<1> &c, const qr_problem &p, const work<1> &w)
{
    const int k = steps<32>(c, p, w, 16, 0);

    (void)steps<16>(c, p, w, 0, k);
}

__device__ void all_steps(ops_lines<2> &c, const qr_problem &p, const work<2> &w)
{
    int k = steps<64>(c, p, w, 48, 0);

    k = steps<48>(c, p, w, 32, k);
    k = steps<32>(c, p, w, 16, k);
    (void)steps<16>(c, p, w, 0, k);
}

/* ---- reflectors to Q ---- */

/* Columns of Q begin at row k + 1 before, and at row k after, where column k begins as a unit
 * vector. `first` is each column's element in row k, `along` how far it is moved along the
 * reflector. */
template <int WIDTH, int LINES> __device__ void multiply_back(const ops_lines<LINES> &c,
                                                              const work<LINES> &w, int k,
                                                              const float *first, float *along)
{
    const float4 *const from = reinterpret_cast<const float4 *>(w.reflector(k));

#pragma unroll
    for (int s = 0; s < LINES; s++)
        along[s] = 0;
#pragma unroll
    for (int i = 0; i < WIDTH; i += 4) {
        const float4 four = from[i / 4];

#pragma unroll
        for (int s = 0; s < LINES; s++) {
            along[s] = fmaf(four.x, i > 0 ? c.a[s][i - 1] : first[s], along[s]);
            along[s] = fmaf(four.y, c.a[s][i], along[s]);
            along[s] = fmaf(four.z, c.a[s][i + 1], along[s]);
            along[s] = fmaf(four.w, c.a[s][i + 2], along[s]);
        }
    }
#pragma unroll
    for (int s = 0; s < LINES; s++)
        along[s] *= w.factors[k];
}

template <int WIDTH, int LINES>
__device__ void reflect_back(ops_lines<LINES> &c, const work<LINES> &w, int k)
{
    const float4 *const from = reinterpret_cast<const float4 *>(w.reflector(k));
    float               along[LINES], first[LINES];

#pragma unroll
    for (int s = 0; s < LINES; s++)
        first[s] = ops_lane() + 32 * s == k ? 1 : 0;
    multiply_back<WIDTH>(c, w, k, first, along);
#pragma unroll
    for (int i = WIDTH - 4; i >= 0; i -= 4) {
        const float4 four = from[i / 4];

#pragma unroll
        for (int s = 0; s < LINES; s++) {
            c.a[s][i + 3] = fmaf(-along[s], four.w, c.a[s][i + 2]);
            c.a[s][i + 2] = fmaf(-along[s], four.z, c.a[s][i + 1]);
            c.a[s][i + 1] = fmaf(-along[s], four.y, c.a[s][i]);
            c.a[s][i]     = fmaf(-along[s], four.x, i > 0 ? c.a[s][i - 1] : first[s]);
        }
    }
}

/* Does steps from k down to the last one for which WIDTH rows are enough. Returns the next step. */
template <int WIDTH, int LINES>
__device__ int steps_back(ops_lines<LINES> &c, const qr_problem &p, const work<LINES> &w, int k)
{
    for (; k >= 0 && p.rows - k <= WIDTH; k--)
        reflect_back<WIDTH>(c, w, k);
    return k;
}

__device__ void all_steps_back(ops_lines<1> &c, const qr_problem &p, const work<1> &w)
{
    const int k = steps_back<16>(c, p, w, p.columns - 1);

    (void)steps_back<32>(c, p, w, k);
}

__device__ void all_steps_back(ops_lines<2> &c, const qr_problem &p, const work<2> &w)
{
    int k = steps_back<16>(c, p, w, p.columns - 1);

    k = steps_back<32>(c, p, w, k);
    k = steps_back<48>(c, p, w, k);
    (void)steps_back<64>(c, p, w, k);
}

/* ---- the whole ---- */

/* Shared memory of one warp, in numbers: a multiple of 4. */
template <int LINES> __host__ __device__ int memory_of(const qr_problem &p)
{
    return p.columns * ops_lines<LINES>::WIDTH + ops_lines<LINES>::WIDTH;
}

template <int LINES> __global__ void __launch_bounds__(MAX_THREADS) warp_kernel(qr_problem p)
{
    extern __shared__ float4 qr_warps[];
    ops_lines<LINES>         c;
    work<LINES>              w;

    w.m = static_cast<int64_t>(blockIdx.x) * (blockDim.x / 32) + threadIdx.x / 32;
    if (w.m >= p.batch)
        return;
    w.reflectors = reinterpret_cast<float *>(qr_warps) +
                   static_cast<int>(threadIdx.x / 32) * memory_of<LINES>(p);
    w.factors = w.reflectors + p.columns * ops_lines<LINES>::WIDTH;
    load(c, p, w);
    all_steps(c, p, w);
    __syncwarp();
#pragma unroll
    for (int s = 0; s < LINES; s++)
#pragma unroll
        for (int i = 0; i < ops_lines<LINES>::WIDTH; i++)
            c.a[s][i] = 0;
    all_steps_back(c, p, w);
    store_q(c, p, w);
}

template <int LINES> int launch(const qr_problem &p, unsigned warps, assay_stream stream)
{
    const size_t bytes = warps * static_cast<size_t>(memory_of<LINES>(p)) * sizeof(float);
    const int    error = assay_allow_shared(warp_kernel<LINES>, bytes);

    if (error != 0)
        return error;
    warp_kernel<LINES><<<assay_blocks_for(p.batch, warps), 32 * warps, bytes, stream>>>(p);
    return assay_launch_status();
}

} // namespace

ASSAY_LAUNCHER(qr_warp)
{
    const qr_problem p     = qr_problem_of(args);
    const unsigned   warps = static_cast<unsigned>(args->tune[TUNE_WARPS]);

    return p.rows <= 32 ? launch<1>(p, warps, stream) : launch<2>(p, warps, stream);
}
