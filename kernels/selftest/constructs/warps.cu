/* Plain CUDA C++: what lanes of a warp do together, by intrinsics and by inline PTX; atomics; sums
 * of four bytes. y = the sum of 64 whole numbers from 0 to 7, in a block of two warps. The wrong
 * kernels are those of <true>. */
#include <cuda_runtime.h>

#define BOTH(kernel)                                                                               \
    template __global__ void kernel<false>(const int *, int *);                                    \
    template __global__ void kernel<true>(const int *, int *)

const unsigned ALL = 0xffffffffu;

static __device__ int      mine(const int *x) { return x[blockIdx.x * 64 + threadIdx.x]; }
static __device__ unsigned address_of(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

/* Adds the sums of both warps, which their first lanes have. */
static __device__ void join(int sum, int *y)
{
    __shared__ int part[2];

    if (threadIdx.x % 32 == 0)
        part[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = part[0] + part[1];
}

/* Wrong: all lanes shuffle with a mask that names half of them. */
template <bool WRONG> __global__ void shuffles(const int *x, int *y)
{
    int sum = mine(x);

    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_xor_sync(WRONG ? 0xffffu : ALL, sum, d);
    join(sum, y);
}
BOTH(shuffles);

/* Wrong: the last lane has left, and its number is missing. */
template <bool WRONG> __global__ void shuffles_down(const int *x, int *y)
{
    int sum = mine(x);

    if (WRONG && threadIdx.x % 32 == 31)
        return;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(ALL, sum, d);
    join(sum, y);
}
BOTH(shuffles_down);

/* Bit by bit. Wrong: each lane counts only the lanes up to itself, and the first lane's result is
 * used. */
template <bool WRONG> __global__ void votes(const int *x, int *y)
{
    const unsigned upto = (2u << threadIdx.x % 32) - 1u;
    const int      v    = mine(x);
    int            sum  = 0;

    for (int bit = 0; bit < 3; bit++)
        sum += __popc(__ballot_sync(ALL, v >> bit & 1) & (WRONG ? upto : ALL)) << bit;
    if (!__any_sync(ALL, v != 0) || __all_sync(ALL, v == 0))
        sum = 0;
    join(sum, y);
}
BOTH(votes);

/* One of the lanes with the same number adds for all of them. Wrong: each of them does. */
template <bool WRONG> __global__ void matches(const int *x, int *y)
{
    const int      v = mine(x), lane = threadIdx.x % 32;
    const unsigned peers  = __match_any_sync(ALL, v);
    const bool     leads  = WRONG || lane == __ffs(peers) - 1;
    const int      shares = leads ? v * __popc(peers) : 0;

    join(__reduce_add_sync(ALL, shares), y);
}
BOTH(matches);

/* Wrong: masks of half a warp give sums of half a warp. */
template <bool WRONG> __global__ void reduces(const int *x, int *y)
{
    const unsigned half = threadIdx.x % 32 < 16 ? 0x0000ffffu : 0xffff0000u;

    join(__reduce_add_sync(WRONG ? half : ALL, mine(x)), y);
}
BOTH(reduces);

/* ---- by inline PTX */

/* Wrong: the clamp splits the warp in two. */
template <bool WRONG> __global__ void ptx_shuffle(const int *x, int *y)
{
    int sum = mine(x), other;

    for (int d = 16; d > 0; d /= 2) {
        asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, 0xffffffff;"
                     : "=r"(other)
                     : "r"(sum), "r"(d), "r"(WRONG ? 0x101f : 0x1f));
        sum += other;
    }
    join(sum, y);
}
BOTH(ptx_shuffle);

/* Wrong: bits are combined by OR instead of added. */
template <bool WRONG> __global__ void ptx_redux(const int *x, int *y)
{
    int sum;

    if (WRONG)
        asm volatile("redux.sync.or.b32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(mine(x)));
    else
        asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(sum) : "r"(mine(x)));
    join(sum, y);
}
BOTH(ptx_redux);

/* Wrong: the predicate is negated. */
template <bool WRONG> __global__ void ptx_vote(const int *x, int *y)
{
    const int v   = mine(x);
    int       sum = 0;

    for (int bit = 0; bit < 3; bit++) {
        unsigned set;

        asm volatile("{ .reg .pred p;\n\t"
                     "setp.ne.s32 p, %1, %2;\n\t"
                     "vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                     : "=r"(set)
                     : "r"(v >> bit & 1), "n"(WRONG ? 1 : 0));
        sum += __popc(set) << bit;
    }
    join(sum, y);
}
BOTH(ptx_vote);

/* The place of a thread. Wrong: uses the lane as the thread's number. */
template <bool WRONG> __global__ void ptx_registers(const int *x, int *y)
{
    unsigned block, size, thread, lane;

    asm("mov.u32 %0, %%ctaid.x;" : "=r"(block));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(size));
    asm("mov.u32 %0, %%tid.x;" : "=r"(thread));
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    join(__reduce_add_sync(ALL, x[block * size + (WRONG ? lane : thread)]), y);
}
BOTH(ptx_registers);

/* ---- atomics */

/* In shared memory, by PTX. Wrong: what was read is stored again, even if others have changed it
 * meanwhile. */
template <bool WRONG> __global__ void ptx_atomics(const int *x, int *y)
{
    __shared__ int total;
    const unsigned at = address_of(&total);
    int            old;

    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (WRONG) {
        asm volatile("ld.relaxed.cta.shared.s32 %0, [%1];" : "=r"(old) : "r"(at) : "memory");
        asm volatile("st.relaxed.cta.shared.s32 [%0], %1;" ::"r"(at), "r"(old + mine(x))
                     : "memory");
    } else if (threadIdx.x < 32)
        asm volatile("red.shared.add.s32 [%0], %1;" ::"r"(at), "r"(mine(x)) : "memory");
    else
        asm volatile("atom.shared.add.s32 %0, [%1], %2;"
                     : "=r"(old)
                     : "r"(at), "r"(mine(x))
                     : "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = total;
}
BOTH(ptx_atomics);

/* Wrong: a sum without an atomic. */
template <bool WRONG> __global__ void atomics(const int *x, int *y)
{
    __shared__ int total;

    if (threadIdx.x == 0)
        total = 0;
    __syncthreads();
    if (WRONG)
        total += mine(x);
    else
        atomicAdd(&total, mine(x));
    __syncthreads();
    if (threadIdx.x == 0)
        y[blockIdx.x] = total;
}
BOTH(atomics);

/* Four bytes at once. Wrong: the second four replace the first. */
template <bool WRONG> __global__ void dp4a(const int *x, int *y)
{
    const int lane  = threadIdx.x % 32,
              *from = x + blockIdx.x * 64 + threadIdx.x / 32 * 32 + lane % 4 * 8;
    int sum         = 0;

    for (int k = 0; k < 8; k += 4)
        sum = __dp4a(from[k] | from[k + 1] << 8 | from[k + 2] << 16 | from[k + 3] << 24, 0x01010101,
                     WRONG ? 0 : sum);
    sum = __reduce_add_sync(ALL, lane < 4 ? sum : 0);
    join(sum, y);
}
BOTH(dp4a);
