/* Inline PTX: loads and stores, flags, barriers, asynchronous copies. What a warp does by PTX is in
 * constructs_warps.c. */
#include "constructs.h"

const assay_case assay_case_selftest_constructs_ptx = {
    .name        = "selftest_constructs_ptx",
    .group       = "selftest",
    .what        = "inline PTX, each construct right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = pairs_shape,
    .reference   = selftest_constructs_reference,
    .tol         = PAIRS_TOLERANCE,
    .variants    = {
        BOTH(ptx_hints, "two elements are stored in the other order", WRONG_VALUE),
        BOTH(ptx_volatile, "the flag comes before the number", RACE),
        BOTH(ptx_acquire, "the flag is relaxed", HIDDEN_RACE),
        BOTH(ptx_barrier, "bar.sync of half the threads", RACE),
        BOTH(ptx_copies, "cp.async.wait_group leaves one", RACE),
        BOTH(ptx_mbarrier, "asks once, does not wait", RACE),
    },
};
