/* Host side of the physarum kernels: what launchers take from their arguments, and the launches
 * that several of them share. */
#ifndef PHYSARUM_LAUNCH_H
#define PHYSARUM_LAUNCH_H

#include "kernel.h"
#include "physarum_case.h"

/* The model as kernels see it, all fp32. */
struct physarum_grid {
    int   height, width, agents, semantics, blur;
    bool  is_small;            /* sensors may wrap more than once */
    float extent_y, extent_x;  /* height and width */
    float step, reach, spread; /* as the definition has them */
    float spread_sine, spread_cosine;
    float keep, blend, remain; /* 1 - blend, blend, 1 - decay */
    float share;               /* 1 / cells of the mean */
    float of_cell, of_sum;     /* the weights of a cell's own value and of the sum around it */
    float deposit;
};
physarum_grid physarum_grid_of(const assay_args *args);

/* One state in memory. */
struct physarum_slot {
    float2 *pos; /* y, x */
    float  *angle;
    float  *field;
};

/* The state after j of the call's steps. j = 0 is the input; then agents alternate between the two
 * outputs, so that the last step reads `before` and writes `new`. The field stays in `before` until
 * the last step: its update reads another array, and one array less passes through the caches. */
physarum_slot physarum_slot_of(const assay_args *args, int64_t j);

/* For calls of one step that have to leave the state before it: copies the input there. */
void physarum_keep_input(const assay_args *args, assay_stream stream);

#if defined(__CUDACC__) || defined(ASSAY_HOST_KERNELS)
/* Kernels of a fused step are launched by assay_launch_dependent: while one ends, the blocks of the
 * next are already on the device and wait at its first line. Nothing else overlaps.
 *
 * Before it touches memory, each thread of kernel k waits until kernel k - 1 has completed and its
 * writes are visible. k - 1 could complete only after its own wait for k - 2, and so on, back to a
 * kernel of the call that was launched without overlap and so began after all kernels before it. So
 * accesses of different kernels are ordered as without overlap, also writes after reads (of fields
 * and records that alternate between steps). A kernel launched without overlap after the chain (a
 * sort, the next call) begins when the last kernel has completed, and is ordered too. Waiting
 * blocks delay nobody: when kernel k + 1 may come in, all blocks of k are there. Only one thing is
 * touched before a wait: the agents of fused_sorted, which kernel k - 2 has written (sorted.cu). */

/* First line of kernels that move agents: the update comes in as soon as there is room. */
__device__ inline void physarum_begin_moves(void)
{
    assay_grid_launch_dependents();
    assay_grid_dependency_wait();
}

/* First line of kernels that update the field: when the next kernel comes in, the moves before this
 * one have completed. */
__device__ inline void physarum_begin_update(void)
{
    assay_grid_dependency_wait();
    assay_grid_launch_dependents();
}
#endif

/* The number of threads that the device holds at once. Returns 0 or an error number. */
int physarum_device_threads(int64_t *threads);

void physarum_copy(float *to, const float *from, int64_t count, assay_stream stream);

/* Sense, turn and move; with `deposited` (a copy of the field) also deposit into it. */
void physarum_launch_agents(const physarum_grid &g, const physarum_slot &from,
                            const physarum_slot &to, float *deposited, unsigned block,
                            assay_stream stream);

/* Blur, blend and decay in one pass: from `deposited` to `field` and, unless NULL, also to `copy`,
 * into which the next step deposits. `rows`: how many rows each warp does, 1, 2 or 4. */
void physarum_launch_update(const physarum_grid &g, const float *deposited, float *field,
                            float *copy, int64_t rows, assay_stream stream);

#endif
