/* What a call of a variant that sorts agents keeps, and when it sorts. */
#ifndef PHYSARUM_SORTED_CALL_H
#define PHYSARUM_SORTED_CALL_H

#include "sort.h"

/* Tuning axes that these variants share, as in the case's table. */
enum {
    SORTED_TUNE_TILE = 2, /* cells along a tile's side */
    SORTED_TUNE_EVERY     /* steps between sorts */
};

/* For turns other than an eighth of a circle: cudaErrorInvalidValue. */
enum {
    SORTED_NOT_AN_EIGHTH = 1
};
bool sorted_turns_by_eighths(const physarum_grid &g);

struct sorted_call {
    physarum_grid        g;
    physarum_tiles       tiles;
    physarum_sort_memory sort;
    physarum_sorted      agents;  /* in the order of the last sort */
    float               *copy[2]; /* where deposits go, in alternate steps */
};
size_t      sorted_workspace(const assay_args *args);
sorted_call sorted_call_of(const assay_args *args, void *workspace);

/* Sorts agents before step j, into c.sort.record: those of `from` before the first step, else
 * c.agents. */
int sorted_sort_at(const sorted_call &c, int64_t j, const physarum_slot &from, assay_stream stream);

/* Where the state before the last step goes: where physarum_slot_of has it after j = steps - 1,
 * unless that is the input. */
physarum_slot sorted_before_last(const assay_args *args);

#endif
