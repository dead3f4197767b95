/* Where a run is, for the person who waits: how many points are done, the time left, what is waited
 * for, the point under way. On a terminal it is one line, rewritten in place; elsewhere a line now
 * and then. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include "plan/plan.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#define ASSAY_PROGRESS_EVERY_S 10 /* where there is no terminal: a line, at the most */
#define ASSAY_PROGRESS_SEATS   64 /* work that goes on side by side, at the most */
#define ASSAY_PROGRESS_STAGE   (ASSAY_NAME_SIZE + 32)

/* What one of those that work side by side waits for. */
typedef struct assay_progress_seat {
    const assay_point *point; /* NULL: of no point */
    char               stage[ASSAY_PROGRESS_STAGE];
    double             since_s;
    bool               is_taken; /* something is under way */
} assay_progress_seat;

typedef struct assay_progress {
    FILE *out;   /* NULL: nothing is said */
    int   width; /* of the terminal that `out` is; 0: it is none */
    double (*clock_s)(void);
    int64_t       n;
    double        budget_s; /* of the whole run; 0: none */
    const double *wall_s;   /* what each point will take, as far as is known: NaN; or NULL */
    double        tick_s;   /* a thread calls assay_progress_tick so often; 0: there is none */
    /* its own */
    pthread_mutex_t     lock;
    pthread_cond_t      ending;
    pthread_t           ticker;
    bool                has_ticker, is_ending;
    double              start_s, told_s; /* told_s: the last line */
    double              since_s;         /* the last points were done */
    int64_t             n_done;
    double              left_s;    /* of wall_s, what is not done */
    int64_t             n_unknown; /* points that are left and of which no time is known */
    const assay_point  *point;     /* told last */
    bool                is_shown;  /* a line stands on the terminal */
    assay_progress_seat seats[ASSAY_PROGRESS_SEATS];
} assay_progress;

/* The members before its own are set. From here to the end assay_say takes the line away first.
 * Without its thread, if that cannot be started. ASSAY_E_MEMORY. */
assay_status assay_progress_begin(assay_progress *p);

/* Any thread may call these, with NULL as well. */
/* In this seat `stage` is waited for, of that point (NULL: of none). */
void assay_progress_show(assay_progress *p, int seat, const assay_point *point, const char *stage);
void assay_progress_rest(assay_progress *p, int seat);                 /* nothing is, any more */
void assay_progress_done(assay_progress *p, int64_t first, int64_t n); /* points of the plan */
/* Time goes on: what is waited for longest is told again, when it is due. */
void assay_progress_tick(assay_progress *p);
/* Takes the line off the terminal, for something else that is to be said there. */
void assay_progress_clear(assay_progress *p);
/* Something else, on standard error: no other thread puts the line in between. */
void assay_progress_say(assay_progress *p, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

void assay_progress_end(assay_progress *p); /* clears it, too */

#endif
