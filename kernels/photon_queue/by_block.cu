/* block_chunk: a block moves its items in chunks, each with one ticket and one sequence number. One
 * thread draws for the block and stores the tickets in shared memory. */
#include "rest.cuh"

#include "kernel_groups.h"

namespace
{

namespace cg = cooperative_groups;

/* Slots are chunks of `size` items; the sequence numbers are those of the chunks. */
struct chunk_ring {
    photon_ring chunks;
    unsigned   *counts, *words; /* items in each chunk; [n_words][capacity], chunk after chunk */
    unsigned    size, capacity, n_words;
};

struct block_chunk {
    typedef chunk_ring    ring;
    static constexpr bool ANSWERS  = false;
    static constexpr bool BY_BLOCK = true;

    static ring ring_of(const assay_args *args)
    {
        const int64_t capacity = args->param[QUEUE_PARAM_CAPACITY], size = args->tune[0];
        ring          r;

        /* Each chunk has one word: its count. */
        r.chunks   = photon_ring_in(args->workspace, capacity / size, 1);
        r.counts   = r.chunks.words;
        r.words    = r.counts + capacity / size;
        r.size     = static_cast<unsigned>(size);
        r.capacity = static_cast<unsigned>(capacity);
        r.n_words  = static_cast<unsigned>(args->param[QUEUE_PARAM_WORDS]);
        return r;
    }
    static __device__ void reset(const ring &r, unsigned start, unsigned i, unsigned n)
    {
        photon_ring_reset(r.chunks, start, i, n);
    }
    static __device__ unsigned chunks_for(const ring &r, unsigned n)
    {
        return (n + r.size - 1) / r.size;
    }
    static __device__ bool has_room(const ring &r, unsigned n)
    {
        return photon_n_items(r.chunks) + chunks_for(r, n) <= r.chunks.capacity;
    }
    static __device__ bool has_items(const ring &r, unsigned n)
    {
        return photon_n_items(r.chunks) >= chunks_for(r, n);
    }

    /* Returns the first ticket of the block's n; all threads call it. */
    static __device__ unsigned draw(unsigned *counter, unsigned n, photon_wait *wait)
    {
        __shared__ unsigned first[1];

        if (threadIdx.x == 0)
            *first = photon_draw(counter, n, wait);
        cg::this_thread_block().sync();
        return *first;
    }
    /* The index of item x of an operation among the words of one plane. */
    static __device__ unsigned place(const ring &r, unsigned first, unsigned x)
    {
        return photon_slot(r.chunks, first + x / r.size) * r.size + x % r.size;
    }
    static __device__ unsigned items_in(const ring &r, unsigned chunk, unsigned n)
    {
        const unsigned rest = n - chunk * r.size;

        return rest < r.size ? rest : r.size;
    }

    /* As many threads wait as there are chunks. */
    static __device__ unsigned push(const ring &r, const queue::work &what, const queue::op &op,
                                    photon_wait *wait)
    {
        const cg::thread_block block = cg::this_thread_block();
        const unsigned         n     = chunks_for(r, op.n_of_block);
        unsigned               first;

        if (n == 0)
            return 0;
        first = draw(r.chunks.tail, n, wait);
        for (unsigned c = threadIdx.x; c < n; c += blockDim.x)
            photon_await_free(r.chunks, first + c, wait);
        block.sync();
        for (unsigned j = 0; j < op.n; j++)
            for (unsigned w = 0; w < r.n_words; w++)
                r.words[static_cast<size_t>(w) * r.capacity +
                        place(r, first, j * blockDim.x + threadIdx.x)] =
                    what.items[static_cast<size_t>(w) * what.n_all + op.first + j * op.stride];
        block.sync();
        for (unsigned c = threadIdx.x; c < n; c += blockDim.x) {
            r.counts[photon_slot(r.chunks, first + c)] = items_in(r, c, op.n_of_block);
            photon_publish(r.chunks, first + c);
        }
        return op.n;
    }

    /* A chunk is taken whole: what was pushed together is popped together. */
    static __device__ unsigned pop(const ring &r, const queue::work &what, const queue::op &op,
                                   photon_wait *wait)
    {
        const cg::thread_block block = cg::this_thread_block();
        const unsigned         n     = chunks_for(r, op.n_of_block);
        unsigned               first;

        if (n == 0)
            return 0;
        first = draw(r.chunks.head, n, wait);
        for (unsigned c = threadIdx.x; c < n; c += blockDim.x)
            if (photon_await_full(r.chunks, first + c, wait) &&
                r.counts[photon_slot(r.chunks, first + c)] != items_in(r, c, op.n_of_block))
                atomicAdd(what.stats + QUEUE_STAT_MISCOUNTED, 1ull);
        block.sync();
        for (unsigned j = 0; j < op.n; j++)
            for (unsigned w = 0; w < r.n_words; w++)
                what.taken[static_cast<size_t>(w) * what.n_all + op.first + j * op.stride] =
                    r.words[static_cast<size_t>(w) * r.capacity +
                            place(r, first, j * blockDim.x + threadIdx.x)];
        block.sync();
        for (unsigned c = threadIdx.x; c < n; c += blockDim.x)
            photon_free(r.chunks, first + c);
        return op.n;
    }
};

} // namespace

ASSAY_WORKSPACE(photon_queue_chunk_workspace)
{
    const int64_t capacity = args->param[QUEUE_PARAM_CAPACITY], size = args->tune[0];

    return photon_ring_bytes(capacity / size, 1) +
           sizeof(unsigned) * static_cast<size_t>(capacity * args->param[QUEUE_PARAM_WORDS]);
}

ASSAY_LAUNCHER(photon_queue_block_chunk)
{
    const int64_t size     = args->tune[0];
    const int64_t n        = args->param[QUEUE_PARAM_THREADS] * args->param[QUEUE_PARAM_BATCH];
    const int64_t n_chunks = (n + size - 1) / size;

    /* The script at rest holds two chunks of one item each. */
    if (args->param[QUEUE_PARAM_CAPACITY] / size < (n_chunks > 2 ? n_chunks : 2))
        return 1; /* cudaErrorInvalidValue */
    return queue::launch<block_chunk>(args, stream);
}
