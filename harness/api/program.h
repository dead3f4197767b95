/* A run of a program of one's own, beside the cases, in a database of assay: points that it plans,
 * what it checked at each, and the times and facts of those that were right. `assay report`,
 * history, compare, gate and merge then work on it as on runs of cases (docs/recipes.md).
 *
 * The program works on its points group by group:
 *
 *   assay_program_open      all points are stored, without a verdict
 *   assay_program_take      for each group: is anything of it to be done?
 *   assay_program_put_check what was found of its points, and only then times and facts
 *   assay_program_finish    their verdicts; a group is stored whole or not at all
 *   assay_program_close     the exit status
 *
 * No verdict, no number: a point passes on checks that ran and held, nothing else, and one that did
 * not keeps no times and no facts. Without --db the assay_program is NULL: every function then
 * does nothing and succeeds. A program belongs to one thread. */
#ifndef ASSAY_PROGRAM_H
#define ASSAY_PROGRAM_H

#include "case.h"
#include "device.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_program assay_program;

/* What the command line says of where results go. */
typedef struct assay_program_words {
    const char *database;    /* --db FILE; NULL: nothing is stored */
    bool        resumes;     /* --resume: the newest run of this program that was cut off */
    int         n_processes; /* --processes N: that time a point, one after the other; usually 3.
                                Each starts once for each group: a program of many short groups has
                                1 unless it was told otherwise */
    bool    has_processes;   /* it was told */
    int64_t first, n;        /* --only FIRST:N: what such a process is started for; n 0: all */
    int     argc;            /* all of it */
    char  **argv;
} assay_program_words;

/* Takes these options off a command line: the words that are left come first, and *argc counts
 * them. ASSAY_E_USAGE for a value that is none. argv must outlive `words`. */
assay_status assay_program_take_words(int *argc, char **argv, assay_program_words *words);
/* The options in one line, for the usage of a program. */
#define ASSAY_PROGRAM_USAGE "[--db FILE [--resume] [--processes N]]"

/* One axis of a point: a word, or a number, or the three extents of a grid. */
typedef struct assay_program_axis {
    const char *name;
    const char *word; /* NULL: numbers */
    int64_t     value[3];
} assay_program_axis;

/* A variant at one choice of axis values. Texts are borrowed until the program is closed. */
typedef struct assay_program_point {
    const char        *case_name, *case_what; /* what: in one line */
    int                case_version; /* to be raised whenever numbers stop being comparable */
    const char        *variant;
    const char        *baseline; /* the variant that speed-ups are against; NULL: none */
    assay_program_axis axis[ASSAY_MAX_AXES];
    int                n_axes;
    uint64_t           seed;
    int64_t            cells;       /* that one call works on: cells, photons, agents */
    int64_t            bytes;       /* that one call must move; 0: not known */
    int64_t            bytes_moved; /* that this variant moves by its own design; 0: not given */
    bool               is_timed;
    bool               is_cpu; /* it runs on no device: its times mean something everywhere */
} assay_program_point;

typedef struct assay_program_start {
    const char                *name; /* of the program: letters, digits and _ */
    const assay_program_words *words;
    const assay_device_api    *device; /* on which it runs: assay_module_api() */
    const assay_program_point *points; /* borrowed until the program is closed */
    int64_t                    n;
} assay_program_start;

/* Begins a run with all of these points or, with --resume, goes on with the newest run of this name
 * that has not ended: of the same program on the same device, with the same points. *program stays
 * NULL without --db. Until it is closed no other process can resume the run and, where anything is
 * timed, time on this GPU. Fails, with nothing stored, if the database cannot be written, a point
 * is none or is there twice, or there is nothing to resume. Caller closes. */
assay_status assay_program_open(const assay_program_start *start, assay_program **program);

/* Begins with the points from `first` on, n of them: those that are held against one another, and
 * the same ones in every start of the program. *is_wanted: some of them have no verdict yet. With
 * several processes the others are started here, and run to their end before this one goes on: each
 * is this program again, for this group alone, and ends with this one. ASSAY_E_IO if one of them
 * does not end well: nothing is stored. */
assay_status assay_program_take(assay_program *program, int64_t first, int64_t n, bool *is_wanted);

/* One thing that was checked at a point, on inputs made from its seed. It holds if error <= bound,
 * which NaN does not. */
typedef struct assay_program_check {
    const char *output;       /* what was checked */
    const char *why;          /* where its bound comes from, for a reader */
    double      error, bound; /* finite; 0: nothing may differ; error may then count what does */
} assay_program_check;

/* The points below are counted as in the plan, and are of the group that was taken; ASSAY_E_USAGE
 * for others. What is said of one that has its verdict already changes nothing. */
assay_status assay_program_put_check(assay_program *program, int64_t point,
                                     const assay_program_check *check);

/* A fact: any number that is not a time read by a clock below. Its name includes the unit and is
 * unique within the point. ASSAY_E_USAGE without a check, or after one that did not hold. */
assay_status assay_program_put_fact(assay_program *program, int64_t point, const char *name,
                                    double value);

/* What was read, and by which clock. */
typedef enum assay_program_clock {
    ASSAY_PROGRAM_WALL, /* the host's clock, from the call until all is done (e2e, host) */
    ASSAY_PROGRAM_EVENT /* events of the GPU around calls in a row (hot, event) */
} assay_program_clock;

/* n samples, above 0 and in time order, that n_blocks (1 to n) share out: variants that took turns
 * are paired block by block. `calls`: in each sample; times are of one call. Fails as a fact does;
 * times of a device that checks kernels and never times them are left out. */
typedef struct assay_program_times {
    assay_program_clock clock;
    const double       *time_ns;
    int64_t             n, n_blocks, calls;
} assay_program_times;
assay_status assay_program_put_times(assay_program *program, int64_t point,
                                     const assay_program_times *times);
/* Do times of this point mean anything? */
bool assay_program_can_time(const assay_program *program, int64_t point);

/* This point cannot be run here: why. */
assay_status assay_program_skip(assay_program *program, int64_t point, const char *reason);

/* The end of the group: which clock decides, speed-ups against baselines of the group, verdicts.
 * They are in the database now; once a second, stderr is told how many points are.
 * ASSAY_E_USAGE, with nothing stored, if a point of it was neither checked nor skipped. */
assay_status assay_program_finish(assay_program *program);

/* Ends the run if all of its points have verdicts, and frees. *exit_status becomes that of the run
 * (exit_status.h) if that is worse than what it is; untouched without a program. */
assay_status assay_program_close(assay_program *program, int *exit_status);

#ifdef __cplusplus
}
#endif
#endif
