/* Sums and means of rows of a table, and the gradient of the table: by atomics, or by lists of each
 * row's places in a fixed order. */
#include "embedding_bag.cuh"

/* Tuning axes: threads of a block. */
enum {
    BLOCK
};

static unsigned block_of(const assay_args *args)
{
    return static_cast<unsigned>(args->tune[BLOCK]);
}

static void clear(const assay_args *args, assay_stream stream)
{
    (void)cudaMemsetAsync(args->buf[BAG_OUT], 0,
                          static_cast<size_t>(args->count[BAG_OUT]) * sizeof(float), stream);
}

/* ---- backward by atomics ---- */

/* One red instruction on devices that have one for four floats. */
static __device__ inline void add_four(float *to, const float *add)
{
#if defined(ASSAY_HOST_KERNELS) || __CUDA_ARCH__ >= 900
    (void)atomicAdd(reinterpret_cast<float4 *>(to), make_float4(add[0], add[1], add[2], add[3]));
#else
    for (int k = 0; k < 4; k++)
        (void)atomicAdd(&to[k], add[k]);
#endif
}

template <int SIZE> static __device__ inline void add_atomically(float *to, const float *add)
{
    if constexpr (SIZE == 1)
        (void)atomicAdd(to, add[0]);
    else
        for (int k = 0; k < SIZE; k += 4)
            add_four(to + k, add + k);
}

template <typename T, int SIZE> static __global__ void bag_backward_kernel(bag_call<T> c)
{
    const int64_t columns = c.dim / SIZE, bag = bag_thread() / columns,
                  column = bag_thread() - bag * columns;
    float add[SIZE];

    if (bag >= c.bags)
        return;

    const auto  from   = reinterpret_cast<const bag_pack<T, SIZE> *>(c.d_y)[bag_thread()];
    const float weight = bag_weight(c, bag);
    const int   end    = c.offsets[bag + 1]; /* read once: the compiler cannot know that it stays */

    for (int j = 0; j < SIZE; j++)
        add[j] = weight * ops_float(from.v[j]);
    for (int k = c.offsets[bag]; k < end; k++)
        add_atomically<SIZE>(c.d_table + c.indices[k] * c.dim + column * SIZE, add);
}

template <typename T, int SIZE> static void launch(const assay_args *args, assay_stream stream)
{
    const bag_call<T> c     = bag_call_of<T>(args);
    const unsigned    block = block_of(args);

    if (!args->param[BAG_IS_BACKWARD]) {
        bag_launch_forward<bag_right, T, SIZE>(args, block, stream);
        return;
    }
    clear(args, stream);
    bag_backward_kernel<T, SIZE>
        <<<assay_blocks_for(c.bags * (c.dim / SIZE), block), block, 0, stream>>>(c);
}

ASSAY_LAUNCHER(embedding_bag_scalar)
{
    OPS_LAUNCH_BY_TYPE(args->param[BAG_TYPE], (launch<T, 1>(args, stream)));
    return assay_launch_status();
}

ASSAY_LAUNCHER(embedding_bag_vector)
{
    OPS_LAUNCH_BY_TYPE(args->param[BAG_TYPE], (launch<T, ops_pack<T>::SIZE>(args, stream)));
    return assay_launch_status();
}

/* ---- backward by lists ----
 *
 * Each place among the indices is linked into the list of its row, in any order. A row takes its
 * places from the least to the greatest, so that the sum has one order whatever the schedule. */

struct bag_lists {
    int *head, *next, *bag_of;
};

static bag_lists lists_of(const assay_args *args)
{
    int *const head = static_cast<int *>(args->workspace);
    int *const next = head + args->param[BAG_ROWS];

    return { head, next, next + args->count[BAG_INDICES] };
}

ASSAY_WORKSPACE(embedding_bag_lists_workspace)
{
    return static_cast<size_t>(args->param[BAG_ROWS] + 2 * args->count[BAG_INDICES]) * sizeof(int);
}

/* The bag that place k belongs to: the last that begins at or before it. */
static __device__ int bag_at(const int *offsets, int64_t bags, int k)
{
    int low = 0, high = static_cast<int>(bags);

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        (offsets[middle] <= k ? low : high) = middle;
    }
    return low;
}

static __global__ void bag_link_kernel(bag_lists lists, const int *indices, const int *offsets,
                                       int64_t bags, int64_t n)
{
    const int64_t k = bag_thread();

    if (k < n) {
        const int place = static_cast<int>(k);

        lists.bag_of[k] = bag_at(offsets, bags, place);
        lists.next[k]   = atomicExch(&lists.head[indices[k]], place);
    }
}

/* The least place of the list above `last`; -1 if there is none. */
static __device__ inline int next_place(const bag_lists &lists, int64_t row, int last)
{
    int least = -1;

    for (int k = lists.head[row]; k >= 0; k = lists.next[k])
        if (k > last && (least < 0 || k < least))
            least = k;
    return least;
}

template <typename T, int SIZE>
static __global__ void bag_gather_kernel(bag_call<T> c, bag_lists lists)
{
    const int64_t columns = c.dim / SIZE, row = bag_thread() / columns,
                  column      = bag_thread() - row * columns;
    bag_pack<float, SIZE> sum = {};

    if (row >= c.rows)
        return;
    for (int k = next_place(lists, row, -1); k >= 0; k = next_place(lists, row, k)) {
        const int64_t bag    = lists.bag_of[k];
        const float   weight = bag_weight(c, bag);
        const auto    from =
            reinterpret_cast<const bag_pack<T, SIZE> *>(c.d_y)[bag * columns + column];

        for (int j = 0; j < SIZE; j++)
            sum.v[j] += weight * ops_float(from.v[j]);
    }
    reinterpret_cast<bag_pack<float, SIZE> *>(c.d_table)[row * columns + column] = sum;
}

template <typename T, int SIZE> static void gather(const assay_args *args, assay_stream stream)
{
    const bag_call<T> c     = bag_call_of<T>(args);
    const unsigned    block = block_of(args);

    bag_gather_kernel<T, SIZE>
        <<<assay_blocks_for(c.rows * (c.dim / SIZE), block), block, 0, stream>>>(c, lists_of(args));
}

ASSAY_LAUNCHER(embedding_bag_lists)
{
    const bag_lists lists = lists_of(args);
    const int64_t   n     = args->count[BAG_INDICES];

    (void)cudaMemsetAsync(lists.head, 0xff,
                          static_cast<size_t>(args->param[BAG_ROWS]) * sizeof(int), stream);
    if (n > 0)
        bag_link_kernel<<<assay_blocks_for(n, block_of(args)), block_of(args), 0, stream>>>(
            lists, static_cast<const int *>(args->buf[BAG_INDICES]),
            static_cast<const int *>(args->buf[BAG_OFFSETS]), args->param[BAG_BAGS], n);
    OPS_LAUNCH_BY_TYPE(args->param[BAG_TYPE], (gather<T, 4>(args, stream)));
    return assay_launch_status();
}
