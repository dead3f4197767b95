/* Rows in registers, loaded and stored 16 bytes at a time. vec4: a block takes a row. skinny: a
 * warp takes a row or several. */
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
    softmax_raw<T, N>      raw;
    float                  v[N * SIZE], sum = 0;

    raw.fill(-INFINITY);
#pragma unroll
    for (int n = 0; n < N; n++)
        if (t + n * block < parts.packs)
            raw.pack[n] = packs[t + n * block];
    float last = t < parts.edges ? ops_float(x[edge]) : -INFINITY;
    raw.unpack(v);
    const float base = softmax_base(
        ops_reduce_block<ops_max>(ops_max()(softmax_largest<N * SIZE>(v), last), slot));

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

/* Each thread has N vectors. There are as few threads as that needs, but for wide rows at most
 * `block`. */
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

/* Each thread has 8 or 32 elements. */
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

/* ---- a warp keeps a row, or several: each lane has N vectors of each of ROWS of them ---- */

template <typename T, int N> static __global__ void __launch_bounds__(1024)
    softmax_skinny_kernel(int64_t rows, int width, int lanes, const T *x, T *y)
{
    constexpr int MINE = N * softmax_parts<T>::SIZE, ROWS = SOFTMAX_LANE / MINE;
    /* `lanes` is a power of two: the compiler does not know that, so shifts take the place of
     * division. */
    const int                by = 31 - __clz(lanes), t = static_cast<int>(threadIdx.x);
    const int                groups = static_cast<int>(blockDim.x) >> by;
    const softmax_lane<T, N> at     = { width, lanes, t & (lanes - 1) };
    const int64_t            first  = static_cast<int64_t>(blockIdx.x) * groups * ROWS + (t >> by);
    softmax_raw<T, N>        raw[ROWS];
    float                    v[ROWS][MINE], max[ROWS], sum[ROWS] = { 0 };

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        raw[r].fill(-INFINITY);
        if (first + r * groups < rows)
            at.load(x + (first + r * groups) * width, raw[r]);
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        raw[r].unpack(v[r]);
        max[r] = softmax_largest<MINE>(v[r]);
    }
    softmax_reduce_lanes<ops_max>(max, lanes);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        for (int k = 0; k < MINE; k++)
            sum[r] += v[r][k] = softmax_power(v[r][k] - softmax_base(max[r]));
    softmax_reduce_lanes<ops_add>(sum, lanes);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        for (int k = 0; k < MINE; k++)
            v[r][k] *= softmax_scale(sum[r]);
        if (first + r * groups < rows)
            at.store(y + (first + r * groups) * width, v[r]);
    }
}

/* A lane has as few vectors as the width allows. */
template <typename T, int N> static int launch_skinny(const assay_args *args, assay_stream stream)
{
    constexpr int MINE = N * softmax_parts<T>::SIZE, ROWS = SOFTMAX_LANE / MINE;
    const int64_t rows = args->param[SOFTMAX_ROWS], width = args->param[SOFTMAX_WIDTH];
    const auto    block = static_cast<unsigned>(args->tune[BLOCK]);
    const int     lanes = softmax_lanes<T, N>(width);

    if constexpr (ROWS > 1)
        if (width > 32 * MINE)
            return launch_skinny<T, 2 * N>(args, stream);
    softmax_skinny_kernel<T, N>
        <<<assay_blocks_for(rows * lanes, int64_t { ROWS } * block), block, 0, stream>>>(
            rows, static_cast<int>(width), lanes, static_cast<const T *>(args->buf[SOFTMAX_X]),
            static_cast<T *>(args->buf[SOFTMAX_Y]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_skinny)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return (launch_skinny<T, 1>(args, stream)));
}
