/* Wrong answers made from a right one: the functions behind ASSAY_CORRUPTION_MAP. Private to the
 * room. */
#ifndef ASSAY_CORRUPTIONS_H
#define ASSAY_CORRUPTIONS_H

#include "check/check.h"

/* One output of one point under one class of input, and what a kernel could leave in its place. */
typedef struct assay_right {
    const assay_buffer   *buffer;
    int                   place; /* of the buffer in its shape */
    const assay_expected *expected;
    assay_tolerance       tol;
    assay_input           input;
    bool                  is_compared; /* by the case's comparer, in place of its elements */
    const void           *truth;       /* what a right kernel writes */
    const void           *stale;       /* the same of another seed; NULL: not of this size */
    const void           *initial;     /* INOUT: what it held before; else NULL */
    int64_t               n_rows;      /* of the matrix that it is looked at as; 0: as none */
    uint64_t              random;
} assay_right;

/* Makes the wrong answer of launch `run` out of the right one at `out`. Returns NULL, or why there
 * is none of this kind here. */
typedef const char *assay_corrupt_fn(const assay_right *right, void *out, int run);

extern assay_corrupt_fn *const assay_corruptions[ASSAY_N_CORRUPTIONS];

/* What a right kernel writes: the reference, rounded to the type. */
void assay_corrupt_write_truth(assay_type type, const assay_expected *e, int64_t count, void *to);

/* Elements of which something is said. */
int64_t assay_corrupt_count_judged(const assay_right *right);

/* Does it differ from the truth where something is said of it? Zeros of either sign are equal. */
bool assay_corrupt_is_changed(const assay_right *right, const void *out);

#endif
