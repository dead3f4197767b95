/* cpu_ref: the queue on one thread. It has a ring, a place and a count; every answer follows from
 * the count. */
#include "kernel.h"

#include "queue_case.h"

#include <stdbool.h>
#include <stdlib.h>

assay_launch_fn photon_queue_cpu_ref;

typedef struct model {
    const uint32_t *items;
    uint32_t       *taken;
    uint32_t       *ring; /* [capacity][n_words], owned */
    int64_t         capacity, n_words, n_all;
    int64_t         oldest, held; /* place of the oldest item; how many there are */
    int64_t         pushed, popped;
} model;

static bool push(model *m)
{
    uint32_t *to = m->ring + (m->oldest + m->held) % m->capacity * m->n_words;

    if (m->held == m->capacity)
        return false;
    for (int64_t w = 0; w < m->n_words; w++)
        to[w] = m->items[w * m->n_all + m->pushed];
    m->held++;
    m->pushed++;
    return true;
}

static bool pop(model *m)
{
    const uint32_t *from = m->ring + m->oldest * m->n_words;

    if (m->held == 0)
        return false;
    for (int64_t w = 0; w < m->n_words; w++)
        m->taken[w * m->n_all + m->popped] = from[w];
    m->oldest = (m->oldest + 1) % m->capacity;
    m->held--;
    m->popped++;
    return true;
}

/* Pushes as much as fits, then pops as much as there is, until everything has gone through. */
static void flow(model *m, int64_t n)
{
    while (m->popped < n) {
        while (m->pushed < n && push(m)) {
        }
        while (pop(m)) {
        }
    }
}

/* ---- at rest: p and P push one item and a batch, c and C pop, F fills, E empties */

static uint32_t repeat(model *m, bool (*operation)(model *), int64_t n)
{
    uint32_t moved = 0;

    for (int64_t i = 0; i < n; i++)
        moved += operation(m);
    return moved;
}

static uint32_t step(model *m, char what)
{
    const int64_t batch = m->capacity < QUEUE_REST_BATCH ? m->capacity : QUEUE_REST_BATCH;

    switch (what) {
    case 'p':
        return repeat(m, push, 1);
    case 'P':
        return repeat(m, push, batch);
    case 'F':
        return repeat(m, push, m->capacity);
    case 'c':
        return repeat(m, pop, 1);
    case 'C':
        return repeat(m, pop, batch);
    default:
        return repeat(m, pop, m->capacity);
    }
}

static void rest(model *m, uint32_t *answers)
{
    static const char script[] = "cpcc"
                                 "cppcccFpCPpEc"
                                 "cppcccFpCPpEc";

    for (int i = 0; i < QUEUE_N_ANSWERS; i++)
        answers[i] = step(m, script[i]);
}

/* There is nobody to wait for: items go one by one, in no time. */
static void count_times(uint64_t *side, uint64_t n)
{
    side[QUEUE_SIDE_ASKED] = side[QUEUE_SIDE_DONE] = side[QUEUE_SIDE_TICKS] = n;
}

int photon_queue_cpu_ref(const assay_args *args, assay_stream stream)
{
    uint64_t *stats  = args->buf[QUEUE_BUF_STATS];
    int64_t   n_flow = args->param[QUEUE_PARAM_N_FLOW];
    model     m      = { .items    = args->buf[QUEUE_BUF_ITEMS],
                         .taken    = args->buf[QUEUE_BUF_TAKEN],
                         .capacity = args->param[QUEUE_PARAM_CAPACITY],
                         .n_words  = args->param[QUEUE_PARAM_WORDS],
                         .n_all    = args->param[QUEUE_PARAM_N_ALL] };

    (void)stream;
    m.ring = malloc((size_t)(m.capacity * m.n_words) * sizeof *m.ring);
    if (!m.ring)
        return 1;
    for (int i = 0; i < QUEUE_N_STATS; i++)
        stats[i] = 0;
    flow(&m, n_flow);
    if (args->param[QUEUE_PARAM_IS_WATCHED]) {
        rest(&m, args->buf[QUEUE_BUF_ANSWERS]);
        count_times(stats + QUEUE_STAT_PUSH, (uint64_t)n_flow);
        count_times(stats + QUEUE_STAT_POP, (uint64_t)n_flow);
    }
    free(m.ring);
    return 0;
}
