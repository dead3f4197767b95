/* Parses the words of a command line into assay_cli, by the tables of commands and options. */
#include "cli_internal.h"

#include "base/nearest.h"
#include "base/text.h"
#include "gbench/gbench.h"
#include "machine/environment.h"
#include "time/timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- one option ---- */

/* Requires a word of the option's list; the error names the nearest one. */
static void require_word(struct argp_state *state, const assay_option *option, const char *word)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (const char *const *known = option->words; *known; known++) {
        if (strcmp(word, *known) == 0)
            return;
        assay_nearest_try(&nearest, *known);
    }
    argp_error(state, "--%s does not know '%s'%s", option->argp.name, word,
               assay_nearest_hint(&nearest, hint, sizeof hint));
}

static void add_word(struct argp_state *state, const char *word, const char **words, int *n)
{
    if (*n == ASSAY_MAX_WORDS)
        argp_error(state, "more than %d words of one kind", ASSAY_MAX_WORDS);
    else
        words[(*n)++] = word;
}

/* Length of the text before the next AXIS=VALUE: the separator is a blank or a semicolon that is
 * not escaped. Both can also be part of a value (in a user's program), and then no AXIS=
 * follows. */
static size_t part_length(const char *text)
{
    size_t n = 0;

    while (text[n]) {
        const char *next = text + n + strspn(text + n, " ;");

        if (next > text + n && next[strcspn(next, " ;=")] == '=')
            break;
        n += text[n] == '\\' && text[n + 1] ? 2 : 1;
    }
    return n;
}

/* Splits "n=1;m=2" into two words. All but the last are copied; the last ends where the argument
 * does. */
static void add_parts(struct argp_state *state, const char *text, const char **words, int *n)
{
    assay_cli *cli    = state->input;
    size_t     length = part_length(text);

    for (; text[length]; length = part_length(text)) {
        char *to = cli->parts + cli->n_parts;

        if (length >= sizeof cli->parts - (size_t)cli->n_parts) {
            argp_error(state, "more than %zu characters of configurations", sizeof cli->parts);
            return;
        }
        memcpy(to, text, length);
        cli->n_parts += (int)length + 1; /* zeroes before */
        add_word(state, to, words, n);
        text += length;
        text += strspn(text, " ;");
    }
    add_word(state, text, words, n);
}

static void set_option(struct argp_state *state, const assay_option *option, char *argument)
{
    char *cli    = state->input;
    void *member = cli + option->member;

    if (!option->read) {
        (option->is_configuration ? add_parts : add_word)(state, argument, member,
                                                          (int *)(void *)(cli + option->count));
        return;
    }
    if (option->words)
        require_word(state, option, argument);
    if (!option->read(argument, member))
        argp_error(state, "--%s takes %s, not '%s'", option->argp.name, option->takes, argument);
}

/* ---- parsing ---- */

static assay_status find_command(const char *word, const assay_command **command)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (*command = assay_commands; (*command)->name; ++*command) {
        if (strcmp((*command)->name, word) == 0)
            return ASSAY_OK;
        assay_nearest_try(&nearest, (*command)->name);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "there is no command '%s'%s; 'assay --help' lists them", word,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

static bool takes_cases(const assay_cli *cli)
{
    for (const assay_command *c = assay_commands; c->name; c++)
        if (strcmp(c->name, cli->command) == 0)
            return c->takes_cases || c->arguments;
    return false;
}

/* Index in the table of options for a key of argp; below 0: none. */
static int place_of(int key)
{
    for (int o = 0; o < assay_n_options; o++)
        if (key == assay_options[o].letter)
            return o;
    return key - ASSAY_OPTION_KEY;
}

static error_t parse_one(int key, char *argument, struct argp_state *state)
{
    assay_cli *cli   = state->input;
    const int  place = place_of(key);

    if (key == ARGP_KEY_ARG) {
        if (takes_cases(cli))
            add_word(state, argument, cli->selection.cases, &cli->selection.n_cases);
        else
            argp_error(state, "'%s' takes no case, but got '%s'", cli->command, argument);
        return 0;
    }
    if (key == 'h')
        argp_state_help(state, stdout, ARGP_HELP_STD_HELP);
    if (place < 0 || place >= assay_n_options)
        return ARGP_ERR_UNKNOWN;
    set_option(state, &assay_options[place], argument);
    return 0;
}

/* For an unknown option, getopt names it, but not the nearest known one. This error names both. */
static assay_status require_options(int argc, char **argv, const struct argp_option *options)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        const char *word = assay_text_after(argv[i], "--");
        char        name[ASSAY_NAME_SIZE], hint[128];

        if (!word)
            continue;
        (void)assay_text_set(name, sizeof name, "%.*s", (int)strcspn(word, "="), word);
        assay_nearest nearest = { .word = name };
        bool          known   = strcmp(name, "help") == 0 || strcmp(name, "usage") == 0;

        assay_nearest_try(&nearest, "help");
        for (const struct argp_option *o = options; o->key; o++) {
            if (!o->name)
                continue;
            known |= strcmp(name, o->name) == 0;
            assay_nearest_try(&nearest, o->name);
        }
        if (!known)
            return ASSAY_FAIL(ASSAY_E_USAGE, "there is no option --%s here%s", name,
                              assay_nearest_hint(&nearest, hint, sizeof hint));
    }
    return ASSAY_OK;
}

