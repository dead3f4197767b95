/* Atomics and fences, by intrinsics, by inline PTX and by cuda::. */
#include "constructs.h"

const assay_case assay_case_selftest_constructs_atomics = {
    .name        = "selftest_constructs_atomics",
    .group       = "selftest",
    .what        = "atomics and fences, each construct right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT),
    .timed_input = ASSAY_INPUT_EXACT,
    .shape       = sums_shape,
    .reference   = selftest_constructs_sums_reference,
    .tol         = SUMS_TOLERANCE,
    .variants    = {
        /* 32 lanes read at once, and one of them stores last. */
        BOTH(atomics, "a sum without an atomic",
             LANES(ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(PASS), ASSAY_BIT(PASS), ASSAY_BIT(RACE))),
        BOTH(ptx_atomics, "a load and a store for an addition", WRONG_VALUE),
        BOTH(atomic_ref, "arriving is relaxed", HIDDEN_RACE),
        BOTH(fences, "no fence", HIDDEN_RACE),
    },
};
