/* Runs a call of the physics loss API on the device, from and to host memory. */
#ifndef ASSAY_PHYS_RUN_H
#define ASSAY_PHYS_RUN_H

#include "../../testing/phys_device.h"
#include "phys_test.h"

typedef enum phys_pass {
    PHYS_RUN_FORWARD,  /* losses and residuals */
    PHYS_RUN_BACKWARD, /* gradients; non-fused: from the residuals given in result->r */
    PHYS_RUN_BOTH,     /* losses and gradients; the residuals on request */
    PHYS_N_PASSES
} phys_pass;

/* What runs: the non-fused kernels, or a fused one. */
enum {
    PHYS_RUN_NONFUSED = -1
};

/* Parts of the device memory of a problem: fields by level, results, workspace. */
enum {
    PHYS_MEMORY_FIELD,
    PHYS_MEMORY_D = PHYS_MEMORY_FIELD + 3, /* by level */
    PHYS_MEMORY_R = PHYS_MEMORY_D + 3,
    PHYS_MEMORY_LOSS,
    PHYS_MEMORY_WORKSPACE,
    PHYS_MEMORY_SCRATCH, /* of the losses: given to all calls except those on smooth fields */
    PHYS_N_MEMORIES
};

/* A problem in device memory with room for its results. */
typedef struct phys_on_device {
    phys_grid_spec grid;
    phys_weights   weights;
    int64_t        cells;
    phys_buf       buf;
    void          *memory[PHYS_N_MEMORIES];
    size_t         workspace_bytes;
} phys_on_device;

/* False: no memory, or a copy failed. The caller releases in either case. */
bool phys_on_device_create(phys_on_device *on, const phys_problem *problem);
void phys_on_device_release(phys_on_device *on);

/* Writes NaN everywhere that a call may write: what it does not write stays NaN. */
void phys_poison(phys_result *result, int64_t cells, bool is_r_given);

/* Is the losses' scratch memory all zero? Calls must leave it so. */
bool phys_is_scratch_zero(const phys_on_device *on);

/* Copies results to the device, or to the host; false: a copy failed. */
bool phys_on_device_give(const phys_on_device *on, const phys_result *result);
bool phys_on_device_result(const phys_on_device *on, phys_result *result);

/* The call itself: an error number. */
int phys_call(const phys_on_device *on, const phys_buf *buf, int fusion, phys_pass pass);

/* Creates, calls, waits, downloads. Results are poisoned before, so that what a call does not write
 * stays NaN. False after a failed check. */
bool phys_run(const phys_problem *problem, int fusion, phys_pass pass, phys_result *result);

#endif
