/* What the launchers of thermo_step share: the arguments as a problem, and the parts of a step that
 * are enqueued. Each returns 0 or an error number. */
#ifndef ASSAY_STEP_LAUNCH_H
#define ASSAY_STEP_LAUNCH_H

#include "step_device.cuh"

/* How particles and grid exchange values. */
enum step_way {
    STEP_PLAIN, /* 40 atomics a particle; nodes are read where they are */
    STEP_TILED  /* sorted by tiles, summed in shared memory; nodes packed, particles staged */
};

/* Tuning axes; those after the first only for STEP_TILED. */
enum {
    STEP_TUNE_BLOCK,
    STEP_TUNE_WINDOW,
    STEP_TUNE_MARCH
};

/* What a variant keeps from its setup on. */
struct step_state {
    step_fft *fft;            /* owned; NULL without gravity */
    void     *graph, *stream; /* owned; only for device_retry on a GPU */
};

/* A launch: where everything is, and what the caller can still choose. */
struct step_call {
    const assay_args *args;
    step_way          way;
    step_problem      q;
    void             *deposit_memory;
    size_t            deposit_bytes;
    unsigned          block;
    int64_t           march; /* the least number of blocks with which the gas marches; 0: it never
                              * does */
    const step_fft *fft;
};

/* Workspace of a way; pointers of the problem are NULL if args has no memory. */
size_t    step_workspace_bytes(const assay_args *args, step_way way);
step_call step_call_of(const assay_args *args, step_way way);

/* Computes fields and `errors` from the particles, by a variant of thermo_scatter. */
int    step_deposit(const step_call &c, assay_stream stream);
size_t step_deposit_workspace(const assay_args *args, step_way way);

/* From the deposit to the first dt; both stages of an attempt; from the gather to the end. */
int step_enqueue_before(const step_call &c, assay_stream stream);
int step_enqueue_stages(const step_call &c, assay_stream stream);
int step_enqueue_after(const step_call &c, assay_stream stream);

/* Attempts that repeat themselves on the device. On a GPU: a graph, whose launcher waits for
 * nothing. On the host device: a loop, since kernels are done when their launch returns. */
int  step_repeat_setup(const assay_args *args, step_way way, step_state *state, const char **why);
void step_repeat_teardown(step_state *state);
int  step_repeat(const assay_args *args, step_way way, assay_stream stream);

#endif
