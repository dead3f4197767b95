/* Plain CUDA C++: the forms of shared memory. y = 2 x + the partner's x, in blocks of 64. The wrong
 * kernels are those of <true>. */
#include <cuda_runtime.h>

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const float *, float *);                                \
    template __global__ void kernel<true>(const float *, float *)

/* One number. Wrong: it is read before its barrier. */
template <bool WRONG> __global__ void shared_scalar(const float *x, float *y)
{
    __shared__ float factor;
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t;

    if (t == 63)
        factor = 2.0f;
    if (!WRONG)
        __syncthreads();
    y[i] = factor * x[i] + x[i ^ 63];
}
BOTH(shared_scalar);

/* Rows and columns. Wrong: they are swapped when read. */
template <bool WRONG> __global__ void shared_2d(const float *x, float *y)
{
    __shared__ float tile[8][8];
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t, row = 7 - t / 8, column = 7 - t % 8;

    tile[t / 8][t % 8] = x[i];
    __syncthreads();
    y[i] = 2 * x[i] + (WRONG ? tile[column][row] : tile[row][column]);
}
BOTH(shared_2d);

/* Three extents. Wrong: only a barrier of the warp. */
template <bool WRONG> __global__ void shared_3d(const float *x, float *y)
{
    __shared__ float cube[4][4][4];
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t, other = 63 - t;

    cube[t / 16][t / 4 % 4][t % 4] = x[i];
    if (WRONG)
        __syncwarp();
    else
        __syncthreads();
    y[i] = 2 * x[i] + cube[other / 16][other / 4 % 4][other % 4];
}
BOTH(shared_3d);

/* As many bytes as the launch says, declared outside of functions. Wrong: the second half begins
 * within the first. */
extern __shared__ float               outside[];
template <bool WRONG> __global__ void shared_outside(const float *x, float *y)
{
    float    *first = outside, *second = outside + (WRONG ? 32 : 64);
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;

    first[t] = 2 * x[i];
    __syncthreads();
    second[63 - t] = x[i];
    __syncthreads();
    y[i] = first[t] + second[t];
}
BOTH(shared_outside);

/* The same in a function. Wrong: the launch asks for fewer bytes. */
__global__ void shared_inside(const float *x, float *y)
{
    extern __shared__ float2 both[];
    const int                t = threadIdx.x, i = blockIdx.x * 64 + t;

    both[t] = make_float2(2 * x[i], x[i]);
    __syncthreads();
    y[i] = both[t].x + both[63 - t].y;
}

/* In a class. Wrong: the count was never cleared. */
class shelf
{
  public:
    __device__ void  clear() { count_ = 0; }
    __device__ void  put(int at, float value) { value_[at] = value, atomicAdd(&count_, 1); }
    __device__ float take(int at) const { return count_ == 64 ? value_[at] : 0.0f; }

  private:
    float value_[64];
    int   count_;
};
template <bool WRONG> __global__ void shared_class(const float *x, float *y)
{
    __shared__ shelf s;
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t;

    if (t == 0 && !WRONG)
        s.clear();
    __syncthreads();
    s.put(t, x[i]);
    __syncthreads();
    y[i] = 2 * x[i] + s.take(63 - t);
}
BOTH(shared_class);

/* Sized by a template's parameters. Wrong: one element too few. */
template <typename T, int N> __device__ T from_partner(T value)
{
    __shared__ T tile[N];

    tile[threadIdx.x] = value;
    __syncthreads();
    return tile[63 - threadIdx.x];
}
template <bool WRONG> __global__ void shared_template(const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = 2 * x[i] + from_partner < float, WRONG ? 63 : 64 > (x[i]);
}
BOTH(shared_template);
