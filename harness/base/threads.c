/* Threads by /proc/self/task. */
#include "threads.h"

#include "clock.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double BUSY_SHARE = 0.3;            /* of the time it was looked at */
static const int    LOOK_MS[]  = { 20, 30, 70 }; /* a pool spins for a while before it sleeps */

assay_status assay_threads_list(assay_threads *threads)
{
    assay_status   st     = ASSAY_OK;
    DIR           *folder = opendir("/proc/self/task");
    struct dirent *entry;

    *threads = (assay_threads) { .n = 0 };
    ASSAY_REQUIRE(folder, ASSAY_E_IO, "cannot list this process's threads: %s", strerror(errno));
    while ((entry = readdir(folder)) != NULL) {
        int *grown;

        if (entry->d_name[0] == '.')
            continue;
        grown = realloc(threads->ids, (threads->n + 1) * sizeof *grown);
        ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a list of threads");
        threads->ids               = grown;
        threads->ids[threads->n++] = atoi(entry->d_name);
    }
out:
    if (folder)
        (void)closedir(folder);
    if (st != ASSAY_OK)
        assay_threads_free(threads);
    return st;
}

void assay_threads_free(assay_threads *threads)
{
    free(threads->ids);
    *threads = (assay_threads) { .n = 0 };
}

static bool is_listed(const assay_threads *threads, int id)
{
    for (size_t i = 0; i < threads->n; i++)
        if (threads->ids[i] == id)
            return true;
    return false;
}

static void keep_new(assay_threads *threads, const assay_threads *known)
{
    size_t kept = 0;

    for (size_t i = 0; i < threads->n; i++)
        if (!is_listed(known, threads->ids[i]))
            threads->ids[kept++] = threads->ids[i];
    threads->n = kept;
}

/* Time that a thread has run, and waited for a CPU; 0 of one that is gone. */
static double demanded_s(int id)
{
    char   path[64];
    FILE  *file;
    double run_ns = 0, wait_ns = 0;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", id);
    file = fopen(path, "r");
    if (file && fscanf(file, "%lf %lf", &run_ns, &wait_ns) != 2)
        run_ns = wait_ns = 0;
    if (file)
        (void)fclose(file);
    return (run_ns + wait_ns) * 1e-9;
}

/* Those that were busy for `look_ms` from now on stay in the list. */
static assay_status keep_busy(assay_threads *threads, int look_ms)
{
    assay_status st    = ASSAY_OK;
    const double began = assay_clock_s();
    double      *at    = calloc(threads->n, sizeof *at);
    size_t       kept  = 0;

    ASSAY_REQUIRE(at, ASSAY_E_MEMORY, "no memory for a list of threads");
    for (size_t i = 0; i < threads->n; i++)
        at[i] = demanded_s(threads->ids[i]);
    (void)usleep((useconds_t)look_ms * 1000);
    for (size_t i = 0; i < threads->n; i++)
        if (demanded_s(threads->ids[i]) - at[i] > BUSY_SHARE * (assay_clock_s() - began))
            threads->ids[kept++] = threads->ids[i];
    threads->n = kept;
out:
    free(at);
    return st;
}

assay_status assay_threads_find_busy(const assay_threads *known, bool *is_busy)
{
    assay_status  st = ASSAY_OK;
    assay_threads now;

    *is_busy = false;
    ASSAY_CHECK(assay_threads_list(&now));
    keep_new(&now, known);
    for (size_t k = 0; now.n > 0 && k < sizeof LOOK_MS / sizeof LOOK_MS[0]; k++)
        ASSAY_CHECK(keep_busy(&now, LOOK_MS[k]));
    *is_busy = now.n > 0;
out:
    assay_threads_free(&now);
    return st;
}
