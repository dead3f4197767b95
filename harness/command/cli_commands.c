/* Every command once. */
#include "cli_internal.h"

const assay_command assay_commands[] = {
    { "list", LIST, assay_command_list, .takes_cases = true,
      .what     = "List cases, their axes and variants.",
      .examples = "assay list\nassay list physics_loss" },
    { "plan", PLAN, assay_command_plan, .takes_cases = true,
      .what = "Show the points of a run, their memory and time; run nothing.",
      .examples =
          "assay plan physics_loss --axis grid=64x64x64\nassay plan --tier full --db nightly.db" },
    { "new", NEW, assay_command_new, .arguments = "NAME",
      .what     = "Write a case to complete, and its build, for a file of kernels.",
      .examples = "assay new softmax --from softmax.cu\nassay new scale" },
    { "check", CHECK, assay_command_check, .takes_cases = true,
      .what     = "Compare variants with the reference.",
      .examples = "assay check\nassay check axpy --variant vec4 --axis n=1000\n"
                  "assay check --point axpy/vec4/n=1023 --seed 7\n"
                  "assay check selftest --device host\n"
                  "assay check axpy --lane all\n"
                  "assay check axpy --wrong-answers\n"
                  "assay check axpy --device host --watch" },
    { "fuzz", FUZZ, assay_command_fuzz, .takes_cases = true,
      .what     = "Check at random sizes, words, tuning values and seeds.",
      .examples = "assay fuzz axpy --for 60s\nassay fuzz rmsnorm --variant registers --seed 7\n"
                  "assay fuzz ops --for 10m --device host" },
    { "bench", BENCH, assay_command_bench, .takes_cases = true, .takes_gbench = true,
      .what     = "Check, then time what passed.",
      .examples = "assay bench physics_loss --axis grid=256x256x256\nassay bench --budget 120s\n"
                  "assay bench axpy --tune\n"
                  "assay bench --benchmark_out=bench.json --benchmark_filter=axpy" },
    { "profile", PROFILE, assay_command_profile, .takes_cases = true,
      .what     = "Check, then count hardware events of what passed.",
      .examples = "assay profile axpy --axis n=67108864\n"
                  "assay profile axpy --metrics memory,smsp__inst_executed.sum\n"
                  "assay profile --dry-run --chip GH100\n"
                  "assay profile --list-metrics=dram --chip GH100" },
    { "trace", TRACE, assay_command_trace, .takes_cases = true,
      .what     = "Check one point, then write a timeline of it for Perfetto or Chrome.",
      .examples = "assay trace physics_loss --variant fused_tiled --axis grid=256x256x256 --axis "
                  "vjp=residual\nassay trace --point axpy/vec4/n=1048576 --output axpy.json" },
    { "run", RUN, assay_command_run, .takes_cases = true,
      .what     = "Check the quick tier; check, time and count the full tier.",
      .examples = "assay run\nassay run axpy --db my.db" },
    { "resume", RESUME, assay_command_resume, .what = "Finish the newest run that was interrupted.",
      .examples = "assay resume\nassay resume --db my.db\nassay resume --run 3\nassay resume "
                  "--kernels ./mine.so" },
    { "report", REPORT, assay_command_report, .what = "Write a report of one run.",
      .examples = "assay report\nassay report --format html --output report.html\n"
                  "assay report --format csv --output results.csv\n"
                  "assay report --run 3" },
    { "runs", RUNS, assay_command_runs, .what = "List the runs of a database.",
      .examples = "assay runs\nassay runs --db my.db\nassay runs --format csv --output runs.csv" },
    { "doctor", DOCTOR, assay_command_doctor,
      .what     = "Say what this machine can do and what is missing.",
      .examples = "assay doctor\nassay doctor --gpu 1\nassay doctor --self-check\n"
                  "assay doctor --resource-spec gpus.json" },
    { "compare", COMPARE, assay_command_compare, .arguments = "A B",
      .what     = "Say whether B is slower than A: runs, files, builds or a baseline.",
      .examples = "assay compare previous latest\nassay compare 3 7 --threshold 2%\n"
                  "assay compare old.db new.db --case axpy\n"
                  "assay compare baseline:main latest --record\n"
                  "assay compare build:1a2b3c new.db:2 --across driver --format md\n"
                  "A and B: the number or the beginning of the uuid of a run, latest, previous, "
                  "baseline:NAME, build:PREFIX, FILE, FILE:any of these" },
    { "history", HISTORY, assay_command_history, .takes_cases = true,
      .what     = "Show when times changed from run to run, and errors that creep up.",
      .examples = "assay history\nassay history axpy --regime cold\n"
                  "assay history --point axpy/vec4/n=1048576\n"
                  "assay history --calibrate --record" },
    { "merge", MERGE, assay_command_merge, .arguments = "OUT IN...",
      .what     = "Bring the results of several files together.",
      .examples = "assay merge all.db shard1.db shard2.db" },
    { "import", IMPORT, assay_command_import, .arguments = "FILE...",
      .what     = "Read what 'report --format csv' wrote back into a database.",
      .examples = "assay import results/baseline/h200/axpy.csv --db baseline.db" },
    { "prune", PRUNE, assay_command_prune,
      .what     = "Drop raw samples of old runs; verdicts, counts and medians stay.",
      .examples = "assay prune --older-than 90d\nassay prune --keep 20 --db my.db" },
    { "baseline", ACCEPT, assay_command_baseline, .arguments = "accept|annotate|list",
      .what     = "Choose what later runs are compared with, or annotate a run or point.",
      .examples = "assay baseline accept --name main --why 'release 1.2'\n"
                  "assay baseline accept --run 12 --name main --why 'driver 580: 2 % slower'\n"
                  "assay baseline annotate --run 12 --text 'the card was hot'\n"
                  "assay baseline annotate --point axpy/vec4/n=1048576 --text 'rewritten'\n"
                  "assay baseline list" },
    { "gate", GATE, assay_command_gate, .takes_cases = true,
      .what     = "Check, time, compare; fail on a confirmed regression.",
      .examples = "assay gate --baseline main\nassay gate --baseline main axpy --processes 5\n"
                  "assay gate --baseline main --against main.db\n"
                  "assay gate --baseline main --no-run" },
    { "survey", SURVEY, assay_command_survey, .arguments = "DIR...",
      .what     = "Say which .cu files are taken as they are, and why not others.",
      .examples = "assay survey ~/project/src\nassay survey src --include include --define N=256\n"
                  "assay survey src --format csv --output survey.csv" },
    { "help", HELP, assay_command_help, .arguments = "[COMMAND]",
      .what = "Show all commands, a manual page, or completions for a shell.",
      .examples =
          "assay help\nassay help check\nassay help --format man --output assay.1\n"
          "assay help --format bash --output ~/.local/share/bash-completion/completions/assay\n"
          "assay help --format zsh --output ~/.zfunc/_assay" },
    { .name = NULL },
};
