/* The functions of ASSAY_CORRUPTION_MAP, which make wrong answers from a right one. Only this
 * folder includes it. */
#ifndef ASSAY_CORRUPTIONS_H
#define ASSAY_CORRUPTIONS_H

#include "check/check.h"

/* One output of one point with one input class, and what a kernel could leave in its place. */
typedef struct assay_right {
    const assay_buffer   *buffer;
    int                   place; /* index of the buffer in its shape */
    const assay_expected *expected;
    assay_tolerance       tol;
    assay_input           input;
    bool                  is_compared; /* the case's comparer judges it, not its elements */
    const void           *truth;       /* what a right kernel writes */
    const void           *stale; /* what it writes for another seed; NULL: that has another size */
    const void           *initial; /* INOUT: what it held before; else NULL */
    int64_t               n_rows;  /* rows, if it is treated as a matrix; 0: it is not */
    uint64_t              random;
} assay_right;

/* Makes the wrong answer of launch `run` from the right one at `out`. Returns NULL, or why there is
 * none of this kind here. */
typedef const char *assay_corrupt_fn(const assay_right *right, void *out, int run);

extern assay_corrupt_fn *const assay_corruptions[ASSAY_N_CORRUPTIONS];

/* Writes what a right kernel writes: the reference, rounded to the type. */
void assay_corrupt_write_truth(assay_type type, const assay_expected *e, int64_t count, void *to);

/* Returns the number of elements that are judged. */
int64_t assay_corrupt_count_judged(const assay_right *right);

/* Does it differ from the truth in a judged element? Zeros of either sign are equal. */
bool assay_corrupt_is_changed(const assay_right *right, const void *out);

#endif
