/* What the files of the command line share: the tables of commands and options. */
#ifndef ASSAY_CLI_INTERNAL_H
#define ASSAY_CLI_INTERNAL_H

#include "cli.h"

#include <argp.h>

/* Sets of commands. */
enum {
    CHECK   = 1,
    BENCH   = 2,
    RUN     = 4,
    PLAN    = 8,
    LIST    = 16,
    RESUME  = 32,
    REPORT  = 64,
    DOCTOR  = 128,
    PROFILE = 256,
    TRACE   = 512,
    HELP    = 1024,
    MERGE   = 1 << 20,
    PRUNE   = 1 << 21,
    COMPARE = 1 << 22,
    HISTORY = 1 << 23,
    NEW     = 1 << 24,
    SURVEY  = 1 << 25,
    GATE    = 1 << 26,
    ACCEPT  = 1 << 27,
    FUZZ    = 1 << 28,
    RUNS    = 1 << 29,
    IMPORT  = 1 << 30,

    TIMING    = BENCH | RUN | GATE,
    RUNNING   = CHECK | TIMING | PROFILE | TRACE,
    SELECTING = RUNNING | PLAN,
    LOOKING   = COMPARE | HISTORY
};

typedef struct assay_command {
    const char *name;
    unsigned    bit; /* its bit in the sets of commands above */
    int (*run)(const assay_cli *cli);
    const char
        *arguments; /* the text for its arguments in the help, if they are not cases; or NULL */
    bool takes_cases;
    bool takes_gbench; /* flags of Google Benchmark */
    const char *what, *examples;
} assay_command;

extern const assay_command assay_commands[]; /* ends with a NULL name */

void assay_cli_usage(FILE *out); /* prints the list of commands */

/* Reads an option's argument (NULL if it has none) into the member; false: it is not valid. */
typedef bool  assay_read_fn(const char *argument, void *member);
assay_read_fn assay_read_flag;
assay_read_fn assay_read_text;
assay_read_fn assay_read_optional_text;
assay_read_fn assay_read_regime;
assay_read_fn assay_read_seconds;
assay_read_fn assay_read_age;
assay_read_fn assay_read_percent;
assay_read_fn assay_read_threshold;
assay_read_fn assay_read_gpu;
assay_read_fn assay_read_processes;
assay_read_fn assay_read_jobs;
assay_read_fn assay_read_keep;
assay_read_fn assay_read_shard;
assay_read_fn assay_read_seed;
assay_read_fn assay_read_tier;
assay_read_fn assay_read_tuning;
assay_read_fn assay_read_chip;
assay_read_fn assay_read_lanes;
assay_read_fn assay_read_tool;
assay_read_fn assay_read_each;

/* An option: what argp needs, and the member of assay_cli that it sets. */
typedef struct assay_option {
    unsigned           commands; /* the commands that take it */
    struct argp_option argp;     /* its key is its index in the table: see assay_option_key */
    /* NULL: the member is an array of ASSAY_MAX_WORDS texts, of which the option adds one. */
    assay_read_fn     *read;
    size_t             member; /* its offset in assay_cli */
    size_t             count;  /* of an array: the offset of its length, an int */
    const char *const *words;  /* all words that it accepts, ends with NULL; or NULL */
    const char        *takes;  /* what it accepts, for the message about a wrong argument */
    char               letter; /* -q is short for --quiet; 0: none is */
    /* Of an array: one argument may have several texts, as reports print them: "n=1 m=2" or
     * "n=1;m=2". */
    bool is_configuration;
} assay_option;

enum {
    ASSAY_OPTION_KEY = 256 /* of the first option; argp takes smaller keys for characters */
};

extern const assay_option assay_options[];
extern const int          assay_n_options;

/* With --script: adds the variants of the file to the cases. They take part unless --variant,
 * --peers or --point selects others. If no case is named, those of the file are taken. */
assay_status assay_cli_take_script(assay_cli *cli);

#endif