/* Google Benchmark reads its own flags, so they are removed before argp sees them. They stay in
 * cli->argv, which a run stores as its command. */
static assay_status take_benchmark_flags(const assay_command *command, assay_cli *cli, char **argv,
                                         int *argc)
{
    int kept = 1;

    for (int i = 1; i < *argc; i++) {
        if (!assay_text_after(argv[i], "--benchmark_")) {
            argv[kept++] = argv[i];
            continue;
        }
        if (!command->takes_gbench)
            return ASSAY_FAIL(ASSAY_E_USAGE,
                              "%s: only 'assay bench' takes flags of Google Benchmark", argv[i]);
        if (cli->gbench.n == ASSAY_MAX_WORDS)
            return ASSAY_FAIL(ASSAY_E_USAGE, "more than %d --benchmark_ flags", ASSAY_MAX_WORDS);
        cli->gbench.words[cli->gbench.n++] = argv[i];
    }
    argv[ *argc = kept] = NULL;
    return assay_gbench_check_flags(cli->gbench.words, cli->gbench.n);
}

/* The options of one command in argp's form. The key is the index in the table; an entry with the
 * option's letter follows. Caller frees. */
static struct argp_option *list_options(const assay_command *command)
{
    struct argp_option *options = calloc(2 * (size_t)assay_n_options + 2, sizeof *options);
    int                 n       = 0;

    for (int o = 0; options && o < assay_n_options; o++) {
        if (!(assay_options[o].commands & command->bit))
            continue;
        options[n]       = assay_options[o].argp;
        options[n++].key = ASSAY_OPTION_KEY + o;
        if (assay_options[o].letter)
            options[n++] =
                (struct argp_option) { .key = assay_options[o].letter, .flags = OPTION_ALIAS };
    }
    if (options)
        options[n] = (struct argp_option) { .key = 'h', .flags = OPTION_HIDDEN }; /* -? is argp's */
    return options;
}

static const char gbench_help[] =
    "Flags of Google Benchmark (--benchmark_filter=REGEX, --benchmark_out=FILE, "
    "--benchmark_format=json, --benchmark_list_tests, ...) are passed on; one that would have no "
    "effect is refused.\n\n";

static assay_status run_argp(const assay_command *command, assay_cli *cli)
{
    char                doc[1024], name[64];
    struct argp_option *options = list_options(command);
    struct argp         argp    = { .options  = options,
                                    .parser   = parse_one,
                                    .args_doc = command->arguments     ? command->arguments
                                                : command->takes_cases ? "[CASE...]"
                                                                       : "",
                                    .doc      = doc };
    assay_status        st      = ASSAY_OK;
    int                 argc    = cli->argc - 1;
    char              **argv    = NULL;
    error_t             error   = 0;

    (void)assay_text_set(doc, sizeof doc, "%s\v%sExamples:\n%s", command->what,
                         command->takes_gbench ? gbench_help : "", command->examples);
    (void)assay_text_set(name, sizeof name, "assay %s", command->name);
    /* argp reorders its arguments, and prints the first in its messages. */
    argv = calloc((size_t)cli->argc + 1, sizeof *argv);
    ASSAY_REQUIRE(options && argv, ASSAY_E_MEMORY, "no memory for %d arguments", cli->argc);
    memcpy(argv, cli->argv + 1, (size_t)argc * sizeof *argv);
    argv[0] = name;
    ASSAY_CHECK(take_benchmark_flags(command, cli, argv, &argc));
    ASSAY_CHECK(require_options(argc, argv, options));
    argp_err_exit_status = ASSAY_EXIT_USAGE;
    error                = argp_parse(&argp, argc, argv, 0, NULL, cli);
    ASSAY_REQUIRE(error == 0, ASSAY_E_USAGE, "%s", strerror(error));
out:
    free(argv);
    free(options);
    return st;
}

