/* What of a plan fits into a budget. Pure: costs are estimated from bytes, and learned. */
#ifndef ASSAY_SUPERVISE_BUDGET_H
#define ASSAY_SUPERVISE_BUDGET_H

#include "status.h"

#include <stdint.h>

/* Points that are run together. */
typedef struct assay_batch {
    int64_t first, end; /* in the plan */
    int     case_place; /* cases are counted from 0, in the order of the plan */
    double  bytes;      /* what its checks and copies cost grows with these */
    double  least_s;    /* its sample loops, at the least */
    double  searches_s; /* of tuning axes, and the timing of peers: what no loop shares */
    double  known_s;    /* all but its sample loops, as it was before; NaN: it is estimated */
    double  n_loops;    /* sample loops: of each point in each process */
    double  doubt;      /* how little is known of its times; infinite: nothing */
    int64_t rank; /* in its case: smallest, largest, then the most doubtful, then the middles */
    bool    is_done, is_chosen;
    bool    goes_beside; /* other batches, at the same time */
} assay_batch;

typedef struct assay_case_budget {
    double fixed_s, s_per_byte; /* of a batch; estimated, then the worst seen lately */
    double spent_s, taken_s;
    bool   is_begun, has_workers; /* by the choice: it is begun; before it, it was */
} assay_case_budget;

typedef struct assay_budget {
    double             total_s; /* 0: none, everything is chosen */
    double             begin_s; /* what it takes to begin another case */
    assay_batch       *batches; /* owned, in the order of the plan */
    int64_t           *order;   /* owned; by rank, then by case */
    int64_t            n;
    assay_case_budget *cases; /* owned */
    int                n_cases;
} assay_budget;

/* Adds the next batch of the plan; rank is set by assay_budget_rank, once all are there. */
assay_status assay_budget_add(assay_budget *b, const assay_batch *batch);
assay_status assay_budget_rank(assay_budget *b);
void         assay_budget_free(assay_budget *b); /* accepts NULL; zeroes */

/* Chooses among what is not done, within left_s: each case its smallest batch, then, within equal
 * shares of the budget, the largest and the middles; what the shares leave goes to the rest in the
 * same order. Returns the first one chosen, of case `current` if it has one (-1: none is begun);
 * NULL: nothing fits. */
assay_batch *assay_budget_choose(assay_budget *b, double left_s, int current);

/* How long one sample loop may take if all that was chosen last gets the same, and what else it
 * costs fits: checks, searches, and the beginning of cases. */
double assay_budget_loop_s(const assay_budget *b, double left_s);

/* What a batch has taken in all, and of that without workers' starts, searches and sample loops. */
void assay_budget_learn(assay_budget *b, assay_batch *batch, double took_s, double grew_s);

#endif
