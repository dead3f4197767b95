/* photon_queue: a bounded queue for many producers and consumers, under contention and at rest. An
 * operation is a push or a pop of one item; a point's rate is operations per second. */
#include "photon_queue_facts.h"
#include "photon_queue_shape.h"

#include "../../kernels/photon_queue/queue_case.h"

#include <stdbool.h>

assay_reference_fn photon_queue_reference;   /* reference/photon_queue/photon_queue.c */
assay_launch_fn    photon_queue_cpu_ref;     /* kernels/photon_queue/cpu_ref.c */
assay_launch_fn    photon_queue_cpu_threads; /* kernels/photon_queue/cpu_threads.c */

extern const assay_case assay_case_photon_queue;

enum {
    AXIS_WORKLOAD,
    AXIS_CAPACITY,
    AXIS_BLOCKS,
    AXIS_THREADS,
    AXIS_OPERATIONS,
    AXIS_BATCH,
    AXIS_PAYLOAD,
    AXIS_START,
    N_AXES
};

enum {
    CHUNK = 128 /* items in block_chunk without a search; at most a batch of the script */
};

enum {
    ALTERNATE,
    HALF,      /* half the blocks push, the others pop */
    FEW_PUSH,  /* 1 : 3 */
    MANY_PUSH, /* 3 : 1 */
};

enum {
    MANY_SLOTS = 8192 /* waits that count laps pause longer (photon/queue_flagged.cuh) */
};

static const photon_queue_workload workloads[] = { { 0, 1 }, { 1, 2 }, { 1, 4 }, { 3, 4 } };

static const int64_t WRAP = 4294967295; /* the counters wrap with the second ticket */

static photon_queue_point point_of(const assay_value *axis)
{
    return (photon_queue_point) {
        .workload      = workloads[axis[AXIS_WORKLOAD].i[0]],
        .capacity      = axis[AXIS_CAPACITY].i[0],
        .blocks        = axis[AXIS_BLOCKS].i[0],
        .threads       = axis[AXIS_THREADS].i[0],
        .operations    = axis[AXIS_OPERATIONS].i[0],
        .batch         = axis[AXIS_BATCH].i[0],
        .payload_bytes = axis[AXIS_PAYLOAD].i[0],
        .start         = axis[AXIS_START].i[0],
    };
}

static void photon_queue_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const photon_queue_point p = point_of(axis);

    photon_queue_set_shape(&p, input == ASSAY_INPUT_EXACT, s);
}

/* In doubles, which do not overflow. */
static const char *photon_queue_uncountable(const assay_value *axis)
{
    double words = 1;

    for (int a = AXIS_CAPACITY; a < AXIS_START; a++)
        words *= a == AXIS_CAPACITY ? 1 : (double)axis[a].i[0];
    return words < 0x1p60 && axis[AXIS_CAPACITY].i[0] < INT32_MAX ? NULL : "more than 2^60 words";
}

/* ---- which of all combinations are points */

static const int64_t edge_base[N_AXES] = { ALTERNATE, 256, 4, 33, 12, 1, 4, WRAP };
static const int64_t real_base[N_AXES] = { ALTERNATE, 65536, 512, 128, 64, 1, 4, 0 };

static int count_off(const assay_value *axis, const int64_t *base, int first)
{
    int n = 0;

    for (int a = first; a < N_AXES; a++)
        n += axis[a].i[0] != base[a];
    return n;
}

static bool is_off(const assay_value *axis, const int64_t *base, int a)
{
    return axis[a].i[0] != base[a];
}

/* Four threads a slot. */
static bool is_crowded(const assay_value *axis)
{
    return axis[AXIS_BLOCKS].i[0] == 8 && axis[AXIS_THREADS].i[0] == 128;
}

/* Edge sizes: one axis at a time, every capacity but the largest with every workload, and a crowded
 * queue. */
