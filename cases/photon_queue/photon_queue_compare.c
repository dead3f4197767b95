/* The judge of photon_queue. The schedule decides which consumer gets which item. Two things do not
 * depend on it: each item leaves once and whole, and the queue's answers while nobody else uses
 * it. */
#include "photon_queue_shape.h"

#include "../../kernels/photon_queue/queue_case.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    ORDER_WINDOW = 64,  /* pops of one consumer that are compared with each other */
    ORDER_CHUNK  = 256, /* consumers in one piece of the search */
    ITEMS_CHUNK  = 1 << 15
};

__attribute__((format(printf, 3, 4))) static assay_verdict wrong(char *reason, size_t size,
                                                                 const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(reason, size, format, arguments);
    va_end(arguments);
    return ASSAY_WRONG_VALUE;
}

/* ---- each item once, and whole */

static const uint32_t *taken_of(const assay_evidence *e) { return e->out[QUEUE_BUF_TAKEN]; }

/* The first word that belongs to another item, for an item already known; 0: none. */
static int64_t torn_word(const assay_evidence *e, int64_t place, int64_t item)
{
    const uint32_t *items   = e->in[QUEUE_BUF_ITEMS];
    const int64_t   n_all   = e->shape->param[QUEUE_PARAM_N_ALL];
    const int64_t   n_words = e->shape->param[QUEUE_PARAM_WORDS];

    for (int64_t w = 1; w < n_words; w++)
        if (taken_of(e)[w * n_all + place] != items[w * n_all + item])
            return w;
    return 0;
}

/* The fault of a pop, other than an item that left twice; `item` < n_all. */
static assay_verdict judge_place(const assay_evidence *e, int64_t place, char *reason, size_t size)
{
    const int64_t n_flow  = e->shape->param[QUEUE_PARAM_N_FLOW];
    const int64_t n_all   = e->shape->param[QUEUE_PARAM_N_ALL];
    const int64_t item    = photon_queue_item_of(taken_of(e)[place]);
    const bool    is_flow = place < n_flow;
    int64_t       torn;

    if (item >= n_all)
        return wrong(reason, size, "pop %lld of %lld: %#x is no item, or nothing was popped",
                     (long long)place, (long long)n_all, taken_of(e)[place]);
    if (is_flow != (item < n_flow))
        return wrong(reason, size, "item %lld, popped by pop %lld, is of another part of the run",
                     (long long)item, (long long)place);
    torn = torn_word(e, place, item);
    if (torn > 0)
        return wrong(reason, size, "pop %lld: word %lld is not of item %lld", (long long)place,
                     (long long)torn, (long long)item);
    return ASSAY_PASS;
}

typedef struct item_search {
    const assay_evidence *e;
    uint8_t              *has_left;     /* exchanged atomically */
    uint8_t               is_any_wrong; /* stored atomically */
} item_search;

static void search_items(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    item_search  *s     = context;
    const int64_t n_all = s->e->shape->param[QUEUE_PARAM_N_ALL];
    char          reason[256];

    (void)chunk;
    for (int64_t place = begin; place < end; place++) {
        const int64_t item = photon_queue_item_of(taken_of(s->e)[place]);

        if (item >= n_all || __atomic_exchange_n(&s->has_left[item], 1, __ATOMIC_RELAXED) ||
            judge_place(s->e, place, reason, sizeof reason) != ASSAY_PASS)
            __atomic_store_n(&s->is_any_wrong, 1, __ATOMIC_RELAXED);
    }
}

/* The first wrong pop, in their order. */
static assay_verdict name_wrong_pop(const item_search *s, char *reason, size_t size)
{
    const int64_t n_all   = s->e->shape->param[QUEUE_PARAM_N_ALL];
    assay_verdict verdict = ASSAY_PASS;

    for (int64_t i = 0; i < n_all; i++)
        s->has_left[i] = 0;
    for (int64_t place = 0; place < n_all && verdict == ASSAY_PASS; place++) {
        const int64_t item = photon_queue_item_of(taken_of(s->e)[place]);

        if (item < n_all && s->has_left[item])
            return wrong(reason, size, "item %lld was popped twice, the second time by pop %lld",
                         (long long)item, (long long)place);
        verdict = judge_place(s->e, place, reason, size);
        if (item < n_all)
            s->has_left[item] = 1;
    }
    return verdict;
}