/* ---- all of it ---- */

void assay_cli_usage(FILE *out)
{
    (void)fprintf(out, "usage: assay COMMAND [OPTION...] [CASE...]\n\nCompares GPU kernels with a "
                       "CPU reference, and times only those that pass.\n\n");
    for (const assay_command *c = assay_commands; c->name; c++)
        (void)fprintf(out, "  %-8s %s\n", c->name, c->what);
    (void)fprintf(out, "\n'assay COMMAND --help' shows its options and examples.\n");
}

/* Without any word: shows what this machine can do, as doctor does, and what to type next. */
static void say_first(assay_case_table cases, FILE *out)
{
    const assay_case *easy = assay_registry_find(cases, "axpy");
    bool              has_cuda, has_host;
    assay_findings    findings;

    (void)fprintf(
        out,
        "Assay compares GPU kernels with a CPU reference, and times only those that pass.\n\n");
    assay_findings_begin(&findings, out, false);
    has_cuda = assay_target_find("cuda", 0, &findings);
    has_host = assay_target_find("host", 0, &findings);
    if (!easy)
        easy = cases[0];
    assay_finding_put(&findings, "cases", easy ? "ok" : "missing", "%d cases\n",
                      assay_registry_count(cases));
    if ((has_cuda || has_host) && easy)
        (void)fprintf(out, "next: assay check %s\n", easy->name);
    (void)fputs("more: assay doctor, assay list, assay --help\n", out);
}

static const char *const help_words[]    = { "--help", "-h", "-?", NULL };
static const char *const version_words[] = { "--version", "-V", "version", NULL };

static bool is_one_of(const char *word, const char *const *words)
{
    while (*words && strcmp(word, *words) != 0)
        words++;
    return *words != NULL;
}

/* Answers what concerns the program as a whole, and ends the process. */
static void answer_general(int argc, char **argv, assay_case_table cases)
{
    char version[128];

    if (argc < 2) {
        say_first(cases, stderr);
        exit(ASSAY_EXIT_USAGE);
    }
    if (is_one_of(argv[1], help_words)) {
        assay_cli_usage(stdout);
        exit(ASSAY_EXIT_PASS);
    }
    if (is_one_of(argv[1], version_words)) {
        (void)printf("assay %s\n", assay_environment_version(version, sizeof version));
        exit(ASSAY_EXIT_PASS);
    }
}

/* For a check: are there options about kernels, about where they run, or about the record of a
 * run? */
static bool is_about_kernels(const assay_cli *cli)
{
    return cli->selection.n_variants > 0 || cli->selection.peers || cli->shard.count > 0 ||
           strcmp(cli->target.device, "auto") != 0 || cli->target.gpu >= 0 || cli->target.kernels ||
           cli->has_database || cli->budget_s > 0 || cli->in_process || cli->n_jobs > 0 ||
           cli->profiles_self || cli->is_quiet || cli->is_brief || cli->has_details ||
           cli->check.watches || cli->check.lanes.n > 0 || cli->check.tool != ASSAY_GPU_TOOL_NONE ||
           cli->n_each > 0 || cli->is_tuned || cli->is_strict || cli->reason ||
           cli->known_failures || cli->script || cli->selection.tuning != ASSAY_TUNING_DEFAULT;
}

/* Refuses an option that has no effect together with the others, and thresholds that make no
 * sense. */
