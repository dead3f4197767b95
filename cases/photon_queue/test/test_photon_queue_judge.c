/* The judge of photon_queue: it accepts what queues of one and of four threads leave behind, and
 * refuses every change of it. */
#include "../../../kernels/photon_queue/queue_case.h"
#include "../photon_queue_shape.h"

#include "../../testing/trial.h"

#include <stdlib.h>
#include <string.h>

assay_launch_fn    photon_queue_cpu_ref, photon_queue_cpu_threads;
assay_reference_fn photon_queue_reference;

enum {
    BATCH = 3
};

/* A run on the CPU, and the reference's values for it. */
typedef struct run {
    assay_shape    shape;
    void          *buf[QUEUE_N_BUFS];
    int64_t        count[QUEUE_N_BUFS];
    assay_expected expected[QUEUE_N_BUFS];
    uint64_t      *stats; /* in buf */
    uint64_t       n;     /* items of the flow */
} run;

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory)
        abort();
    return memory;
}

static void run_make(run *r, assay_launch_fn *launch, bool is_watched)
{
    const photon_queue_point point = { .workload      = { .producers = 1, .period = 2 },
                                       .capacity      = 64,
                                       .blocks        = 4,
                                       .threads       = 33,
                                       .operations    = 5,
                                       .batch         = BATCH,
                                       .payload_bytes = 8 };
    const assay_args         args  = { .buf = r->buf, .count = r->count, .param = r->shape.param };

    memset(r, 0, sizeof *r);
    photon_queue_set_shape(&point, is_watched, &r->shape);
    for (int b = 0; b < QUEUE_N_BUFS; b++) {
        r->count[b]            = r->shape.buf[b].count;
        r->buf[b]              = allocate(r->count[b], sizeof(uint64_t));
        r->expected[b].integer = allocate(r->count[b], sizeof(int64_t));
    }
    for (int64_t i = 0; i < r->count[QUEUE_BUF_ITEMS]; i++)
        ((uint32_t *)r->buf[QUEUE_BUF_ITEMS])[i] =
            (uint32_t)r->shape.buf[QUEUE_BUF_ITEMS].fill.fn(0, i, &r->shape);
    photon_queue_reference(&(assay_reference_args) { .in           = (const void *const *)r->buf,
                                                     .expect       = r->expected,
                                                     .count        = r->count,
                                                     .param        = r->shape.param,
                                                     .parallel_for = in_one_thread });
    trial_expect(launch(&args, NULL) == 0, "a queue on the CPU");
    r->stats = r->buf[QUEUE_BUF_STATS];
    r->n     = (uint64_t)r->shape.param[QUEUE_PARAM_N_FLOW];
}

static void run_free(run *r)
{
    for (int b = 0; b < QUEUE_N_BUFS; b++) {
        free(r->buf[b]);
        free(r->expected[b].integer);
    }
}

static assay_verdict judge(const run *r, char *reason, size_t size)
{
    const assay_evidence e = { .shape        = &r->shape,
                               .in           = (const void *const *)r->buf,
                               .out          = (const void *const *)r->buf,
                               .expected     = r->expected,
                               .parallel_for = in_one_thread };

    reason[0] = '\0';
    return photon_queue_compare(&e, reason, size);
}

static void expect_passed(const run *r, const char *what)
{
    char reason[256];

    trial_expect(judge(r, reason, sizeof reason) == ASSAY_PASS, "%s: %s", what, reason);
}

static void expect_wrong(const run *r, const char *what, const char *words)
{
    char                reason[256];
    const assay_verdict verdict = judge(r, reason, sizeof reason);

    trial_expect(verdict == ASSAY_WRONG_VALUE && strstr(reason, words), "%s: verdict %d, '%s'",
                 what, (int)verdict, reason);
}

/* ---- times: those of a queue on one thread, where n items took no time, with some changed */

typedef struct change {
    const char *what, *words; /* NULL: it is right */
    int         side[4];      /* QUEUE_SIDE_..., each increased by so many; 0 changes nothing */
    int64_t     by[4];
    int64_t     span;
} change;

static void expect_times(run *r, int side, const change *c)
{
    uint64_t kept[QUEUE_N_STATS];

    memcpy(kept, r->stats, sizeof kept);
    for (int k = 0; k < 4; k++)
        r->stats[side + c->side[k]] += (uint64_t)c->by[k];
    r->stats[QUEUE_STAT_SPAN] += (uint64_t)c->span;
    if (c->words)
        expect_wrong(r, c->what, c->words);
    else
        expect_passed(r, c->what);
    memcpy(r->stats, kept, sizeof kept);
}

