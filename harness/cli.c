/* argp tables: every option once, with the commands that take it. */
#include "cli.h"

#include "environment.h"
#include "report.h"
#include "text.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    CHECK  = 1,
    BENCH  = 2,
    RUN    = 4,
    PLAN   = 8,
    LIST   = 16,
    RESUME = 32,
    REPORT = 64,
    DOCTOR = 128
};
enum {
    RUNNING   = CHECK | BENCH | RUN,
    SELECTING = RUNNING | PLAN
};

enum key {
    KEY_VARIANT = 256,
    KEY_AXIS,
    KEY_TIER,
    KEY_POINT,
    KEY_SEED,
    KEY_DEVICE,
    KEY_GPU,
    KEY_KERNELS,
    KEY_DB,
    KEY_BUDGET,
    KEY_IN_PROCESS,
    KEY_QUIET,
    KEY_RUN,
    KEY_FORMAT,
    KEY_OUTPUT,
};

static const struct {
    unsigned           commands;
    struct argp_option option;
} all_options[] = {
    { SELECTING, { "variant", KEY_VARIANT, "NAME", 0, "Only this variant (repeatable)", 0 } },
    { SELECTING,
      { "axis", KEY_AXIS, "AXIS=V[,V...]", 0,
        "Only these values of an axis; sizes need not be listed ones", 0 } },
    { SELECTING, { "tier", KEY_TIER, "quick|full|all", 0, "Edge sizes, real sizes, or both", 0 } },
    { SELECTING,
      { "point", KEY_POINT, "KEY", 0, "Exactly one point, by the key that reports print", 0 } },
    { SELECTING, { "seed", KEY_SEED, "N|random", 0, "Seed of all inputs (default 1)", 0 } },
    { SELECTING,
      { "device", KEY_DEVICE, "cuda|host|auto", 0,
        "Where kernels run (default auto: cuda if there is one)", 0 } },
    { RUNNING | DOCTOR, { "gpu", KEY_GPU, "N", 0, "Which GPU (default 0)", 0 } },
    { RUNNING,
      { "kernels", KEY_KERNELS, "FILE", 0, "A kernel module of your own instead of the built one",
        0 } },
    { RUNNING | RESUME | REPORT | DOCTOR,
      { "db", KEY_DB, "FILE", 0, "The database (default results/assay.db)", 0 } },
    { RUNNING | RESUME,
      { "budget", KEY_BUDGET, "TIME", 0, "Wall time after which nothing new is started: 120s, 5m",
        0 } },
    { RUNNING | RESUME,
      { "in-process", KEY_IN_PROCESS, NULL, 0, "No worker process and no time-out, for gdb and ncu",
        0 } },
    { RUNNING | RESUME,
      { "quiet", KEY_QUIET, NULL, 0, "No progress line and no report at the end", 0 } },
    { REPORT, { "run", KEY_RUN, "ID", 0, "Which run (default: the newest)", 0 } },
    { REPORT, { "format", KEY_FORMAT, "text|csv", 0, "What to write (default text)", 0 } },
    { REPORT, { "output", KEY_OUTPUT, "FILE", 0, "Where to (default: standard output)", 0 } },
};
enum {
    N_OPTIONS = sizeof all_options / sizeof all_options[0]
};

static const struct {
    const char *name;
    unsigned    bit;
    bool        takes_cases;
    const char *what, *examples;
} commands[] = {
    { "list", LIST, true, "List cases, their axes and variants.",
      "assay list\nassay list physics_loss" },
    { "plan", PLAN, true,
      "Show the points that a run would take, with their memory, and run nothing.",
      "assay plan physics_loss --axis grid=64x64x64\nassay plan --tier all" },
    { "check", CHECK, true, "Hold variants against the reference.",
      "assay check\nassay check axpy --variant vec4 --axis n=1000\n"
      "assay check --point axpy/vec4/n=1023 --seed 7\nassay check selftest --device host" },
    { "bench", BENCH, true, "Check, then time what passed.",
      "assay bench physics_loss --axis grid=256x256x256\nassay bench --budget 120s" },
    { "run", RUN, true, "Check edge sizes, then check and time real sizes.",
      "assay run\nassay run axpy --db my.db" },
    { "resume", RESUME, false, "Finish the newest run that was interrupted.",
      "assay resume\nassay resume --db my.db" },
    { "report", REPORT, false, "Write a report of one run.",
      "assay report\nassay report --format csv --output results.csv\nassay report --run 3" },
    { "doctor", DOCTOR, false, "Say what this machine can do and what is missing.",
      "assay doctor\nassay doctor --gpu 1" },
};
enum {
    N_COMMANDS = sizeof commands / sizeof commands[0]
};

/* ---- values ---- */

