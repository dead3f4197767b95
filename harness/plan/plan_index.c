/* Finds points of a plan by the keys in a database. */
#include "plan.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct assay_plan_key {
    char    key[ASSAY_KEY_SIZE];
    int64_t place; /* in the plan */
};

static int by_key(const void *a, const void *b)
{
    return strcmp(((const struct assay_plan_key *)a)->key, ((const struct assay_plan_key *)b)->key);
}

static int to_key(const void *key, const void *a)
{
    return strcmp(key, ((const struct assay_plan_key *)a)->key);
}

assay_status assay_plan_index_make(const assay_point *points, int64_t n, assay_plan_index *index)
{
    assay_status st = ASSAY_OK;

    *index = (assay_plan_index) { .keys = calloc((size_t)n + 1, sizeof *index->keys), .n = n };
    ASSAY_REQUIRE(index->keys, ASSAY_E_MEMORY, "no memory for %" PRId64 " keys", n);
    for (int64_t i = 0; i < n; i++) {
        (void)assay_point_key(&points[i], index->keys[i].key, sizeof index->keys[i].key);
        index->keys[i].place = i;
    }
    qsort(index->keys, (size_t)n, sizeof *index->keys, by_key);
out:
    return st;
}

int64_t assay_plan_index_find(const assay_plan_index *index, const char *key)
{
    const struct assay_plan_key *found =
        bsearch(key, index->keys, (size_t)index->n, sizeof *index->keys, to_key);

    return found ? found->place : -1;
}

void assay_plan_index_free(assay_plan_index *index)
{
    if (!index)
        return;
    free(index->keys);
    *index = (assay_plan_index) { .keys = NULL };
}
