/* Wrong answers that the judge of a case has to reject, and those that it accepts for a reason. A
 * part of case.h. */
#ifndef ASSAY_CASE_CORRUPT_H
#define ASSAY_CASE_CORRUPT_H

#include <stdbool.h>

struct assay_value;

/* X(name, text): what `assay check --wrong-answers` makes of the right answer in one output, to see
 * that it is rejected. */
#define ASSAY_CORRUPTION_MAP(X)                                                                    \
    X(ZEROS, "zeros")                                                                              \
    X(POISON, "poison")         /* nothing written; INOUT: as it was filled */                     \
    X(STALE, "stale")           /* the right answer of another seed */                             \
    X(ONE_NAN, "nan")           /* one element */                                                  \
    X(ONE_INF, "inf")           /* one element */                                                  \
    X(SIGN, "sign")             /* of the largest element */                                       \
    X(SHIFTED, "shifted")       /* by one place */                                                 \
    X(TILE, "tile")             /* the last one not written */                                     \
    X(TRANSPOSED, "transposed") /* rows and columns exchanged */                                   \
    X(PAST_BOUND, "past_bound") /* one element, just; where a comparer judges: far */              \
    X(PRECISION, "precision")   /* rounded to the next narrower type */

typedef enum assay_corruption {
#define X(name, text) ASSAY_CORRUPT_##name,
    ASSAY_CORRUPTION_MAP(X)
#undef X
    ASSAY_N_CORRUPTIONS
} assay_corruption;
const char *assay_corruption_text(assay_corruption corruption);

/* A wrong answer of this kind in this output is right after all, for a reason. One that is rejected
 * wherever it is made needs no waiver, and the self-test says so. */
typedef struct assay_waiver {
    const char      *output; /* buffer name; NULL ends the list */
    assay_corruption corruption;
    const char      *reason;
    /* NULL: at all points. Else whether it is for these axis values. */
    bool (*applies)(const struct assay_value *axis);
} assay_waiver;

#endif
