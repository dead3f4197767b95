/* What the lanes of a warp do together, by intrinsics and by inline PTX. */
#include "constructs.h"

const assay_case assay_case_selftest_constructs_warps = {
    .name        = "selftest_constructs_warps",
    .group       = "selftest",
    .what        = "shuffles, votes and sums of a warp, each right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT),
    .timed_input = ASSAY_INPUT_EXACT,
    .shape       = sums_shape,
    .reference   = selftest_constructs_sums_reference,
    .tol         = SUMS_TOLERANCE,
    .variants    = {
        BOTH(shuffles, "a mask of half the lanes", MISUSE),
        BOTH(shuffles_down, "a lane of the mask has left",
             LANES(ASSAY_BIT(WRONG_VALUE), ASSAY_BIT(MISUSE), ASSAY_BIT(MISUSE),
                   ASSAY_BIT(MISUSE))),
        BOTH(votes, "counts the lanes up to itself", WRONG_VALUE),
        BOTH(matches, "each of those that match adds for all", WRONG_VALUE),
        BOTH(reduces, "masks of half a warp", WRONG_VALUE),
        BOTH(ptx_shuffle, "shfl.sync with a warp in two parts", WRONG_VALUE),
        BOTH(ptx_redux, "redux.sync.or for .add", WRONG_VALUE),
        BOTH(ptx_vote, "a negated predicate", WRONG_VALUE),
        BOTH(ptx_registers, "%laneid for %tid.x", WRONG_VALUE),
        BOTH(dp4a, "the second four replace the first", WRONG_VALUE),
    },
};
