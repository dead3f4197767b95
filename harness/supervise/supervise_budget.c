/* Chooses the part of a plan that fits into a budget. */
#include "supervise_budget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double S_PER_BYTE = 1e-8;     /* of checks and copies, before any was measured */
static const double MUCH_BYTES = 67108864; /* a batch so large tells the rate */
static const double LOOP_SHARE = 0.8;      /* of what is left, since estimates are wrong */

void assay_budget_free(assay_budget *b)
{
    if (!b)
        return;
    free(b->batches);
    free(b->order);
    free(b->cases);
    memset(b, 0, sizeof *b);
}

assay_status assay_budget_add(assay_budget *b, const assay_batch *batch)
{
    assay_status       st      = ASSAY_OK;
    assay_batch       *batches = realloc(b->batches, ((size_t)b->n + 1) * sizeof *batches);
    assay_case_budget *cases   = NULL;

    ASSAY_REQUIRE(batches, ASSAY_E_MEMORY, "no memory for the shares of a budget");
    b->batches      = batches;
    batches[b->n++] = *batch;
    if (batch->case_place < b->n_cases)
        goto out;
    cases = realloc(b->cases, ((size_t)b->n_cases + 1) * sizeof *cases);
    ASSAY_REQUIRE(cases, ASSAY_E_MEMORY, "no memory for the shares of a budget");
    b->cases            = cases;
    cases[b->n_cases++] = (assay_case_budget) { .s_per_byte = S_PER_BYTE };
out:
    return st;
}

/* ---- the order of batches ---- */

/* qsort passes no context. */
static const assay_batch *compared;

static int by_bytes(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, k = *(const int64_t *)b;

    if (compared[i].bytes != compared[k].bytes)
        return compared[i].bytes < compared[k].bytes ? -1 : 1;
    return i < k ? -1 : 1;
}

static int by_doubt(const void *a, const void *b)
{
    const assay_batch *x = &compared[*(const int64_t *)a], *y = &compared[*(const int64_t *)b];

    if (x->doubt != y->doubt)
        return x->doubt > y->doubt ? -1 : 1;
    return x->rank < y->rank ? -1 : 1;
}

static int by_rank(const void *a, const void *b)
{
    const assay_batch *x = &compared[*(const int64_t *)a], *y = &compared[*(const int64_t *)b];

    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return x->case_place - y->case_place;
}

static void rank_one(assay_batch *batch, int64_t *next)
{
    if (batch->rank < 0)
        batch->rank = (*next)++;
}

/* sorted[0..n-1]: batches of one case by size. Ranks the two ends, then the middle batches between
 * ranked ones; of these the least certain first. */
static void rank_case(assay_batch *batches, int64_t *sorted, int64_t n)
{
    int64_t       next   = 0;
    const int64_t n_ends = n < 2 ? n : 2;

    for (int64_t i = 0; i < n; i++)
        batches[sorted[i]].rank = -1;
    rank_one(&batches[sorted[0]], &next);
    rank_one(&batches[sorted[n - 1]], &next);
    for (int64_t parts = 2; next < n; parts *= 2)
        for (int64_t k = 1; k < parts; k += 2)
            rank_one(&batches[sorted[k * (n - 1) / parts]], &next);
    qsort(sorted, (size_t)n, sizeof *sorted, by_rank);
    qsort(sorted + n_ends, (size_t)(n - n_ends), sizeof *sorted, by_doubt);
    for (int64_t i = 0; i < n; i++)
        batches[sorted[i]].rank = i;
}

assay_status assay_budget_rank(assay_budget *b)
{
    assay_status st = ASSAY_OK;

    b->order = calloc((size_t)b->n + 1, sizeof *b->order);
    ASSAY_REQUIRE(b->order, ASSAY_E_MEMORY, "no memory for the shares of a budget");
    compared = b->batches;
    for (int64_t i = 0; i < b->n; i++)
        b->order[i] = i;
    for (int64_t first = 0, end; first < b->n; first = end) {
        for (end = first + 1;
             end < b->n && b->batches[end].case_place == b->batches[first].case_place;)
            end++;
        qsort(b->order + first, (size_t)(end - first), sizeof *b->order, by_bytes);
        rank_case(b->batches, b->order + first, end - first);
    }
    qsort(b->order, (size_t)b->n, sizeof *b->order, by_rank);
out:
    return st;
}

