/* cpu_threads: the ring with sequence numbers on host threads, by C11 atomics. As in thread_cas, a
 * ticket is drawn only for a slot that is ready. A few threads share the work of the point's
 * threads. */
#include "kernel.h"

#include "queue_case.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

assay_launch_fn photon_queue_cpu_threads;

enum {
    N_WORKERS = 4,
    LIMIT_S   = 8,
    LINE      = 128
};

typedef struct ring {
    _Alignas(LINE) atomic_uint tail;
    _Alignas(LINE) atomic_uint head;
    _Alignas(LINE) atomic_uint *sequence; /* [capacity], owned */
    uint32_t       *words;                /* [n_words][capacity], owned */
    const uint32_t *items;
    uint32_t       *taken;
    uint32_t        capacity;
    int64_t         n_words, n_all;
    bool            is_watched;
} ring;

/* One direction of one worker: every N-th row, row by row, then the next item of each row. */
typedef struct side {
    int64_t  row, row_step, n_rows; /* its present row, and all rows */
    int64_t  first_row, turn, turns;
    int64_t  start_ns, asked_ns;
    uint64_t retries, polls, atomics; /* QUEUE_SIDE_... */
    uint64_t asked, done, outside, waited_ns, bins[QUEUE_BINS];
} side;

typedef struct worker {
    ring   *r;
    side    push, pop;
    bool    gave_up;
    int64_t span_ns;
} worker;

