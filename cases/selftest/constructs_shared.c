/* The forms of shared memory, barriers and pipelines of cuda::, bounds of a launch. */
#include "constructs.h"

const assay_case assay_case_selftest_constructs_shared = {
    .name        = "selftest_constructs_shared",
    .group       = "selftest",
    .what        = "shared memory and barriers, each construct right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = pairs_shape,
    .reference   = selftest_constructs_reference,
    .tol         = PAIRS_TOLERANCE,
    .variants    = {
        BOTH(shared_scalar, "read before its barrier", RACE),
        BOTH(shared_2d, "rows and columns change places", WRONG_VALUE),
        BOTH(shared_3d, "a barrier of the warp alone", RACE),
        BOTH_WITH(shared_outside, "128 * 4", "two parts overlap", WRONG_VALUE),
        ONE(shared_inside, "shared_inside", 64, "64 * 8"),
        /* A GPU gives more than is asked for; under ThreadSanitizer there are no gaps. */
        ONE_WRONG(shared_inside, "shared_inside", 64, "63 * 8", "fewer bytes than are used",
                  LANES(ASSAY_BIT(PASS) | ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(OUT_OF_BOUNDS),
                        ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(PASS))),
        /* Nothing clears a GPU's shared memory, and a block may find what the previous one left. */
        BOTH(shared_class, "a member that nobody set",
             LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE),
                   ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(WRONG_VALUE))),
        BOTH(shared_template, "one element too few",
             LANES(ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(OUT_OF_BOUNDS),
                   ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(OUT_OF_BOUNDS), ASSAY_BIT(PASS))),
        BOTH(cuda_barrier, "arrives, does not wait", RACE),
        BOTH(barrier_copy, "the threads meet, the copies are not waited for", RACE),
        BOTH(pipelined, "the second stage is not waited for", RACE),
        ONE(bounded, "bounded", 64, NULL),
        ONE_WRONG(bounded, "bounded", 128, NULL, "__launch_bounds__ say 64",
                  EVERYWHERE(ASSAY_BIT(LAUNCH_FAILED))),
    },
};
