/* What the files of the CUDA device share. Seen by device_cuda*.c and their test alone. */
#ifndef ASSAY_DEVICE_CUDA_H
#define ASSAY_DEVICE_CUDA_H

#include "device.h"
#include "device_kernels.h"

#include <cuda_runtime_api.h>

/* One open device, used by one thread. */
struct assay_device {
    int          index;
    cudaStream_t stream; /* kernels, copies, gate and marks all go here, in order */
    cudaEvent_t  mark[ASSAY_N_MARKS];
    assay_gate  *gate;        /* the host's address, owned */
    assay_gate  *gate_device; /* the device's address of the same memory */
    uint32_t     ticket;      /* of the newest gate */
    bool         gate_is_closed;
    bool         reads_pageable; /* by the host's page tables */
    void        *flush;          /* owned */
    size_t       flush_bytes;
    uint32_t     flush_salt;
    uint64_t    *digest;     /* device memory, owned */
    unsigned     max_blocks; /* of a kernel whose blocks are all resident */
};

/* ---- device_cuda_declared.c ---- */

bool            assay_cuda_kernel(int i, assay_kernel_entry *entry);
assay_launch_fn assay_cuda_launch_plan;

/* ---- device_cuda_waits.c ---- */

/* From watch_waits on, calls that wait do nothing and are noted. end_watch ends that and returns
 * the name of the first one, or NULL. */
void        assay_cuda_watch_waits(void);
const char *assay_cuda_end_watch(void);

/* ---- device_cuda_cleared.c ---- */

/* forget_cleared is called before a launcher. note_cleared is called after it returned without an
 * error: an error that it has cleared becomes the text of a fault of no kind. */
void assay_cuda_forget_cleared(void);
void assay_cuda_note_cleared(assay_fault *fault);

/* ---- device_cuda_fault.c: words for what went wrong; this module's own record, since a module
 * does not share the harness's */

const char *assay_cuda_message(void);
/* Records a sentence and returns `status`. */
assay_status assay_cuda_say(assay_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Records "what: cudaError...: CUDA's words", clears CUDA's last error and returns
 * E_DEVICE_MEMORY or E_DEVICE. */
assay_status assay_cuda_fail(cudaError_t error, const char *what);

/* For a function with `assay_status st` and an `out:` label. */
#define ASSAY_CUDA_CHECK(call)                                                                     \
    do {                                                                                           \
        const cudaError_t assay_cuda_error_ = (call);                                              \
        if (assay_cuda_error_ != cudaSuccess) {                                                    \
            st = assay_cuda_fail(assay_cuda_error_, #call);                                        \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

/* The same for an error number that a function of device_kernels.h returns. */
#define ASSAY_CUDA_CHECK_LAUNCH(call) ASSAY_CUDA_CHECK((cudaError_t)(call))

/* Judges an error of a launch, or of the wait after it: a fault of the kernel (OK, *fault set), or
 * a failure of the machine (E_DEVICE). An error that is in neither list is a fault of kind
 * `unlisted`. */
assay_status assay_cuda_set_fault(cudaError_t error, assay_fault_kind unlisted, assay_fault *fault);
/* Adds to the fault that the device is lost for this process, if it is. */
void assay_cuda_note_unusable(const assay_device *device, assay_fault *fault);

assay_status assay_cuda_enqueue(assay_device *device, assay_launch_fn *launch,
                                const assay_args *args, assay_fault *fault);
assay_status assay_cuda_wait(assay_device *device, assay_fault *fault);

/* ---- device_cuda_settings.c: what launchers set through the runtime; device.h has the contracts
 */

int64_t assay_cuda_n_settings(void);
bool    assay_cuda_undo_settings(assay_device *device);

/* ---- device_cuda_graph.c: captures of a launcher */

/* Judges a capture from what the launcher returned, the error it left behind and the error that
 * ended the capture. Returns true if the graph is there and whole. */
bool assay_cuda_judge_capture(cudaError_t returned, cudaError_t left, cudaError_t ended,
                              assay_fault *fault);

assay_status assay_cuda_probe(assay_device *device, assay_launch_fn *launch, const assay_args *args,
                              int *launches, assay_fault *fault);
assay_status assay_cuda_graph_make(assay_device *device, assay_launch_fn *launch,
                                   const assay_args *args, int n_calls, assay_graph **graph,
                                   assay_fault *fault);
assay_status assay_cuda_graph_launch(assay_device *device, assay_graph *graph);
void         assay_cuda_graph_free(assay_device *device, assay_graph *graph);

/* ---- device_cuda_timing.c: gate, cache flush, marks and clocks */

assay_status assay_cuda_flush_cache(assay_device *device, assay_flush kind);
assay_status assay_cuda_gate_close(assay_device *device);
assay_status assay_cuda_gate_open(assay_device *device, bool *was_adequate);
assay_status assay_cuda_mark(assay_device *device, int slot);
assay_status assay_cuda_elapsed(assay_device *device, double *time_ns);
assay_status assay_cuda_clock_end(assay_device *device);
assay_status assay_cuda_sm_clock(assay_device *device, double *mhz);
/* The clock between two readings, as device.h defines it. */
double assay_cuda_mhz(const assay_clock_reading *first, const assay_clock_reading *second);

/* ---- device_cuda_info.c: which devices are here, and what is known of one ---- */

int          assay_cuda_count(char *why, size_t size);
assay_status assay_cuda_describe(int index, assay_device_info *info);
/* The sentence for "no device": from the error of the count, the CUDA version of the driver (0:
 * none) and of the runtime, and CUDA_VISIBLE_DEVICES (NULL: not set). */
void assay_cuda_explain(cudaError_t error, int driver_version, int runtime_version,
                        const char *visible, char *why, size_t size);
/* Copies the version, such as "580.159.04", from the text of /proc/driver/nvidia/version; "" if
 * there is none. */
void assay_cuda_parse_driver(const char *text, char *version, size_t size);

#endif
