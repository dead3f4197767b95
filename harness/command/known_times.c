/* Looks up the points of a plan by key in the store. */
#include "known_times.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* A peer's kernels are in no module, so nothing is known of them. */
static bool has_changed(assay_cursor *row, const assay_point *point, const assay_module_code *code)
{
    return !assay_variant_is_peer(&point->definition->variants[point->variant]) &&
           assay_module_code_has_changed(code, assay_row_text(row, "kernels_id"),
                                         assay_row_text(row, "launches"));
}

static void take(assay_cursor *row, const assay_point *points, const assay_plan_index *index,
                 const assay_module_code *code, assay_known_times *times)
{
    const int64_t place = assay_plan_index_find(index, assay_row_text(row, "key"));

    if (place < 0)
        return;
    times->wall_s[place] = assay_row_number(row, "wall_s");
    times->fixed_s[place] =
        fmax(assay_row_number(row, "wall_s") - assay_row_number(row, "loops_s"), 0);
    times->doubt[place] = assay_row_number(row, "half_width") * (double)assay_row_count(row, "age");
    times->n_known++;
    if (has_changed(row, &points[place], code)) {
        times->doubt[place] = INFINITY;
        times->n_changed++;
    }
    (void)snprintf(times->device, sizeof times->device, "%s", assay_row_text(row, "device"));
}

assay_status assay_known_times_read(assay_store *store, int64_t run_id, const assay_point *points,
                                    int64_t n, const assay_module_code *code,
                                    assay_known_times *times)
{
    assay_status     st     = ASSAY_OK;
    assay_cursor    *cursor = NULL;
    assay_plan_index index  = { .keys = NULL };

    ASSAY_CHECK(begin(n, times));
    ASSAY_CHECK(assay_plan_index_make(points, n, &index));
    ASSAY_CHECK(assay_store_query(store, "took", run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        take(cursor, points, &index, code, times);
out:
    assay_cursor_close(cursor);
    assay_plan_index_free(&index);
    return st;
}

void assay_known_times_spread(const assay_point *points, int64_t n, assay_known_times *times)
{
    for (int64_t first = 0, end; first < n; first = end) {
        double  known_s = 0;
        int64_t n_known = 0;

        for (end = first; end < n && points[end].definition == points[first].definition; end++) {
            known_s += isnan(times->wall_s[end]) ? 0 : times->wall_s[end];
            n_known += !isnan(times->wall_s[end]);
        }
        for (int64_t i = first; i < end && n_known > 0; i++)
            if (isnan(times->wall_s[i]))
                times->wall_s[i] = known_s / (double)n_known;
    }
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
