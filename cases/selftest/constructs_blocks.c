/* What the threads of a block do together: atomics and fences, cooperative groups, CUB. */
#include "constructs.h"

const assay_case assay_case_selftest_constructs_blocks = {
    .name        = "selftest_constructs_blocks",
    .group       = "selftest",
    .what        = "cooperative groups and CUB, each construct right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT),
    .timed_input = ASSAY_INPUT_EXACT,
    .shape       = sums_shape,
    .reference   = selftest_constructs_sums_reference,
    .tol         = SUMS_TOLERANCE,
    .variants    = {
        BOTH(group_sync, "read before block.sync()", RACE),
        BOTH(tile_reduce, "tiles of half a warp", WRONG_VALUE),
        BOTH(tile_scan, "exclusive for inclusive", WRONG_VALUE),
        BOTH(coalesced, "lane 0 for the first of the group", WRONG_VALUE),
        BOTH(labeled, "the tile's size for the group's", WRONG_VALUE),
        BOTH(binary, "the rank in the tile for that in the group", WRONG_VALUE),
        BOTH(group_copy, "the copy is not waited for", RACE),
        BOTH(block_reduce, "TempStorage is used again without a barrier", RACE),
        BOTH(block_scan, "TempStorage is used again without a barrier", RACE),
        BOTH(block_sort, "TempStorage is written over without a barrier", RACE),
        BOTH(warp_reduce, "two warps use one TempStorage", RACE),
    },
};
