/* Plain CUDA C++: products of matrices of 16 x 16 halves, by instructions and by hand. A warp
 * computes a product, c = a b. The wrong kernels are those of <true>. */
#include <cuda_fp16.h>
#include <mma.h>

using namespace nvcuda;

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const __half *, const __half *, float *);               \
    template __global__ void kernel<true>(const __half *, const __half *, float *)

/* Wrong: treats the second matrix as stored by columns. */
template <bool WRONG> __global__ void wmma_product(const __half *a, const __half *b, float *c)
{
    using order = typename std::conditional<WRONG, wmma::col_major, wmma::row_major>::type;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> left;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, order>           right;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float>                sum;

    wmma::fill_fragment(sum, 0.0f);
    wmma::load_matrix_sync(left, a + blockIdx.x * 256, 16);
    wmma::load_matrix_sync(right, b + blockIdx.x * 256, 16);
    wmma::mma_sync(sum, left, right, sum);
    wmma::store_matrix_sync(c + blockIdx.x * 256, sum, 16, wmma::mem_row_major);
}
BOTH(wmma_product);

/* Wrong: does not transpose the second matrix on its way to the registers. */
template <bool WRONG> __device__ void load_right(unsigned at, unsigned (&r)[2])
{
    if (WRONG)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(r[0]), "=r"(r[1])
                     : "r"(at));
}
template <bool WRONG> __global__ void ptx_product(const __half *a, const __half *b, float *c)
{
    __shared__ alignas(16) __half left[16][16], right[16][16];
    const int                     lane = threadIdx.x, row = lane / 4, column = lane % 4 * 2;
    unsigned                      l[4], r[2];

    for (int k = lane; k < 256; k += 32) {
        left[k / 16][k % 16]  = a[blockIdx.x * 256 + k];
        right[k / 16][k % 16] = b[blockIdx.x * 256 + k];
    }
    __syncwarp();
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(l[0]), "=r"(l[1]), "=r"(l[2]), "=r"(l[3])
                 : "r"((unsigned)__cvta_generic_to_shared(&left[lane % 16][lane / 16 * 8])));
    for (int side = 0; side < 16; side += 8) {
        float sum[4] = { 0, 0, 0, 0 };

        load_right<WRONG>((unsigned)__cvta_generic_to_shared(&right[lane % 16][side]), r);
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                     : "r"(l[0]), "r"(l[1]), "r"(l[2]), "r"(l[3]), "r"(r[0]), "r"(r[1]));
        for (int k = 0; k < 4; k++)
            c[blockIdx.x * 256 + (row + k / 2 * 8) * 16 + side + column + k % 2] = sum[k];
    }
}
BOTH(ptx_product);

/* Wrong: the sum is a half too. */
template <bool WRONG> __global__ void half_product(const __half *a, const __half *b, float *c)
{
    const __half *left = a + blockIdx.x * 256, *right = b + blockIdx.x * 256;

    for (int at = threadIdx.x; at < 256; at += 32) {
        float  sum       = 0.0f;
        __half short_sum = __float2half(0.0f);

        for (int k = 0; k < 16; k++) {
            sum += __half2float(left[at / 16 * 16 + k]) * __half2float(right[k * 16 + at % 16]);
            short_sum = __hfma(left[at / 16 * 16 + k], right[k * 16 + at % 16], short_sum);
        }
        c[blockIdx.x * 256 + at] = WRONG ? __half2float(short_sum) : sum;
    }
}
BOTH(half_product);

/* Two columns a thread. Wrong: both sums get the lower half. */
template <bool WRONG> __global__ void half2_product(const __half *a, const __half *b, float *c)
{
    const __half  *left  = a + blockIdx.x * 256;
    const __half2 *right = reinterpret_cast<const __half2 *>(b + blockIdx.x * 256);

    for (int at = threadIdx.x; at < 128; at += 32) {
        float2 sum = make_float2(0.0f, 0.0f);

        for (int k = 0; k < 16; k++) {
            const __half2 pair = right[k * 8 + at % 8], one = __half2half2(left[at / 8 * 16 + k]);

            sum.x += __low2float(one) * __low2float(pair);
            sum.y += __high2float(one) * (WRONG ? __low2float(pair) : __high2float(pair));
        }
        reinterpret_cast<float2 *>(c)[blockIdx.x * 128 + at] = sum;
    }
}
BOTH(half2_product);