static int64_t now_ns(void)
{
    struct timespec t = { 0, 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- the ring */

static atomic_uint *turn_of(ring *r, uint32_t ticket)
{
    return &r->sequence[ticket & (r->capacity - 1)];
}

/* Draws a ticket whose slot is ready (ahead: 0 to push, 1 to pop); false: full, or empty. */
static bool draw(ring *r, atomic_uint *counter, uint32_t ahead, uint32_t *ticket, side *s)
{
    uint32_t at = atomic_load_explicit(counter, memory_order_relaxed);

    for (;;) {
        const uint32_t turn     = atomic_load_explicit(turn_of(r, at), memory_order_acquire);
        const int32_t  distance = (int32_t)(turn - (at + ahead));

        if (distance < 0) {
            s->polls++;
            return false;
        }
        if (distance > 0) {
            at = atomic_load_explicit(counter, memory_order_relaxed);
            continue;
        }
        s->atomics++;
        if (atomic_compare_exchange_weak_explicit(counter, &at, at + 1, memory_order_relaxed,
                                                  memory_order_relaxed)) {
            *ticket = at;
            return true;
        }
        s->retries++;
    }
}

static bool push(ring *r, int64_t item, side *s)
{
    uint32_t ticket;

    if (!draw(r, &r->tail, 0, &ticket, s))
        return false;
    for (int64_t w = 0; w < r->n_words; w++)
        r->words[w * r->capacity + (ticket & (r->capacity - 1))] = r->items[w * r->n_all + item];
    atomic_store_explicit(turn_of(r, ticket), ticket + 1, memory_order_release);
    return true;
}

static bool pop(ring *r, int64_t place, side *s)
{
    uint32_t ticket;

    if (!draw(r, &r->head, 1, &ticket, s))
        return false;
    for (int64_t w = 0; w < r->n_words; w++)
        r->taken[w * r->n_all + place] = r->words[w * r->capacity + (ticket & (r->capacity - 1))];
    atomic_store_explicit(turn_of(r, ticket), ticket + r->capacity, memory_order_release);
    return true;
}

static void reset(ring *r, uint32_t start)
{
    atomic_store(&r->tail, start);
    atomic_store(&r->head, start);
    for (uint32_t slot = 0; slot < r->capacity; slot++)
        atomic_store(&r->sequence[slot], start + ((slot - start) & (r->capacity - 1)));
}

/* ---- the flow */

static bool is_done(const side *s) { return s->turn >= s->turns || s->row >= s->n_rows; }

static int bin_of(int64_t ns)
{
    int bin = 0;

    while (bin < QUEUE_BINS - 1 && ns >> (bin + 1) > 0)
        bin++;
    return bin;
}

static void ask(side *s)
{
    if (s->asked_ns != 0)
        return;
    s->asked_ns = now_ns();
    s->asked++;
}

static void settle(side *s)
{
    const int64_t ns = now_ns() - s->asked_ns;

    s->bins[bin_of(ns)]++;
    s->done++;
    s->outside += ns < 0 || s->asked_ns < s->start_ns;
    s->waited_ns += (uint64_t)ns;
    s->asked_ns = 0;
}

/* One item of this side, if the queue lets it through. */
static bool advance(ring *r, side *s, bool (*operation)(ring *, int64_t, side *))
{
    if (is_done(s))
        return false;
    if (r->is_watched)
        ask(s);
    if (!operation(r, s->turn * s->n_rows + s->row, s))
        return false;
    if (r->is_watched)
        settle(s);
    s->row += s->row_step;
    if (s->row >= s->n_rows) {
        s->row = s->first_row;
        s->turn++;
    }
    return true;
}

static void *work(void *context)
{
    worker       *w        = context;
    const int64_t start_ns = now_ns(), limit_ns = start_ns + LIMIT_S * (int64_t)1000000000;

    w->push.start_ns = w->pop.start_ns = start_ns;
    while (!w->gave_up && !(is_done(&w->push) && is_done(&w->pop))) {
        const bool has_pushed = advance(w->r, &w->push, push);
        const bool has_popped = advance(w->r, &w->pop, pop);

        if (has_pushed || has_popped)
            continue;
        w->gave_up = now_ns() > limit_ns;
        (void)sched_yield();
    }
    w->span_ns = now_ns() - start_ns;
    return NULL;
}

/* Worker `place` of the `n` on this side; place < 0: no part of this side. */
static side side_of(int64_t n_rows, int64_t turns, int place, int n)
{
    return (side) { .row       = place < 0 ? n_rows : place,
                    .first_row = place < 0 ? n_rows : place,
                    .row_step  = n,
                    .n_rows    = n_rows,
                    .turns     = turns };
}

static void share_out(const assay_args *args, ring *r, worker *workers)
{
    const int64_t *p         = args->param;
    const int64_t  producers = p[QUEUE_PARAM_PRODUCERS], period = p[QUEUE_PARAM_PERIOD];
    const int64_t  threads = p[QUEUE_PARAM_BLOCKS] / period * p[QUEUE_PARAM_THREADS];
    const bool     is_both = producers == 0;
    const int64_t  pushing = threads * (is_both ? 1 : producers);
    const int64_t  popping = threads * (is_both ? 1 : period - producers);
    const int64_t  pushes  = p[QUEUE_PARAM_PUSHES] * p[QUEUE_PARAM_BATCH];
    const int64_t  pops    = p[QUEUE_PARAM_POPS] * p[QUEUE_PARAM_BATCH];

    for (int i = 0; i < N_WORKERS; i++) {
        const int n = is_both ? N_WORKERS : N_WORKERS / 2, place = is_both ? i : i / 2;

        workers[i]      = (worker) { .r = r };
        workers[i].push = side_of(pushing, pushes, is_both || i % 2 == 0 ? place : -1, n);
        workers[i].pop  = side_of(popping, pops, is_both || i % 2 == 1 ? place : -1, n);
    }
}

/* If a thread cannot be started, the caller does its share. */
static void run(worker *workers)
{
    pthread_t threads[N_WORKERS];
    bool      has_thread[N_WORKERS];

    for (int i = 0; i < N_WORKERS; i++)
        has_thread[i] = pthread_create(&threads[i], NULL, work, &workers[i]) == 0;
    for (int i = 0; i < N_WORKERS; i++) {
        if (has_thread[i])
            (void)pthread_join(threads[i], NULL);
        else
            (void)work(&workers[i]);
    }
}

static void add_side(uint64_t *stats, const side *s)
{
    const uint64_t counts[QUEUE_SIDE_TICKS] = { s->retries, s->polls,   s->atomics,  s->asked,
                                                s->done,    s->outside, s->waited_ns };

    for (int k = 0; k < QUEUE_SIDE_TICKS; k++)
        stats[k] += counts[k];
    for (int b = 0; b < QUEUE_BINS; b++)
        stats[QUEUE_SIDE_TICKS + b] += s->bins[b];
}

static void flow(const assay_args *args, ring *r)
{
    uint64_t *stats = args->buf[QUEUE_BUF_STATS];
    worker    workers[N_WORKERS];

    share_out(args, r, workers);
    run(workers);
    for (int i = 0; i < QUEUE_N_STATS; i++)
        stats[i] = 0;
    for (int i = 0; i < N_WORKERS; i++) {
        stats[QUEUE_STAT_GAVE_UP] += workers[i].gave_up;
        if (!r->is_watched)
            continue;
        stats[QUEUE_STAT_SPAN] += (uint64_t)workers[i].span_ns;
        add_side(stats + QUEUE_STAT_PUSH, &workers[i].push);
        add_side(stats + QUEUE_STAT_POP, &workers[i].pop);
    }
}

/* ---- at rest: p and P push one item and a batch, c and C pop, F fills, E empties */

typedef struct script {
    ring     *r;
    int64_t   pushed, popped;
    uint32_t *answers;
} script;

static uint32_t step(script *s, char what)
{
    const int64_t capacity = s->r->capacity;
    const int64_t batch    = capacity < QUEUE_REST_BATCH ? capacity : QUEUE_REST_BATCH;
    const bool    is_push  = what == 'p' || what == 'P' || what == 'F';
    const int64_t n        = what == 'p' || what == 'c'   ? 1
                             : what == 'P' || what == 'C' ? batch
                                                          : capacity;
    int64_t      *at       = is_push ? &s->pushed : &s->popped;
    side          unused   = { .row = 0 };
    uint32_t      moved    = 0;

    for (int64_t i = 0; i < n; i++) {
        /* Where the queue should refuse, there may be no item left. */
        const int64_t item = *at < s->r->n_all ? *at : s->r->n_all - 1;

        if (is_push ? push(s->r, item, &unused) : pop(s->r, item, &unused)) {
            moved++;
            (*at)++;
        }
    }
    return moved;
}

static void steps(script *s, const char *what)
{
    for (; *what; what++)
        *s->answers++ = step(s, *what);
}

static void rest(const assay_args *args, ring *r)
{
    const int64_t n_flow = args->param[QUEUE_PARAM_N_FLOW];
    script        s      = { r, n_flow, n_flow, args->buf[QUEUE_BUF_ANSWERS] };

    steps(&s, "cpcc");
    reset(r, (uint32_t)args->param[QUEUE_PARAM_START]);
    steps(&s, "cppcccFpCPpEc");
    reset(r, 0u - r->capacity / 2);
    steps(&s, "cppcccFpCPpEc");
}

int photon_queue_cpu_threads(const assay_args *args, assay_stream stream)
{
    const int64_t *p = args->param;
    ring           r = { .items      = args->buf[QUEUE_BUF_ITEMS],
                         .taken      = args->buf[QUEUE_BUF_TAKEN],
                         .capacity   = (uint32_t)p[QUEUE_PARAM_CAPACITY],
                         .n_words    = p[QUEUE_PARAM_WORDS],
                         .n_all      = p[QUEUE_PARAM_N_ALL],
                         .is_watched = p[QUEUE_PARAM_IS_WATCHED] != 0 };
    int            error;

    (void)stream;
    r.sequence = calloc(r.capacity, sizeof *r.sequence);
    r.words    = calloc((size_t)(r.capacity * r.n_words), sizeof *r.words);
    if (r.sequence && r.words) {
        reset(&r, (uint32_t)p[QUEUE_PARAM_START]);
        flow(args, &r);
        if (r.is_watched)
            rest(args, &r);
    }
    error = r.sequence && r.words ? 0 : 1;
    free(r.words);
    free(r.sequence);
    return error;
}
