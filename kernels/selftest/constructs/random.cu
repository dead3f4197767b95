/* Plain CUDA C++: cuRAND's generators within a kernel. Element i gets two whole numbers from
 * Philox's subsequence i, and one from XORWOW with the seed i. */
#include <curand_kernel.h>

/* Values of FAULT; the names of kernels contain the numbers. */
#define ONE_SEQUENCE 1 /* the subsequence is forgotten: all threads draw the same */
#define ONE_SEED     2

template <int FAULT> __global__ void draws(unsigned *philox, unsigned *xorwow, unsigned seed)
{
    const unsigned             i = blockIdx.x * 64 + threadIdx.x;
    curandStatePhilox4_32_10_t counter;
    curandState                shifts;

    curand_init(seed, FAULT == ONE_SEQUENCE ? 0 : i, 0, &counter);
    curand_init(FAULT == ONE_SEED ? seed : seed + i, 0, 0, &shifts);
    philox[2 * i]     = curand(&counter);
    philox[2 * i + 1] = curand(&counter);
    xorwow[i]         = curand(&shifts);
}
template __global__ void draws<0>(unsigned *, unsigned *, unsigned);
template __global__ void draws<1>(unsigned *, unsigned *, unsigned);
template __global__ void draws<2>(unsigned *, unsigned *, unsigned);
