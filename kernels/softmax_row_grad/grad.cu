/* The gradient of a softmax of rows from its scores x: dx = y (dy - sum of y dy), with y computed
 * again. online and vec4: a block takes a row, with accesses of 16 bytes; online reads rows of any
 * width twice, vec4 keeps them in registers. skinny: a warp takes a row or several, in
 * registers. */
#include "grad_device.cuh"

/* Tuning axes: threads of a block. */
enum {
    BLOCK
};

/* ---- any width ---- */

/* The largest score seen so far; the sums of powers of the scores less it, and of these powers
 * times dy. */
struct grad_running {
    float max, sum, dot;

    template <int N> __device__ void take(const float *x, const float *dy)
    {
        float most = max;

        for (int k = 0; k < N; k++)
            most = ops_max()(most, x[k]);
        rescale(most);
        for (int k = 0; k < N; k++) {
            const float power = softmax_power(x[k] - softmax_base(most));

            sum += power;
            dot = fmaf(power, dy[k], dot);
        }
    }
    __device__ void rescale(float most)
    {
        const float factor = softmax_power(max - softmax_base(most));

        sum *= factor;
        dot *= factor;
        max = most;
    }
};

/* Calls use(x, dy, column, n) for all elements of this thread, with n neighbouring elements a call:
 * 16 bytes of them, or 1. */
template <typename T, typename Use> __device__ inline void
for_elements(const grad_rows<T> &a, int64_t first, const softmax_parts<T> &parts, Use &use)
{
    const T *const x = a.x + first, *const dy = a.dy + first;
    const int t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockDim.x);
    float     from[softmax_parts<T>::SIZE], slope[softmax_parts<T>::SIZE];

#pragma unroll 2
    for (int p = t; p < parts.packs; p += block) {
        const int c = parts.head + p * softmax_parts<T>::SIZE;

        softmax_unpack(*reinterpret_cast<const ops_pack<T> *>(x + c), from);
        softmax_unpack(*reinterpret_cast<const ops_pack<T> *>(dy + c), slope);
        use.vector(from, slope, c);
    }
    if (t < parts.edges) {
        const int c = parts.column(t);

        from[0]  = ops_float(x[c]);
        slope[0] = ops_float(dy[c]);
        use.element(from, slope, c);
    }
}

template <typename T> struct grad_sum_up {
    grad_running running;

    __device__ void vector(const float *x, const float *dy, int)
    {
        running.take<softmax_parts<T>::SIZE>(x, dy);
    }
    __device__ void element(const float *x, const float *dy, int) { running.take<1>(x, dy); }
};

template <typename T> struct grad_write {
    grad_sums s;
    T        *dx;

    __device__ void vector(float *x, const float *dy, int c)
    {
        for (int k = 0; k < softmax_parts<T>::SIZE; k++)
            x[k] = s.of(softmax_power(x[k] - s.base), dy[k]);
        *reinterpret_cast<ops_pack<T> *>(dx + c) = softmax_packed<T>(x);
    }
    __device__ void element(const float *x, const float *dy, int c)
    {
        dx[c] = ops_round<T>(s.of(softmax_power(x[0] - s.base), dy[0]));
    }
};

template <typename T> static __global__ void softmax_grad_online_kernel(grad_rows<T> a)
{
    __shared__ float       slot[64];
    const int64_t          first = static_cast<int64_t>(blockIdx.x) * a.width;
    const softmax_parts<T> parts(first, a.width);
    grad_sum_up<T>         mine = { { -INFINITY, 0, 0 } };

    for_elements(a, first, parts, mine);

    const float max = ops_reduce_block<ops_max>(mine.running.max, slot);

    mine.running.rescale(max);

    float sum[2] = { mine.running.sum, mine.running.dot };

    ops_sum_block(sum, slot);

    grad_write<T> write = { grad_sums_of(softmax_base(max), sum[0], sum[1]), a.dx + first };

    for_elements(a, first, parts, write);
}

