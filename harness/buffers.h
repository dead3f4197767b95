/* The device side of one point: every buffer between two guard zones, restored and poisoned before
 * each run, judged for stray writes after it. */
#ifndef ASSAY_BUFFERS_H
#define ASSAY_BUFFERS_H

#include "device.h"
#include "inputs.h"

/* Where buffers live and run: a device of a module, or (api NULL) this process's memory, for CPU
 * variants. */
typedef struct assay_place {
    const assay_device_api *api;
    assay_device           *device;
} assay_place;

typedef struct assay_buffers {
    assay_place place;
    int         n;
    int64_t     count[ASSAY_MAX_BUFFERS];
    size_t      bytes[ASSAY_MAX_BUFFERS];
    void       *data[ASSAY_MAX_BUFFERS]; /* what the kernel sees */
    void       *base[ASSAY_MAX_BUFFERS]; /* with guard zones */
    void
        *pristine[ASSAY_MAX_BUFFERS]; /* initial contents of INOUT, for restoring between samples */
    void   *workspace_base, *workspace;
    size_t  workspace_bytes;
    int64_t total_bytes;
} assay_buffers;

/* Allocates all buffers of the shape and `workspace_bytes` of workspace. Caller frees. */
assay_status assay_buffers_create(assay_place place, const assay_shape *shape,
                                  size_t workspace_bytes, assay_buffers *buffers);
void         assay_buffers_free(assay_buffers *buffers); /* accepts NULL; zeroes */

/* Run number `run` starts: inputs uploaded, outputs poisoned with number `run`, guard zones written
 * with it and forbidden. Work buffers and workspace are poisoned too, unless `keeps_scratch`: then
 * they hold what the launch before left, as they do between timed launches, and a kernel that takes
 * that for its own finished work is found out. */
assay_status assay_buffers_arm(assay_buffers *buffers, const assay_inputs *inputs, int run,
                               bool keeps_scratch);

/* After run number `run`: downloads outputs into out[b] (caller frees each; NULL for buffers that
 * are none) and finds stray writes and changed inputs. *verdict is ASSAY_PASS, OUT_OF_BOUNDS or
 * INPUT_CHANGED. */
assay_status assay_buffers_collect(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                   void *out[ASSAY_MAX_BUFFERS], assay_verdict *verdict,
                                   char *reason, size_t reason_size);

/* Enqueues what makes INOUT buffers as they were (for timing); `context` is the assay_buffers. */
assay_status assay_buffers_restore(void *context);
bool         assay_buffers_need_restore(const assay_buffers *buffers);

#endif
