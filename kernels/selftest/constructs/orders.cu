/* Plain CUDA C++: memory orders, and waits for a word that another thread writes: y = 2 x + the
 * partner's x, in blocks of 64. Each warp writes its part, sets a flag, waits for the other warp's
 * flag, and reads. Or all blocks write, and the last one to finish does the work. The wrong kernels
 * are those of <true>. */
#include <cuda/atomic>

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const float *, float *, float *, int);                  \
    template __global__ void kernel<true>(const float *, float *, float *, int)

/* The block's part of w, 64 values, and two flags, one for each warp. */
static __device__ void begin(int *flags)
{
    if (threadIdx.x < 2)
        flags[threadIdx.x] = 0;
    __syncthreads();
}

static __device__ void put(float *part, const float *x)
{
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    __syncwarp();
}

static __device__ void get(const float *part, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;

    y[i] = 2 * x[i] + part[63 - threadIdx.x];
}

/* ---- volatile words. Wrong: no fences */

template <bool WRONG> static __device__ void tell(volatile int *flags)
{
    if (!WRONG)
        __threadfence_block();
    if (threadIdx.x % 32 == 0)
        flags[threadIdx.x / 32] = 1;
}

template <bool WRONG> __global__ void wait_volatile(const float *x, float *y, float *w, int)
{
    __shared__ int flags[2];
    float         *part = w + blockIdx.x * 64;
    volatile int  *flag = flags + 1 - threadIdx.x / 32;

    begin(flags);
    put(part, x);
    tell<WRONG>(flags);
    while (*flag == 0)
        ;
    if (!WRONG)
        __threadfence_block();
    get(part, x, y);
}
BOTH(wait_volatile);

static __device__ int look(const int *flag) { return *(const volatile int *)flag; }

/* Loops of other forms: one for each thread of a kernel. */
template <bool WRONG> __global__ void wait_forms(const float *x, float *y, float *w, int)
{
    __shared__ int flags[2];
    float         *part  = w + blockIdx.x * 64;
    const int     *flag  = flags + 1 - threadIdx.x / 32;
    int            n     = 0;
    bool           is_on = true;

    begin(flags);
    put(part, x);
    tell<WRONG>(flags);
    if (threadIdx.x % 4 == 0) {
        for (; *(const volatile int *)flag == 0;) {
        }
    } else if (threadIdx.x % 4 == 1) {
        do
            n++;
        while (look(flag) == 0);
    } else if (threadIdx.x % 4 == 2) {
        for (;;) {
            if (look(flag) != 0)
                break;
            n++;
        }
    } else
        while (is_on)
            is_on = look(flag) == 0;
    if (!WRONG)
        __threadfence_block();
    get(part, x, y + (n < 0));
}
BOTH(wait_forms);

/* An uncached load of a flag in global memory. Wrong: the data are written after the flag. */
__device__ int flags_of_grid[2 * 1024];

template <bool WRONG> __global__ void wait_ldcv(const float *x, float *y, float *w, int)
{
    int   *flags = flags_of_grid + 2 * (blockIdx.x % 1024);
    float *part  = w + blockIdx.x * 64;

    begin(flags);
    if (WRONG)
        tell<false>(flags);
    put(part, x);
    if (!WRONG)
        tell<false>(flags);
    while (__ldcv(flags + 1 - threadIdx.x / 32) == 0)
        ;
    __threadfence_block();
    get(part, x, y);
}
BOTH(wait_ldcv);

/* A wait that is right on a GPU, but that the host device does not recognise. */
__global__ void wait_unseen(const float *x, float *y, float *w, int)
{
    __shared__ int flags[2];
    float         *part  = w + blockIdx.x * 64;
    const int     *plain = flags + 1 - threadIdx.x / 32;
    int            n     = 0;

    begin(flags);
    put(part, x);
    tell<false>(flags);
    do {
        asm volatile("" ::: "memory");
        n++;
    } while (*plain == 0);
    __threadfence_block();
    get(part, x, y + (n < 0));
}

/* A flag that nobody sets. */
__global__ void wait_in_vain(const float *x, float *y, float *w, int)
{
    __shared__ int flags[2];
    float         *part = w + blockIdx.x * 64;
    volatile int  *flag = flags;

    begin(flags);
    put(part, x);
    while (*flag == 0)
        ;
    get(part, x, y);
}

/* ---- atomics. Wrong: the reader's fence is before the load that sees the flag, not after it */

template <bool WRONG> __global__ void wait_atomic(const float *x, float *y, float *w, int)
{
    __shared__ int flags[2];
    float         *part = w + blockIdx.x * 64;

    begin(flags);
    put(part, x);
    if (threadIdx.x % 32 == 0) {
        __threadfence_block();
        atomicExch(&flags[threadIdx.x / 32], 1);
    }
    if (WRONG)
        __threadfence_block();
    while (atomicAdd(&flags[1 - threadIdx.x / 32], 0) == 0)
        ;
    if (!WRONG)
        __threadfence_block();
    get(part, x, y);
}
BOTH(wait_atomic);

/* Wrong: the store is relaxed. */
template <bool WRONG> __global__ void release_acquire(const float *x, float *y, float *w, int)
{
    using word = cuda::atomic_ref<int, cuda::thread_scope_block>;
    __shared__ int flags[2];
    float         *part = w + blockIdx.x * 64;
    word           mine(flags[threadIdx.x / 32]), other(flags[1 - threadIdx.x / 32]);

    begin(flags);
    put(part, x);
    if (threadIdx.x % 32 == 0)
        mine.store(1, WRONG ? cuda::memory_order_relaxed : cuda::memory_order_release);
    while (other.load(cuda::memory_order_acquire) == 0)
        ;
    get(part, x, y);
}
BOTH(release_acquire);

/* ---- the last block */

__device__ unsigned int n_done;

/* True in all threads of the block that finishes last. */
template <bool IS_NEAR> static __device__ bool is_last(bool has_fence, bool has_fence_of_reader)
{
    __shared__ bool last;

    __syncthreads();
    if (threadIdx.x == 0) {
        if (has_fence && IS_NEAR)
            __threadfence_block();
        else if (has_fence)
            __threadfence();
        last = atomicAdd(&n_done, 1u) == gridDim.x - 1;
        if (has_fence_of_reader)
            __threadfence();
    }
    __syncthreads();
    return last;
}

static __device__ void do_all(float *y, const float *w, int n)
{
    for (int k = threadIdx.x; k < n; k += 64)
        y[k] = 2 * w[k] + w[k ^ 63];
}

/* Wrong: the writer's fence does not reach other blocks. */
template <bool WRONG> __global__ void fence_scope(const float *x, float *y, float *w, int n)
{
    w[blockIdx.x * 64 + threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    if (!is_last<WRONG>(true, true))
        return;
    do_all(y, w, n);
    if (threadIdx.x == 0)
        atomicExch(&n_done, 0u);
}
BOTH(fence_scope);

/* The reader has only a barrier, as in NVIDIA's sample threadFenceReduction. Wrong: the writer has
 * no fence either. */
template <bool WRONG> __global__ void last_block_behind(const float *x, float *y, float *w, int n)
{
    w[blockIdx.x * 64 + threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    if (!is_last<false>(!WRONG, false))
        return;
    do_all(y, w, n);
    if (threadIdx.x == 0)
        n_done = 0;
}
BOTH(last_block_behind);