/* If there are as many pops as items, and none twice, all have left. */
static assay_verdict judge_items(const assay_evidence *e, char *reason, size_t size)
{
    const int64_t n_all   = e->shape->param[QUEUE_PARAM_N_ALL];
    item_search   s       = { .e = e, .has_left = calloc((size_t)n_all + 1, 1) };
    assay_verdict verdict = ASSAY_PASS;

    if (!s.has_left)
        return wrong(reason, size, "no memory for a map of %lld items", (long long)n_all);
    e->parallel_for(n_all, ITEMS_CHUNK, search_items, &s);
    if (s.is_any_wrong)
        verdict = name_wrong_pop(&s, reason, size);
    free(s.has_left);
    return verdict;
}

/* ---- the order of one producer, as one consumer sees it */

typedef struct order_search {
    const uint32_t *taken;
    int64_t         n_flow, producers, consumers;
    int64_t        *worst; /* by chunk: a place that is out of order, or -1 */
} order_search;

/* A thread's pops are `consumers` places apart, its pushes `producers` items. */
static int64_t out_of_order(const order_search *s, int64_t consumer)
{
    int64_t item[ORDER_WINDOW];
    int     n = 0;

    for (int64_t at = consumer; at < s->n_flow && n < ORDER_WINDOW; at += s->consumers) {
        item[n] = photon_queue_item_of(s->taken[at]);
        for (int k = 0; k < n; k++)
            if (item[k] % s->producers == item[n] % s->producers && item[k] > item[n])
                return at;
        n++;
    }
    return -1;
}

static void search_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const order_search *s = context;

    s->worst[chunk] = -1;
    for (int64_t consumer = begin; consumer < end && s->worst[chunk] < 0; consumer++)
        s->worst[chunk] = out_of_order(s, consumer);
}

static assay_verdict judge_order(const assay_evidence *e, char *reason, size_t size)
{
    order_search  s        = { .taken     = taken_of(e),
                               .n_flow    = e->shape->param[QUEUE_PARAM_N_FLOW],
                               .producers = photon_queue_producer_threads(e->shape),
                               .consumers = photon_queue_consumer_threads(e->shape) };
    const int64_t n_chunks = (s.consumers + ORDER_CHUNK - 1) / ORDER_CHUNK;
    assay_verdict verdict  = ASSAY_PASS;

    s.worst = calloc((size_t)n_chunks + 1, sizeof *s.worst);
    if (!s.worst)
        return wrong(reason, size, "no memory to search %lld consumers", (long long)s.consumers);
    e->parallel_for(s.consumers, ORDER_CHUNK, search_chunk, &s);
    for (int64_t c = 0; c < n_chunks && verdict == ASSAY_PASS; c++)
        if (s.worst[c] >= 0)
            verdict = wrong(reason, size,
                            "pop %lld: an item of a producer came after one that it pushed later",
                            (long long)s.worst[c]);
    free(s.worst);
    return verdict;
}

/* ---- answers and counts */

static assay_verdict judge_answers(const assay_evidence *e, char *reason, size_t size)
{
    const uint32_t *answers  = e->out[QUEUE_BUF_ANSWERS];
    const int64_t  *expected = e->expected[QUEUE_BUF_ANSWERS].integer;

    for (int64_t i = 0; i < e->shape->buf[QUEUE_BUF_ANSWERS].count; i++)
        if ((int64_t)answers[i] != expected[i])
            return wrong(reason, size, "at rest, step %lld of %d: moved %u items, not %lld",
                         (long long)i, QUEUE_N_ANSWERS, answers[i], (long long)expected[i]);
    return ASSAY_PASS;
}

static uint64_t sum_of(const uint64_t *from, int n)
{
    uint64_t sum = 0;

    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum;
}

/* Can a sum of times fit the counts of its powers of two? */
static bool fits_bins(const uint64_t *bins, uint64_t waited)
{
    uint64_t least = 0, most = 0;

    for (int b = 0; b < QUEUE_BINS; b++) {
        least += b > 0 ? bins[b] << b : 0;
        most += bins[b] * ((UINT64_C(2) << b) - 1);
    }
    return waited >= least && (waited <= most || bins[QUEUE_BINS - 1] > 0);
}

/* NULL, or the fault in the times of one side. Each operation is timed once, from asking to done
 * and within the time that its thread ran, and the histogram is of these times. An operation of a
 * queue that answers may be done in parts, each with a time of its own. */
