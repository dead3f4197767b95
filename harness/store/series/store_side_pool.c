/* Pools several runs of one build into one side: the times of each point and regime. */
#include "store_side.h"

#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank(const assay_side_point *point)
{
    static const char *const best_last[] = { "ready",  "skipped", "reference",
                                             "passed", "caught",  "failed" };

    for (int i = 0; i < (int)(sizeof best_last / sizeof best_last[0]); i++)
        if (strcmp(point->outcome, best_last[i]) == 0)
            return i;
    return -1;
}

/* Of equal keys the finding that counts comes first: a failure in any run is a failure. */
static int by_key(const void *a, const void *b)
{
    const assay_side_point *x = a, *y = b;
    const int               order = strcmp(x->key, y->key);

    return order ? order : rank(y) - rank(x);
}

static int by_key_and_regime(const void *a, const void *b)
{
    const assay_side_time *x = a, *y = b;
    int                    order = strcmp(x->key, y->key);

    if (order == 0)
        order = (int)x->regime - (int)y->regime;
    if (order == 0) /* a clock that decides comes first, then the order of reading */
        order = (y->clock != ASSAY_CLOCK_NONE) - (x->clock != ASSAY_CLOCK_NONE);
    if (order == 0)
        order = x->n_blocks > 0 && y->n_blocks > 0
                    ? (x->blocks[0].process > y->blocks[0].process) -
                          (x->blocks[0].process < y->blocks[0].process)
                    : 0;
    return order;
}

static assay_status pool(assay_side *side, assay_side_time *to, assay_side_time *from)
{
    char         text[ASSAY_REASON_SIZE];
    assay_status st = ASSAY_OK;

    if (!from->clock) /* a run whose clock did not decide adds nothing */
        goto out;
    if (to->clock != from->clock) {
        (void)assay_text_set(text, sizeof text, "clock %s / %s", assay_clock_text(to->clock),
                             assay_clock_text(from->clock));
        to->mixed = assay_texts_keep(&side->texts, text);
    } else if (assay_conditions_differ(&to->conditions, &from->conditions, NULL, text,
                                       sizeof text)) {
        to->mixed = assay_texts_keep(&side->texts, text);
    }
    for (int64_t i = 0; i < from->n_blocks; i++) {
        ASSAY_REQUIRE(
            assay_grow((void **)&to->blocks, to->n_blocks, &to->capacity, sizeof *to->blocks),
            ASSAY_E_MEMORY, "out of memory for the points of a run");
        to->blocks[to->n_blocks++] = from->blocks[i];
    }
    to->step_ns = fmax(to->step_ns, from->step_ns);
    to->time_ns = from->time_ns; /* of the newest */
    if (!to->doubt[0])
        to->doubt = from->doubt;
out:
    free(from->blocks);
    *from = (assay_side_time) { .n_blocks = 0 };
    return st;
}

static assay_status pool_times(assay_side *side)
{
    int64_t      n  = 0;
    assay_status st = ASSAY_OK;

    if (side->n_times > 1)
        qsort(side->times, (size_t)side->n_times, sizeof *side->times, by_key_and_regime);
    for (int64_t i = 0; i < side->n_times; i++) {
        assay_side_time *last = n > 0 ? &side->times[n - 1] : NULL;

        if (last && strcmp(last->key, side->times[i].key) == 0 &&
            last->regime == side->times[i].regime) {
            ASSAY_CHECK(pool(side, last, &side->times[i]));
            continue;
        }
        if (n != i) {
            side->times[n] = side->times[i];
            side->times[i] = (assay_side_time) { .n_blocks = 0 };
        }
        n++;
    }
    side->n_times = n;
out:
    return st;
}

static void pool_points(assay_side *side)
{
    int64_t n = 0;

    if (side->n_points > 1)
        qsort(side->points, (size_t)side->n_points, sizeof *side->points, by_key);
    for (int64_t i = 0; i < side->n_points; i++)
        if (n == 0 || strcmp(side->points[n - 1].key, side->points[i].key) != 0)
            side->points[n++] = side->points[i];
    side->n_points = n;
}

assay_status assay_side_pool(assay_side *side)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(pool_times(side));
    pool_points(side);
out:
    return st;
}