static bool parse_seconds(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double      factor;
    } units[] = { { "", 1 }, { "s", 1 }, { "m", 60 }, { "min", 60 }, { "h", 3600 } };
    char *end = NULL;

    errno    = 0;
    *seconds = strtod(text, &end);
    if (errno || end == text || !(*seconds > 0) || *seconds > 1e9)
        return false;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (strcmp(end, units[i].unit) == 0) {
            *seconds *= units[i].factor;
            return true;
        }
    }
    return false;
}

/* Decimal, whatever zeros it starts with, or hexadecimal with 0x. */
static bool parse_whole(const char *text, uint64_t largest, uint64_t *value)
{
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    char      *end    = NULL;

    if (text[0] < '0' || text[0] > '9')
        return false;
    errno  = 0;
    *value = strtoull(text, &end, is_hex ? 16 : 10);
    return !errno && *end == '\0' && *value <= largest;
}

static bool parse_seed(const char *text, uint64_t *seed)
{
    if (strcmp(text, "random") == 0)
        return getrandom(seed, sizeof *seed, 0) == (ssize_t)sizeof *seed;
    return parse_whole(text, UINT64_MAX, seed);
}

static bool parse_tier(const char *text, bool tiers[2])
{
    tiers[ASSAY_QUICK] = strcmp(text, "full") != 0;
    tiers[ASSAY_FULL]  = strcmp(text, "quick") != 0;
    return strcmp(text, "quick") == 0 || strcmp(text, "full") == 0 || strcmp(text, "all") == 0;
}

/* A word out of a list, or the nearest one in the error. */
static void require_word(struct argp_state *state, const char *option, const char *word,
                         const char *const *words)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (; *words; words++) {
        if (strcmp(word, *words) == 0)
            return;
        assay_nearest_try(&nearest, *words);
    }
    argp_error(state, "--%s does not know '%s'%s", option, word,
               assay_nearest_hint(&nearest, hint, sizeof hint));
}

static void add_word(struct argp_state *state, const char *word, const char **words, int *n)
{
    if (*n == ASSAY_MAX_WORDS)
        argp_error(state, "more than %d words of one kind", ASSAY_MAX_WORDS);
    else
        words[(*n)++] = word;
}

/* ---- parsing ---- */

static error_t set_selection(int key, char *arg, struct argp_state *state, assay_cli *cli)
{
    static const char *const tiers[] = { "quick", "full", "all", NULL };
    assay_selection         *s       = &cli->selection;

    if (key == KEY_VARIANT)
        add_word(state, arg, s->variants, &s->n_variants);
    else if (key == KEY_AXIS)
        add_word(state, arg, s->axes, &s->n_axes);
    else if (key == KEY_POINT)
        s->point = arg;
    else if (key == KEY_SEED && !parse_seed(arg, &s->seed))
        argp_error(state, "--seed takes a whole number or 'random', not '%s'", arg);
    else if (key == KEY_TIER && !parse_tier(arg, s->tiers))
        require_word(state, "tier", arg, tiers);
    cli->has_tier |= key == KEY_TIER;
    return 0;
}

static error_t set_running(int key, char *arg, struct argp_state *state, assay_cli *cli)
{
    static const char *const devices[] = { "cuda", "host", "auto", NULL };
    uint64_t                 number    = 0;

    if (key == KEY_DEVICE) {
        require_word(state, "device", arg, devices);
        cli->device = arg;
    } else if (key == KEY_GPU) {
        if (!parse_whole(arg, 1024, &number))
            argp_error(state, "--gpu takes a number, not '%s'", arg);
        cli->gpu = (int)number;
    } else if (key == KEY_KERNELS) {
        cli->kernels = arg;
    } else if (key == KEY_DB) {
        cli->database     = arg;
        cli->has_database = true;
    } else if (key == KEY_BUDGET && !parse_seconds(arg, &cli->budget_s)) {
        argp_error(state, "--budget takes a time such as 120s or 5m, not '%s'", arg);
    }
    cli->in_process |= key == KEY_IN_PROCESS;
    cli->is_quiet |= key == KEY_QUIET;
    return 0;
}

static error_t set_report(int key, char *arg, struct argp_state *state, assay_cli *cli)
{
    uint64_t number = 0;

    if (key == KEY_RUN) {
        if (!parse_whole(arg, INT64_MAX, &number) || number == 0)
            argp_error(state, "--run takes the number of a run, not '%s'", arg);
        cli->run_id = (int64_t)number;
    } else if (key == KEY_FORMAT) {
        require_word(state, "format", arg, assay_report_formats);
        cli->format = arg;
    } else if (key == KEY_OUTPUT) {
        cli->output = arg;
    }
    return 0;
}

static bool takes_cases(const assay_cli *cli)
{
    for (int c = 0; c < N_COMMANDS; c++)
        if (strcmp(commands[c].name, cli->command) == 0)
            return commands[c].takes_cases;
    return false;
}