static const char *wrong_with_times(const assay_evidence *e, const uint64_t *side)
{
    const uint64_t *stats  = e->out[QUEUE_BUF_STATS];
    const uint64_t  n_flow = (uint64_t)e->shape->param[QUEUE_PARAM_N_FLOW];
    const uint64_t  batch  = (uint64_t)e->shape->param[QUEUE_PARAM_BATCH];
    const uint64_t *bins   = side + QUEUE_SIDE_TICKS;

    if (side[QUEUE_SIDE_ASKED] != side[QUEUE_SIDE_DONE])
        return "began more or fewer times than ended";
    if (side[QUEUE_SIDE_DONE] > n_flow || side[QUEUE_SIDE_DONE] * batch < n_flow)
        return "more or fewer operations were timed than there are";
    if (side[QUEUE_SIDE_OUTSIDE] != 0)
        return "a time is below 0, or began before its thread";
    if (sum_of(bins, QUEUE_BINS) != n_flow)
        return "times of more or fewer items than there are";
    if (side[QUEUE_SIDE_WAITED] > batch * stats[QUEUE_STAT_SPAN])
        return "waited longer than the threads ran";
    return fits_bins(bins, side[QUEUE_SIDE_WAITED]) ? NULL : "times do not add up to their sum";
}

/* Nothing is counted unless the flow is watched. */
static assay_verdict judge_stats(const assay_evidence *e, char *reason, size_t size)
{
    static const struct {
        const char *word;
        int         side;
    } sides[]                  = { { "pushes", QUEUE_STAT_PUSH }, { "pops", QUEUE_STAT_POP } };
    const uint64_t *stats      = e->out[QUEUE_BUF_STATS];
    const bool      is_watched = e->shape->param[QUEUE_PARAM_IS_WATCHED] != 0;

    if (stats[QUEUE_STAT_GAVE_UP] != 0 || stats[QUEUE_STAT_MISCOUNTED] != 0)
        return wrong(reason, size, "the items are right");
    if (!is_watched && sum_of(stats, QUEUE_N_STATS) != 0)
        return wrong(reason, size, "counts of a flow that was not watched");
    for (size_t k = 0; is_watched && k < sizeof sides / sizeof *sides; k++) {
        const char *what = wrong_with_times(e, stats + sides[k].side);

        if (what)
            return wrong(reason, size, "%s: %s", sides[k].word, what);
    }
    return ASSAY_PASS;
}

/* Adds what else the queue has reported: it may be the cause, or a consequence. */
static void add_complaints(const assay_evidence *e, char *reason, size_t size)
{
    static const struct {
        int         stat;
        const char *what;
    } complaints[] = {
        { QUEUE_STAT_MISCOUNTED, "chunks say another number of items than was pushed" },
        { QUEUE_STAT_GAVE_UP, "threads ran out of time" },
    };
    const uint64_t *stats = e->out[QUEUE_BUF_STATS];

    for (size_t k = 0; k < sizeof complaints / sizeof *complaints; k++) {
        const uint64_t n  = stats[complaints[k].stat];
        const size_t   at = strlen(reason);

        if (n != 0)
            (void)snprintf(reason + at, size - at, "; %llu %s", (unsigned long long)n,
                           complaints[k].what);
    }
}

/* Items are judged first: they say most. */
assay_verdict photon_queue_compare(const assay_evidence *e, char *reason, size_t size)
{
    static assay_compare_fn *const judges[] = { judge_items, judge_order, judge_answers,
                                                judge_stats };
    assay_verdict                  verdict  = ASSAY_PASS;

    for (size_t j = 0; j < sizeof judges / sizeof *judges && verdict == ASSAY_PASS; j++)
        verdict = judges[j](e, reason, size);
    if (verdict != ASSAY_PASS)
        add_complaints(e, reason, size);
    return verdict;
}

/* ---- second oracles, which know nothing about the meaning of an id */

assay_invariant_result photon_queue_sum(const assay_evidence *e)
{
    const uint32_t *items = e->in[QUEUE_BUF_ITEMS], *taken = taken_of(e);
    uint32_t        in = 0, out = 0;

    for (int64_t i = 0; i < e->shape->param[QUEUE_PARAM_N_ALL]; i++) {
        in += items[i];
        out += taken[i];
    }
    return (assay_invariant_result) { .value = out, .expected = in, .bound = 0 };
}

assay_invariant_result photon_queue_xor(const assay_evidence *e)
{
    const uint32_t *items = e->in[QUEUE_BUF_ITEMS], *taken = taken_of(e);
    uint32_t        in = 0, out = 0;

    for (int64_t i = 0; i < e->shape->param[QUEUE_PARAM_N_ALL]; i++) {
        in ^= items[i];
        out ^= taken[i];
    }
    return (assay_invariant_result) { .value = out, .expected = in, .bound = 0 };
}
