/* Kernels behind test_executor_random.c: random numbers of cuRAND's device interface. */
#include "kernel.h"

#include <curand_kernel.h>

/* in: a counter and a key for each thread */
static __global__ void philox_kernel(const unsigned *in, uint4 *out)
{
    const unsigned *mine = in + 6 * threadIdx.x;

    out[threadIdx.x] =
        assay_philox(make_uint4(mine[0], mine[1], mine[2], mine[3]), make_uint2(mine[4], mine[5]));
}

ASSAY_LAUNCHER(executor_philox)
{
    philox_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const unsigned *>(args->buf[0]), static_cast<uint4 *>(args->buf[1]));
    return assay_launch_status();
}

template <typename State> static __device__ unsigned
first_of(unsigned long long seed, unsigned long long subsequence, unsigned long long offset)
{
    State state;

    curand_init(seed, subsequence, offset, &state);
    return curand(&state);
}

/* in: seed, subsequence, offset; out: the first number of each generator */
static __global__ void first_kernel(const unsigned long long *in, unsigned *out)
{
    const unsigned long long *mine = in + 3 * threadIdx.x;

    out += 3 * threadIdx.x;
    out[0] = first_of<curandStateXORWOW_t>(mine[0], mine[1], mine[2]);
    out[1] = first_of<curandStatePhilox4_32_10_t>(mine[0], mine[1], mine[2]);
    out[2] = first_of<curandStateMRG32k3a_t>(mine[0], mine[1], mine[2]);
}

ASSAY_LAUNCHER(executor_random_first)
{
    first_kernel<<<1, static_cast<unsigned>(args->param[0]), 0, stream>>>(
        static_cast<const unsigned long long *>(args->buf[0]),
        static_cast<unsigned *>(args->buf[1]));
    return assay_launch_status();
}

/* Returns how many jumps are wrong: over n numbers, over subsequences, and over a carry of the
 * counter. */
template <typename State> static __device__ int wrong_jumps(void)
{
    int n_wrong = 0;

    for (unsigned n = 0; n < 40; n++) {
        State drawn, jumped, offset;

        curand_init(99, 7, 0, &drawn);
        jumped = drawn;
        for (unsigned i = 0; i < n; i++)
            (void)curand(&drawn);
        skipahead(n, &jumped);
        curand_init(99, 7, n, &offset);
        const unsigned want = curand(&drawn);
        n_wrong += curand(&jumped) != want;
        n_wrong += curand(&offset) != want;
    }
    for (unsigned long long n = 1; n != 0; n <<= 7) {
        State twice, once;

        curand_init(5, n, n, &twice);
        skipahead(2 * n + 3, &twice);
        curand_init(5, n, 3 * n + 3, &once);
        n_wrong += n < 1ull << 62 && curand(&twice) != curand(&once);
    }
    return n_wrong;
}

static __global__ void jumps_kernel(int *out)
{
    curandState                state, other;
    curandStatePhilox4_32_10_t philox, carried;

    out[0] = wrong_jumps<curandStateXORWOW_t>();
    out[1] = wrong_jumps<curandStatePhilox4_32_10_t>();
    out[2] = wrong_jumps<curandStateMRG32k3a_t>();
    curand_init(1, 2, 0, &state);
    skipahead_sequence(3, &state);
    curand_init(1, 5, 0, &other);
    out[3] = curand(&state) != curand(&other);
    /* The counter's lower half overflows into the subsequence. */
    curand_init(1, 0, 0xffffffffffffffffull, &philox);
    skipahead(0xffffffffffffffffull, &philox);
    skipahead(0xffffffffffffffffull, &philox);
    skipahead(0xffffffffffffffffull, &philox);
    curand_init(1, 1, 0, &carried);
    skipahead(4, &philox);
    out[4] = curand(&philox) != curand(&carried);
}

ASSAY_LAUNCHER(executor_random_jumps)
{
    jumps_kernel<<<1, 1, 0, stream>>>(static_cast<int *>(args->buf[1]));
    return assay_launch_status();
}

/* Numbers of one generator: uniform and normal ones, singly, in pairs and in fours. */
template <typename State> static __global__ void numbers_kernel(double *out, int n)
{
    State state;

    curand_init(1234, threadIdx.x, 0, &state);
    for (int i = 0; i < n; i++, out += 8) {
        out[0] = static_cast<double>(curand_uniform(&state));
        out[1] = curand_uniform_double(&state);
        out[2] = static_cast<double>(curand_normal(&state));
        out[3] = curand_normal_double(&state);
        out[4] = static_cast<double>(curand_log_normal(&state, 0.5f, 0.25f));
        out[5] = curand_log_normal_double(&state, 0.5, 0.25);
        out[6] = static_cast<double>(curand_normal2(&state).y);
        out[7] = curand_normal2_double(&state).y;
    }
}

ASSAY_LAUNCHER(executor_random_numbers)
{
    const int n   = static_cast<int>(args->param[1]);
    double   *out = static_cast<double *>(args->buf[1]);

    if (args->param[0] == 0)
        numbers_kernel<curandState><<<1, 1, 0, stream>>>(out, n);
    else if (args->param[0] == 1)
        numbers_kernel<curandStatePhilox4_32_10_t><<<1, 1, 0, stream>>>(out, n);
    else
        numbers_kernel<curandStateMRG32k3a_t><<<1, 1, 0, stream>>>(out, n);
    return assay_launch_status();
}

/* Philox gives the same numbers in fours as one by one. */
static __global__ void fours_kernel(double *out)
{
    curandStatePhilox4_32_10_t state, same;

    curand_init(77, 8, 2, &state);
    same                  = state;
    const float4  uniform = curand_uniform4(&state), normal = curand_normal4(&state);
    const double2 pair = curand_uniform2_double(&state);
    const uint4   four = curand4(&state);

    out[0]               = static_cast<double>(curand_uniform(&same) - uniform.x);
    out[1]               = static_cast<double>(curand_uniform(&same) - uniform.y);
    out[2]               = static_cast<double>(curand_uniform(&same) - uniform.z);
    out[3]               = static_cast<double>(curand_uniform(&same) - uniform.w);
    const float2 normals = curand_normal2(&same), more = curand_normal2(&same);
    out[4] = static_cast<double>(normals.x - normal.x + more.y - normal.w);
    skipahead(2, &same);
    const uint64_t low = curand(&same), high = curand(&same);
    out[5] = pair.y - (static_cast<double>(low ^ high << 21) * 0x1p-53 + 0x1p-54);
    out[6] = static_cast<double>(curand(&same) - four.x);
    skipahead(2, &same);
    out[7] = static_cast<double>(curand(&same) - four.w);
}

ASSAY_LAUNCHER(executor_random_fours)
{
    fours_kernel<<<1, 1, 0, stream>>>(static_cast<double *>(args->buf[1]));
    return assay_launch_status();
}
