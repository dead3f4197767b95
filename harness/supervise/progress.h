/* The progress of a run, for the person who waits: points done, time left, what is waited for, and
 * the point in progress. On a terminal it is one line, rewritten in place; elsewhere an occasional
 * line. */
#ifndef ASSAY_PROGRESS_H
#define ASSAY_PROGRESS_H

#include "plan/plan.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

#define ASSAY_PROGRESS_EVERY_S 10 /* without a terminal: at most one line in this time */
#define ASSAY_PROGRESS_SEATS   64 /* most pieces of work that go on side by side */
#define ASSAY_PROGRESS_STAGE   (ASSAY_NAME_SIZE + 32)

/* What one piece of parallel work waits for. */
typedef struct assay_progress_seat {
    const assay_point *point; /* NULL: no point */
    char               stage[ASSAY_PROGRESS_STAGE];
    double             since_s;
    bool               is_taken; /* it is in use */
} assay_progress_seat;

typedef struct assay_progress {
    FILE *out;   /* NULL: nothing is printed */
    int   width; /* columns of the terminal behind `out`; 0: it is not a terminal */
    double (*clock_s)(void);
    int64_t       n;
    double        budget_s; /* of the whole run; 0: none */
    const double *wall_s;   /* the expected time of each point, NaN if unknown; or NULL */
    double        tick_s;   /* a thread calls assay_progress_tick at this interval; 0: no thread */
    /* private */
    pthread_mutex_t     lock;
    pthread_cond_t      ending;
    pthread_t           ticker;
    bool                has_ticker, is_ending;
    double              start_s, told_s; /* told_s: when the last line was printed */
    double              since_s;         /* when the last points were done */
    int64_t             n_done;
    double              left_s;    /* of wall_s, for points not done */
    int64_t             n_unknown; /* points not done whose time is unknown */
    const assay_point  *point;     /* the seat that was shown last */
    bool                is_shown;  /* a line is on the terminal */
    assay_progress_seat seats[ASSAY_PROGRESS_SEATS];
} assay_progress;

/* Begins. The members before the private ones are set. Until the end, assay_say removes the line
 * before it prints. Works without its thread if that cannot be started. Fails with ASSAY_E_MEMORY.
 */
assay_status assay_progress_begin(assay_progress *p);

/* For any thread; they accept NULL. */
/* In this seat, `stage` of that point is waited for (NULL: of no point). */
void assay_progress_show(assay_progress *p, int seat, const assay_point *point, const char *stage);
void assay_progress_rest(assay_progress *p,
                         int             seat); /* Nothing is waited for in this seat any more. */
void assay_progress_done(assay_progress *p, int64_t first,
                         int64_t n); /* So many points of the plan are done. */
/* Called as time passes: shows again what has been waited for longest, when it is due. */
void assay_progress_tick(assay_progress *p);
/* Removes the line from the terminal, so that something else can be printed. */
void assay_progress_clear(assay_progress *p);
/* Begins other output on standard error: no other thread prints the line meanwhile. */
void assay_progress_say(assay_progress *p, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

void assay_progress_end(assay_progress *p); /* also removes it */

#endif