static error_t parse_one(int key, char *arg, struct argp_state *state)
{
    assay_cli *cli = state->input;

    if (key == ARGP_KEY_ARG) {
        if (!takes_cases(cli))
            argp_error(state, "'%s' takes no case, but got '%s'", cli->command, arg);
        else
            add_word(state, arg, cli->selection.cases, &cli->selection.n_cases);
        return 0;
    }
    if (key >= KEY_VARIANT && key <= KEY_SEED)
        return set_selection(key, arg, state, cli);
    if (key >= KEY_DEVICE && key <= KEY_QUIET)
        return set_running(key, arg, state, cli);
    if (key >= KEY_RUN && key <= KEY_OUTPUT)
        return set_report(key, arg, state, cli);
    return ARGP_ERR_UNKNOWN;
}

/* getopt names an unknown option but not its neighbours; here both. */
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
        for (const struct argp_option *o = options; o->name; o++) {
            known |= strcmp(name, o->name) == 0;
            assay_nearest_try(&nearest, o->name);
        }
        if (!known)
            return ASSAY_FAIL(ASSAY_E_USAGE, "there is no option --%s here%s", name,
                              assay_nearest_hint(&nearest, hint, sizeof hint));
    }
    return ASSAY_OK;
}

static void print_usage(FILE *out)
{
    (void)fprintf(out, "usage: assay COMMAND [OPTION...] [CASE...]\n\n"
                       "Holds GPU kernels against a CPU reference, and only then times them.\n\n");
    for (int c = 0; c < N_COMMANDS; c++)
        (void)fprintf(out, "  %-8s %s\n", commands[c].name, commands[c].what);
    (void)fprintf(out, "\n'assay COMMAND --help' shows its options and examples.\n");
}

static assay_status find_command(const char *word, int *command)
{
    assay_nearest nearest = { .word = word };
    char          hint[128];

    for (*command = 0; *command < N_COMMANDS; ++*command) {
        if (strcmp(commands[*command].name, word) == 0)
            return ASSAY_OK;
        assay_nearest_try(&nearest, commands[*command].name);
    }
    return ASSAY_FAIL(ASSAY_E_USAGE, "there is no command '%s'%s; 'assay --help' lists them", word,
                      assay_nearest_hint(&nearest, hint, sizeof hint));
}

static assay_status run_argp(int command, assay_cli *cli)
{
    struct argp_option options[N_OPTIONS + 1] = { { 0 } };
    char               doc[1024], name[64];
    struct argp        argp = { .options  = options,
                                .parser   = parse_one,
                                .args_doc = commands[command].takes_cases ? "[CASE...]" : "",
                                .doc      = doc };
    assay_status       st   = ASSAY_OK;
    int                n    = 0;

    for (int o = 0; o < N_OPTIONS; o++)
        if (all_options[o].commands & commands[command].bit)
            options[n++] = all_options[o].option;
    (void)assay_text_set(doc, sizeof doc, "%s\vExamples:\n%s", commands[command].what,
                         commands[command].examples);
    (void)assay_text_set(name, sizeof name, "assay %s", commands[command].name);
    ASSAY_CHECK(require_options(cli->argc - 1, cli->argv + 1, options));
    /* argp prints argv[0] in its messages. */
    char *const command_word = cli->argv[1];

    cli->argv[1]         = name;
    argp_err_exit_status = ASSAY_EXIT_USAGE;
    const error_t error  = argp_parse(&argp, cli->argc - 1, cli->argv + 1, 0, NULL, cli);

    cli->argv[1] = command_word;
    ASSAY_REQUIRE(error == 0, ASSAY_E_USAGE, "%s", strerror(error));
out:
    return st;
}

assay_status assay_cli_parse(int argc, char **argv, assay_case_table cases, assay_cli *cli)
{
    assay_status st      = ASSAY_OK;
    int          command = 0;

    *cli = (assay_cli) { .cases     = cases,
                         .argc      = argc,
                         .argv      = argv,
                         .device    = "auto",
                         .gpu       = -1, /* not given */
                         .database  = "results/assay.db",
                         .format    = "text",
                         .selection = { .seed = 1 } };
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_usage(argc < 2 ? stderr : stdout);
        exit(argc < 2 ? ASSAY_EXIT_USAGE : ASSAY_EXIT_PASS);
    }
    if (strcmp(argv[1], "--version") == 0) {
        (void)printf("assay %s\n", assay_environment_version());
        exit(ASSAY_EXIT_PASS);
    }
    ASSAY_CHECK(find_command(argv[1], &command));
    cli->command = commands[command].name;
    ASSAY_CHECK(run_argp(command, cli));
    ASSAY_REQUIRE(!cli->selection.point || !cli->has_tier, ASSAY_E_USAGE,
                  "--point names its size by itself: --tier says nothing beside it");
out:
    return st;
}