template <typename T> static int launch_online(const assay_args *args, assay_stream stream)
{
    const grad_rows<T> a     = rows_of<T>(args);
    const unsigned     block = softmax_block(a.width / softmax_parts<T>::SIZE, args->tune[BLOCK]);

    softmax_grad_online_kernel<T><<<static_cast<unsigned>(a.rows), block, 0, stream>>>(a);
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_grad_online)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_online<T>(args, stream));
}

/* ---- in registers: each thread has N vectors, and an element that is in none ---- */

/* Replaces N elements by their powers less `base`. Adds to sum: powers, and powers times dy. */
template <int N>
__device__ inline void grad_powers(float *v, const float *dy, float base, float *sum)
{
#pragma unroll
    for (int k = 0; k < N; k++) {
        v[k] = softmax_power(v[k] - base);
        sum[0] += v[k];
        sum[1] = fmaf(v[k], dy[k], sum[1]);
    }
}

template <typename T, int N> static __global__ void __launch_bounds__(1024)
    softmax_grad_vec4_kernel(grad_rows<T> a)
{
    __shared__ float       slot[64];
    constexpr int          SIZE  = softmax_parts<T>::SIZE;
    const int64_t          first = static_cast<int64_t>(blockIdx.x) * a.width;
    const softmax_parts<T> parts(first, a.width);
    const int              t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockDim.x);
    const int64_t          edge     = first + parts.column(t);
    const bool             has_edge = t < parts.edges;
    softmax_raw<T, N>      raw, raw_dy;
    float                  v[N * SIZE], dy[SIZE], sum[2] = { 0, 0 };

    raw.fill(-INFINITY);
    raw_dy.fill(0);
#pragma unroll
    for (int n = 0; n < N; n++) {
        const int64_t at = first + parts.head + (t + n * block) * SIZE;

        if (t + n * block < parts.packs) {
            raw.pack[n]    = *reinterpret_cast<const ops_pack<T> *>(a.x + at);
            raw_dy.pack[n] = *reinterpret_cast<const ops_pack<T> *>(a.dy + at);
        }
    }
    float last    = has_edge ? ops_float(a.x[edge]) : -INFINITY;
    float last_dy = has_edge ? ops_float(a.dy[edge]) : 0;

    raw.unpack(v);
    const float base = softmax_base(
        ops_reduce_block<ops_max>(ops_max()(softmax_largest<N * SIZE>(v), last), slot));

    /* dy is unpacked twice: kept as floats it would take the registers of one more block. */
#pragma unroll
    for (int n = 0; n < N; n++) {
        softmax_unpack(raw_dy.pack[n], dy);
        grad_powers<SIZE>(v + n * SIZE, dy, base, sum);
    }
    grad_powers<1>(&last, &last_dy, base, sum);
    ops_sum_block(sum, slot);

    const grad_sums s = grad_sums_of(base, sum[0], sum[1]);

#pragma unroll
    for (int n = 0; n < N; n++) {
        softmax_unpack(raw_dy.pack[n], dy);
#pragma unroll
        for (int k = 0; k < SIZE; k++)
            v[n * SIZE + k] = s.of(v[n * SIZE + k], dy[k]);
        if (t + n * block < parts.packs)
            *reinterpret_cast<ops_pack<T> *>(a.dx + first + parts.head + (t + n * block) * SIZE) =
                softmax_packed<T>(v + n * SIZE);
    }
    if (has_edge)
        a.dx[edge] = ops_round<T>(s.of(last, last_dy));
}

/* Each thread has N vectors. There are as few threads as that needs, but for wide rows at most
 * `block`. */
template <typename T, int N> static void launch_vec4_of(const assay_args *args, assay_stream stream)
{
    const grad_rows<T> a      = rows_of<T>(args);
    const int64_t      packs  = a.width / softmax_parts<T>::SIZE;
    const int64_t      needed = assay_ceil_div(packs, N), block = args->tune[BLOCK];

    softmax_grad_vec4_kernel<T, N>
        <<<static_cast<unsigned>(a.rows), softmax_block(packs, needed > block ? needed : block), 0,
           stream>>>(a);
}

