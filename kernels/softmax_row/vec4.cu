/* Rows in registers, loaded and stored 16 bytes at a time. vec4: a block a row. skinny: several
 * rows a warp. */
#include "softmax_device.cuh"

/* Tuning axes: threads of a block. */
enum {
    BLOCK
};

/* ---- a block a row: each thread has N vectors of it, and an element that is in none ---- */

template <typename T, int N> static __global__ void __launch_bounds__(1024)
    softmax_vec4_kernel(int width, const T *x, T *y)
{
    __shared__ float       slot[32];
    constexpr int          SIZE  = softmax_parts<T>::SIZE;
    const int64_t          first = static_cast<int64_t>(blockIdx.x) * width;
    const softmax_parts<T> parts(first, width);
    const int              t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockDim.x);
    const auto            *packs   = reinterpret_cast<const ops_pack<T> *>(x + first + parts.head);
    auto                  *results = reinterpret_cast<ops_pack<T> *>(y + first + parts.head);
    const int64_t          edge    = first + parts.column(t);
    float                  v[N * SIZE], max = -INFINITY, sum = 0;
    float                  last = t < parts.edges ? ops_float(x[edge]) : -INFINITY;

#pragma unroll
    for (int k = 0; k < N * SIZE; k++)
        v[k] = -INFINITY;
#pragma unroll
    for (int n = 0; n < N; n++)
        if (t + n * block < parts.packs)
            softmax_unpack(packs[t + n * block], v + n * SIZE);
#pragma unroll
    for (int k = 0; k < N * SIZE; k++)
        max = ops_max()(max, v[k]);
    const float base = softmax_base(ops_reduce_block<ops_max>(ops_max()(max, last), slot));

#pragma unroll
    for (int k = 0; k < N * SIZE; k++)
        sum += v[k] = softmax_power(v[k] - base);
    last              = softmax_power(last - base);
    const float scale = softmax_scale(ops_reduce_block<ops_add>(sum + last, slot));

#pragma unroll
    for (int k = 0; k < N * SIZE; k++)
        v[k] *= scale;
#pragma unroll
    for (int n = 0; n < N; n++)
        if (t + n * block < parts.packs)
            results[t + n * block] = softmax_packed<T>(v + n * SIZE);
    if (t < parts.edges)
        y[edge] = ops_round<T>(last * scale);
}

/* N vectors a thread, in as few threads as that needs, but for wide rows not more than `block`. */
template <typename T, int N> static void launch_vec4_of(const assay_args *args, assay_stream stream)
{
    const int64_t width = args->param[SOFTMAX_WIDTH], packs = width / softmax_parts<T>::SIZE;
    const int64_t needed = assay_ceil_div(packs, N), block = args->tune[BLOCK];
    const auto    rows = static_cast<unsigned>(args->param[SOFTMAX_ROWS]);

    softmax_vec4_kernel<T, N>
        <<<rows, softmax_block(packs, needed > block ? needed : block), 0, stream>>>(
            static_cast<int>(width), static_cast<const T *>(args->buf[SOFTMAX_X]),
            static_cast<T *>(args->buf[SOFTMAX_Y]));
}

/* Of 8 or of 32 elements a thread. */
template <typename T> static int launch_vec4(const assay_args *args, assay_stream stream)
{
    constexpr int SIZE = softmax_parts<T>::SIZE;

    if (args->param[SOFTMAX_WIDTH] <= 8 * args->tune[BLOCK])
        launch_vec4_of<T, 8 / SIZE>(args, stream);
    else
        launch_vec4_of<T, 32 / SIZE>(args, stream);
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_vec4)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_vec4<T>(args, stream));
}

/* ---- several rows a warp: each lane has one vector of each of DEPTH rows ---- */

enum {
    DEPTH = 4
};

/* Powers of a lane's elements over the sum of their row. */
template <int SIZE> __device__ inline void softmax_of_lanes(float *v, int lanes)
{
    float max = -INFINITY, sum = 0;

#pragma unroll
    for (int k = 0; k < SIZE; k++)
        max = ops_max()(max, v[k]);
    const float base = softmax_base(softmax_reduce_lanes<ops_max>(max, lanes));

#pragma unroll
    for (int k = 0; k < SIZE; k++)
        sum += v[k] = softmax_power(v[k] - base);
    const float scale = softmax_scale(softmax_reduce_lanes<ops_add>(sum, lanes));

#pragma unroll
    for (int k = 0; k < SIZE; k++)
        v[k] *= scale;
}

template <typename T>
static __global__ void softmax_skinny_kernel(int64_t rows, int width, int lanes, const T *x, T *y)
{
    constexpr int SIZE = softmax_parts<T>::SIZE;
    const int     t = static_cast<int>(threadIdx.x), groups = static_cast<int>(blockDim.x) / lanes;
    const softmax_lane<T> at    = { width, lanes, t % lanes };
    const int64_t         first = static_cast<int64_t>(blockIdx.x) * groups * DEPTH + t / lanes;
    float                 v[DEPTH][SIZE];

#pragma unroll
    for (int d = 0; d < DEPTH; d++) {
        for (int k = 0; k < SIZE; k++)
            v[d][k] = -INFINITY;
        if (first + d * groups < rows)
            at.load(x + (first + d * groups) * width, v[d]);
    }
#pragma unroll
    for (int d = 0; d < DEPTH; d++) {
        softmax_of_lanes<SIZE>(v[d], lanes);
        if (first + d * groups < rows)
            at.store(y + (first + d * groups) * width, v[d]);
    }
}

template <typename T> static int launch_skinny(const assay_args *args, assay_stream stream)
{
    const int64_t rows = args->param[SOFTMAX_ROWS], width = args->param[SOFTMAX_WIDTH];
    const auto    block = static_cast<unsigned>(args->tune[BLOCK]);
    const int     lanes = softmax_lanes<T>(width);

    softmax_skinny_kernel<T>
        <<<assay_blocks_for(rows * lanes, int64_t { DEPTH } * block), block, 0, stream>>>(
            rows, static_cast<int>(width), lanes, static_cast<const T *>(args->buf[SOFTMAX_X]),
            static_cast<T *>(args->buf[SOFTMAX_Y]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_skinny)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_skinny<T>(args, stream));
}
