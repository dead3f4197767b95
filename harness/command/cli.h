/* The parsed options of the command line, and the commands. */
#ifndef ASSAY_CLI_H
#define ASSAY_CLI_H

#include "exit_status.h"
#include "lanes.h"
#include "run_request.h"
#include "status.h"
#include "store/store.h"

/* The options, grouped by the commands that read them. Commands that run points make a request of
 * them. */
typedef struct assay_cli {
    assay_case_table cases;
    int              argc;
    char           **argv;
    const char      *command;
    int (*run)(const struct assay_cli *cli); /* the command itself */
    /* which points, and where */
    assay_selection    selection;
    const char        *script;        /* a file that declares variants; NULL: not given */
    const char        *script_digest; /* digest of its contents when it was read */
    assay_shard        shard;         /* of the plan */
    int                n_each;        /* points of each variant; 0: all */
    bool               has_tier;      /* --tier was given */
    assay_target_words target;
    /* how a run is made */
    bool              tunes, is_tuned, in_process, is_strict;
    int               n_jobs;
    bool              profiles_self;
    double            budget_s; /* 0: not given */
    assay_timing      timing;
    assay_counting    counting;
    assay_bench_flags gbench;         /* --benchmark_... flags as given */
    const char       *reason;         /* nightly, pr, local; NULL: not given */
    const char       *known_failures; /* the file; NULL: not given */
    /* what is read and written */
    const char *database;
    bool        has_database; /* --db was given */
    const char *which_run;    /* a number or another word for one; NULL: the latest */
    const char *format;
    const char *output; /* NULL: standard output */
    bool        is_quiet, is_brief, has_details;
    char        parts[4096]; /* texts of options that were divided, each with a zero byte */
    int         n_parts;     /* bytes of it in use */
    /* options of one or two commands each */
    struct {
        bool              watches;             /* check again whenever a source is saved */
        bool              takes_wrong_answers; /* check wrong answers instead of kernels */
        assay_lane_choice lanes;
        assay_gpu_tool    tool; /* of compute-sanitizer; NONE: not given */
    } check;
    struct {
        bool        self_check;    /* time kernels of known length */
        const char *resource_spec; /* a file for ctest, NULL: not asked */
    } doctor;
    struct {
        char        chip[ASSAY_NAME_SIZE]; /* of --dry-run; "": not given */
        const char *list_metrics;          /* part of a name, NULL: not asked */
        bool        dry_run;
    } profile;
    struct {
        double older_than_s; /* 0: not given */
        int    keep;         /* newest runs; 0: not given */
    } prune;
    struct {
        const char  *cases[ASSAY_MAX_WORDS]; /* --case */
        int          n_cases;
        assay_regime regime;    /* NONE: not given */
        const char  *across;    /* NULL: not given */
        double       threshold; /* 0: not given; also used by gate */
        bool         shows_all, records, calibrates;
    } look; /* compare, history */
    struct {
        const char *baseline; /* its name, or NULL */
        const char *against;  /* the file that holds it; NULL: the database */
        bool        no_run, no_repeat;
    } gate;
    struct {
        const char *name, *why, *who, *text; /* NULL: not given */
    } accept;                                /* baseline */
    struct {
        double for_s; /* 0: not given */
    } fuzz;
    struct {
        const char *from; /* a file of kernels; NULL: not given */
    } create;             /* new */
    struct {
        const char *includes[ASSAY_MAX_WORDS], *defines[ASSAY_MAX_WORDS];
        int         n_includes, n_defines;
        const char *cxx;
        double      limit_s;
        bool        is_verbose;
    } survey;
} assay_cli;

/* Parses everything after the command. A wrong option prints a sentence with the nearest valid one,
 * and ends the process with ASSAY_EXIT_USAGE (argp does so). --help prints the command's page and
 * ends the process with 0. */
assay_status assay_cli_parse(int argc, char **argv, assay_case_table cases, assay_cli *cli);

/* Makes the request of a command that runs points, from its kind and the options. */
void assay_cli_request(const assay_cli *cli, assay_run_kind kind, assay_run_request *request);

/* Makes that request, carries it out, and returns the exit status. */
int assay_cli_run(const assay_cli *cli, assay_run_kind kind);

/* The commands return an exit status. If an assay_status was a failure, it has been printed. */
int assay_command_list(const assay_cli *cli);
int assay_command_plan(const assay_cli *cli);
int assay_command_check(const assay_cli *cli);
int assay_command_watch(const assay_cli *cli);         /* check --watch */
int assay_command_lanes(const assay_cli *cli);         /* check --lane */
int assay_command_wrong_answers(const assay_cli *cli); /* check --wrong-answers */
int assay_command_bench(const assay_cli *cli);
int assay_command_trace(const assay_cli *cli);
int assay_command_run(const assay_cli *cli);
int assay_command_profile(const assay_cli *cli);
int assay_command_resume(const assay_cli *cli);
int assay_command_report(const assay_cli *cli);
int assay_command_doctor(const assay_cli *cli);
int assay_command_compare(const assay_cli *cli);
int assay_command_history(const assay_cli *cli);
int assay_command_runs(const assay_cli *cli);
int assay_command_resource_spec(const assay_cli *cli); /* doctor --resource-spec */
int assay_command_merge(const assay_cli *cli);
int assay_command_prune(const assay_cli *cli);
int assay_command_import(const assay_cli *cli);
int assay_command_baseline(const assay_cli *cli);
int assay_command_survey(const assay_cli *cli);
int assay_command_gate(const assay_cli *cli);
int assay_command_new(const assay_cli *cli);
int assay_command_fuzz(const assay_cli *cli);
int assay_command_help(const assay_cli *cli);

/* Prints "assay: sentence" with what to do next. Returns the exit status for it. */
int assay_cli_failed(assay_status status);

/* Finds the run that --run means in the command's database; 0 if it is not given. ASSAY_E_USAGE for
 * a word that means no run, or several. A number is not looked up, so `store` may be NULL for one.
 */
assay_status assay_cli_find_run(const assay_cli *cli, assay_store *store, int64_t *run_id);

#endif
