/* Chooses the part of a plan that fits into a budget. Pure functions: costs are estimated from
 * bytes, and learned. */
#ifndef ASSAY_SUPERVISE_BUDGET_H
#define ASSAY_SUPERVISE_BUDGET_H

#include "status.h"

#include <stdint.h>

/* A batch: points that are run together. */
typedef struct assay_batch {
    int64_t first, end; /* in the plan */
    int     case_place; /* number of its case, from 0, in the order of the plan */
    double  bytes;      /* the cost of its checks and copies grows with these */
    double  least_s;    /* least time of its sample loops */
    double  searches_s; /* time of tuning searches and of peers, which no loop shares */
    double  known_s; /* time without its sample loops, from an earlier run; NaN: it is estimated */
    double  n_loops; /* number of sample loops: one per point and process */
    double  doubt;   /* how uncertain its times are; infinite: nothing is known */
    int64_t rank;    /* rank in its case: smallest, largest, least certain, then the middles */
    bool    is_done, is_chosen;
    bool    goes_beside; /* it is checked beside other batches */
} assay_batch;

typedef struct assay_case_budget {
    double fixed_s, s_per_byte; /* cost of a batch: estimated, then the worst seen lately */
    double spent_s, taken_s;
    bool   is_begun, has_workers; /* begun by the choice; begun already */
} assay_case_budget;

typedef struct assay_budget {
    double             total_s; /* 0: no limit, everything is chosen */
    double             begin_s; /* cost of beginning another case */
    assay_batch       *batches; /* owned, in the order of the plan */
    int64_t           *order;   /* owned; by rank, then by case */
    int64_t            n;
    assay_case_budget *cases; /* owned */
    int                n_cases;
} assay_budget;

/* Adds the next batch of the plan. assay_budget_rank sets all ranks once all batches are there. */
assay_status assay_budget_add(assay_budget *b, const assay_batch *batch);
assay_status assay_budget_rank(assay_budget *b);
void         assay_budget_free(assay_budget *b); /* accepts NULL; zeroes *b */

/* Chooses among the batches not done, within left_s. Each case gets its smallest batch; then,
 * within equal shares of the budget, the largest and the middle ones. What the shares leave goes to
 * the rest in the same order. Returns the first chosen batch, of case `current` if it has one (-1:
 * no case is begun); NULL: nothing fits. */
assay_batch *assay_budget_choose(assay_budget *b, double left_s, int current);

/* Returns the time that each sample loop may take if all loops chosen last get the same, and if
 * their other costs fit: checks, searches, and beginning cases. */
double assay_budget_loop_s(const assay_budget *b, double left_s);

/* Tells what a batch has taken in all, and how much of that besides starts of workers, searches and
 * sample loops. */
void assay_budget_learn(assay_budget *b, assay_batch *batch, double took_s, double grew_s);

#endif
