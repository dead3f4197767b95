/* Wrong on purpose: an empty bag is divided by its length, a repeated index counts once, sums
 * without atomics. */
#include "embedding_bag.cuh"

static const unsigned BLOCK = 256;

/* 0/0 for a bag without indices. */
struct divides_always : bag_right {
    template <typename T> static __device__ float weight(const bag_call<T> &c, int64_t bag)
    {
        return 1.0f / static_cast<float>(c.offsets[bag + 1] - c.offsets[bag]);
    }
};

/* The bag is treated as a set: a repeated index counts once. */
struct counts_once : bag_right {
    template <typename T> static __device__ bool counts(const bag_call<T> &c, int64_t bag, int k)
    {
        for (int before = c.offsets[bag]; before < k; before++)
            if (c.indices[before] == c.indices[k])
                return false;
        return true;
    }
};

ASSAY_LAUNCHER(embedding_bag_divides_empty)
{
    OPS_LAUNCH_BY_TYPE(args->param[BAG_TYPE],
                       (bag_launch_forward<divides_always, T, 1>(args, BLOCK, stream)));
    return assay_launch_status();
}

ASSAY_LAUNCHER(embedding_bag_counts_once)
{
    OPS_LAUNCH_BY_TYPE(args->param[BAG_TYPE],
                       (bag_launch_forward<counts_once, T, 1>(args, BLOCK, stream)));
    return assay_launch_status();
}

/* Between a thread's load and its store, another thread may add to the same row. */
static __global__ void bag_plain_add_kernel(bag_call<float> c)
{
    const int64_t bag = bag_thread() / c.dim, column = bag_thread() - bag * c.dim;

    if (bag >= c.bags)
        return;
    for (int k = c.offsets[bag]; k < c.offsets[bag + 1]; k++)
        c.d_table[c.indices[k] * c.dim + column] += bag_weight(c, bag) * c.d_y[bag_thread()];
}

ASSAY_LAUNCHER(embedding_bag_plain_add)
{
    const bag_call<float> c = bag_call_of<float>(args);

    (void)cudaMemsetAsync(c.d_table, 0, static_cast<size_t>(args->count[BAG_OUT]) * sizeof(float),
                          stream);
    bag_plain_add_kernel<<<assay_blocks_for(c.bags * c.dim, BLOCK), BLOCK, 0, stream>>>(c);
    return assay_launch_status();
}
