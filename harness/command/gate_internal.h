/* What the files of the gate share: its findings, and how they are printed. */
#ifndef ASSAY_GATE_INTERNAL_H
#define ASSAY_GATE_INTERNAL_H

#include "cli.h"
#include "gate/known_failures.h"
#include "gate/run_standing.h"
#include "store/series/store_compare.h"

enum {
    GATE_MOST_LINES = 10 /* of each kind; the rest is counted, and --all prints all comparisons */
};

/* What a row of the comparison means for the gate. */
typedef enum gate_finding {
    GATE_FINE, /* no finding */
    GATE_SAME,
    GATE_FASTER,
    GATE_CANNOT_TELL, /* not compared although it should be, or no verdict */
    GATE_UNCONFIRMED, /* slower once */
    GATE_REGRESSION   /* slower, and slower again */
} gate_finding;

typedef struct gate_row {
    const assay_change *first, *second; /* second: timed again; NULL: it was not */
    gate_finding        finding;
} gate_row;

/* A point that failed, and the run in which it failed. */
typedef struct gate_failure {
    int64_t run_id;
    char    key[ASSAY_KEY_SIZE], verdict[32], reason[ASSAY_REASON_SIZE];
} gate_failure;

typedef struct gate {
    const assay_cli     *cli;
    assay_run_request    check_request, timing_request;
    assay_known_failures known;
    assay_side_filter    filter;
    const char         **cases;                /* of the filter; owned */
    assay_side           baseline, run, again; /* again: what was timed again */
    assay_change_table   table, repeated;
    gate_row            *rows;                       /* owned; one for each row of table.rows */
    int64_t              check_id, run_id, again_id; /* 0: none */
    int                  check_status, run_status, again_status;
    gate_failure         failures[GATE_MOST_LINES];
    int64_t              n_failures;     /* without known failures; the first ones are above */
    char                 no_repeat[256]; /* why nothing was timed again; "" */
    int64_t              n_regressions, n_unconfirmed, n_cannot_tell;
    int                  exit_status;
} gate;

/* Makes the requests of a gate: options of check for the check, options of bench for the timing. */
void assay_gate_requests(const assay_cli *cli, assay_run_request *check, assay_run_request *timing);

/* Returns the user's program that wrote the run of the baseline; "": assay. */
const char *assay_gate_program(const gate *g);
/* Finds the newest run before g->run that its program has made of the same build; 0, with the
 * reason in g->no_repeat: there is none. */
assay_status assay_gate_find_before(gate *g, int64_t *run_id);

/* Judges the tables: findings, their numbers, and the exit status. */
assay_status assay_gate_judge(gate *g);

/* Prints what failed and why, and what to do next, in a few lines. ASSAY_E_MEMORY. */
assay_status assay_gate_print(const gate *g, FILE *out);

#endif
