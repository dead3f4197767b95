/* Broken on purpose: a bounded queue, with half of the blocks pushing and half popping. Shape,
 * script and judge are those of photon_queue. */
#include "../photon_queue/photon_queue_shape.h"

assay_reference_fn selftest_queue_reference; /* reference/selftest/queue.c */

/* The ring becomes full again and again. The counters start at 0, so that in the flow they do not
 * wrap: a fault in wrapping must be found by the answers at rest. */
static void selftest_queue_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const photon_queue_point p = { .workload      = { .producers = 1, .period = 2 },
                                   .capacity      = 32,
                                   .blocks        = 4,
                                   .threads       = 64,
                                   .operations    = axis[0].i[0],
                                   .batch         = 1,
                                   .payload_bytes = 4 };

    photon_queue_set_shape(&p, input == ASSAY_INPUT_EXACT, s);
}

#define LANES(cuda, host, asan, tsan)                                                              \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = (cuda), [ASSAY_LANE_HOST] = (host), [ASSAY_LANE_ASAN] = (asan),        \
        [ASSAY_LANE_TSAN] = (tsan)                                                                 \
    }
#define WRONG ASSAY_BIT(WRONG_VALUE)

const assay_case assay_case_selftest_queue = {
    .name        = "selftest_queue",
    .group       = "selftest",
    .what        = "broken on purpose: queues",
    .version     = 1,
    .axes        = { ASSAY_AXIS("operations", ASSAY_AXIS_INT, ASSAY_Q(8)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = selftest_queue_shape,
    .reference   = selftest_queue_reference,
    .compare     = photon_queue_compare,
    .tol_for     = { PHOTON_QUEUE_OWN("taken"), PHOTON_QUEUE_OWN("answers"), PHOTON_QUEUE_OWN("stats") },
    .variants    = {
        { .name      = "right",
          .launch    = "selftest_queue_right",
          .workspace = "selftest_queue_workspace" },
        { .name      = "lane0_gone",
          .launch    = "selftest_queue_lane0_gone",
          .workspace = "selftest_queue_workspace" },
        { .name      = "slow",
          .launch    = "selftest_queue_slow",
          .workspace = "selftest_queue_workspace" },
        { .name      = "slow_waiting",
          .launch    = "selftest_queue_slow_waiting",
          .workspace = "selftest_queue_workspace" },
        { .name      = "publish_before_write",
          .launch    = "selftest_queue_publish_before_write",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG | ASSAY_BIT(RACE)) },
        { .name      = "free_before_read",
          .launch    = "selftest_queue_free_before_read",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG | ASSAY_BIT(RACE)) },
        /* The host device sees that the lane has left; a GPU gives what its register held. */
        { .name      = "lane0_leader",
          .launch    = "selftest_queue_lane0_leader",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, ASSAY_BIT(MISUSE), ASSAY_BIT(MISUSE), ASSAY_BIT(MISUSE)) },
        { .name      = "wrap_compare",
          .launch    = "selftest_queue_wrap_compare",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG) },
        { .name      = "idle_exit",
          .launch    = "selftest_queue_idle_exit",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG) },
        { .name      = "early_time",
          .launch    = "selftest_queue_early_time",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG) },
        { .name      = "late_time",
          .launch    = "selftest_queue_late_time",
          .workspace = "selftest_queue_workspace",
          .expect    = LANES(WRONG, WRONG, WRONG, WRONG) },
    },
};