static const char *edge_excluded(const assay_value *axis)
{
    const int n = count_off(axis, edge_base, AXIS_WORKLOAD);

    if (n <= 1 || (n == 2 && is_crowded(axis)) ||
        (n == 2 && is_off(axis, edge_base, AXIS_WORKLOAD) &&
         is_off(axis, edge_base, AXIS_CAPACITY) && axis[AXIS_CAPACITY].i[0] != MANY_SLOTS))
        return NULL;
    return "edge sizes: one thing at a time";
}

/* The curves: every number of blocks, with a small and a large ring, alternating and by halves. A
 * small ring passes on a hundredth of what a large one does, so that it gets fewer operations. */
static bool is_on_curve(const assay_value *axis)
{
    const int64_t capacity = axis[AXIS_CAPACITY].i[0], operations = axis[AXIS_OPERATIONS].i[0];

    return axis[AXIS_WORKLOAD].i[0] <= HALF && !is_off(axis, real_base, AXIS_THREADS) &&
           count_off(axis, real_base, AXIS_BATCH) == 0 &&
           ((capacity == 65536 && operations == 64) || (capacity == 256 && operations == 4));
}

/* The same with few operations, for queues that are too slow for more. */
static bool is_on_light_curve(const assay_value *axis)
{
    const int64_t operations = axis[AXIS_OPERATIONS].i[0];

    return (operations == 1 || operations == 4) && !is_off(axis, real_base, AXIS_CAPACITY) &&
           axis[AXIS_WORKLOAD].i[0] <= HALF && count_off(axis, real_base, AXIS_THREADS) == 1;
}

/* One axis at a time, away from the middle of the curves. */
static bool is_beside_curve(const assay_value *axis)
{
    const int64_t operations = axis[AXIS_OPERATIONS].i[0];

    return count_off(axis, real_base, AXIS_WORKLOAD) <= 1 && axis[AXIS_CAPACITY].i[0] >= 4096 &&
           axis[AXIS_BATCH].i[0] != 3 && (operations == 4 || operations == 64);
}

static const char *real_excluded(const assay_value *axis)
{
    if (axis[AXIS_BLOCKS].i[0] < 8 || axis[AXIS_THREADS].i[0] < 128)
        return "real sizes: 8 blocks and more of 128 threads and more";
    if (axis[AXIS_CAPACITY].i[0] == MANY_SLOTS)
        return "an edge size";
    if (is_on_curve(axis) || is_on_light_curve(axis) || is_beside_curve(axis))
        return NULL;
    return "real sizes: one thing at a time, beside the curves over blocks";
}

static bool is_listed(const assay_value *axis, int a)
{
    const assay_axis *list = &assay_case_photon_queue.axes[a];

    for (int v = 0; v < list->n_values; v++)
        if (list->values[v].i[0] == axis[a].i[0])
            return true;
    return false;
}

static const char *photon_queue_excluded(const assay_value *axis)
{
    const photon_queue_point p       = point_of(axis);
    const char              *why     = photon_queue_wrong_sizes(&p);
    bool                     is_real = false;

    for (int a = 0; a < N_AXES; a++) {
        if (!is_listed(axis, a))
            return why; /* sizes that the user gave */
        is_real |= axis[a].tier == ASSAY_FULL;
    }
    return why ? why : is_real ? real_excluded(axis) : edge_excluded(axis);
}

/* ---- what the variants cannot do */

static int64_t all_threads(const assay_shape *s)
{
    return s->param[QUEUE_PARAM_BLOCKS] * s->param[QUEUE_PARAM_THREADS];
}

static bool has_room_for(const assay_shape *s, int64_t items)
{
    return s->param[QUEUE_PARAM_CAPACITY] >= items;
}

/* Threads of a warp wait for each other. So a thread that has pushed may not get to pop before its
 * neighbours have pushed too. */
static const char *waits_by_thread(const assay_shape *s)
{
    if (s->param[QUEUE_PARAM_PRODUCERS] == 0 &&
        !has_room_for(s, all_threads(s) * s->param[QUEUE_PARAM_BATCH]))
        return "waits: the ring must hold what all threads push before they pop";
    return NULL;
}