/* Each thread has 8 or 16 elements. With 32 elements of two bytes it takes 81 registers: 24 warps
 * on a multiprocessor, and 131 us on an H200, where 16 elements take 118 to 122 us (bf16, 8192 x
 * 8192). */
template <typename T> static int launch_vec4(const assay_args *args, assay_stream stream)
{
    constexpr int SIZE = softmax_parts<T>::SIZE;

    if (args->param[SOFTMAX_WIDTH] <= 8 * args->tune[BLOCK])
        launch_vec4_of<T, 8 / SIZE>(args, stream);
    else
        launch_vec4_of<T, 16 / SIZE>(args, stream);
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_grad_vec4)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_vec4<T>(args, stream));
}

/* ---- a warp keeps a row, or several: each lane has N vectors of each of ROWS of them ---- */

template <typename T, int N> static __global__ void __launch_bounds__(1024)
    softmax_grad_skinny_kernel(grad_rows<T> a, int lanes)
{
    constexpr int MINE = N * softmax_parts<T>::SIZE, ROWS = SOFTMAX_GRAD_LANE / MINE;
    /* `lanes` is a power of two: the compiler does not know that, so shifts take the place of
     * division. */
    const int                by = 31 - __clz(lanes), t = static_cast<int>(threadIdx.x);
    const int                groups = static_cast<int>(blockDim.x) >> by;
    const softmax_lane<T, N> at     = { a.width, lanes, t & (lanes - 1) };
    const int64_t            first  = static_cast<int64_t>(blockIdx.x) * groups * ROWS + (t >> by);
    softmax_raw<T, N>        raw[ROWS], raw_dy[ROWS];
    float                    v[ROWS][MINE], dy[ROWS][MINE], max[ROWS], sum[2 * ROWS] = {};

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        raw[r].fill(-INFINITY);
        raw_dy[r].fill(0);
        if (first + r * groups < a.rows) {
            at.load(a.x + (first + r * groups) * a.width, raw[r]);
            at.load(a.dy + (first + r * groups) * a.width, raw_dy[r]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        raw[r].unpack(v[r]);
        raw_dy[r].unpack(dy[r]);
        max[r] = softmax_largest<MINE>(v[r]);
    }
    softmax_reduce_lanes<ops_max>(max, lanes);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        grad_powers<MINE>(v[r], dy[r], softmax_base(max[r]), sum + 2 * r);
    softmax_reduce_lanes<ops_add>(sum, lanes);
#pragma unroll
    for (int r = 0; r < ROWS; r++) {
        const grad_sums s = grad_sums_of(softmax_base(max[r]), sum[2 * r], sum[2 * r + 1]);

        for (int k = 0; k < MINE; k++)
            v[r][k] = s.of(v[r][k], dy[r][k]);
        if (first + r * groups < a.rows)
            at.store(a.dx + (first + r * groups) * a.width, v[r]);
    }
}

/* A lane has as few vectors as the width allows. */
template <typename T, int N> static int launch_skinny(const assay_args *args, assay_stream stream)
{
    constexpr int      MINE = N * softmax_parts<T>::SIZE, ROWS = SOFTMAX_GRAD_LANE / MINE;
    const grad_rows<T> a     = rows_of<T>(args);
    const int          lanes = softmax_lanes<T, N>(a.width);
    const auto         block = static_cast<unsigned>(args->tune[BLOCK]);

    if constexpr (ROWS > 1)
        if (a.width > 32 * MINE)
            return launch_skinny<T, 2 * N>(args, stream);
    softmax_grad_skinny_kernel<T, N>
        <<<assay_blocks_for(a.rows * lanes, int64_t { ROWS } * block), block, 0, stream>>>(a,
                                                                                           lanes);
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_grad_skinny)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return (launch_skinny<T, 1>(args, stream)));
}
