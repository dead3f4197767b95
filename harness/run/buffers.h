/* The buffers of one point in memory of its device. Each is between two guard zones; it is restored
 * and poisoned before each run, and checked for stray writes afterwards. */
#ifndef ASSAY_BUFFERS_H
#define ASSAY_BUFFERS_H

#include "device.h"
#include "inputs.h"

/* The memory in which buffers are: that of a device of a module or, with api NULL, of this process,
 * for CPU variants. */
typedef struct assay_memory_space {
    const assay_device_api *api;
    assay_device           *device;
    assay_gpu_tool tool; /* the tool that watches this process, or NONE (buffers_internal.h) */
} assay_memory_space;

typedef struct assay_buffers {
    assay_memory_space space;
    int                n;
    int64_t            count[ASSAY_MAX_BUFFERS];
    size_t             bytes[ASSAY_MAX_BUFFERS];
    int   spoil[ASSAY_MAX_BUFFERS]; /* the byte that spoils an OUT buffer; 0 for others */
    void *data[ASSAY_MAX_BUFFERS];  /* the addresses that the kernel gets */
    void *base[ASSAY_MAX_BUFFERS];  /* the allocations, with guard zones */
    void
        *pristine[ASSAY_MAX_BUFFERS]; /* initial contents of INOUT, to restore it between samples */
    void    *workspace_base, *workspace;
    size_t   workspace_bytes;
    int64_t  total_bytes;
    uint64_t armed_digest[ASSAY_MAX_BUFFERS];    /* of the inputs as they were armed */
    uint64_t pristine_digest[ASSAY_MAX_BUFFERS]; /* of INOUT's copies, if large and on a device */
    bool     is_intact[ASSAY_MAX_BUFFERS]; /* the input was seen unchanged after the last launch */
    bool     is_armed;                     /* and the inputs with which it was armed */
    uint64_t armed_seed;
    assay_input armed_input;
} assay_buffers;

/* Allocates all buffers of the shape, and `workspace_bytes` of workspace. The caller frees. */
assay_status assay_buffers_create(assay_memory_space space, const assay_shape *shape,
                                  size_t workspace_bytes, assay_buffers *buffers);
void         assay_buffers_free(assay_buffers *buffers); /* accepts NULL; zeroes *buffers */

/* Arms the buffers for run number `run`: uploads inputs, poisons outputs, writes guard zones with
 * the number (fill.h) of this run, input class and buffer, and forbids access to them. Work buffers
 * and workspace are poisoned too, unless `keeps_scratch`. Then they keep what the launch before
 * left, as between timed launches, so that a kernel that takes old contents for its own finished
 * work is found out. */
assay_status assay_buffers_arm(assay_buffers *buffers, const assay_inputs *inputs, int run,
                               bool keeps_scratch);

/* The outputs of one run, copied to the host. */
typedef struct assay_collected {
    void    *out[ASSAY_MAX_BUFFERS];       /* NULL for buffers that are not outputs */
    bool     is_shared[ASSAY_MAX_BUFFERS]; /* the memory belongs to the first run */
    uint64_t digest[ASSAY_MAX_BUFFERS];    /* of large buffers on a device */
} assay_collected;
void assay_collected_free(assay_collected *collected); /* accepts NULL; zeroes *collected */

/* After run number `run`: copies outputs to the host (the caller frees), and looks for stray writes
 * and changed inputs. *verdict is ASSAY_PASS, OUT_OF_BOUNDS or INPUT_CHANGED. Small buffers are
 * copied whole. For large ones on a device, digests avoid copies of unchanged inputs, and of
 * outputs with the same bits as in `first` (an earlier run, NULL: none). Equal outputs share the
 * memory of `first`. */
assay_status assay_buffers_collect(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                   const assay_collected *first, assay_collected *collected,
                                   assay_verdict *verdict, char *reason, size_t reason_size);

/* ---- evidence without copies, for timing: digests are computed where the buffers are ---- */

/* Computes the digest (device.h) of each input, or of each output (OUT and INOUT); 0 for other
 * buffers. */
assay_status assay_buffers_digest(assay_buffers *buffers, const assay_inputs *inputs,
                                  bool of_outputs, uint64_t digest[ASSAY_MAX_BUFFERS]);
/* Copies the first bytes of buffer b to the host, at most `size`. */
assay_status assay_buffers_download(const assay_buffers *buffers, int b, void *to, size_t size);
/* The buffers were armed as run number `run`: arms the outputs again, and leaves the rest. */
assay_status assay_buffers_rearm(assay_buffers *buffers, const assay_inputs *inputs, int run);
/* After a launch on buffers armed as run number `run`: looks for stray writes, as collect does. */
assay_status assay_buffers_judge_guards(assay_buffers *buffers, const assay_inputs *inputs, int run,
                                        assay_verdict *verdict, char *reason, size_t reason_size);

/* Enqueues the restoring of INOUT buffers, for timing. `context` is the assay_buffers. */
assay_status assay_buffers_restore(void *context);
/* Enqueues the spoiling of OUT buffers, so that they hold no answer: NaN, or an integer that no
 * case is likely to expect in every element. */
assay_status assay_buffers_spoil(void *context);
bool         assay_buffers_need_restore(const assay_buffers *buffers);

#endif
