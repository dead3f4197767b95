/* Checks groups of points side by side, if they are only checked. Each thread has its own workers
 * and its own supervisor; one lock protects the store and what the threads share. Points that are
 * timed, counted or traced come afterwards, alone on the machine. */
#include "supervise_internal.h"

#include "base/clock.h"
#include "base/text.h"

#include <pthread.h>
#include <stdlib.h>

enum {
    MAX_THREADS = ASSAY_PROGRESS_SEATS
};

/* The groups of one case. A thread stays with its case, since a new case starts new workers. */
typedef struct case_queue {
    int64_t next, end; /* batches */
    int64_t n_left;    /* those of them that are to be checked beside others */
    int     n_threads; /* threads at work on it */
} case_queue;

typedef struct pool {
    pthread_mutex_t    lock;
    supervisor        *all;
    const assay_point *points;
    const int64_t     *ids;
    case_queue        *queues;  /* owned; one for each case */
    int                n_seats; /* taken by threads */
    assay_status       st;      /* the first failure and its sentence; after it nothing is begun */
    char               why[1024];
} pool;

/* ---- distribution ---- */

bool assay_supervise_goes_beside(const supervisor *s, const assay_point *points,
                                 const assay_batch *batch)
{
    if (s->options->n_jobs < 2 || s->options->in_process || s->options->budget_s > 0)
        return false;
    for (int64_t i = batch->first; i < batch->end; i++) {
        const assay_point *point = &points[i];

        if (point->is_timed ||
            assay_variant_is_peer(&point->definition->variants[point->variant]) ||
            assay_point_host_bytes(point, assay_run_count(point, s->options->lane)) >
                ASSAY_BESIDE_HOST_BYTES ||
            assay_point_device_bytes(point) > ASSAY_BESIDE_DEVICE_BYTES)
            return false;
    }
    return true;
}

static assay_status list_queues(pool *p)
{
    const assay_budget *b  = &p->all->budget;
    assay_status        st = ASSAY_OK;

    p->queues = calloc((size_t)b->n_cases + 1, sizeof *p->queues);
    ASSAY_REQUIRE(p->queues, ASSAY_E_MEMORY, "no memory for %d cases", b->n_cases);
    for (int64_t i = b->n - 1; i >= 0; i--) {
        case_queue *queue = &p->queues[b->batches[i].case_place];

        queue->next = i;
        queue->end  = queue->end > 0 ? queue->end : i + 1;
        queue->n_left += b->batches[i].goes_beside;
    }
out:
    return st;
}

/* The case that the thread is working on; else the one with most groups left per thread; -1: no
 * case has any. */
static int choose_case(const pool *p, int current)
{
    int best = -1;

    if (current >= 0 && p->queues[current].n_left > 0)
        return current;
    for (int c = 0; c < p->all->budget.n_cases; c++) {
        const case_queue *queue = &p->queues[c];

        if (queue->n_left > 0 && (best < 0 || queue->n_left * (p->queues[best].n_threads + 1) >
                                                  p->queues[best].n_left * (queue->n_threads + 1)))
            best = c;
    }
    return best;
}

/* Called under the lock. */
static assay_batch *take_batch(pool *p, int current)
{
    assay_batch *batches = p->all->budget.batches;
    const int    c       = p->st == ASSAY_OK ? choose_case(p, current) : -1;
    case_queue  *queue   = c < 0 ? NULL : &p->queues[c];

    if (current >= 0 && c != current)
        p->queues[current].n_threads--;
    if (!queue)
        return NULL;
    queue->n_threads += c != current;
    queue->n_left--;
    while (!batches[queue->next].goes_beside)
        queue->next++;
    batches[queue->next].is_chosen = batches[queue->next].is_done = true;
    return &batches[queue->next++];
}

/* ---- a thread ---- */

/* Called under the lock. A failure is passed on to the thread that waits for all. */
static void note_failure(pool *p, assay_status st)
{
    if (p->st == ASSAY_OK)
        (void)assay_text_set(p->why, sizeof p->why, "%s", assay_status_message());
    p->st = p->st == ASSAY_OK ? st : p->st;
    assay_status_reset();
}

static void *check_batches(void *argument)
{
    pool        *p       = argument;
    supervisor   own     = { .store      = p->all->store,
                             .store_lock = &p->lock,
                             .run_id     = p->all->run_id,
                             .options    = p->all->options,
                             .policy     = p->all->policy,
                             .progress   = p->all->progress,
                             .start_s    = p->all->start_s };
    int          current = -1;
    assay_batch *batch;

    (void)pthread_mutex_lock(&p->lock);
    own.seat = p->n_seats++;
    while ((batch = take_batch(p, current)) != NULL) {
        assay_status st;

        (void)pthread_mutex_unlock(&p->lock);
        if (current >= 0 && batch->case_place != current)
            assay_supervise_end_workers(&own);
        current = batch->case_place;
        st      = assay_supervise_batch(&own, p->points, p->ids, batch);
        (void)pthread_mutex_lock(&p->lock);
        if (st != ASSAY_OK)
            note_failure(p, st);
    }
    (void)pthread_mutex_unlock(&p->lock);
    assay_supervise_end(&own);
    (void)pthread_mutex_lock(&p->lock);
    assay_profile_join(&p->all->stages, &own.stages);
    assay_profile_join(&p->all->cases, &own.cases);
    (void)pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- all of it ---- */

assay_status assay_supervise_beside(supervisor *s, const assay_point *points, const int64_t *ids)
{
    const int    n_threads = s->options->n_jobs < MAX_THREADS ? s->options->n_jobs : MAX_THREADS;
    pool         p         = { .all = s, .points = points, .ids = ids };
    assay_status st        = ASSAY_OK;
    pthread_t    threads[MAX_THREADS];
    int          n_started = 0;
    const double began_s   = assay_clock_s();

    ASSAY_REQUIRE(pthread_mutex_init(&p.lock, NULL) == 0, ASSAY_E_MEMORY, "no memory for a lock");
    ASSAY_CHECK(list_queues(&p));
    while (n_started < n_threads - 1 &&
           pthread_create(&threads[n_started], NULL, check_batches, &p) == 0)
        n_started++; /* if a thread cannot be started, the others do its work */
    (void)check_batches(&p);
    for (int i = 0; i < n_started; i++)
        (void)pthread_join(threads[i], NULL);
    s->busy_s = n_started * (assay_clock_s() - began_s);
    ASSAY_REQUIRE(p.st == ASSAY_OK, p.st, "%s", p.why);
out:
    free(p.queues);
    (void)pthread_mutex_destroy(&p.lock);
    return st;
}
