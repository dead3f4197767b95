/* Distributes a fixed set of chunks over threads by one atomic counter. */
#include "parallel.h"

#include "clock.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

enum {
    MAX_THREADS = 128
};

typedef struct work {
    int64_t            count, size, n_chunks;
    assay_parallel_fn *fn;
    void              *context;
    _Atomic int64_t    next;
} work;

static _Atomic int    thread_limit;
static _Atomic double alone_limit_s = ASSAY_PARALLEL_ALONE_S;

int64_t assay_parallel_chunks(int64_t count, int64_t size)
{
    return count > 0 ? (count - 1) / size + 1 : 0;
}

void assay_parallel_limit(int n_threads, double alone_s)
{
    atomic_store(&thread_limit, n_threads);
    atomic_store(&alone_limit_s, alone_s < 0 ? ASSAY_PARALLEL_ALONE_S : alone_s);
}

/* Batch systems and taskset give a process only a part of the machine. More threads than that would
 * only take turns. */
int assay_parallel_processors(void)
{
    cpu_set_t  usable;
    const long n = sched_getaffinity(0, sizeof usable, &usable) == 0
                       ? CPU_COUNT(&usable)
                       : sysconf(_SC_NPROCESSORS_ONLN);

    return n < 1 ? 1 : (int)n;
}

static int threads_for(int64_t n_chunks)
{
    const int limit = atomic_load(&thread_limit);
    const int n     = limit > 0 ? limit : assay_parallel_processors();
    const int most  = n > MAX_THREADS ? MAX_THREADS : n;

    return n_chunks < most ? (int)n_chunks : most;
}

/* False: no chunk is left. */
static bool take_chunk(work *w)
{
    const int64_t chunk = atomic_fetch_add(&w->next, 1);
    const int64_t begin = chunk * w->size;

    if (chunk >= w->n_chunks)
        return false;
    w->fn(w->context, chunk, begin, w->count - begin < w->size ? w->count : begin + w->size);
    return true;
}

static void *take_chunks(void *argument)
{
    while (take_chunk(argument))
        continue;
    return NULL;
}

/* Most arrays are small, and starting a thread takes longer than their work. */
static void work_alone(work *w)
{
    const double limit_s = atomic_load(&alone_limit_s);
    const double end_s   = limit_s > 0 ? assay_clock_s() + limit_s : 0;

    while (limit_s > 0 && take_chunk(w) && assay_clock_s() < end_s)
        continue;
}

void assay_parallel_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    work      w = { .count = count, .size = size, .fn = fn, .context = context };
    pthread_t thread[MAX_THREADS];
    int       n_started = 0, n_threads;

    w.n_chunks = assay_parallel_chunks(count, size);
    work_alone(&w);
    n_threads = threads_for(w.n_chunks - atomic_load(&w.next));
    while (n_started < n_threads - 1 &&
           pthread_create(&thread[n_started], NULL, take_chunks, &w) == 0)
        n_started++;
    (void)take_chunks(&w);
    /* Joining a thread that was started here fails only if its handle is invalid. */
    for (int t = 0; t < n_started; t++)
        (void)pthread_join(thread[t], NULL);
}
