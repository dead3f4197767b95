/* Kernels behind test_executor_tensor.c and test_executor_wmma.c: matrix instructions of one warp.
 */
#include "kernel.h"

#include <mma.h>

#include "executor_tensor_list.h"

#include "host/tensor.h"

/* ---- mma.sync on registers as they come */

#define MMA_KERNEL(name, M, K, A, B, Acc, place)                                                   \
    static __global__ void name##_kernel(tensor_registers *lanes, bool saturates)                  \
    {                                                                                              \
        tensor_registers r = lanes[threadIdx.x];                                                   \
                                                                                                   \
        assay_mma<M, K, A, B, Acc>(r.d, r.a, r.b, r.c, saturates);                                 \
        lanes[threadIdx.x] = r;                                                                    \
    }                                                                                              \
    ASSAY_LAUNCHER(executor_mma_##name)                                                            \
    {                                                                                              \
        name##_kernel<<<1, 32, 0, stream>>>(static_cast<tensor_registers *>(args->buf[0]),         \
                                            args->param[0] != 0);                                  \
        return assay_launch_status();                                                              \
    }
TENSOR_LIST(MMA_KERNEL)

/* a, b, then two of c and two of d a lane. */
static __global__ void f64_kernel(double *lanes)
{
    double *mine = lanes + 6 * threadIdx.x;

    assay_mma<8, 4, double, double, double>(mine + 4, mine, mine + 1, mine + 2, false);
}

ASSAY_LAUNCHER(executor_mma_f64)
{
    f64_kernel<<<1, 32, 0, stream>>>(static_cast<double *>(args->buf[0]));
    return assay_launch_status();
}

/* One lane is missing. */
static __global__ void partial_kernel(tensor_registers *lanes)
{
    tensor_registers r = lanes[threadIdx.x];

    if (threadIdx.x != 7)
        assay_mma<16, 8, assay_binary16, assay_binary16, float>(r.d, r.a, r.b, r.c, false);
    __syncthreads();
    lanes[threadIdx.x] = r;
}

ASSAY_LAUNCHER(executor_mma_partial)
{
    partial_kernel<<<1, 32, 0, stream>>>(static_cast<tensor_registers *>(args->buf[0]));
    return assay_launch_status();
}

/* ---- ldmatrix, stmatrix, movmatrix: four matrices whose rows lie 24 elements apart */

enum {
    STRIDE = 24
};

template <unsigned N, bool IS_TRANSPOSED> static __device__ void load(uint32_t *out, uint32_t base)
{
    const unsigned lane = threadIdx.x;
    /* Addresses of lanes without a row are not used. */
    const uint32_t row = lane < 8 * N ? base + 2 * STRIDE * lane : 1;

    assay_ldmatrix<N>(out + 4 * lane, row, IS_TRANSPOSED);
}

/* in: 32 rows of 8; out: registers [variant][lane][4], then the memory that was stored to,
 * twice. */
static __global__ void matrix_kernel(const uint16_t *in, uint32_t *out)
{
    __shared__ uint4 memory[32 * STRIDE / 8];
    uint16_t        *rows = reinterpret_cast<uint16_t *>(memory);
    const unsigned   lane = threadIdx.x;
    const uint32_t   base = static_cast<uint32_t>(__cvta_generic_to_shared(memory));

    for (unsigned i = 0; i < 8; i++)
        rows[STRIDE * lane + i] = in[8 * lane + i];
    __syncwarp();
    load<1, false>(out, base);
    load<2, false>(out + 128, base);
    load<4, false>(out + 256, base);
    load<1, true>(out + 384, base);
    load<2, true>(out + 512, base);
    load<4, true>(out + 640, base);
    out[768 + 4 * lane] = assay_movmatrix(out[256 + 4 * lane]);
    for (unsigned is_transposed = 0; is_transposed < 2; is_transposed++) {
        __syncwarp();
        assay_stmatrix<4>(base + 2 * STRIDE * (31 - lane), out + 256 + 4 * lane,
                          is_transposed != 0);
        __syncwarp();
        for (unsigned i = 0; i < 4; i++)
            out[896 + 128 * is_transposed + 4 * lane + i] =
                static_cast<uint32_t>(rows[STRIDE * lane + 2 * i]) |
                static_cast<uint32_t>(rows[STRIDE * lane + 2 * i + 1]) << 16;
    }
}

ASSAY_LAUNCHER(executor_matrix)
{
    matrix_kernel<<<1, 32, 0, stream>>>(static_cast<const uint16_t *>(args->buf[0]),
                                        static_cast<uint32_t *>(args->buf[1]));
    return assay_launch_status();
}

