/* Options of the command line, parsed; and the commands. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include "exit_status.h"
#include "plan/plan.h"
#include "status.h"

typedef struct assay_cli {
    assay_case_table cases;
    int              argc;
    char           **argv;
    const char      *command;
    int (*run)(const struct assay_cli *cli); /* the command itself */
    assay_selection selection;
    assay_shard     shard;    /* of the plan */
    bool            has_tier; /* --tier was given */
    const char     *device;   /* cuda, host, auto */
    int             gpu;      /* -1: not given (the first) */
    const char     *kernels;  /* a module of the user's own, or NULL */
    const char     *database;
    bool            has_database; /* --db was given */
    double          budget_s;
    int             n_processes;  /* 0: not given */
    double          time_s;       /* of the sample loops of a point in a process; 0: not given */
    double          target_error; /* share; 0: not given */
    const char     *flush;        /* of the cold regime: write, read */
    bool            tunes, against_itself;
    bool            self_check;            /* doctor: time kernels of known length */
    const char     *resource_spec;         /* doctor: a file for ctest, NULL: not asked */
    const char     *metrics;               /* profile: NULL: core */
    char            chip[ASSAY_NAME_SIZE]; /* profile --dry-run; "": not given */
    const char     *list_metrics;          /* profile: part of a name, NULL: not asked */
    const char     *replay;                /* profile: user, kernel */
    bool            dry_run;
    char           *gbench[ASSAY_MAX_WORDS]; /* --benchmark_... flags as given */
    int             n_gbench;
    bool            in_process;
    bool            is_quiet;
    int64_t         run_id;                      /* report: 0 is the latest */
    double          older_than_s;                /* 0: not given */
    int             keep;                        /* newest runs; 0: not given */
    const char     *only_cases[ASSAY_MAX_WORDS]; /* --case */
    int             n_only_cases;
    const char     *regime, *across; /* NULL: not given */
    double          threshold;       /* 0: not given */
    bool            shows_all, records, calibrates;
    const char     *format;
    const char     *output;         /* NULL: standard output */
    const char     *reason;         /* nightly, pr, local; NULL: not given */
    const char     *known_failures; /* the file; NULL: not given */
    const char     *baseline;       /* gate: its name, or NULL */
    const char     *against;        /* gate: the file that holds it; NULL: the database */
    bool            no_run, no_repeat;
    const char     *name, *why, *who, *text; /* baseline; NULL: not given */
    /* For what gate runs: points by their keys instead of the selection, and where the id of the
     * run goes (its report is then not printed). NULL: none. */
    const char *const *keys;
    int64_t            n_keys;
    int64_t           *run_made;
    const char        *repeats; /* uuid of the run whose points are timed again */
} assay_cli;

/* Parses everything after the command. Wrong options print a sentence with the nearest valid one
 * and end the process with ASSAY_EXIT_USAGE (argp's way); --help prints the command's page and ends
 * it with 0. */
assay_status assay_cli_parse(int argc, char **argv, assay_case_table cases, assay_cli *cli);

/* The thresholds of the sample loop: the defaults, and what the command line says of them. */
assay_policy assay_cli_policy(const assay_cli *cli);

/* The commands return an exit status; a failed assay_status has been printed. */
int assay_command_list(const assay_cli *cli);
int assay_command_plan(const assay_cli *cli);
int assay_command_run(const assay_cli *cli); /* check, bench, run, trace */
int assay_command_profile(const assay_cli *cli);
int assay_command_resume(const assay_cli *cli);
int assay_command_report(const assay_cli *cli);
int assay_command_doctor(const assay_cli *cli);
int assay_command_compare(const assay_cli *cli);
int assay_command_history(const assay_cli *cli);
int assay_command_resource_spec(const assay_cli *cli); /* doctor --resource-spec */
int assay_command_merge(const assay_cli *cli);
int assay_command_prune(const assay_cli *cli);
int assay_command_import(const assay_cli *cli);
int assay_command_baseline(const assay_cli *cli);
int assay_command_gate(const assay_cli *cli);

/* Prints "assay: sentence" with what to do next, and gives the exit status for it. */
int assay_cli_failed(assay_status status);

/* Which points a command wants when no --tier was given. */
void assay_cli_default_tiers(const char *command, const char *device_kind, assay_selection *s);

#endif
