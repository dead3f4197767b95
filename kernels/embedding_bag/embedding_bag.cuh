/* A call of embedding_bag on the device, and how bags are summed. */
#ifndef EMBEDDING_BAG_CUH
#define EMBEDDING_BAG_CUH

#include "../ops/ops_types.cuh"
#include "embedding_bag_case.h"

template <typename T> struct bag_call {
    bool       is_mean;
    int64_t    bags, rows, dim;
    const T   *table, *d_y;
    const int *indices, *offsets;
    T         *y;
    float     *d_table;
};

template <typename T> bag_call<T> bag_call_of(const assay_args *args)
{
    const int64_t *p = args->param;

    return { p[BAG_IS_MEAN] != 0,
             p[BAG_BAGS],
             p[BAG_ROWS],
             p[BAG_DIM],
             static_cast<const T *>(args->buf[BAG_TABLE]),
             static_cast<const T *>(args->buf[BAG_D_Y]),
             static_cast<const int *>(args->buf[BAG_INDICES]),
             static_cast<const int *>(args->buf[BAG_OFFSETS]),
             static_cast<T *>(args->buf[BAG_OUT]),
             static_cast<float *>(args->buf[BAG_OUT]) };
}

/* Neighbours that one thread takes. */
template <typename T, int SIZE> struct alignas(SIZE * sizeof(T)) bag_pack {
    T v[SIZE];
};

__device__ inline int64_t bag_thread(void)
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/* The weight of an index of the bag. An empty bag has no index, so that nothing is divided by 0. */
template <typename T> __device__ inline float bag_weight(const bag_call<T> &c, int64_t bag)
{
    const int n = c.offsets[bag + 1] - c.offsets[bag];

    return c.is_mean && n > 0 ? 1.0f / static_cast<float>(n) : 1.0f;
}

/* A thread takes SIZE columns of a bag. WAY says which indices count, and by what the sum is
 * multiplied. */
template <typename WAY, typename T, int SIZE>
static __global__ void bag_forward_kernel(bag_call<T> c)
{
    const int64_t columns = c.dim / SIZE, t = bag_thread(), bag = t / columns,
                  column = t - bag * columns;
    float sum[SIZE]      = {};

    if (bag >= c.bags)
        return;
#pragma unroll 4
    for (int k = c.offsets[bag]; k < c.offsets[bag + 1]; k++) {
        const auto row =
            reinterpret_cast<const bag_pack<T, SIZE> *>(c.table)[c.indices[k] * columns + column];

        for (int j = 0; j < SIZE; j++)
            sum[j] += WAY::counts(c, bag, k) ? ops_float(row.v[j]) : 0.0f;
    }

    const float       weight = WAY::weight(c, bag);
    bag_pack<T, SIZE> out;

    for (int j = 0; j < SIZE; j++)
        out.v[j] = ops_round<T>(sum[j] * weight);
    reinterpret_cast<bag_pack<T, SIZE> *>(c.y)[t] = out;
}

struct bag_right {
    template <typename T> static __device__ bool counts(const bag_call<T> &, int64_t, int)
    {
        return true;
    }
    template <typename T> static __device__ float weight(const bag_call<T> &c, int64_t bag)
    {
        return bag_weight(c, bag);
    }
};

template <typename WAY, typename T, int SIZE>
void bag_launch_forward(const assay_args *args, unsigned block, assay_stream stream)
{
    const bag_call<T> c = bag_call_of<T>(args);

    bag_forward_kernel<WAY, T, SIZE>
        <<<assay_blocks_for(c.bags * (c.dim / SIZE), block), block, 0, stream>>>(c);
}

#endif