/* ---- nvcuda::wmma */

using namespace nvcuda::wmma;

template <typename Layout> static constexpr unsigned stride_of(unsigned rows, unsigned columns)
{
    return std::is_same<Layout, row_major>::value ? columns : rows;
}

/* d = -(a * b + c), where each lane changes its own elements; memory is by rows or by columns. */
template <int M, int N, int K, typename T, typename Acc, typename LA, typename LB>
static __device__ void multiply(const typename assay_element<T>::stored *a,
                                const typename assay_element<T>::stored *b, const Acc *c, Acc *d)
{
    fragment<matrix_a, M, N, K, T, LA>  fa;
    fragment<matrix_b, M, N, K, T, LB>  fb;
    fragment<accumulator, M, N, K, Acc> fc, fd;

    load_matrix_sync(fa, a, stride_of<LA>(M, K));
    load_matrix_sync(fb, b, stride_of<LB>(K, N));
    load_matrix_sync(fc, c, N, mem_row_major);
    fill_fragment(fd, Acc(1));
    mma_sync(fd, fa, fb, fc);
    for (int i = 0; i < fd.num_elements; i++)
        fd.x[i] = -fd.x[i];
    store_matrix_sync(d, fd, M, mem_col_major);
}

/* a and b are each by rows or by columns: four combinations. */
template <int M, int N, int K, typename T, typename Acc>
static __global__ void wmma_kernel(const typename assay_element<T>::stored *a,
                                   const typename assay_element<T>::stored *b, const Acc *c, Acc *d)
{
    multiply<M, N, K, T, Acc, row_major, row_major>(a, b, c, d);
    multiply<M, N, K, T, Acc, row_major, col_major>(a, b, c, d + M * N);
    multiply<M, N, K, T, Acc, col_major, row_major>(a, b, c, d + 2 * M * N);
    multiply<M, N, K, T, Acc, col_major, col_major>(a, b, c, d + 3 * M * N);
}

template <int M, int N, int K, typename T, typename Acc>
static void launch(const assay_args *args, assay_stream stream)
{
    using element = typename assay_element<T>::stored;

    wmma_kernel<M, N, K, T, Acc><<<1, 32, 0, stream>>>(
        static_cast<const element *>(args->buf[0]), static_cast<const element *>(args->buf[1]),
        static_cast<const Acc *>(args->buf[2]), static_cast<Acc *>(args->buf[3]));
}

ASSAY_LAUNCHER(executor_wmma)
{
    int64_t row = args->param[0];

#define LAUNCH_ROW(M, N, K, type, plain, sum)                                                      \
    if (row-- == 0)                                                                                \
        launch<M, N, K, type, sum>(args, stream);
    WMMA_LIST(LAUNCH_ROW)
    return assay_launch_status();
}

/* Sums in fp16, and limits. */
static __global__ void wmma_more_kernel(float *out)
{
    fragment<matrix_a, 16, 16, 16, __half, row_major>      a;
    fragment<matrix_b, 16, 16, 16, __half, col_major>      b;
    fragment<accumulator, 16, 16, 16, __half>              sum;
    fragment<matrix_a, 16, 16, 16, signed char, row_major> small_a;
    fragment<matrix_b, 16, 16, 16, signed char, row_major> small_b;
    fragment<accumulator, 16, 16, 16, int>                 whole, wrapped;

    fill_fragment(a, __half(0.5f));
    fill_fragment(b, __half(2.0f));
    fill_fragment(sum, __half(0.25f));
    mma_sync(sum, a, b, sum);
    fill_fragment(small_a, static_cast<signed char>(1));
    fill_fragment(small_b, static_cast<signed char>(2));
    fill_fragment(whole, INT_MAX - 3);
    mma_sync(wrapped, small_a, small_b, whole);
    mma_sync(whole, small_a, small_b, whole, true);
    out[threadIdx.x]      = static_cast<float>(sum.x[3]);
    out[32 + threadIdx.x] = static_cast<float>(whole.x[5]);
    out[64 + threadIdx.x] = static_cast<float>(wrapped.x[7]);
    out[96 + threadIdx.x] = __float_to_tf32(1.0f + static_cast<float>(threadIdx.x) * 0x1p-13f);
}

ASSAY_LAUNCHER(executor_wmma_more)
{
    wmma_more_kernel<<<1, 32, 0, stream>>>(static_cast<float *>(args->buf[1]));
    return assay_launch_status();
}
