/* The steps that the sorted variants share. Each enqueues on the stream and returns 0 or the error
 * of a launch. There are cells + 1 bins: bin `cells` holds the rejected particles. */
#ifndef ASSAY_SCATTER_SORT_H
#define ASSAY_SCATTER_SORT_H

#include "scatter_launch.h"

/* Where a sort keeps its results: in outputs of the case if they are asked for, else in the
 * workspace. */
struct scatter_bins {
    int *id;     /* [n] bin of each particle */
    int *count;  /* [cells + 1] */
    int *start;  /* [cells + 1] */
    int *index;  /* [n] the particles in order */
    int *cursor; /* [cells + 1] */
    int *sums;   /* of the scan */
};

scatter_bins scatter_take_bins(const assay_args *args, thermo_arena *arena);

/* A buffer of the case, or an array of the workspace if the case has none. */
template <typename T>
inline T *scatter_take(const assay_args *args, int b, int64_t count, thermo_arena *arena)
{
    return args->count[b] > 0 ? scatter_buffer<T>(args, b) : arena->take<T>(count);
}

/* start[i] = count[0] + ... + count[i - 1]; `sums` has scatter_scan_sums(n) elements. */
int     scatter_scan(const int *count, int64_t n, int *start, int *sums, assay_stream stream);
int64_t scatter_scan_sums(int64_t n);

/* Finds the bins of the particles and counts the rejected ones. */
int scatter_find_bins(const scatter_problem &q, int *id, unsigned block, assay_stream stream);

/* The first three steps of a counting sort: bins, counts, starts. Clears the cursors. */
int scatter_count_bins(const scatter_problem &q, const scatter_bins &bins, unsigned block,
                       assay_stream stream);

/* Records of the accepted particles, in the order of bins.index. */
int scatter_make_records(const scatter_problem &q, const scatter_bins &bins,
                         scatter_record *records, unsigned block, assay_stream stream);

/* Copies all particles in the order of bins.index to the sorted outputs; nothing without them. */
int scatter_copy_sorted(const assay_args *args, const scatter_problem &q, const scatter_bins &bins,
                        unsigned block, assay_stream stream);

/* Sums of all nodes from records in order. No atomics: the bits follow from that order. */
int scatter_sum_nodes(const scatter_problem &q, const scatter_bins &bins,
                      const scatter_record *records, unsigned block, assay_stream stream);

#endif
