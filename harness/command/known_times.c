/* The points of a plan, looked up by key in what the store knows. */
#include "known_times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct keyed {
    char    key[ASSAY_KEY_SIZE];
    int64_t place; /* in the plan */
} keyed;

static int by_key(const void *a, const void *b)
{
    return strcmp(((const keyed *)a)->key, ((const keyed *)b)->key);
}

/* Owned by the caller. */
static assay_status sort_keys(const assay_point *points, int64_t n, keyed **keys)
{
    assay_status st = ASSAY_OK;

    *keys = calloc((size_t)n + 1, sizeof **keys);
    ASSAY_REQUIRE(*keys, ASSAY_E_MEMORY, "no memory for %" PRId64 " keys", n);
    for (int64_t i = 0; i < n; i++) {
        (void)assay_point_key(&points[i], (*keys)[i].key, sizeof(*keys)[i].key);
        (*keys)[i].place = i;
    }
    qsort(*keys, (size_t)n, sizeof **keys, by_key);
out:
    return st;
}

static assay_status begin(int64_t n, assay_known_times *times)
{
    assay_status st = ASSAY_OK;

    *times = (assay_known_times) { .wall_s  = calloc((size_t)n + 1, sizeof *times->wall_s),
                                   .fixed_s = calloc((size_t)n + 1, sizeof *times->fixed_s),
                                   .doubt   = calloc((size_t)n + 1, sizeof *times->doubt) };
    ASSAY_REQUIRE(times->wall_s && times->fixed_s && times->doubt, ASSAY_E_MEMORY,
                  "no memory for times of %" PRId64 " points", n);
    for (int64_t i = 0; i < n; i++) {
        times->wall_s[i] = times->fixed_s[i] = NAN;
        times->doubt[i]                      = INFINITY;
    }
out:
    return st;
}

/* Of a peer's kernels a module knows nothing. */
static bool has_changed(assay_cursor *row, const assay_point *point, const assay_module_code *code)
{
    return !assay_variant_is_peer(&point->definition->variants[point->variant]) &&
           assay_module_code_has_changed(code, assay_row_text(row, "kernels_id"),
                                         assay_row_text(row, "launches"));
}

static void take(assay_cursor *row, const assay_point *points, const keyed *keys, int64_t n,
                 const assay_module_code *code, assay_known_times *times)
{
    keyed        wanted;
    const keyed *found;

    (void)snprintf(wanted.key, sizeof wanted.key, "%s", assay_row_text(row, "key"));
    found = bsearch(&wanted, keys, (size_t)n, sizeof wanted, by_key);
    if (!found)
        return;
    times->wall_s[found->place] = assay_row_number(row, "wall_s");
    times->fixed_s[found->place] =
        fmax(assay_row_number(row, "wall_s") - assay_row_number(row, "loops_s"), 0);
    times->doubt[found->place] =
        assay_row_number(row, "half_width") * (double)assay_row_count(row, "age");
    times->n_known++;
    if (has_changed(row, &points[found->place], code)) {
        times->doubt[found->place] = INFINITY;
        times->n_changed++;
    }
    (void)snprintf(times->device, sizeof times->device, "%s", assay_row_text(row, "device"));
}

assay_status assay_known_times_read(assay_store *store, int64_t run_id, const assay_point *points,
                                    int64_t n, const assay_module_code *code,
                                    assay_known_times *times)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;
    keyed        *keys   = NULL;

    ASSAY_CHECK(begin(n, times));
    ASSAY_CHECK(sort_keys(points, n, &keys));
    ASSAY_CHECK(assay_store_query(store, "took", run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        take(cursor, points, keys, n, code, times);
out:
    assay_cursor_close(cursor);
    free(keys);
    return st;
}

void assay_known_times_free(assay_known_times *times)
{
    if (!times)
        return;
    free(times->wall_s);
    free(times->fixed_s);
    free(times->doubt);
    memset(times, 0, sizeof *times);
}
