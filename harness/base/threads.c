/* Lists threads from /proc/self/task. */
#include "threads.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const int LOOK_MS[] = { 20, 30,
                               70 }; /* threads of a pool spin for a while before they sleep */

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

/* Does the thread run, or is it ready to run? Its CPU time says less on a busy host. */
static bool is_running(int id)
{
    char   path[64], text[512];
    FILE  *file;
    size_t n = 0;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
    file = fopen(path, "r");
    if (file) {
        n = fread(text, 1, sizeof text - 1, file);
        (void)fclose(file);
    }
    text[n] = '\0';
    return strstr(strrchr(text, ')') ? strrchr(text, ')') : "", ") R") != NULL;
}

/* Keeps in the list those threads that run at most of the looks from now on. */
static assay_status keep_busy(assay_threads *threads, int look_ms)
{
    assay_status st   = ASSAY_OK;
    int         *seen = calloc(threads->n, sizeof *seen);
    size_t       kept = 0;

    ASSAY_REQUIRE(seen, ASSAY_E_MEMORY, "no memory for a list of threads");
    for (int k = 0; k < look_ms; k++) {
        (void)usleep(1000);
        for (size_t i = 0; i < threads->n; i++)
            seen[i] += is_running(threads->ids[i]);
    }
    for (size_t i = 0; i < threads->n; i++)
        if (2 * seen[i] > look_ms)
            threads->ids[kept++] = threads->ids[i];
    threads->n = kept;
out:
    free(seen);
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
