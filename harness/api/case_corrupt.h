/* Wrong answers that a check has to reject, and those that a case accepts for a reason. Part of
 * case.h. */
#ifndef ASSAY_CASE_CORRUPT_H
#define ASSAY_CASE_CORRUPT_H

#include <stdbool.h>

struct assay_value;

/* X(name, text): the ways in which `assay check --wrong-answers` spoils the right answer in one
 * output, to see that the check rejects it. */
#define ASSAY_CORRUPTION_MAP(X)                                                                    \
    X(ZEROS, "zeros")                                                                              \
    X(POISON, "poison")         /* nothing written; of INOUT: the input */                         \
    X(STALE, "stale")           /* the right answer of another seed */                             \
    X(ONE_NAN, "nan")           /* one element */                                                  \
    X(ONE_INF, "inf")           /* one element */                                                  \
    X(SIGN, "sign")             /* of the largest element */                                       \
    X(SHIFTED, "shifted")       /* by one element */                                               \
    X(TILE, "tile")             /* the last tile is not written */                                 \
    X(TRANSPOSED, "transposed") /* rows and columns exchanged */                                   \
    X(PAST_BOUND, "past_bound") /* one element, just; with a comparer: far */                      \
    X(PRECISION, "precision")   /* rounded to the next narrower type */

typedef enum assay_corruption {
#define X(name, text) ASSAY_CORRUPT_##name,
    ASSAY_CORRUPTION_MAP(X)
#undef X
    ASSAY_N_CORRUPTIONS
} assay_corruption;
const char *assay_corruption_text(assay_corruption corruption);

/* Accepts one kind of wrong answer in one output, for a reason. If no such answer passes the check,
 * the waiver is not needed, and `assay check --wrong-answers` says so. */
typedef struct assay_waiver {
    const char      *output; /* buffer name; NULL ends the list */
    assay_corruption corruption;
    const char      *reason;
    /* NULL: the waiver holds at all points. Else: does it hold at these axis values? */
    bool (*applies)(const struct assay_value *axis);
} assay_waiver;

#endif
