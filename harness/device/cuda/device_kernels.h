/* The device's own kernels: the gate that holds a stream, the second clock reading, the cache
 * flush, the digest, and two launchers of known length. The seam between device_cuda*.c and
 * device_kernels.cu.
 *
 * Names in activity records: the harness's tools are assay_own_gate, assay_own_clock,
 * assay_own_flush_write, assay_own_flush_read and assay_own_digest; what stands in the place of a
 * case's kernel to be timed itself begins with assay_timed_ (here null and spin, and those of
 * device_ceilings.h). */
#ifndef ASSAY_DEVICE_KERNELS_H
#define ASSAY_DEVICE_KERNELS_H

#include "kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A reading of one SM's clocks, taken together. */
typedef struct assay_clock_reading {
    uint64_t cycles;  /* of this SM */
    uint64_t time_ns; /* of the global timer, at one of its steps */
    uint32_t sm;
    uint32_t padding;
} assay_clock_reading;

/* In host memory that the device reads and writes. Each of the gate's two words has a pair of cache
 * lines of its own, so that polling by the device does not disturb the host's store. */
typedef struct assay_gate {
    uint32_t opened; /* written by the host: gates up to this ticket may pass */
    uint32_t opened_padding[31];
    uint32_t
        timed_out; /* written by the device: the last ticket that passed without being opened */
    uint32_t            timed_out_padding[31];
    assay_clock_reading first, second; /* written by the device: by the gate, by the clock kernel */
} assay_gate;

/* All of these return 0 or the error number of the launch. */

/* Enqueues a kernel of one thread that waits until `ticket` is opened or the time is over, and then
 * takes the first reading. `gate` is the device's address. */
int assay_device_enqueue_gate(assay_gate *gate, uint32_t ticket, uint64_t timeout_ns,
                              assay_stream stream);
/* Enqueues a kernel of one thread that takes the second reading. */
int assay_device_enqueue_clock(assay_gate *gate, assay_stream stream);

/* Enqueues writes over `bytes` (a multiple of 16) of a buffer, or reads of all of it. The written
 * values depend on the position and on `salt`, since constant data can be compressed on its way to
 * memory. */
int assay_device_enqueue_flush_write(void *buffer, size_t bytes, uint32_t salt,
                                     assay_stream stream);
int assay_device_enqueue_flush_read(void *buffer, size_t bytes, uint32_t salt, assay_stream stream);

/* Enqueues the sum of device.h's digest over `bytes` > 0, added to *sum (device memory). At most
 * `max_blocks` blocks. Any alignment; fast with 16 bytes. */
int assay_device_enqueue_digest(const void *memory, size_t bytes, uint64_t *sum,
                                unsigned max_blocks, assay_stream stream);

/* A kernel of one block that does nothing (the floor of every measurement), and one thread that
 * spins for param[0] nanoseconds by the device's own clock. The spin writes the nanoseconds that it
 * read from that clock in the end to buf[0], a uint64_t, unless buf or buf[0] is NULL. Exported by
 * the module, found by name. */
ASSAY_LAUNCHER(assay_device_null);
ASSAY_LAUNCHER(assay_device_spin);

#ifdef __cplusplus
}
#endif
#endif
