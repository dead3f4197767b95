/* Buffers and parameters of photon_queue, and what an item is. */
#include "photon_queue_shape.h"

#include "../../kernels/photon_queue/queue_case.h"

enum {
    MAX_THREADS  = 256, /* of a block, so that the largest grids are resident */
    MIN_CAPACITY = 32,
    MAX_CAPACITY = 1 << 24,
    MAX_BLOCKS   = 1 << 16,
    MAX_PAYLOAD  = 64,
    WORD_BYTES   = 4
};
static const int64_t MAX_WORDS = (int64_t)1 << 30; /* of all items: kernels count in 32 bits */

/* An id is the item's number times an odd constant: neighbours differ in all bits, and the
 * constant's inverse modulo 2^32 gives the number back. */
static const uint32_t ID_FACTOR = 0x9e3779b1u, ID_INVERSE = 0x0e8b2f51u;
static const uint32_t WORD_STEP = 0x85ebca6bu;

int64_t photon_queue_item_of(uint32_t id) { return (int64_t)(uint32_t)(id * ID_INVERSE); }

/* Word w of an item is its id plus w steps, so that words of two items never look like one item. */
static double item_word(uint64_t random, int64_t index, const assay_shape *shape)
{
    const int64_t  n_all = shape->param[QUEUE_PARAM_N_ALL];
    const uint32_t item  = (uint32_t)(index % n_all);
    const uint32_t word  = (uint32_t)(index / n_all);

    (void)random;
    return (double)(uint32_t)(item * ID_FACTOR + word * WORD_STEP);
}

/* ---- sizes */

static int64_t groups_of(const photon_queue_point *p) { return p->blocks / p->workload.period; }

static int64_t flow_items(const photon_queue_point *p)
{
    const int64_t producers = p->workload.producers, consumers = p->workload.period - producers;
    const int64_t shares = producers == 0 ? 1 : producers * consumers;

    return groups_of(p) * p->threads * shares * p->operations * p->batch;
}

static int64_t rest_items(int64_t capacity)
{
    const int64_t batch = capacity < QUEUE_REST_BATCH ? capacity : QUEUE_REST_BATCH;

    return 1 + QUEUE_N_RESTARTS * (2 + capacity + batch);
}

static bool is_between(int64_t value, int64_t low, int64_t high)
{
    return value >= low && value <= high;
}

const char *photon_queue_wrong_sizes(const photon_queue_point *p)
{
    if (!is_between(p->capacity, MIN_CAPACITY, MAX_CAPACITY) ||
        (p->capacity & (p->capacity - 1)) != 0)
        return "the capacity is a power of two, 32 to 2^24";
    if (!is_between(p->threads, 1, MAX_THREADS))
        return "blocks have 1 to 256 threads";
    if (!is_between(p->blocks, 1, MAX_BLOCKS) || p->blocks % p->workload.period != 0)
        return "the blocks cannot be shared out as the workload says";
    if (!is_between(p->payload_bytes, WORD_BYTES, MAX_PAYLOAD) || p->payload_bytes % WORD_BYTES)
        return "a payload is 4 to 64 bytes, in words of 4";
    if (!is_between(p->batch, 1, MIN_CAPACITY))
        return "an operation moves 1 to 32 items";
    if (!is_between(p->start, 0, UINT32_MAX))
        return "the counters start at a number of 32 bits";
    if (!is_between(p->operations, 0, INT32_MAX) ||
        (double)flow_items(p) * (double)p->payload_bytes > (double)(MAX_WORDS * WORD_BYTES))
        return "more items than can be counted";
    return NULL;
}

/* ---- shape */

static void set_params(const photon_queue_point *p, bool is_watched, int64_t n_flow, assay_shape *s)
{
    const int64_t producers = p->workload.producers, period = p->workload.period;
    const bool    is_split = producers > 0;

    s->param[QUEUE_PARAM_CAPACITY]   = p->capacity;
    s->param[QUEUE_PARAM_WORDS]      = p->payload_bytes / WORD_BYTES;
    s->param[QUEUE_PARAM_BLOCKS]     = p->blocks;
    s->param[QUEUE_PARAM_THREADS]    = p->threads;
    s->param[QUEUE_PARAM_PRODUCERS]  = producers;
    s->param[QUEUE_PARAM_PERIOD]     = period;
    s->param[QUEUE_PARAM_PUSHES]     = p->operations * (is_split ? period - producers : 1);
    s->param[QUEUE_PARAM_POPS]       = p->operations * (is_split ? producers : 1);
    s->param[QUEUE_PARAM_BATCH]      = p->batch;
    s->param[QUEUE_PARAM_START]      = p->start;
    s->param[QUEUE_PARAM_N_FLOW]     = n_flow;
    s->param[QUEUE_PARAM_N_ALL]      = n_flow + (is_watched ? rest_items(p->capacity) : 0);
    s->param[QUEUE_PARAM_IS_WATCHED] = is_watched;
}

void photon_queue_set_shape(const photon_queue_point *p, bool is_watched, assay_shape *s)
{
    const int64_t    n_flow  = flow_items(p);
    const int64_t    n_words = p->payload_bytes / WORD_BYTES;
    const assay_fill words = ASSAY_CUSTOM(item_word), none = { .kind = ASSAY_FILL_NONE };
    int64_t          n_all;

    set_params(p, is_watched, n_flow, s);
    n_all = s->param[QUEUE_PARAM_N_ALL];
    s->buf[QUEUE_BUF_ITEMS] =
        (assay_buffer) { "items", ASSAY_IN, ASSAY_U32, n_all * n_words, words };
    s->buf[QUEUE_BUF_TAKEN] =
        (assay_buffer) { "taken", ASSAY_OUT, ASSAY_U32, n_all * n_words, none };
    s->buf[QUEUE_BUF_ANSWERS] =
        (assay_buffer) { "answers", ASSAY_OUT, ASSAY_U32, is_watched ? QUEUE_N_ANSWERS : 0, none };
    s->buf[QUEUE_BUF_STATS] = (assay_buffer) { "stats", ASSAY_OUT, ASSAY_U64, QUEUE_N_STATS, none };
    s->cells                = 2 * n_flow; /* operations: each item is pushed and popped */
    s->bytes_read           = n_flow * p->payload_bytes;
    s->bytes_written        = n_flow * p->payload_bytes;
}

/* ---- threads of each side */

static int64_t threads_of(const assay_shape *s, int64_t blocks_of_period)
{
    return s->param[QUEUE_PARAM_BLOCKS] / s->param[QUEUE_PARAM_PERIOD] * blocks_of_period *
           s->param[QUEUE_PARAM_THREADS];
}

int64_t photon_queue_producer_threads(const assay_shape *s)
{
    const int64_t producers = s->param[QUEUE_PARAM_PRODUCERS];

    return threads_of(s, producers > 0 ? producers : 1);
}

int64_t photon_queue_consumer_threads(const assay_shape *s)
{
    const int64_t producers = s->param[QUEUE_PARAM_PRODUCERS];

    return threads_of(s, producers > 0 ? s->param[QUEUE_PARAM_PERIOD] - producers : 1);
}
