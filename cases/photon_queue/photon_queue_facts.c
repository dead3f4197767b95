/* The facts of photon_queue. An operation is a push or a pop of one item. A time is from asking to
 * done, in ticks of the device's clock (GPU: cycles of a multiprocessor; CPU: ns). */
#include "photon_queue_facts.h"

#include "photon_queue_shape.h"

#include "../../kernels/photon_queue/queue_case.h"

#include <math.h>

static const uint64_t *stats_of(const assay_evidence *e) { return e->out[QUEUE_BUF_STATS]; }

static double items_of(const assay_evidence *e)
{
    return (double)e->shape->param[QUEUE_PARAM_N_FLOW];
}

/* A count of one side, for each of its operations; NaN without items. */
static double per_operation(const assay_evidence *e, int64_t which)
{
    return (double)stats_of(e)[which] / items_of(e);
}

/* Warps of the grid; the last warp of a block may be partial. */
static double warps(const assay_evidence *e, int64_t which)
{
    (void)which;
    return (double)(e->shape->param[QUEUE_PARAM_BLOCKS] *
                    ((e->shape->param[QUEUE_PARAM_THREADS] + 31) / 32));
}

/* The block of thread t of a side that has `of_period` of `period` blocks, or all of them. */
static int64_t block_of(const assay_evidence *e, int64_t thread, int64_t of_period, int64_t offset)
{
    const int64_t period = e->shape->param[QUEUE_PARAM_PERIOD];
    const int64_t block  = thread / e->shape->param[QUEUE_PARAM_THREADS];

    return block / of_period * period + block % of_period + offset;
}

/* Share of the items that were popped by another block than the one that pushed them. */
static double crossed(const assay_evidence *e, int64_t which)
{
    const uint32_t *taken     = e->out[QUEUE_BUF_TAKEN];
    const int64_t   producers = e->shape->param[QUEUE_PARAM_PRODUCERS];
    const int64_t   period    = e->shape->param[QUEUE_PARAM_PERIOD];
    const int64_t   pushing   = photon_queue_producer_threads(e->shape);
    const int64_t   popping   = photon_queue_consumer_threads(e->shape);
    int64_t         n         = 0;

    (void)which;
    for (int64_t i = 0; i < e->shape->param[QUEUE_PARAM_N_FLOW]; i++) {
        const int64_t from =
            block_of(e, photon_queue_item_of(taken[i]) % pushing, producers > 0 ? producers : 1, 0);
        const int64_t to =
            block_of(e, i % popping, producers > 0 ? period - producers : 1, producers);

        n += from != to;
    }
    return (double)n / items_of(e);
}

/* Share of the items whose time is in this bin; NaN without items. */
static double share_of_bin(const assay_evidence *e, int64_t which)
{
    const uint64_t n = stats_of(e)[which];

    return n > 0 ? (double)n / items_of(e) : (double)NAN;
}

/* Ticks that `percent` of the items need at most: the end of the bin that completes this share. */
static double ticks_within(const assay_evidence *e, int64_t first_bin, double percent)
{
    double n = 0;

    if (items_of(e) == 0)
        return (double)NAN;
    for (int b = 0; b < QUEUE_BINS; b++) {
        n += (double)stats_of(e)[first_bin + b];
        if (100 * n >= percent * items_of(e))
            return ldexp(1, b + 1);
    }
    return (double)NAN;
}

static double half_within(const assay_evidence *e, int64_t which)
{
    return ticks_within(e, which, 50);
}

static double most_within(const assay_evidence *e, int64_t which)
{
    return ticks_within(e, which, 99);
}

static double all_within(const assay_evidence *e, int64_t which)
{
    return ticks_within(e, which, 100);
}

#define BIN(text, k)                                                                               \
    { "push_ticks.2e" #text, share_of_bin, QUEUE_STAT_PUSH + QUEUE_SIDE_TICKS + (k) },             \
    {                                                                                              \
        "pop_ticks.2e" #text, share_of_bin, QUEUE_STAT_POP + QUEUE_SIDE_TICKS + (k)                \
    }

const assay_fact photon_queue_facts[] = {
    { "warps", warps, 0 },
    { "crossed_share", crossed, 0 },
    { "retries_per_push", per_operation, QUEUE_STAT_PUSH + QUEUE_SIDE_RETRIES },
    { "retries_per_pop", per_operation, QUEUE_STAT_POP + QUEUE_SIDE_RETRIES },
    { "polls_per_push", per_operation, QUEUE_STAT_PUSH + QUEUE_SIDE_POLLS },
    { "polls_per_pop", per_operation, QUEUE_STAT_POP + QUEUE_SIDE_POLLS },
    { "atomics_per_push", per_operation, QUEUE_STAT_PUSH + QUEUE_SIDE_ATOMICS },
    { "atomics_per_pop", per_operation, QUEUE_STAT_POP + QUEUE_SIDE_ATOMICS },
    { "push_ticks_p50", half_within, QUEUE_STAT_PUSH + QUEUE_SIDE_TICKS },
    { "push_ticks_p99", most_within, QUEUE_STAT_PUSH + QUEUE_SIDE_TICKS },
    { "push_ticks_most", all_within, QUEUE_STAT_PUSH + QUEUE_SIDE_TICKS },
    { "pop_ticks_p50", half_within, QUEUE_STAT_POP + QUEUE_SIDE_TICKS },
    { "pop_ticks_p99", most_within, QUEUE_STAT_POP + QUEUE_SIDE_TICKS },
    { "pop_ticks_most", all_within, QUEUE_STAT_POP + QUEUE_SIDE_TICKS },
    BIN(00, 0),
    BIN(01, 1),
    BIN(02, 2),
    BIN(03, 3),
    BIN(04, 4),
    BIN(05, 5),
    BIN(06, 6),
    BIN(07, 7),
    BIN(08, 8),
    BIN(09, 9),
    BIN(10, 10),
    BIN(11, 11),
    BIN(12, 12),
    BIN(13, 13),
    BIN(14, 14),
    BIN(15, 15),
    BIN(16, 16),
    BIN(17, 17),
    BIN(18, 18),
    BIN(19, 19),
    BIN(20, 20),
    BIN(21, 21),
    BIN(22, 22),
    BIN(23, 23),
    BIN(24, 24),
    BIN(25, 25),
    BIN(26, 26),
    BIN(27, 27),
    BIN(28, 28),
    BIN(29, 29),
    BIN(30, 30),
    BIN(31, 31),
    { NULL, NULL, 0 },
};
