/* A fixed set of chunks handed out to threads by one atomic counter. */
#include "parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
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

static _Atomic int thread_limit;

int64_t assay_parallel_chunks(int64_t count, int64_t size)
{
    return count > 0 ? (count - 1) / size + 1 : 0;
}

void assay_parallel_limit(int n_threads) { atomic_store(&thread_limit, n_threads); }

/* Batch systems and taskset leave a process a part of the machine: more threads than that only take
 * turns. */
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

static void *take_chunks(void *argument)
{
    work *w = argument;

    for (;;) {
        const int64_t chunk = atomic_fetch_add(&w->next, 1);
        const int64_t begin = chunk * w->size;

        if (chunk >= w->n_chunks)
            return NULL;
        w->fn(w->context, chunk, begin, w->count - begin < w->size ? w->count : begin + w->size);
    }
}

void assay_parallel_for(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    work      w         = { .count = count, .size = size, .fn = fn, .context = context };
    const int n_threads = threads_for(w.n_chunks = assay_parallel_chunks(count, size));
    pthread_t thread[MAX_THREADS];
    int       n_started = 0;

    while (n_started < n_threads - 1 &&
           pthread_create(&thread[n_started], NULL, take_chunks, &w) == 0)
        n_started++;
    (void)take_chunks(&w);
    /* Joining a thread started above fails only for a handle that is none. */
    for (int t = 0; t < n_started; t++)
        (void)pthread_join(thread[t], NULL);
}
