/* The device's own kernels: gate, clock, cache flush, digest, null and spin. */
#include "device_kernels.h"

#include "device/device_evidence.h"

static const unsigned BLOCK = 256;

static __device__ size_t thread_of_grid(void)
{
    return static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

static bool is_aligned(const void *memory)
{
    return reinterpret_cast<uintptr_t>(memory) % sizeof(uint4) == 0;
}

/* ---- gate and clock ---- */

/* The timer advances in steps (32 ns on an H100, 1 us on other cards), the cycle counter by ones.
 * If both are read just after a step, they belong together to within the length of this loop. */
static __device__ void read_clocks(volatile assay_clock_reading *reading)
{
    const unsigned long long before_ns = assay_global_time_ns();
    unsigned long long       time_ns, cycles;
    uint32_t                 sm;

    do {
        time_ns = assay_global_time_ns();
        cycles  = static_cast<unsigned long long>(clock64());
    } while (time_ns == before_ns);
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    reading->cycles  = cycles;
    reading->time_ns = time_ns;
    reading->sm      = sm;
}

/* Volatile, so that every read goes to host memory. Tickets are compared by their difference, so
 * that they may wrap around. */
extern "C" __global__ void assay_own_gate(volatile assay_gate *gate, uint32_t ticket,
                                          unsigned long long timeout_ns)
{
    const unsigned long long start_ns = assay_global_time_ns();

    while (static_cast<int32_t>(gate->opened - ticket) < 0) {
        if (assay_global_time_ns() - start_ns > timeout_ns) {
            gate->timed_out = ticket;
            /* The host must see this before any work behind the gate has run. */
            __threadfence_system();
            break;
        }
    }
    read_clocks(&gate->first);
}

int assay_device_enqueue_gate(assay_gate *gate, uint32_t ticket, uint64_t timeout_ns,
                              assay_stream stream)
{
    assay_own_gate<<<1, 1, 0, stream>>>(gate, ticket, static_cast<unsigned long long>(timeout_ns));
    return assay_launch_status();
}

extern "C" __global__ void assay_own_clock(volatile assay_gate *gate)
{
    read_clocks(&gate->second);
}

int assay_device_enqueue_clock(assay_gate *gate, assay_stream stream)
{
    assay_own_clock<<<1, 1, 0, stream>>>(gate);
    return assay_launch_status();
}

/* ---- cache flush ---- */

extern "C" __global__ void assay_own_flush_write(uint4 *buffer, size_t n, uint32_t salt)
{
    const size_t i = thread_of_grid();

    if (i < n) {
        const uint32_t mixed = (static_cast<uint32_t>(i) ^ salt) * 2654435761u;

        buffer[i] = make_uint4(mixed, mixed * 2246822519u, ~mixed, mixed ^ (mixed >> 15));
    }
}

extern "C" __global__ void assay_own_flush_read(uint4 *buffer, size_t n, uint32_t salt)
{
    const size_t i = thread_of_grid();

    if (i < n) {
        const uint4 v = buffer[i];

        /* This keeps the load from being optimized away; the store happens once in 2^32 loads. */
        if ((v.x ^ v.y ^ v.z ^ v.w) == salt)
            buffer[i] = make_uint4(salt, 0, 0, 0);
    }
}

int assay_device_enqueue_flush_write(void *buffer, size_t bytes, uint32_t salt, assay_stream stream)
{
    const size_t n = bytes / sizeof(uint4);

    if (n == 0)
        return 0;
    assay_own_flush_write<<<assay_blocks_for(static_cast<int64_t>(n), BLOCK), BLOCK, 0, stream>>>(
        static_cast<uint4 *>(buffer), n, salt);
    return assay_launch_status();
}

int assay_device_enqueue_flush_read(void *buffer, size_t bytes, uint32_t salt, assay_stream stream)
{
    const size_t n = bytes / sizeof(uint4);

    if (n == 0)
        return 0;
    assay_own_flush_read<<<assay_blocks_for(static_cast<int64_t>(n), BLOCK), BLOCK, 0, stream>>>(
        static_cast<uint4 *>(buffer), n, salt);
    return assay_launch_status();
}

/* ---- digest ---- */

/* Word `index` of n_bytes bytes; zero bytes complete the last one. */
static __device__ uint32_t word_of_bytes(const unsigned char *bytes, size_t n_bytes, size_t index)
{
    const size_t first = sizeof(uint32_t) * index;
    uint32_t     word  = 0;

#pragma unroll
    for (unsigned k = 0; k < sizeof word; k++)
        if (first + k < n_bytes)
            word |= static_cast<uint32_t>(bytes[first + k]) << (8 * k);
    return word;
}

static __device__ uint64_t digest_of_vector(uint64_t index, uint4 v)
{
    return assay_evidence_digest(index, v.x) + assay_evidence_digest(index + 1, v.y) +
           assay_evidence_digest(index + 2, v.z) + assay_evidence_digest(index + 3, v.w);
}

/* The first n_vectors * 16 bytes are read as vectors, the rest byte by byte. The additions are
 * exact, so their order does not matter. */
extern "C" __global__ void __launch_bounds__(BLOCK)
    assay_own_digest(const unsigned char *bytes, size_t n_bytes, size_t n_vectors,
                     unsigned long long *sum)
{
    const uint4 *const vectors = reinterpret_cast<const uint4 *>(bytes);
    const size_t       n_words = (n_bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
    const size_t       stride  = static_cast<size_t>(gridDim.x) * BLOCK;
    unsigned long long own     = 0;

    for (size_t i = thread_of_grid(); i < n_vectors; i += stride)
        own += digest_of_vector(4 * i, vectors[i]);
    for (size_t i = 4 * n_vectors + thread_of_grid(); i < n_words; i += stride)
        own += assay_evidence_digest(i, word_of_bytes(bytes, n_bytes, i));
    for (int lanes = 16; lanes > 0; lanes /= 2)
        own += __shfl_down_sync(0xffffffffu, own, lanes);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, own);
}

int assay_device_enqueue_digest(const void *memory, size_t bytes, uint64_t *sum,
                                unsigned max_blocks, assay_stream stream)
{
    const size_t   n_vectors = is_aligned(memory) ? bytes / sizeof(uint4) : 0;
    const size_t   n_threads = n_vectors > 0 ? n_vectors : bytes / sizeof(uint32_t) + 1;
    const unsigned blocks    = assay_blocks_for(static_cast<int64_t>(n_threads), BLOCK);

    assay_own_digest<<<(blocks < max_blocks ? blocks : max_blocks), BLOCK, 0, stream>>>(
        static_cast<const unsigned char *>(memory), bytes, n_vectors,
        reinterpret_cast<unsigned long long *>(sum));
    return assay_launch_status();
}

/* ---- timed themselves ---- */

extern "C" __global__ void assay_timed_null(void) {}

ASSAY_LAUNCHER(assay_device_null)
{
    (void)args;
    assay_timed_null<<<1, 32, 0, stream>>>();
    return assay_launch_status();
}

extern "C" __global__ void assay_timed_spin(unsigned long long           time_ns,
                                            volatile unsigned long long *length_ns)
{
    const unsigned long long start_ns = assay_global_time_ns();
    unsigned long long       now_ns;

    /* The first store fetches the address translation, so that the last store is quick: the end of
     * the kernel waits for it. */
    if (length_ns != nullptr)
        *length_ns = 0;
    do
        now_ns = assay_global_time_ns();
    while (now_ns - start_ns < time_ns);
    if (length_ns != nullptr)
        *length_ns = now_ns - start_ns;
}

ASSAY_LAUNCHER(assay_device_spin)
{
    void *const length_ns = args->buf != nullptr ? args->buf[0] : nullptr;

    assay_timed_spin<<<1, 1, 0, stream>>>(static_cast<unsigned long long>(args->param[0]),
                                          static_cast<unsigned long long *>(length_ns));
    return assay_launch_status();
}
