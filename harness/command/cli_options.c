/* Each option once, with the commands that take it. */
#include "cli_internal.h"

#include "gate/known_failures.h"
#include "report/report.h"
#include "report/report_compare.h"
#include "report/report_survey.h"

#include <stddef.h>

static const char *const tier_words[]   = { "quick", "full", "all", NULL };
static const char *const tuning_words[] = { "default", "extremes", "all", NULL };
static const char *const device_words[] = { "cuda", "host", "auto", NULL };
static const char *const flush_words[]  = { "write", "read", NULL };
/* The first word means none. */
static const char *const regime_words[] = {
#define X(name, word) [ASSAY_REGIME_##name] = (word),
    ASSAY_REGIME_MAP(X)
#undef X
        NULL
};
static const char *const help_formats[] = { "text", "man", "bash", "zsh", NULL };
static const char *const text_or_json[] = { "text", "json", NULL };
static const char *const reason_words[] = { "nightly", "pr", "local", NULL };
static const char *const replay_words[] = { "user", "kernel", NULL };

#define OPTION(name_, argument_, help_)                                                            \
    {                                                                                              \
        .name = (name_), .arg = (argument_), .doc = (help_)                                        \
    }
#define MEMBER(name_) offsetof(assay_cli, name_)

const assay_option assay_options[] = {
    { SELECTING | LOOKING | FUZZ,
      OPTION("variant", "VARIANT", "Only this variant (repeatable): --variant vec4"),
      .member = MEMBER(selection.variants), .count = MEMBER(selection.n_variants) },
    { SELECTING,
      OPTION("peers", NULL,
             "Also run peers (PyTorch, ...), which otherwise run only if --variant or --point "
             "names them; $ASSAY_PYTHON is the python that has torch"),
      .read = assay_read_flag, .member = MEMBER(selection.peers) },
    { SELECTING | RESUME,
      OPTION("script", "FILE",
             "A Python file whose functions are variants, by @assay.variant (docs/python.md); "
             "without --variant only these: --script mine.py"),
      .read = assay_read_text, .member = MEMBER(script) },
    { SELECTING | LOOKING,
      OPTION(
          "axis", "AXIS=V[,V...]",
          "Only these values of an axis (repeatable); also sizes that the case does not list, such "
          "as 4Ki, 1M, 2^20, 1e6, 1k..1M*2 and 10..50+10; without a case: only cases that have the "
          "axis: --axis n=64,1000; or a configuration as reports print it: --axis 'n=64;type=f16'"),
      .member = MEMBER(selection.axes), .count = MEMBER(selection.n_axes),
      .is_configuration = true },
    { SELECTING,
      OPTION("tier", "quick|full|all",
             "Small sizes (quick), large sizes (full), or both (all): --tier quick"),
      .read = assay_read_tier, .member = MEMBER(selection.tiers), .words = tier_words },
    { SELECTING & ~(TRACE | GATE),
      OPTION(
          "shard", "I/N",
          "Only part I of N of the points; the parts are the same on every machine: --shard 2/7"),
      .read = assay_read_shard, .member = MEMBER(shard), .takes = "a part such as 2/7" },
    { SELECTING & ~(TRACE | GATE),
      OPTION(
          "each", "N",
          "Only N of the selected points of each variant, those that need most memory: --each 1"),
      .read = assay_read_each, .member = MEMBER(n_each), .takes = "a number from 1 to 1000000" },
    { SELECTING | LOOKING | ACCEPT,
      OPTION("point", "KEY",
             "Exactly this point, by the key that reports print (repeatable where points are run): "
             "--point "
             "axpy/vec4/n=1023"),
      .member = MEMBER(selection.points), .count = MEMBER(selection.n_points) },
    { SELECTING | FUZZ, OPTION("seed", "N|random", "Seed of all inputs (default 1): --seed 7"),
      .read = assay_read_seed, .member = MEMBER(selection.seed),
      .takes = "a whole number or 'random'" },
    { SELECTING | FUZZ,
      OPTION("device", "cuda|host|auto",
             "Where kernels run (default auto: cuda if there is one): --device host"),
      .read = assay_read_text, .member = MEMBER(target.device), .words = device_words },
    { RUNNING | DOCTOR | FUZZ, OPTION("gpu", "N", "Which GPU (default 0): --gpu 1"),
      .read = assay_read_gpu, .member = MEMBER(target.gpu), .takes = "a number" },
    { RUNNING | RESUME | FUZZ,
      OPTION("kernels", "FILE",
             "A kernel module of your own instead of the built one: --kernels ./mine.so"),
      .read = assay_read_text, .member = MEMBER(target.kernels) },
    { RUNNING | PLAN | RESUME | REPORT | DOCTOR | PRUNE | IMPORT | LOOKING | RUNS | ACCEPT | FUZZ,
      OPTION("db", "FILE", "The database (default results/assay.db): --db my.db"),
      .read = assay_read_text, .member = MEMBER(database) },
    { RUNNING | RESUME,
      OPTION("budget", "TIME",
             "Wall time of the whole run, divided among its points: --budget 120s"),
      .read = assay_read_seconds, .member = MEMBER(budget_s),
      .takes = "a time such as 120s or 5m" },
    { CHECK | TIMING | PROFILE | RESUME,
      OPTION("in-process", NULL, "No worker process and no time-out, for gdb and ncu"),
      .read = assay_read_flag, .member = MEMBER(in_process) },
    { CHECK | FUZZ,
      OPTION("strict-memory-model", NULL,
             "Under ThreadSanitizer: RACE, not a note, if a block reads what other blocks wrote "
             "after a barrier, but without a fence of its own"),
      .read = assay_read_flag, .member = MEMBER(is_strict) },
    { RUNNING | RESUME | FUZZ,
      OPTION("jobs", "N",
             "Groups of the quick tier that are checked at a time (default: one per processor if "
             "memory allows, at most 6 on a GPU): --jobs 4"),
      .read = assay_read_jobs, .member = MEMBER(n_jobs), .takes = "a number from 1 to 64" },
    { RUNNING | RESUME,
      OPTION("profile-self", NULL, "At the end, show where the time of the run was spent"),
      .read = assay_read_flag, .member = MEMBER(profiles_self) },
    { RUNNING | RESUME, OPTION("quiet", NULL, "No progress line and no report at the end"),
      .read = assay_read_flag, .member = MEMBER(is_quiet), .letter = 'q' },
    { CHECK | TIMING | RESUME | REPORT,
      OPTION("details", NULL,
             "The whole text report: all regimes and clocks, tolerances, kernels, facts; with "
             "--format benchmark or --benchmark_...: every clock"),
      .read = assay_read_flag, .member = MEMBER(has_details) },
    { CHECK,
      OPTION("brief", NULL, "One line instead of a report: run, counts and the first failure"),
      .read = assay_read_flag, .member = MEMBER(is_brief) },
    { FUZZ, OPTION("for", "TIME", "How long to go on (default 60s): --for 10m"),
      .read = assay_read_seconds, .member = MEMBER(fuzz.for_s),
      .takes = "a time such as 60s or 10m" },
    { CHECK,
      OPTION("watch", NULL,
             "Keep running: whenever a source of the cases is saved, build and check again, with "
             "one line each time; Ctrl-C ends it with the last exit status"),
      .read = assay_read_flag, .member = MEMBER(check.watches) },
    { CHECK,
      OPTION("wrong-answers", NULL,
             "Check wrong answers instead of kernels: they are made from the reference's answer "
             "(zeros, stale, shifted, one past the bound, ...), and each case must reject them"),
      .read = assay_read_flag, .member = MEMBER(check.takes_wrong_answers) },
    { CHECK,
      OPTION("lane", "all|LANE[,LANE...]",
             "Check in these lanes, one after the other, and print one table: host, cuda, asan "
             "(AddressSanitizer), tsan (ThreadSanitizer); all: those that can run here: --lane "
             "host,tsan"),
      .read = assay_read_lanes, .member = MEMBER(check.lanes),
      .takes = "all, or lanes such as host,cuda,asan,tsan" },
    { CHECK,
      OPTION("sanitizer", "TOOL",
             "On a GPU, each point under a tool of compute-sanitizer, whose findings are verdicts: "
             "memcheck, racecheck, initcheck, synccheck: --sanitizer racecheck"),
      .read = assay_read_tool, .member = MEMBER(check.tool),
      .takes = "a tool: memcheck, racecheck, initcheck or synccheck" },
    { TIMING,
      OPTION("processes", "N",
             "Processes that time each point, one after the other (default 3): "
             "--processes 5"),
      .read = assay_read_processes, .member = MEMBER(timing.n_processes),
      .takes = "a number from 1 to 32" },
    { TIMING,
      OPTION("time", "TIME",
             "Sampling time of a point in one process, all regimes together (default 0.235s): "
             "--time 1s"),
      .read = assay_read_seconds, .member = MEMBER(timing.time_s),
      .takes = "a time such as 0.25s" },
    { TIMING,
      OPTION("target-error", "PERCENT",
             "A block of samples may end at this half width of its median's interval (default "
             "0.05): --target-error 0.2"),
      .read = assay_read_percent, .member = MEMBER(timing.target_error),
      .takes = "percents such as 0.2" },
    { TIMING,
      OPTION("flush", "write|read",
             "How the cache is flushed before a cold sample (default write): --flush read"),
      .read = assay_read_text, .member = MEMBER(timing.flush), .words = flush_words },
    { TIMING,
      OPTION("tune", NULL, "Try all values of the variants' tuning axes, and time the fastest"),
      .read = assay_read_flag, .member = MEMBER(tunes) },
    { SELECTING,
      OPTION("tuned", NULL,
             "With the values of tuning axes that the newest --tune in the database has chosen for "
             "the same point on this device; --point may name others"),
      .read = assay_read_flag, .member = MEMBER(is_tuned) },
    { CHECK | PLAN,
      OPTION("tuning", "default|extremes|all",
             "Combinations of tuning values that are points: default (one), extremes (also "
             "smallest and largest values), or all: --tuning extremes"),
      .read = assay_read_tuning, .member = MEMBER(selection.tuning), .words = tuning_words },
    { BENCH,
      OPTION("against-itself", NULL,
             "Time each point twice, as if it were two (A/A): their difference is noise"),
      .read = assay_read_flag, .member = MEMBER(timing.against_itself) },
    { DOCTOR,
      OPTION("self-check", NULL, "Time kernels that measure their own duration, by every clock"),
      .read = assay_read_flag, .member = MEMBER(doctor.self_check) },
    { DOCTOR,
      OPTION(
          "resource-spec", "FILE",
          "Write the GPUs of this machine to FILE, in the format of 'ctest --resource-spec-file'"),
      .read = assay_read_text, .member = MEMBER(doctor.resource_spec) },
    { PROFILE,
      OPTION("metrics", "LIST",
             "Presets (core, memory, compute, atomics, occupancy, stalls) and metrics by name, "
             "separated by commas (default core): --metrics memory,smsp__inst_executed.sum"),
      .read = assay_read_text, .member = MEMBER(counting.metrics) },
    { PROFILE, OPTION("dry-run", NULL, "Validate names and passes for a chip; needs no GPU"),
      .read = assay_read_flag, .member = MEMBER(profile.dry_run) },
    { PROFILE,
      { .name  = "list-metrics",
        .arg   = "PART",
        .flags = OPTION_ARG_OPTIONAL,
        .doc   = "List the metrics of a chip, all or those with PART in their names: "
                 "--list-metrics=dram" },
      .read   = assay_read_optional_text,
      .member = MEMBER(profile.list_metrics) },
    { PROFILE,
      OPTION("chip", "NAME",
             "The chip for --dry-run and --list-metrics, in upper or lower case (default: the "
             "GPU's): --chip gh100"),
      .read = assay_read_chip, .member = MEMBER(profile.chip),
      .takes = "the name of a chip such as GH100" },
    { PROFILE,
      OPTION("replay", "user|kernel",
             "What repeats the work for each pass: the harness (default), or CUPTI, kernel by "
             "kernel: --replay kernel"),
      .read = assay_read_text, .member = MEMBER(counting.replay), .words = replay_words },
    { PRUNE, OPTION("older-than", "AGE", "Samples of runs older than this: --older-than 90d"),
      .read = assay_read_age, .member = MEMBER(prune.older_than_s),
      .takes = "a number of days or weeks such as 90d" },
    { PRUNE, OPTION("keep", "N", "Samples of all but the newest N runs that have times: --keep 20"),
      .read = assay_read_keep, .member = MEMBER(prune.keep),
      .takes = "a number from 1 to 1000000" },
    { REPORT | ACCEPT | RESUME,
      OPTION("run", "RUN",
             "Which run (default: the newest): its number, the beginning "
             "of its uuid, latest, previous, baseline:NAME: --run 3"),
      .read = assay_read_text, .member = MEMBER(which_run) },
    { REPORT,
      OPTION("format", "FORMAT",
             "What to write: text (default), csv, csv-axes, json, benchmark, "
             "github-action-benchmark, bencher, junit, md or html: --format csv"),
      .read = assay_read_text, .member = MEMBER(format), .words = assay_report_formats },
    { COMPARE, OPTION("case", "CASE", "Only this case (repeatable): --case axpy"),
      .member = MEMBER(look.cases), .count = MEMBER(look.n_cases) },
    { LOOKING, OPTION("regime", "cold|hot|graph|e2e", "Only this regime: --regime cold"),
      .read = assay_read_regime, .member = MEMBER(look.regime), .words = regime_words + 1 },
    { LOOKING | GATE,
      OPTION("threshold", "PERCENT", "What is too small to matter (default 1%): --threshold 2%"),
      .read = assay_read_threshold, .member = MEMBER(look.threshold),
      .takes = "percents such as 1%" },
    { COMPARE,
      OPTION("across", "device|driver|toolkit|policy|tuning",
             "Compare although the two sides differ in this; every line then says so: "
             "--across driver"),
      .read = assay_read_text, .member = MEMBER(look.across), .words = assay_condition_across },
    { LOOKING | GATE, OPTION("all", NULL, "Also show what did not change"), .read = assay_read_flag,
      .member = MEMBER(look.shows_all) },
    { LOOKING,
      OPTION("record", NULL,
             "Store what was found: changes in the file of B; with --calibrate, bands and spreads"),
      .read = assay_read_flag, .member = MEMBER(look.records) },
    { HISTORY,
      OPTION("calibrate", NULL,
             "Compare each build with itself (A/A): how often verdicts err, bands and spreads"),
      .read = assay_read_flag, .member = MEMBER(look.calibrates) },
    { COMPARE,
      OPTION("format", "text|md|csv|json|html", "What to write (default text): --format md"),
      .read = assay_read_text, .member = MEMBER(format), .words = assay_report_change_formats },
    { LIST | PLAN | DOCTOR,
      OPTION("format", "text|json", "What to write (default text): --format json"),
      .read = assay_read_text, .member = MEMBER(format), .words = text_or_json },
    { HELP,
      OPTION(
          "format", "text|man|bash|zsh",
          "What to write: text (default), a manual page, or completions for a shell: --format man"),
      .read = assay_read_text, .member = MEMBER(format), .words = help_formats },
    { HISTORY | RUNS,
      OPTION("format", "text|csv|json", "What to write (default text): --format csv"),
      .read = assay_read_text, .member = MEMBER(format), .words = assay_report_history_formats },
    { RUNNING,
      OPTION("reason", "nightly|pr|local",
             "Why the run is made: nightly, pr or local (default): --reason pr"),
      .read = assay_read_text, .member = MEMBER(reason), .words = reason_words },
    { RUNNING | RESUME | ACCEPT | FUZZ,
      OPTION("known-failures", "FILE",
             "List of failures that count as skips until a date (default " ASSAY_KNOWN_FAILURES_FILE
             ", if there is one): --known-failures known.txt"),
      .read = assay_read_text, .member = MEMBER(known_failures) },
    { GATE,
      OPTION("baseline", "NAME",
             "The accepted baseline that times are compared with: --baseline main"),
      .read = assay_read_text, .member = MEMBER(gate.baseline) },
    { GATE,
      OPTION("against", "FILE",
             "The database that holds the baseline (default: --db): --against main.db"),
      .read = assay_read_text, .member = MEMBER(gate.against) },
    { GATE,
      OPTION("no-run", NULL, "Judge the newest timing run of --db instead of checking and timing"),
      .read = assay_read_flag, .member = MEMBER(gate.no_run) },
    { GATE, OPTION("no-repeat", NULL, "Do not time again what is slower: it is then not confirmed"),
      .read = assay_read_flag, .member = MEMBER(gate.no_repeat) },
    { ACCEPT, OPTION("name", "NAME", "Name of the baseline: --name main"), .read = assay_read_text,
      .member = MEMBER(accept.name) },
    { ACCEPT, OPTION("why", "TEXT", "Why it is accepted: --why 'release 1.2'"),
      .read = assay_read_text, .member = MEMBER(accept.why) },
    { ACCEPT, OPTION("text", "TEXT", "Text of the annotation: --text 'the card was hot'"),
      .read = assay_read_text, .member = MEMBER(accept.text) },
    { ACCEPT, OPTION("who", "NAME", "Author of the entry (default: the user): --who Ada"),
      .read = assay_read_text, .member = MEMBER(accept.who) },
    { SURVEY, OPTION("include", "DIR", "Where headers are (repeatable): --include ../common"),
      .member = MEMBER(survey.includes), .count = MEMBER(survey.n_includes) },
    { SURVEY, OPTION("define", "NAME[=VALUE]", "A macro of all files (repeatable): --define N=256"),
      .member = MEMBER(survey.defines), .count = MEMBER(survey.n_defines) },
    { SURVEY, OPTION("cxx", "COMPILER", "The C++ compiler (default c++): --cxx clang++"),
      .read = assay_read_text, .member = MEMBER(survey.cxx) },
    { SURVEY, OPTION("jobs", "N", "Files at a time (default: one per processor): --jobs 4"),
      .read = assay_read_jobs, .member = MEMBER(n_jobs), .takes = "a number from 1 to 64" },
    { SURVEY, OPTION("limit", "TIME", "CPU time that a file may take (default 2m): --limit 10m"),
      .read = assay_read_seconds, .member = MEMBER(survey.limit_s),
      .takes = "a time such as 120s or 5m" },
    { SURVEY, OPTION("format", "text|csv", "What to write (default text): --format csv"),
      .read = assay_read_text, .member = MEMBER(format), .words = assay_report_survey_formats },
    { SURVEY, OPTION("verbose", NULL, "Show all reasons and files"), .read = assay_read_flag,
      .member = MEMBER(survey.is_verbose) },
    { REPORT | TRACE | LOOKING | RUNS | SURVEY | HELP,
      OPTION("output", "FILE",
             "File to write (default: standard output; for trace: trace.json): --output FILE"),
      .read = assay_read_text, .member = MEMBER(output) },
    { NEW,
      OPTION("from", "FILE",
             "The file of kernels, which is not changed (default: a new one is written): --from "
             "softmax.cu"),
      .read = assay_read_text, .member = MEMBER(create.from) },
};

const int assay_n_options = sizeof assay_options / sizeof assay_options[0];