static assay_status require_sense(const assay_cli *cli, const assay_command *command)
{
    assay_status       st         = ASSAY_OK;
    const assay_policy policy     = assay_timing_policy(&cli->timing);
    const bool         is_several = cli->check.watches || cli->check.lanes.n > 0;

    ASSAY_CHECK(assay_policy_check(&policy));
    ASSAY_REQUIRE(!cli->selection.n_points || !cli->has_tier, ASSAY_E_USAGE,
                  "--point already names its size: leave out --tier");
    ASSAY_REQUIRE(cli->selection.n_points <= 1 ||
                      ((command->bit & SELECTING) && !(command->bit & (TRACE | GATE))),
                  ASSAY_E_USAGE, "assay %s takes one --point, not %d", command->name,
                  cli->selection.n_points);
    ASSAY_REQUIRE(
        !cli->tunes || !cli->is_tuned, ASSAY_E_USAGE,
        "--tune searches again, and --tuned uses what an earlier search found: give one of them");
    ASSAY_REQUIRE(
        cli->selection.tuning == ASSAY_TUNING_DEFAULT ||
            (!cli->is_tuned && cli->selection.n_points == 0),
        ASSAY_E_USAGE,
        "--tuning chooses tuning values, and so do --tuned and --point: give one of them");
    ASSAY_REQUIRE(!cli->profile.chip[0] || cli->profile.dry_run || cli->profile.list_metrics,
                  ASSAY_E_USAGE,
                  "--chip needs --dry-run or --list-metrics: otherwise the GPU here is counted");
    ASSAY_REQUIRE(!cli->check.takes_wrong_answers || !is_about_kernels(cli), ASSAY_E_USAGE,
                  "--wrong-answers runs no kernel and stores nothing: it takes only cases, --axis, "
                  "--point, --tier and --seed");
    ASSAY_REQUIRE(!cli->is_quiet || (!cli->is_brief && !is_several), ASSAY_E_USAGE,
                  "--quiet prints nothing: leave out --brief, --watch and --lane");
    ASSAY_REQUIRE(
        !cli->has_details || cli->gbench.n > 0 || (!cli->is_quiet && !cli->is_brief && !is_several),
        ASSAY_E_USAGE,
        "--details prints more, --quiet, --brief, --watch and --lane print less: give one of them");
    ASSAY_REQUIRE(
        !cli->has_details || strcmp(cli->format, "text") == 0 ||
            strcmp(cli->format, "benchmark") == 0,
        ASSAY_E_USAGE,
        "--details works only with --format text and benchmark: '%s' has one level of detail",
        cli->format);
    ASSAY_REQUIRE(
        strcmp(cli->format, "json") != 0 || (!cli->doctor.self_check && !cli->doctor.resource_spec),
        ASSAY_E_USAGE,
        "--format json is for what doctor finds: leave out --self-check and --resource-spec");
    ASSAY_REQUIRE(!cli->target.kernels || !is_several, ASSAY_E_USAGE,
                  "--watch and --lane use this program's own kernel modules: leave out --kernels");
    ASSAY_REQUIRE(!cli->script || !is_several, ASSAY_E_USAGE,
                  "--watch and --lane build and run kernels of this program: leave out --script");
    ASSAY_REQUIRE(strcmp(cli->target.device, "auto") == 0 || cli->check.lanes.n == 0, ASSAY_E_USAGE,
                  "each lane has its device: leave out --device");
    ASSAY_REQUIRE(!cli->in_process || !is_several, ASSAY_E_USAGE,
                  "--watch and --lane start other processes: leave out --in-process");
    ASSAY_REQUIRE(cli->n_jobs < 2 || !cli->in_process, ASSAY_E_USAGE,
                  "--jobs is a number of worker processes: leave out --in-process");
    ASSAY_REQUIRE(
        cli->n_jobs < 2 || cli->budget_s == 0 || (command->bit & GATE), ASSAY_E_USAGE,
        "--budget is divided among groups that run one after the other: leave out --jobs");
out:
    return st;
}

assay_status assay_cli_parse(int argc, char **argv, assay_case_table cases, assay_cli *cli)
{
    assay_status         st      = ASSAY_OK;
    const assay_command *command = NULL;

    *cli = (assay_cli) { .cases     = cases,
                         .argc      = argc,
                         .argv      = argv,
                         .target    = { .device = "auto", .gpu = -1 },
                         .timing    = { .flush = "write" },
                         .counting  = { .replay = "user" },
                         .format    = "text",
                         .survey    = { .cxx = "c++", .limit_s = 120 },
                         .selection = { .seed = 1 } };
    answer_general(argc, argv, cases);
    ASSAY_CHECK(find_command(argv[1], &command));
    cli->command = command->name;
    cli->run     = command->run;
    ASSAY_CHECK(run_argp(command, cli));
    cli->has_tier     = cli->selection.tiers[ASSAY_QUICK] || cli->selection.tiers[ASSAY_FULL];
    cli->has_database = cli->database != NULL;
    if (!cli->has_database)
        cli->database = "results/assay.db";
    ASSAY_CHECK(require_sense(cli, command));
    ASSAY_CHECK(assay_cli_take_script(cli));
out:
    return st;
}
