/* Host side of the physarum kernels: what launchers get from their arguments, and the launches that
 * several of them share. */
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
    float deposit;
};
physarum_grid physarum_grid_of(const assay_args *args);

/* One state in memory. */
struct physarum_slot {
    float2 *pos; /* y, x */
    float  *angle;
    float  *field;
};

/* The state after j of the call's steps: the input, then in turn the two outputs, so that the last
 * step reads `before` and writes `new`. */
physarum_slot physarum_slot_of(const assay_args *args, int64_t j);

/* For calls of one step that have to leave the state before it: copies the input there. */
void physarum_keep_input(const assay_args *args, assay_stream stream);

/* Grid of blocks for `n` threads, never 0 of them. */
unsigned physarum_blocks(int64_t n, unsigned block);

void physarum_copy(float *to, const float *from, int64_t count, assay_stream stream);

/* Sense, turn and move; with `deposited` (a copy of the field) also deposit there. */
void physarum_launch_agents(const physarum_grid &g, const physarum_slot &from,
                            const physarum_slot &to, float *deposited, unsigned block,
                            assay_stream stream);

/* Blur, blend and decay in one pass: from `deposited` to `field` and, unless NULL, to `copy` as
 * well, where the next step's deposits go. `rows`: how many each warp does, 1, 2 or 4. */
void physarum_launch_update(const physarum_grid &g, const float *deposited, float *field,
                            float *copy, int64_t rows, assay_stream stream);

#endif