/* A compiler lets the lanes of a warp wait for each other. Suppose that the tickets of a pushing
 * warp and of a popping warp overlap partly. Then the first may hold back what the second waits
 * for, while it waits for what the second holds back from the lap before. This cannot happen if the
 * lap before is two warps away. */
static const char *waits_by_warp(const assay_shape *s)
{
    const int64_t batch = s->param[QUEUE_PARAM_BATCH];

    if (!has_room_for(s, 32 * (batch > 2 ? batch : 2)))
        return "waits: the ring must hold what a warp pushes at once, and two items a lane";
    return NULL;
}

/* All operations have the same number of tickets, so that none overlaps another partly. */
static const char *waits_by_block(const assay_shape *s)
{
    if (!has_room_for(s, s->param[QUEUE_PARAM_THREADS] * s->param[QUEUE_PARAM_BATCH]))
        return "waits: the ring must hold what a block pushes at once";
    return NULL;
}

/* The script at rest holds two chunks, which have at most as many items as these. */
static const char *waits_by_chunk(const assay_shape *s)
{
    const int64_t items = s->param[QUEUE_PARAM_THREADS] * s->param[QUEUE_PARAM_BATCH];

    if (!has_room_for(s, 2 * CHUNK) || !has_room_for(s, (items + CHUNK - 1) / CHUNK * CHUNK))
        return "waits: the ring must hold two chunks, and what a block pushes at once";
    return NULL;
}

/* Every failed exchange costs all others one: the time grows with the square of the threads. */
static const char *collapses(const assay_shape *s)
{
    const double threads = (double)all_threads(s);

    if (threads * threads * (double)s->param[QUEUE_PARAM_PUSHES] > 1e9)
        return "collapses: a call would take seconds";
    return NULL;
}

static bool has_no_flow(const assay_value *axis) { return axis[AXIS_OPERATIONS].i[0] == 0; }

