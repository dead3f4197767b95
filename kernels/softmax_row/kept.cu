/* kept: a block keeps its row in shared memory and handles one element at a time. online: rows of
 * any width, read twice; one pass gives maximum and sum. */
#include "softmax_device.cuh"

/* Tuning axes: threads of a block. */
enum {
    BLOCK
};

template <typename T> static __global__ void softmax_kept_kernel(int width, const T *x, T *y)
{
    extern __shared__ float row[];
    __shared__ float        slot[32];
    const int64_t           first = static_cast<int64_t>(blockIdx.x) * width;
    const int               t = static_cast<int>(threadIdx.x), block = static_cast<int>(blockDim.x);
    float                   max = -INFINITY, sum = 0;

    for (int i = t; i < width; i += block) {
        row[i] = ops_float(x[first + i]);
        max    = ops_max()(max, row[i]);
    }
    const float base = softmax_base(ops_reduce_block<ops_max>(max, slot));

    for (int i = t; i < width; i += block) {
        row[i] = softmax_power(row[i] - base);
        sum += row[i];
    }
    const float scale = softmax_scale(ops_reduce_block<ops_add>(sum, slot));

    for (int i = t; i < width; i += block)
        y[first + i] = ops_round<T>(row[i] * scale);
}

template <typename T> static int launch_kept(const assay_args *args, assay_stream stream)
{
    const int      width = static_cast<int>(args->param[SOFTMAX_WIDTH]);
    const unsigned rows  = static_cast<unsigned>(args->param[SOFTMAX_ROWS]);
    const size_t   bytes = static_cast<size_t>(width) * sizeof(float);
    const int      error = assay_allow_shared(softmax_kept_kernel<T>, bytes);

    if (error)
        return error;
    softmax_kept_kernel<T><<<rows, softmax_block(width / 4, args->tune[BLOCK]), bytes, stream>>>(
        width, static_cast<const T *>(args->buf[SOFTMAX_X]),
        static_cast<T *>(args->buf[SOFTMAX_Y]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_kept)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_kept<T>(args, stream));
}

/* ---- any width ---- */

/* The largest score seen so far, and the sum of powers of the scores less it. */
struct softmax_running {
    float max, sum;

    template <int N> __device__ void take(const float *v)
    {
        float most = max;

        for (int k = 0; k < N; k++)
            most = ops_max()(most, v[k]);
        const float base = softmax_base(most);

        sum *= softmax_power(max - base);
        for (int k = 0; k < N; k++)
            sum += softmax_power(v[k] - base);
        max = most;
    }
};

template <typename T>
__device__ softmax_running softmax_run_over(const softmax_parts<T> &parts, const T *row)
{
    const auto     *packs   = reinterpret_cast<const ops_pack<T> *>(row + parts.head);
    softmax_running running = { -INFINITY, 0 };
    constexpr int   SIZE    = softmax_parts<T>::SIZE;
    float           v[SIZE];
    const unsigned  t = threadIdx.x;

#pragma unroll 4
    for (int p = static_cast<int>(t); p < parts.packs; p += static_cast<int>(blockDim.x)) {
        softmax_unpack(packs[p], v);
        running.take<SIZE>(v);
    }
    if (static_cast<int>(t) < parts.edges) {
        v[0] = ops_float(row[parts.column(static_cast<int>(t))]);
        running.take<1>(v);
    }
    return running;
}

template <typename T> __device__ void softmax_write(const softmax_parts<T> &parts, const T *from,
                                                    T *to, float base, float scale)
{
    const auto   *packs   = reinterpret_cast<const ops_pack<T> *>(from + parts.head);
    auto         *results = reinterpret_cast<ops_pack<T> *>(to + parts.head);
    constexpr int SIZE    = softmax_parts<T>::SIZE;
    const int     t       = static_cast<int>(threadIdx.x);
    float         v[SIZE];

#pragma unroll 4
    for (int p = t; p < parts.packs; p += static_cast<int>(blockDim.x)) {
        softmax_unpack(packs[p], v);
        for (int k = 0; k < SIZE; k++)
            v[k] = softmax_power(v[k] - base) * scale;
        results[p] = softmax_packed<T>(v);
    }
    if (t < parts.edges) {
        const int c = parts.column(t);

        to[c] = ops_round<T>(softmax_power(ops_float(from[c]) - base) * scale);
    }
}

template <typename T> static __global__ void softmax_online_kernel(int width, const T *x, T *y)
{
    __shared__ float       slot[32];
    const int64_t          first = static_cast<int64_t>(blockIdx.x) * width;
    const softmax_parts<T> parts(first, width);
    const softmax_running  mine = softmax_run_over(parts, x + first);
    const float            base = softmax_base(ops_reduce_block<ops_max>(mine.max, slot));
    const float sum = ops_reduce_block<ops_add>(mine.sum * softmax_power(mine.max - base), slot);

    softmax_write(parts, x + first, y + first, base, softmax_scale(sum));
}

template <typename T> static int launch_online(const assay_args *args, assay_stream stream)
{
    const unsigned rows  = static_cast<unsigned>(args->param[SOFTMAX_ROWS]);
    const int64_t  packs = args->param[SOFTMAX_WIDTH] / softmax_parts<T>::SIZE;
    const unsigned block = softmax_block(packs, args->tune[BLOCK]);

    softmax_online_kernel<T><<<rows, block, 0, stream>>>(
        static_cast<int>(args->param[SOFTMAX_WIDTH]), static_cast<const T *>(args->buf[SOFTMAX_X]),
        static_cast<T *>(args->buf[SOFTMAX_Y]));
    return assay_launch_status();
}

ASSAY_LAUNCHER(softmax_row_online)
{
    if (args->param[SOFTMAX_ROWS] == 0)
        return 0;
    OPS_LAUNCH_BY_TYPE(args->param[SOFTMAX_TYPE], return launch_online<T>(args, stream));
}
