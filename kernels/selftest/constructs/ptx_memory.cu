/* Plain CUDA C++: inline PTX for memory, barriers and asynchronous copies. y = 2 x + the partner's
 * x, in blocks of 64. The wrong kernels are those of <true>. */
#include <cuda_runtime.h>

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const float *, float *);                                \
    template __global__ void kernel<true>(const float *, float *)

static __device__ unsigned address_of(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/* Two elements a thread, with cache hints. Wrong: they are stored in the other order. */
template <bool WRONG> __global__ void ptx_hints(const float *x, float *y)
{
    const int i = blockIdx.x * 64 + 2 * threadIdx.x, other = (i ^ 63) - 1;
    float     a, b, c, d;

    if (threadIdx.x >= 32)
        return;
    asm("ld.global.nc.L1::no_allocate.L2::128B.v2.f32 {%0, %1}, [%2];"
        : "=f"(a), "=f"(b)
        : "l"(x + i));
    asm volatile("ld.global.cg.f32 %0, [%1];" : "=f"(c) : "l"(x + other));
    asm volatile("ld.global.ca.f32 %0, [%1 + 4];" : "=f"(d) : "l"(x + other));
    a = 2 * a + d;
    b = 2 * b + c;
    asm volatile("st.global.cs.v2.f32 [%0], {%1, %2};" ::"l"(y + i), "f"(WRONG ? b : a),
                 "f"(WRONG ? a : b)
                 : "memory");
}
BOTH(ptx_hints);

/* Uses a flag with volatile accesses. Wrong: the flag is written before the number. */
template <bool WRONG> __global__ void ptx_volatile(const float *x, float *y)
{
    __shared__ float value[64];
    __shared__ int   flag[64];
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t;
    int              is_there = 0;

    flag[t] = 0;
    __syncthreads();
    if (!WRONG)
        value[t] = x[i];
    asm volatile("membar.cta;" ::: "memory");
    asm volatile("st.volatile.shared.s32 [%0], %1;" ::"r"(address_of(&flag[t])), "r"(1) : "memory");
    if (WRONG)
        value[t] = x[i];
    while (!is_there)
        asm volatile("ld.volatile.shared.s32 %0, [%1];"
                     : "=r"(is_there)
                     : "r"(address_of(&flag[63 - t]))
                     : "memory");
    asm volatile("membar.cta;" ::: "memory");
    y[i] = 2 * x[i] + value[63 - t];
}
BOTH(ptx_volatile);

/* Uses a flag with release and acquire. Wrong: both are relaxed. */
template <bool WRONG> __global__ void ptx_acquire(const float *x, float *y)
{
    __shared__ float    value[64];
    __shared__ unsigned flag[64];
    const int           t = threadIdx.x, i = blockIdx.x * 64 + t;
    unsigned            is_there = 0, *mine = &flag[t], *other = &flag[63 - t];

    *mine = 0;
    __syncthreads();
    value[t] = x[i];
    if (WRONG)
        asm volatile("st.relaxed.cta.u32 [%0], %1;" ::"l"(mine), "r"(1) : "memory");
    else
        asm volatile("st.release.cta.u32 [%0], %1;" ::"l"(mine), "r"(1) : "memory");
    while (!is_there)
        if (WRONG)
            asm volatile("ld.relaxed.cta.u32 %0, [%1];" : "=r"(is_there) : "l"(other) : "memory");
        else
            asm volatile("ld.acquire.cta.u32 %0, [%1];" : "=r"(is_there) : "l"(other) : "memory");
    y[i] = 2 * x[i] + value[63 - t];
}
BOTH(ptx_acquire);

/* A named barrier for 64 threads. Wrong: it opens for half of them. */
template <bool WRONG> __global__ void ptx_barrier(const float *x, float *y)
{
    __shared__ float tile[64];
    const int        t = threadIdx.x, i = blockIdx.x * 64 + t;

    tile[t] = x[i];
    asm volatile("bar.sync %0, %1;" ::"n"(3), "r"(WRONG ? 32 : 64) : "memory");
    y[i] = 2 * x[i] + tile[63 - t];
}
BOTH(ptx_barrier);

static __device__ unsigned address_by_ptx(const void *p)
{
    unsigned at;

    asm("{ .reg .u64 wide;\n\tcvta.to.shared.u64 wide, %1;\n\tcvt.u32.u64 %0, wide; }"
        : "=r"(at)
        : "l"(p));
    return at;
}

/* Two groups of copies. Wrong: waits only until one group is left. */
template <bool WRONG> __global__ void ptx_copies(const float *x, float *y)
{
    __shared__ alignas(16) float tile[2][64];
    const int                    t = threadIdx.x, i = blockIdx.x * 64 + t;

    for (int k = 0; k < 2; k++) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address_by_ptx(&tile[k][t])),
                     "l"(x + i), "n"(4)
                     : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group %0;" ::"n"(WRONG ? 1 : 0) : "memory");
    __syncthreads();
    y[i] = 2 * tile[0][t] + tile[1][63 - t];
}
BOTH(ptx_copies);

/* Cards before 9.0 can only test, again and again. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
#define WAIT "mbarrier.try_wait.parity.shared::cta.b64 is_over, [%0], 0;\n\t"
#else
#define WAIT "mbarrier.test_wait.parity.shared::cta.b64 is_over, [%0], 0;\n\t"
#endif

/* A barrier in memory. Wrong: tests once whether its phase is over, and does not wait. */
template <bool WRONG> __device__ void wait_for(unsigned at)
{
    if (WRONG)
        asm volatile("{ .reg .pred p;\n\t"
                     "mbarrier.test_wait.parity.shared::cta.b64 p, [%0], 0; }" ::"r"(at)
                     : "memory");
    else
        asm volatile("{\n\t"
                     ".reg .pred is_over;\n\t"
                     "WAIT_%=:\n\t" WAIT "@is_over bra DONE_%=;\n\t"
                     "bra WAIT_%=;\n\t"
                     "DONE_%=:\n\t"
                     "}" ::"r"(at)
                     : "memory");
}
template <bool WRONG> __global__ void ptx_mbarrier(const float *x, float *y)
{
    __shared__ float              tile[64];
    __shared__ unsigned long long phases;
    const int                     t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned                at = address_of(&phases);

    if (t == 0)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at), "r"(64) : "memory");
    __syncthreads();
    tile[t] = x[i];
    asm volatile("{ .reg .b64 token;\n\tmbarrier.arrive.shared::cta.b64 token, [%0]; }" ::"r"(at)
                 : "memory");
    wait_for<WRONG>(at);
    y[i] = 2 * x[i] + tile[63 - t];
}
BOTH(ptx_mbarrier);
