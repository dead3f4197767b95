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
    assay_gpu_tool          tool; /* that watches this process, or NONE (buffers_internal.h) */
} assay_place;

typedef struct assay_buffers {
    assay_place place;
    int         n;
    int64_t     count[ASSAY_MAX_BUFFERS];
    size_t      bytes[ASSAY_MAX_BUFFERS];
    int         spoil[ASSAY_MAX_BUFFERS]; /* of an OUT buffer: the byte that is no answer; else 0 */
    void       *data[ASSAY_MAX_BUFFERS];  /* what the kernel sees */
    void       *base[ASSAY_MAX_BUFFERS];  /* with guard zones */
    void
        *pristine[ASSAY_MAX_BUFFERS]; /* initial contents of INOUT, for restoring between samples */
    void    *workspace_base, *workspace;
    size_t   workspace_bytes;
    int64_t  total_bytes;
    uint64_t armed_digest[ASSAY_MAX_BUFFERS];    /* of the inputs as they were armed */
    uint64_t pristine_digest[ASSAY_MAX_BUFFERS]; /* of INOUT's copies, if large and on a device */
    bool     is_intact[ASSAY_MAX_BUFFERS]; /* an input that was seen, after the last launch, to be
                                              as it was armed */
    bool        is_armed;                  /* and with what */
    uint64_t    armed_seed;
    assay_input armed_input;
} assay_buffers;

/* Allocates all buffers of the shape and `workspace_bytes` of workspace. Caller frees. */
assay_status assay_buffers_create(assay_place place, const assay_shape *shape,
                                  size_t workspace_bytes, assay_buffers *buffers);
void         assay_buffers_free(assay_buffers *buffers); /* accepts NULL; zeroes */

/* Run number `run` starts: inputs uploaded, outputs poisoned and guard zones written by the number
 * (fill.h) of this run, the class of input and the buffer, guard zones forbidden. Work buffers and
 * workspace are poisoned too, unless `keeps_scratch`: then they hold what the launch before left,
 * as they do between timed launches, and a kernel that takes that for its own finished work is
 * found out. */
assay_status assay_buffers_arm(assay_buffers *buffers, const assay_inputs *inputs, int run,
                               bool keeps_scratch);

/* Outputs brought home by one run. */
typedef struct assay_collected {
    void    *out[ASSAY_MAX_BUFFERS];       /* NULL for buffers that are no output */
    bool     is_shared[ASSAY_MAX_BUFFERS]; /* the memory belongs to the first run's */
    uint64_t digest[ASSAY_MAX_BUFFERS];    /* of large buffers on a device */
} assay_collected;
void assay_collected_free(assay_collected *collected); /* accepts NULL; zeroes */

/* After run number `run`: brings outputs home (caller frees) and finds stray writes and changed
 * inputs. *verdict is ASSAY_PASS, OUT_OF_BOUNDS or INPUT_CHANGED. Small buffers come home whole; of
 * large ones on a device, digests spare the way: of inputs that are as they were armed, and of
 * outputs with the same bits as in `first` (an earlier run, NULL: none). Outputs that are the same
 * share its memory. */
assay_status assay_buffers_collect(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                   const assay_collected *first, assay_collected *collected,
                                   assay_verdict *verdict, char *reason, size_t reason_size);

/* ---- evidence without a way home, for timing: digests are made where the buffers are ---- */

/* Digest (device.h) of each input, or of each output (OUT and INOUT); 0 for the others. */
assay_status assay_buffers_digest(assay_buffers *buffers, const assay_inputs *inputs,
                                  bool of_outputs, uint64_t digest[ASSAY_MAX_BUFFERS]);
/* The first bytes of buffer b, at most `size`. */
assay_status assay_buffers_download(const assay_buffers *buffers, int b, void *to, size_t size);
/* Once armed as run number `run`: outputs as if armed again, everything else as it was left. */
assay_status assay_buffers_rearm(assay_buffers *buffers, const assay_inputs *inputs, int run);
/* After a launch on buffers armed as number `run`: stray writes, as in collect. */
assay_status assay_buffers_judge_guards(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                        assay_verdict *verdict, char *reason, size_t reason_size);

/* Enqueues what makes INOUT buffers as they were (for timing); `context` is the assay_buffers. */
assay_status assay_buffers_restore(void *context);
/* Enqueues what makes OUT buffers hold no answer: NaN, or an integer that no case is likely to
 * expect everywhere. */
assay_status assay_buffers_spoil(void *context);
bool         assay_buffers_need_restore(const assay_buffers *buffers);

#endif
