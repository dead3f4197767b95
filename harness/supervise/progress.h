/* Where a run is, for the person who waits: how many points are done, the one under way, the time
 * left. On a terminal it is one line, rewritten in place; elsewhere a line now and then. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include "plan/plan.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#define ASSAY_PROGRESS_EVERY_S 10 /* where there is no terminal: a line, at the most */

typedef struct assay_progress {
    FILE *out;   /* NULL: nothing is said */
    int   width; /* of the terminal that `out` is; 0: it is none */
    double (*clock_s)(void);
    int64_t       n;
    double        budget_s; /* of the whole run; 0: none */
    const double *wall_s;   /* what each point will take, as far as is known: NaN; or NULL */
    /* its own */
    pthread_mutex_t    lock;
    double             start_s, told_s; /* told_s: the last line */
    double             since_s;         /* the last points were done */
    int64_t            n_done;
    double             left_s;    /* of wall_s, what is not done */
    int64_t            n_unknown; /* points that are left and of which no time is known */
    const assay_point *point;     /* told last */
    bool               is_shown;  /* a line stands on the terminal */
} assay_progress;

/* The members before its own are set. ASSAY_E_MEMORY. */
assay_status assay_progress_begin(assay_progress *p);

/* Any thread may call these, with NULL as well. */
void assay_progress_show(assay_progress *p, const assay_point *point); /* it is under way */
void assay_progress_done(assay_progress *p, int64_t first, int64_t n); /* points of the plan */
/* Takes the line off the terminal, for something else that is to be said there. */
void assay_progress_clear(assay_progress *p);
/* Something else, on standard error: no other thread puts the line in between. */
void assay_progress_say(assay_progress *p, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

void assay_progress_end(assay_progress *p); /* clears it, too */

#endif
