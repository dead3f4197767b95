/* What a bounded queue does, one operation after the other: the answers that it gives at rest. Of
 * the flow only the input is known: each item comes out again once, in an order that no reference
 * can know (the case's comparer judges that). Here it is as a queue on one thread leaves it. */
#include "kernel.h"

#include "../../kernels/photon_queue/queue_case.h"

assay_reference_fn photon_queue_reference;

enum {
    ONE_ITEM,
    ONE_BATCH,
    WHOLE_CAPACITY
};

typedef struct step {
    int is_push, size;
} step;

static const step after_flow[QUEUE_TAIL_STEPS] = {
    { 0, ONE_ITEM },
    { 1, ONE_ITEM },
    { 0, ONE_ITEM },
    { 0, ONE_ITEM },
};

static const step from_empty[QUEUE_SCRIPT_SIZE] = {
    { 0, ONE_ITEM }, { 1, ONE_ITEM },       { 1, ONE_ITEM }, { 0, ONE_ITEM },  { 0, ONE_ITEM },
    { 0, ONE_ITEM }, { 1, WHOLE_CAPACITY }, { 1, ONE_ITEM }, { 0, ONE_BATCH }, { 1, ONE_BATCH },
    { 1, ONE_ITEM }, { 0, WHOLE_CAPACITY }, { 0, ONE_ITEM },
};

static int64_t wanted_by(const step *s, int64_t capacity)
{
    const int64_t batch = capacity < QUEUE_REST_BATCH ? capacity : QUEUE_REST_BATCH;

    return s->size == ONE_ITEM ? 1 : s->size == ONE_BATCH ? batch : capacity;
}

/* Runs steps on a queue that holds *held items; returns where the next answer goes. */
static int64_t *run_steps(const step *steps, int n, int64_t capacity, int64_t *held,
                          int64_t *answers)
{
    for (int i = 0; i < n; i++) {
        const int64_t wanted = wanted_by(&steps[i], capacity);
        const int64_t limit  = steps[i].is_push ? capacity - *held : *held;
        const int64_t moved  = wanted < limit ? wanted : limit;

        *held += steps[i].is_push ? moved : -moved;
        *answers++ = moved;
    }
    return answers;
}

static void answer(const assay_reference_args *args, int64_t *answers)
{
    const int64_t capacity = args->param[QUEUE_PARAM_CAPACITY];
    int64_t       held     = 0; /* the flow has popped everything that it pushed */

    answers = run_steps(after_flow, QUEUE_TAIL_STEPS, capacity, &held, answers);
    for (int i = 0; i < QUEUE_N_RESTARTS; i++)
        answers = run_steps(from_empty, QUEUE_SCRIPT_SIZE, capacity, &held, answers);
}

static void copy_some(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args  = context;
    const uint32_t             *items = args->in[QUEUE_BUF_ITEMS];
    int64_t                    *taken = args->expect[QUEUE_BUF_TAKEN].integer;

    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        taken[i] = items[i];
}

void photon_queue_reference(const assay_reference_args *args)
{
    assay_reference_args copy  = *args;
    int64_t             *stats = args->expect[QUEUE_BUF_STATS].integer;

    args->parallel_for(args->count[QUEUE_BUF_TAKEN], 1 << 16, copy_some, &copy);
    for (int64_t i = 0; i < args->count[QUEUE_BUF_STATS]; i++)
        stats[i] = 0;
    if (args->count[QUEUE_BUF_ANSWERS] == 0)
        return;
    answer(args, args->expect[QUEUE_BUF_ANSWERS].integer);
    for (int side = QUEUE_STAT_PUSH; side <= QUEUE_STAT_POP;
         side += QUEUE_STAT_POP - QUEUE_STAT_PUSH)
        stats[side + QUEUE_SIDE_ASKED]     = stats[side + QUEUE_SIDE_DONE] =
            stats[side + QUEUE_SIDE_TICKS] = args->param[QUEUE_PARAM_N_FLOW];
}
