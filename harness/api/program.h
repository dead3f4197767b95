/* Stores results of a program of your own, which has no cases, in a database of assay. It stores
 * the points that the program plans, what it checked at each, and the times and facts of those that
 * passed. `assay report`, history, compare, gate and merge then work on its runs as on runs of
 * cases (docs/recipes.md).
 *
 * The program works on its points group by group, with one call after the other:
 *
 *   assay_program_open      all points are stored, without a verdict
 *   assay_program_take      for each group: is anything left to do?
 *   assay_program_put_check what was checked at its points; times and facts only after that
 *   assay_program_finish    verdicts; a group is stored as a whole or not at all
 *   assay_program_close     the exit status
 *
 * No verdict, no number: a point passes only if checks ran and held; a point that does not pass
 * keeps no times and no facts. Without --db the assay_program is NULL, and every function does
 * nothing and succeeds. An assay_program may be used by one thread only. */
#ifndef ASSAY_PROGRAM_H
#define ASSAY_PROGRAM_H

#include "case.h"
#include "device.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_program assay_program;

/* The options of a command line that say where results go. */
typedef struct assay_program_words {
    const char *database;  /* --db FILE; NULL: nothing is stored */
    bool        resumes;   /* --resume: go on with the newest unfinished run of this program */
    int n_processes;       /* --processes N: processes that time a point, one after the other; 3 by
                              default. Each starts once for each group, so a program with many short
                              groups sets 1 unless the option was given */
    bool    has_processes; /* --processes was given */
    int64_t first, n;      /* --only FIRST:N: the points of such a process; n 0: all */
    int     argc;          /* the whole command line */
    char  **argv;
} assay_program_words;

/* Removes these options from a command line: the remaining words move to the front of argv, and
 * *argc becomes their number. ASSAY_E_USAGE for a wrong value. argv must outlive `words`. */
assay_status assay_program_take_words(int *argc, char **argv, assay_program_words *words);
/* The options in one line, for the usage text of a program. */
#define ASSAY_PROGRAM_USAGE "[--db FILE [--resume] [--processes N]]"

/* One axis value of a point: a word, a number, or the extents of a grid. */
typedef struct assay_program_axis {
    const char *name;
    const char *word; /* NULL: `value` holds it */
    int64_t     value[3];
} assay_program_axis;

/* A variant at one choice of axis values. Texts are borrowed until the program is closed. */
typedef struct assay_program_point {
    const char *case_name, *case_what; /* case_what: a description in one line */
    int case_version; /* to be raised when results are no longer comparable with older ones */
    const char        *variant;
    const char        *baseline; /* the variant that its speed-up is given against; NULL: none */
    assay_program_axis axis[ASSAY_MAX_AXES];
    int                n_axes;
    uint64_t           seed;
    int64_t            cells;       /* what one call works on: particles, photons, ... */
    int64_t            bytes;       /* that one call has to move; 0: unknown */
    int64_t            bytes_moved; /* that one call moves by the variant's design; 0: unknown */
    bool               is_timed;
    bool               is_cpu; /* it runs on the CPU: its times are valid on every device */
} assay_program_point;

typedef struct assay_program_start {
    const char                *name; /* of the program: letters, digits, _ */
    const assay_program_words *words;
    const assay_device_api    *device; /* where it runs: assay_module_api() */
    const assay_program_point *points; /* borrowed until the program is closed */
    int64_t                    n;
} assay_program_start;

/* Begins a run with all of these points. With --resume it goes on with the newest unfinished run of
 * this name, which must be of the same program, device and points. *program stays NULL without
 * --db. Until it is closed, no other process can resume the run; if any point is timed, no other
 * process can time on this GPU. Fails and stores nothing if the database cannot be written, if a
 * point is not valid or occurs twice, or if there is nothing to resume. The caller closes *program.
 */
assay_status assay_program_open(const assay_program_start *start, assay_program **program);

/* Begins a group: n points from `first` on, which are compared with one another. Groups must be the
 * same in every start of the program. *is_wanted: some points have no verdict yet. With several
 * processes, the others are started here: each runs this program for this group alone. They end
 * before this function returns, or at the latest with this process. ASSAY_E_IO, with nothing
 * stored, if one of them fails. */
assay_status assay_program_take(assay_program *program, int64_t first, int64_t n, bool *is_wanted);

/* One check of a point, on inputs made from its seed. It holds if error <= bound; NaN fails. */
typedef struct assay_program_check {
    const char *output;  /* what was checked */
    const char *why;     /* where its bound comes from, for people */
    double error, bound; /* finite. bound 0: nothing may differ, and error may count what does */
} assay_program_check;

/* `point` is an index into the points of the plan, here and below. It must be in the group that was
 * taken; otherwise ASSAY_E_USAGE. Calls for a point that already has its verdict change nothing. */
assay_status assay_program_put_check(assay_program *program, int64_t point,
                                     const assay_program_check *check);

/* Stores a fact: any number except a time that a clock below has read. Its name includes the unit
 * and occurs once at a point. ASSAY_E_USAGE if the point has no check or one that did not hold. */
assay_status assay_program_put_fact(assay_program *program, int64_t point, const char *name,
                                    double value);

/* The clock that read a time, and what the time covers. */
typedef enum assay_program_clock {
    ASSAY_PROGRAM_WALL, /* the host's clock, from the call until all is done (regime e2e)
                         */
    ASSAY_PROGRAM_EVENT /* CUDA events around consecutive calls (regime hot) */
} assay_program_clock;

/* n samples, in the order in which they were taken, each above 0. They are divided into n_blocks
 * blocks (1 to n); variants that took turns are paired block by block. `calls`: calls in each
 * sample; time_ns is the time of one call. Errors as of a fact. Times of a device that never times
 * kernels are left out. */
typedef struct assay_program_times {
    assay_program_clock clock;
    const double       *time_ns;
    int64_t             n, n_blocks, calls;
} assay_program_times;
assay_status assay_program_put_times(assay_program *program, int64_t point,
                                     const assay_program_times *times);
/* May this point be timed on this device? */
bool assay_program_can_time(const assay_program *program, int64_t point);

/* Says that this point cannot run here, and why. */
assay_status assay_program_skip(assay_program *program, int64_t point, const char *reason);

/* Ends the group and stores it: verdicts, the clocks that decide, speed-ups against the group's
 * baselines. At most once a second it prints to stderr how many points are stored. ASSAY_E_USAGE,
 * with nothing stored, if a point of the group was neither checked nor skipped. */
assay_status assay_program_finish(assay_program *program);

/* Ends the run if all its points have verdicts, and frees `program`, which may be NULL. If the exit
 * status of the run (exit_status.h) is worse than *exit_status, it replaces it; without a program
 * *exit_status is unchanged. */
assay_status assay_program_close(assay_program *program, int *exit_status);

#ifdef __cplusplus
}
#endif
#endif
