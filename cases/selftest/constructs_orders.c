/* Memory orders: fences, scopes, and waits for a word. */
#include "constructs.h"

#define OPERANDS "x, y, w, n"
#define ORDERED(construct)                                                                         \
    {                                                                                              \
        .name = #construct, .kernels = LAUNCHED(#construct "<false>", 64, NULL, OPERANDS)          \
    }
#define UNORDERED(construct, bug, ...)                                                             \
    {                                                                                              \
        .name = #construct "_wrong", .what = (bug),                                                \
        .kernels = LAUNCHED(#construct "<true>", 64, NULL, OPERANDS), .expect = __VA_ARGS__        \
    }

const assay_case assay_case_selftest_constructs_orders = {
    .name        = "selftest_constructs_orders",
    .group       = "selftest",
    .what        = "orders of memory and waits for a word, each right and with a planted bug",
    .version     = 1,
    .axes        = BLOCKS_OF_64,
    .inputs      = ASSAY_INPUT_BIT(EXACT),
    .timed_input = ASSAY_INPUT_EXACT,
    .shape       = pairs_shape,
    .reference   = selftest_constructs_reference,
    .tol         = PAIRS_TOLERANCE,
    .variants    = {
        ORDERED(wait_volatile),
        UNORDERED(wait_volatile, "no fences", HIDDEN_RACE),
        ORDERED(wait_forms),
        UNORDERED(wait_forms, "no fences", HIDDEN_RACE),
        ORDERED(wait_ldcv),
        /* A wrong value takes more launches than a user's kernel gets. */
        UNORDERED(wait_ldcv, "the flag is set before the data are there", RARE_RACE),
        /* The host device sees that no thread is left that could set it. */
        { .name         = "wait_in_vain",
          .what         = "nobody sets the flag",
          .kernels      = LAUNCHED("wait_in_vain", 64, NULL, OPERANDS),
          .time_limit_s = 20,
          .expect       = LANES(ASSAY_BIT(TIMED_OUT), ASSAY_BIT(DEADLOCK), ASSAY_BIT(DEADLOCK),
                                ASSAY_BIT(DEADLOCK)) },
        /* It does not read by an atomic either. */
        { .name         = "wait_unseen",
          .what         = "a wait that does not give way on the host device",
          .kernels      = LAUNCHED("wait_unseen", 64, NULL, OPERANDS),
          .time_limit_s = 3,
          .expect       = LANES(ASSAY_BIT(PASS), ASSAY_BIT(TIMED_OUT), ASSAY_BIT(TIMED_OUT),
                                ASSAY_BIT(TIMED_OUT) | ASSAY_BIT(RACE)) },
        ORDERED(wait_atomic),
        UNORDERED(wait_atomic, "the reader's fence is before its look", HIDDEN_RACE),
        ORDERED(release_acquire),
        UNORDERED(release_acquire, "the store is relaxed", HIDDEN_RACE),
        ORDERED(fence_scope),
        UNORDERED(fence_scope, "a fence that reaches no other block", HIDDEN_RACE),
        ORDERED(last_block_behind),
        UNORDERED(last_block_behind, "the writers have no fence", HIDDEN_RACE),
    },
};
