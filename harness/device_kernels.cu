/* The device's own kernels: gate, cache flush, null and spin. */
#include "device_kernels.h"

static const unsigned FLUSH_BLOCK = 256;

/* Volatile: every look must go to host memory again. Tickets are compared by difference, so that
 * they may wrap around. */
static __global__ void gate_kernel(volatile assay_gate *gate, uint32_t ticket,
                                   unsigned long long timeout_ns)
{
    const unsigned long long start_ns = assay_global_time_ns();

    while (static_cast<int32_t>(gate->opened - ticket) < 0) {
        if (assay_global_time_ns() - start_ns > timeout_ns) {
            gate->timed_out = ticket;
            /* The host must see the report before anything behind the gate has run. */
            __threadfence_system();
            return;
        }
    }
}

int assay_device_enqueue_gate(assay_gate *gate, uint32_t ticket, uint64_t timeout_ns,
                              assay_stream stream)
{
    ASSAY_LAUNCH(gate_kernel, 1, 1, 0, stream, gate, ticket,
                 static_cast<unsigned long long>(timeout_ns));
    return assay_launch_status();
}

static __global__ void flush_kernel(uint4 *buffer, size_t n, uint32_t salt)
{
    const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;

    if (i < n) {
        const uint32_t mixed = (static_cast<uint32_t>(i) ^ salt) * 2654435761u;

        buffer[i] = make_uint4(mixed, mixed * 2246822519u, ~mixed, mixed ^ (mixed >> 15));
    }
}

int assay_device_enqueue_flush(void *buffer, size_t bytes, uint32_t salt, assay_stream stream)
{
    const size_t n      = bytes / sizeof(uint4);
    const size_t blocks = (n + FLUSH_BLOCK - 1) / FLUSH_BLOCK;

    if (n == 0)
        return 0;
    ASSAY_LAUNCH(flush_kernel, static_cast<unsigned>(blocks), FLUSH_BLOCK, 0, stream,
                 static_cast<uint4 *>(buffer), n, salt);
    return assay_launch_status();
}

static __global__ void null_kernel(void) {}

ASSAY_LAUNCHER(assay_device_null)
{
    (void)args;
    null_kernel<<<1, 32, 0, stream>>>();
    return assay_launch_status();
}

static __global__ void spin_kernel(unsigned long long time_ns)
{
    const unsigned long long start_ns = assay_global_time_ns();

    while (assay_global_time_ns() - start_ns < time_ns) {
    }
}

ASSAY_LAUNCHER(assay_device_spin)
{
    ASSAY_LAUNCH(spin_kernel, 1, 1, 0, stream, static_cast<unsigned long long>(args->param[0]));
    return assay_launch_status();
}