static void test_times(run *r)
{
    enum {
        ASKED  = QUEUE_SIDE_ASKED,
        DONE   = QUEUE_SIDE_DONE,
        WAITED = QUEUE_SIDE_WAITED,
        FIRST  = QUEUE_SIDE_TICKS,
        LAST   = QUEUE_SIDE_TICKS + QUEUE_BINS - 1
    };
    const int64_t n = (int64_t)r->n, most = n - n / BATCH, long_time = INT64_C(1) << 31;
    const change  changes[] = {
         { "nothing", NULL, { 0 }, { 0 }, 0 },
         { "one more asked", "began", { ASKED }, { 1 }, 0 },
         { "one fewer asked", "began", { ASKED }, { -1 }, 0 },
         { "one more done", "began", { DONE }, { 1 }, 0 },
         { "more than items", "operations were timed", { ASKED, DONE }, { 1, 1 }, 0 },
         { "whole operations", NULL, { ASKED, DONE }, { -most, -most }, 0 },
         { "fewer", "operations were timed", { ASKED, DONE }, { -most - 1, -most - 1 }, 0 },
         { "before its thread", "before its thread", { QUEUE_SIDE_OUTSIDE }, { 1 }, 0 },
         { "one time more", "more or fewer items", { FIRST }, { 1 }, 0 },
         { "one time fewer", "more or fewer items", { FIRST }, { -1 }, 0 },
         { "longer than threads", "longer than the threads ran", { WAITED }, { BATCH + 1 }, 1 },
         { "as long as threads", NULL, { WAITED }, { BATCH }, 1 },
         { "a time below its bin", "add up", { FIRST, FIRST + 4, WAITED }, { -1, 1, 15 }, 100 },
         { "a time in its bin", NULL, { FIRST, FIRST + 4, WAITED }, { -1, 1, 16 }, 100 },
         { "all times in the first bin", NULL, { WAITED }, { n }, n },
         { "a time above it", "add up", { WAITED }, { n + 1 }, n },
         { "no bin is too high",
           NULL,
           { FIRST, LAST, WAITED },
           { -1, 1, 9 * long_time },
           9 * long_time },
         { "the last bin", "add up", { FIRST, LAST, WAITED }, { -1, 1, long_time - 1 }, long_time },
    };

    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
        expect_times(r, QUEUE_STAT_PUSH, &changes[k]);
        expect_times(r, QUEUE_STAT_POP, &changes[k]);
    }
}

/* ---- items and answers */

static void test_items(run *r)
{
    uint32_t *taken   = r->buf[QUEUE_BUF_TAKEN];
    uint32_t *answers = r->buf[QUEUE_BUF_ANSWERS];
    uint32_t  kept    = taken[7];

    taken[7] = taken[5];
    expect_wrong(r, "an item twice", "popped twice");
    taken[7] = 0xa5a5a5a5u;
    expect_wrong(r, "nothing popped", "nothing was popped");
    taken[7] = kept;
    taken[r->shape.param[QUEUE_PARAM_N_ALL] + 7]++;
    expect_wrong(r, "a torn item", "word 1 is not of item");
    taken[r->shape.param[QUEUE_PARAM_N_ALL] + 7]--;
    answers[3]++;
    expect_wrong(r, "an answer", "at rest, step 3");
    answers[3]--;
}

/* A fault of the items is reported first, then what the queue has reported itself. */
static void test_complaints(run *r)
{
    uint32_t *const taken = r->buf[QUEUE_BUF_TAKEN];
    const uint32_t  kept  = taken[7];

    r->stats[QUEUE_STAT_GAVE_UP] = 5;
    expect_wrong(r, "who gave up", "the items are right; 5 threads ran out of time");
    taken[7] = taken[5];
    expect_wrong(r, "an item twice", "by pop 7; 5 threads ran out of time");
    r->stats[QUEUE_STAT_MISCOUNTED] = 2;
    expect_wrong(r, "an item twice", "by pop 7; 2 chunks say");
    r->stats[QUEUE_STAT_GAVE_UP] = 0;
    taken[7]                     = kept;
    expect_wrong(r, "wrong counts", "the items are right; 2 chunks say");
    r->stats[QUEUE_STAT_MISCOUNTED] = 0;
}

static void test_unwatched(void)
{
    run r;

    run_make(&r, photon_queue_cpu_threads, false);
    expect_passed(&r, "not watched");
    r.stats[QUEUE_STAT_POP + QUEUE_SIDE_POLLS] = 1;
    expect_wrong(&r, "not watched", "not watched");
    run_free(&r);
}

int main(void)
{
    run r;

    run_make(&r, photon_queue_cpu_threads, true);
    expect_passed(&r, "four threads");
    run_free(&r);
    run_make(&r, photon_queue_cpu_ref, true);
    test_times(&r);
    test_items(&r);
    test_complaints(&r);
    expect_passed(&r, "as it was");
    run_free(&r);
    test_unwatched();
    return trial_finish("test_photon_queue_judge");
}
