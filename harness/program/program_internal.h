/* What the files of a program's run share. */
#ifndef ASSAY_PROGRAM_INTERNAL_H
#define ASSAY_PROGRAM_INTERNAL_H

#include "program.h"

#include "store/store.h"
#include "supervise/record.h"

/* Of a point what its plan does not say. */
typedef struct program_state {
    int64_t           id;       /* in the store */
    bool              is_ready; /* without a verdict */
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
    double                     said_s; /* when stderr was last told how far it has come */
};

/* ---- the plan ---- */

/* ASSAY_E_USAGE if it is none: names that a key cannot hold, too many axes, no cells. */
assay_status assay_program_check_plan(const assay_program_point *points, int64_t n);
/* Its row, as of this lane; the sizes of texts were checked. */
void        assay_program_fill_row(const assay_program_point *point, assay_point_row *row);
const char *assay_program_key(const assay_program_point *point, char *key, size_t size);
/* The place of its baseline in [first, end), -1: it has none there. */
int64_t assay_program_find_baseline(const assay_program *program, int64_t first, int64_t end,
                                    int64_t point);

/* ---- the run ---- */

/* Keeps others from resuming it while this process lives; ASSAY_E_USAGE names another that does. */
assay_status assay_program_hold(assay_program *program);

/* Takes the newest one over: its id, its row, the ids of its points, and which are ready. */
assay_status assay_program_resume(assay_program *program);

/* ---- measurements ---- */

/* The row of a measurement of this point by one process, but for what its samples say. */
assay_measurement_row assay_program_measurement(const assay_program *program, int64_t point,
                                                assay_regime regime, assay_clock clock,
                                                const assay_samples *samples, int64_t calls);

/* ---- other processes ---- */

/* Is anything of this group timed, and by more than one process? Runs the others, to their end, and
 * keeps what they measured in the records of the group. */
assay_status assay_program_run_others(assay_program *program, int64_t first, int64_t end);
/* Is this process one of them? */
bool assay_program_is_other(const assay_program *program);

#endif
