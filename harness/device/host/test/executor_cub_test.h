/* What the kernels behind test_executor_cub.c share: inputs that every thread can compute, and
 * counts of all checks and of failed ones. */
#ifndef ASSAY_TEST_EXECUTOR_CUB_TEST_H
#define ASSAY_TEST_EXECUTOR_CUB_TEST_H

#include "kernel.h"

#include <cub/cub.cuh>

/* Input i: a small number of either sign, with repetitions. */
static inline int input(int i)
{
    return static_cast<int>((static_cast<unsigned>(i) * 2654435761u + 12345u) >> 20) % 100 - 50;
}

/* out has the number of failed checks, the number of all checks, and the line of a failed one. */
static inline void check(unsigned *out, bool is_right, int line)
{
    (void)atomicAdd(&out[1], 1u);
    if (is_right)
        return;
    (void)atomicAdd(&out[0], 1u);
    (void)atomicExch(&out[2], static_cast<unsigned>(line));
}
#define CHECK(condition) check(out, (condition), __LINE__)

static inline int rank_in_block(void)
{
    return cub::RowMajorTid(static_cast<int>(blockDim.x), static_cast<int>(blockDim.y),
                            static_cast<int>(blockDim.z));
}

/* x -> a x + b. Composition depends on the order. It has more than 8 bytes. */
struct affine {
    unsigned  a;
    long long b;
};
struct compose {
    affine operator()(const affine &f, const affine &g) const
    {
        return affine { f.a * g.a, static_cast<long long>(g.a * static_cast<unsigned>(f.b)) + g.b };
    }
};
static inline bool operator==(const affine &f, const affine &g)
{
    return f.a == g.a && static_cast<unsigned>(f.b) == static_cast<unsigned>(g.b);
}
static inline affine map(int i)
{
    return affine { static_cast<unsigned>(2 * input(i) + 1), input(i + 7) };
}

/* The launcher `name` of a kernel whose only parameter is `out`. */
#define CUB_LAUNCHER(name, grid_block, ...)                                                        \
    ASSAY_LAUNCHER(executor_cub_##name)                                                            \
    {                                                                                              \
        void (*const kernel)(unsigned *) = __VA_ARGS__;                                            \
                                                                                                   \
        kernel<<<1, grid_block, 0, stream>>>(static_cast<unsigned *>(args->buf[1]));               \
        return assay_launch_status();                                                              \
    }

#endif
