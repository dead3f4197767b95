/* What the stand-alone programs of the whole step share: its ways, a point of the case in device
 * memory, and launches of it. For a GPU and for the host device (phys_device.h). */
#ifndef ASSAY_STEP_TEST_H
#define ASSAY_STEP_TEST_H

#include "case.h"

#include "../../../kernels/thermo_step/step_case.h"

enum {
    HOST_RETRY,
    HOST_RETRY_TILED,
    DEVICE_RETRY,
    DEVICE_RETRY_ENQUEUED,
    DEVICE_RETRY_TILED,
    N_WAYS
};

/* Places of the words of the axis `start`. */
enum {
    STEP_CALM,
    STEP_CLUSTERED,
    STEP_HOT,
    STEP_SPARK
};

typedef struct step_point {
    int64_t side, per_cell, start, gravity, rule, log; /* side: of a cubic grid */
} step_point;

/* Arguments of a launch with their memory; `host` has the inputs before a launch and the outputs
 * after it. */
typedef struct step_run {
    int                  way;
    const assay_variant *variant; /* of the case */
    assay_shape          shape;
    void                *host[STEP_N_BUFS], *buf[STEP_N_BUFS], *workspace, *state;
    int64_t              count[STEP_N_BUFS], tune[ASSAY_MAX_TUNING];
    assay_args           args;
} step_run;

/* Inputs of the random class, default tuning. Returns what the setup returns; with ASSAY_NOT_HERE
 * *why says what is missing. Aborts if there is no memory. */
int  step_run_create(step_run *r, int way, step_point at, const char **why);
void step_run_free(step_run *r);
/* Name of the variant. */
const char *step_way_name(int way);
/* Creates it. If the setup fails, that is a failed check and returns false; there is then nothing
 * to free. */
bool step_run_make(step_run *r, int way, step_point at);
/* One step, from the inputs to the outputs; false, and a failed check, if it failed. *wall_ns: from
 * the call until the device was done, without the copies around it. */
bool step_run_time(const step_run *r, double *wall_ns);
bool step_run_launch(const step_run *r);
/* Makes the outputs the inputs of the next step. */
void step_run_adopt(const step_run *r);

float *step_floats(const step_run *r, int b);
int    step_halvings(const step_run *r);
float  step_dt(const step_run *r);
/* Are all fields and particles of the output finite? */
bool step_is_finite(const step_run *r);
/* Largest difference of new positions, the short way around an axis of length 1. */
double step_apart(const step_run *a, const step_run *b);

#endif