static const assay_waiver waivers[] = {
    { "taken", ASSAY_CORRUPT_SHIFTED,
      "of the script at rest the numbers that each step moves are judged, and that each item "
      "leaves "
      "once and whole; threads of a step take their items in any order",
      has_no_flow },
    { "taken", ASSAY_CORRUPT_TRANSPOSED,
      "who pops which item is up to the schedule: another order is right in which no item of a "
      "producer comes to a consumer before one that was pushed earlier",
      NULL },
    { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
};

const assay_case assay_case_photon_queue = {
    .name        = "photon_queue",
    .what        = "bounded queues of many producers and consumers: pushes and pops a second",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("workload", ASSAY_AXIS_TEXT, ASSAY_WORD(ALTERNATE, "alternate"),
                   ASSAY_WORD(HALF, "half"), ASSAY_WORD(FEW_PUSH, "few_push"),
                   ASSAY_WORD(MANY_PUSH, "many_push")),
        ASSAY_AXIS("capacity", ASSAY_AXIS_INT, ASSAY_Q(32), ASSAY_Q(256), ASSAY_Q(1024),
                   ASSAY_Q(MANY_SLOTS), ASSAY_F(4096), ASSAY_F(65536), ASSAY_F(1 << 20)),
        ASSAY_AXIS("blocks", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(4), ASSAY_Q(8), ASSAY_F(32),
                   ASSAY_F(128), ASSAY_F(512), ASSAY_F(1056), ASSAY_F(2112)),
        ASSAY_AXIS("threads", ASSAY_AXIS_INT, ASSAY_Q(33), ASSAY_Q(128), ASSAY_F(256)),
        ASSAY_AXIS("operations", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(12), ASSAY_F(4),
                   ASSAY_F(64)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(3), ASSAY_F(4)),
        ASSAY_AXIS("payload", ASSAY_AXIS_INT, ASSAY_Q(4), ASSAY_Q(16), ASSAY_Q(64)),
        ASSAY_AXIS("start", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(4294967295)),
    },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = photon_queue_shape,
    .reference   = photon_queue_reference,
    .compare     = photon_queue_compare,
    .tol_for     = { PHOTON_QUEUE_OWN("taken"), PHOTON_QUEUE_OWN("answers"), PHOTON_QUEUE_OWN("stats") },
    .waivers     = waivers,
    .invariants  = {
        { "sum of ids", "what goes in comes out", photon_queue_sum, NULL },
        { "xor of ids", "what goes in comes out", photon_queue_xor, NULL },
    },
    .facts       = photon_queue_facts,
    .facts_input = ASSAY_INPUT_EXACT,
    .rate_fact   = "crossed_share",
    .rate_along  = "warps",
    .uncountable = photon_queue_uncountable,
    .excluded    = photon_queue_excluded,
    .variants    = {
        { .name = "cpu_ref",
          .what = "answers: one thread, a ring and a count",
          .cpu  = photon_queue_cpu_ref },
        { .name = "cpu_threads",
          .what = "answers: thread_cas on four threads of the host",
          .cpu  = photon_queue_cpu_threads },
        { .name        = "thread_cas",
          .what        = "answers: each thread exchanges the counter if the next slot is ready",
          .launch      = "photon_queue_thread_cas",
          .workspace   = "photon_queue_ring_workspace",
          .tuning      = { ASSAY_TUNING("nap_ns", 64, 1024, 16384) },
          .unsupported = collapses },
        { .name        = "thread_faa",
          .what        = "waits: each thread adds to the counter",
          .launch      = "photon_queue_thread_faa",
          .workspace   = "photon_queue_ring_workspace",
          .baseline    = "thread_cas",
          .unsupported = waits_by_thread },
        { .name        = "thread_faa_aggregated",
          .what        = "waits: thread_faa as the compiler aggregates it, one atomic a warp",
          .launch      = "photon_queue_thread_faa_aggregated",
          .workspace   = "photon_queue_ring_workspace",
          .baseline    = "thread_faa",
          .unsupported = waits_by_thread },
        { .name      = "broker",
          .what      = "answers: counts of items and of room in front, who is promised one draws",
          .launch    = "photon_queue_broker",
          .workspace = "photon_queue_ring_workspace",
          .baseline  = "thread_cas",
          .tuning    = { ASSAY_TUNING("longest_nap_ns", 2048, 128, 512, 8192) } },
        { .name        = "warp_aggregated",
          .what        = "waits: one addition a warp, by the lowest lane that asks",
          .launch      = "photon_queue_warp_aggregated",
          .workspace   = "photon_queue_ring_workspace",
          .baseline    = "thread_faa",
          .unsupported = waits_by_warp },
        { .name        = "warp_broker",
          .what        = "answers: the lowest lane asks the counts for its warp",
          .launch      = "photon_queue_warp_broker",
          .workspace   = "photon_queue_ring_workspace",
          .baseline    = "broker",
          .tuning      = { ASSAY_TUNING("longest_nap_ns", 2048, 128, 512, 8192) },
          .unsupported = waits_by_warp },
        { .name        = "warp_flagged",
          .what        = "waits: warp_aggregated on words that hold turn and payload",
          .launch      = "photon_queue_warp_flagged",
          .workspace   = "photon_queue_flagged_workspace",
          .baseline    = "warp_aggregated",
          .tuning      = { ASSAY_TUNING("nap_ns", 500, 125, 250, 1000) },
          .unsupported = waits_by_warp },
        { .name        = "block_chunk",
          .what        = "waits: a block moves chunks of items, one ticket and one sequence number each",
          .launch      = "photon_queue_block_chunk",
          .workspace   = "photon_queue_chunk_workspace",
          .baseline    = "warp_aggregated",
          .tuning      = { ASSAY_TUNING("chunk", CHUNK, 32, 64) },
          .unsupported = waits_by_chunk },
        { .name        = "block_flagged",
          .what        = "waits: one addition a block, and words that hold turn and payload",
          .launch      = "photon_queue_block_flagged",
          .workspace   = "photon_queue_flagged_workspace",
          .baseline    = "block_chunk",
          .tuning      = { ASSAY_TUNING("nap_ns", 500, 125, 250, 1000) },
          .unsupported = waits_by_block },
    },
};
