/* What the files of a program's run share. */
#ifndef ASSAY_PROGRAM_INTERNAL_H
#define ASSAY_PROGRAM_INTERNAL_H

#include "program.h"

#include "store/store.h"
#include "supervise/record.h"

/* The state of a point, besides its plan. */
typedef struct program_state {
    int64_t           id;       /* in the store */
    bool              is_ready; /* it has no verdict yet */
    bool              is_skipped;
    assay_record      record; /* owned; waits for the end of the group */
    assay_verdict_row verdict;
    char              blame[ASSAY_REASON_SIZE]; /* what another process found wrong; "" */
} program_state;

struct assay_program {
    const char                *name;
    assay_program_words        words;
    const assay_program_point *points;
    int64_t                    n;
    program_state             *states; /* owned; [n] */
    assay_store               *store;  /* owned */
    int64_t                    run_id;
    assay_device_info          device;
    assay_run_row              row;               /* of the run */
    int                        run_fd, device_fd; /* locks; -1: none */
    int64_t                    first, end;        /* the group that was taken; end 0: none */
    double                     taken_s;
    double                     said_s; /* when progress was last printed to stderr */
};

/* ---- the plan ---- */

/* ASSAY_E_USAGE for an invalid plan: names that a key cannot hold, too many axes, no cells. */
assay_status assay_program_check_plan(const assay_program_point *points, int64_t n);
/* Fills in its row, for this lane; the sizes of texts were checked. */
void        assay_program_fill_row(const assay_program_point *point, assay_point_row *row);
const char *assay_program_key(const assay_program_point *point, char *key, size_t size);
/* Returns the index of its baseline in [first, end); -1: there is none. */
int64_t assay_program_find_baseline(const assay_program *program, int64_t first, int64_t end,
                                    int64_t point);

/* ---- the run ---- */

/* Locks the run for the life of this process; ASSAY_E_USAGE names another process that has it. */
assay_status assay_program_hold(assay_program *program);

/* Continues the newest interrupted run: its id, its row, the ids of its points, and which are
 * ready. */
assay_status assay_program_resume(assay_program *program);

/* ---- measurements ---- */

/* Makes the row of a measurement of this point by one process, without statistics. */
assay_measurement_row assay_program_measurement(const assay_program *program, int64_t point,
                                                assay_regime regime, assay_clock clock,
                                                const assay_samples *samples, int64_t calls);

/* ---- other processes ---- */

/* If anything of this group is timed, and by more than one process: runs the others to their end,
 * and adds what they measured to the records of the group. */
assay_status assay_program_run_others(assay_program *program, int64_t first, int64_t end);
/* Is this process one of them? */
bool assay_program_is_other(const assay_program *program);

#endif
