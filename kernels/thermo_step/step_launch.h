/* What the launchers of thermo_step share: the argument block as a problem, and the parts of a step
 * as they are enqueued. Each returns 0 or an error number. */
#ifndef ASSAY_STEP_LAUNCH_H
#define ASSAY_STEP_LAUNCH_H

#include "step_device.cuh"

/* How particles and grid meet. */
enum step_way {
    STEP_PLAIN, /* 40 atomics a particle; nodes read where they are */
    STEP_TILED  /* sorted by tiles, summed in shared memory; nodes packed, particles staged */
};

/* Tuning values; those after the first of the way STEP_TILED alone. */
enum {
    STEP_TUNE_BLOCK,
    STEP_TUNE_WINDOW,
    STEP_TUNE_MARCH
};

/* What a variant keeps from its set-up on. */
struct step_state {
    step_fft *fft;            /* owned; NULL without gravity */
    void     *graph, *stream; /* owned; of device_retry on a GPU */
};

/* A launch: where everything is, and what the caller may still choose. */
struct step_call {
    const assay_args *args;
    step_way          way;
    step_problem      q;
    void             *deposit_memory;
    size_t            deposit_bytes;
    unsigned          block;
    int64_t           march; /* least blocks for which the gas marches; 0: it never does */
    const step_fft   *fft;
};

/* Workspace of a way; pointers of the problem are NULL where args has no memory. */
size_t    step_workspace_bytes(const assay_args *args, step_way way);
step_call step_call_of(const assay_args *args, step_way way);

/* Fields and `errors` from the particles, by a variant of thermo_scatter. */
int    step_deposit(const step_call &c, assay_stream stream);
size_t step_deposit_workspace(const assay_args *args, step_way way);

/* From the deposit to the first dt; both stages of an attempt; from the gather to the end. */
int step_enqueue_before(const step_call &c, assay_stream stream);
int step_enqueue_stages(const step_call &c, assay_stream stream);
int step_enqueue_after(const step_call &c, assay_stream stream);

/* Attempts that repeat themselves on the device: a graph on a GPU, whose launcher waits for
 * nothing; a loop on the host device, where kernels are done when their launch returns. */
int  step_repeat_setup(const assay_args *args, step_way way, step_state *state, const char **why);
void step_repeat_teardown(step_state *state);
int  step_repeat(const assay_args *args, step_way way, assay_stream stream);

#endif