/* ---- choosing ---- */

static double grows_s(const assay_case_budget *c, const assay_batch *batch)
{
    return isnan(batch->known_s) ? c->fixed_s + batch->bytes * c->s_per_byte : batch->known_s;
}

static double cost_s(const assay_budget *b, const assay_batch *batch)
{
    const assay_case_budget *c = &b->cases[batch->case_place];

    return grows_s(c, batch) + batch->least_s + batch->searches_s + (c->is_begun ? 0 : b->begin_s);
}

/* Returns what is left of the budget after one more round; `shared`: within the share of each case.
 */
static double choose_round(assay_budget *b, double left_s, bool shared)
{
    const double share_s = b->total_s / (b->n_cases > 0 ? b->n_cases : 1);

    for (int64_t i = 0; i < b->n; i++) {
        assay_batch       *batch  = &b->batches[b->order[i]];
        assay_case_budget *c      = &b->cases[batch->case_place];
        const double       needed = cost_s(b, batch);
        const bool fits_share     = !shared || batch->rank == 0 || c->taken_s + needed <= share_s;

        if (batch->is_done || batch->is_chosen || !fits_share || needed > left_s)
            continue;
        batch->is_chosen = c->is_begun = true;
        c->taken_s += needed;
        left_s -= needed;
    }
    return left_s;
}

assay_batch *assay_budget_choose(assay_budget *b, double left_s, int current)
{
    assay_batch *next = NULL;

    for (int c = 0; c < b->n_cases; c++) {
        b->cases[c].taken_s  = b->cases[c].spent_s;
        b->cases[c].is_begun = b->cases[c].has_workers = c == current;
    }
    for (int64_t i = 0; i < b->n; i++)
        b->batches[i].is_chosen = b->total_s <= 0 && !b->batches[i].is_done;
    if (b->total_s > 0)
        (void)choose_round(b, choose_round(b, left_s, true), false);
    for (int64_t i = 0; i < b->n; i++) {
        assay_batch *batch = &b->batches[i];

        if (batch->is_chosen &&
            (!next || (batch->case_place == current && next->case_place != current)))
            next = batch;
    }
    return next;
}

double assay_budget_loop_s(const assay_budget *b, double left_s)
{
    double loops = 0;

    for (int c = 0; c < b->n_cases; c++)
        left_s -= b->cases[c].is_begun && !b->cases[c].has_workers ? b->begin_s : 0;
    for (int64_t i = 0; i < b->n; i++) {
        const assay_batch *batch = &b->batches[i];

        if (!batch->is_chosen)
            continue;
        left_s -= grows_s(&b->cases[batch->case_place], batch) + batch->searches_s;
        loops += batch->n_loops;
    }
    return loops > 0 ? fmax(LOOP_SHARE * left_s / loops, 0) : 0;
}

/* Learns from what a batch took. The smaller the batch, the more it tells of the constant cost and
 * the less of the rate: a small batch that takes half a second says nothing about megabytes.
 * Earlier knowledge is halved in the same proportion. So the first batch corrects the estimate, and
 * later ones count if they are worse. */
void assay_budget_learn(assay_budget *b, assay_batch *batch, double took_s, double grew_s)
{
    assay_case_budget *c       = &b->cases[batch->case_place];
    const double       squares = batch->bytes * batch->bytes + MUCH_BYTES * MUCH_BYTES;
    const double       share   = batch->bytes * batch->bytes / squares; /* weight of the rate */
    double             more_s;

    c->spent_s += took_s;
    if (!isnan(batch->known_s))
        return; /* its cost was known, not estimated */
    c->fixed_s -= (1 - share) * c->fixed_s / 2;
    c->s_per_byte -= share * c->s_per_byte / 2;
    more_s = fmax(grew_s - grows_s(c, batch), 0);
    c->fixed_s += (1 - share) * more_s;
    c->s_per_byte += more_s * batch->bytes / squares;
}
