/* The device's own kernels: the gate that holds a stream, the cache flush, and two launchers of
 * known length. The seam between device_cuda.c and device_kernels.cu. */
#ifndef ASSAY_DEVICE_KERNELS_H
#define ASSAY_DEVICE_KERNELS_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The gate's two words, in host memory that the device reads and writes; each has a cache line pair
 * of its own, so that the device's polling does not disturb the host's store. */
typedef struct assay_gate {
    uint32_t opened; /* written by the host: gates up to this ticket may pass */
    uint32_t opened_padding[31];
    uint32_t
        timed_out; /* written by the device: the last ticket that passed without being opened */
    uint32_t timed_out_padding[31];
} assay_gate;

/* Enqueues a kernel of one thread that waits until `ticket` is opened or the time is over. `gate`
 * is the device's address. Returns 0 or the error number of the launch. */
int assay_device_enqueue_gate(assay_gate *gate, uint32_t ticket, uint64_t timeout_ns,
                              assay_stream stream);

/* Enqueues writes over `bytes` (a multiple of 16) of a buffer, with values that depend on the place
 * and on `salt`: constant data can be compressed on its way to memory. */
int assay_device_enqueue_flush(void *buffer, size_t bytes, uint32_t salt, assay_stream stream);

/* A kernel of one block that does nothing (the floor of every measurement), and one thread that
 * spins for param[0] nanoseconds by the device's own clock. Exported by the module, found by name.
 */
ASSAY_LAUNCHER(assay_device_null);
ASSAY_LAUNCHER(assay_device_spin);

#ifdef __cplusplus
}
#endif
#endif
