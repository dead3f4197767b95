#!/usr/bin/env bash
# assay baseline: which runs can be accepted, annotations, lists; known failures and the reason of a run.
#   test_cli_baseline.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy naive is wrong
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"
db=x.db
at=(--axis boundary=periodic --axis time=first_order --axis vjp=residual --axis pass=both --device host)
point=physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both
bench() { "$assay" bench physics_loss --variant cpu_omp --axis grid=8x9x10 "${at[@]}" --time 0.01s --quiet --db $db "$@"; }
check() { "$assay" check axpy --axis n=1000 --device host --quiet --db $db "$@"; }
baseline() { "$assay" baseline "$@" --db $db; }

echo "# known failures"
printf '# case variant day reason\naxpy naive 9999-12-31 a sign is wrong\n' >known.txt
ends 2 "" check --kernels "$mutant"
ends 0 "axpy naive (known.txt:2): 1 failed, skipped until 9999-12-31: a sign is wrong" \
    check --kernels "$mutant" --known-failures known.txt
holds "the verdict stays what it is" is "$(ask $db "SELECT group_concat(verdict) FROM verdicts WHERE run_id = 2 AND variant = 'naive'")" WRONG_VALUE
holds "the run's status is the one that was given" is "$(ask $db "SELECT exit_status FROM run_end WHERE run_id = 2")" 0
ends 77 "skipped until" check --variant naive --kernels "$mutant" --known-failures known.txt
ends 0 "all 1 points passed" check --known-failures known.txt
echo 'axpy naive 2001-02-28 a sign is wrong' >expired.txt
ends 2 "expired on 2001-02-28" check --kernels "$mutant" --known-failures expired.txt
echo 'axpy vec4 9999-12-31 another one' >other.txt
ends 2 "" check --kernels "$mutant" --known-failures other.txt
echo 'axpi naive 9999-12-31 mistyped' >mistyped.txt
ends 2 "mistyped.txt:1: this program has no case axpi" check --kernels "$mutant" --known-failures mistyped.txt
n_runs=$(ask $db "SELECT count(*) FROM run")
echo 'axpy naive for ever' >wrong.txt
ends 4 "wrong.txt:1: the last day on which it holds is YYYY-MM-DD, not 'for'" check --known-failures wrong.txt
ends 4 "cannot open the list of known failures nothing.txt" check --known-failures nothing.txt
holds "nothing was run" is "$(ask $db "SELECT count(*) FROM run")" "$n_runs"
cp known.txt known_failures.txt
ends 0 "known_failures.txt:2" check --kernels "$mutant"
rm known_failures.txt

echo "# the reason of a run"
ends 0 "" check --reason nightly
holds "is stored" is "$(ask $db "SELECT reason FROM run ORDER BY run_id DESC LIMIT 1")" nightly
holds "local unless it is given" is "$(ask $db "SELECT DISTINCT reason FROM run WHERE run_id < (SELECT max(run_id) FROM run)")" local
ends 4 "--reason does not know 'because'" check --reason because

echo "# accept"
ends 0 "holds no baseline" baseline list
ends 4 "holds no run with times" baseline accept --name main --why first
ends 0 "" bench
run=$(ask $db "SELECT max(run_id) FROM run")
ends 4 "needs --name" baseline accept --why first
ends 4 "needs --why" baseline accept --name main
ends 4 "needs --why" baseline accept --name main --why " "
ends 4 "--name is longer than 63 characters" baseline accept --name "$(printf '%064d' 0)" --why first
ends 4 "has 1 failed points" baseline accept --run 1 --name main --why first
ends 4 "no times" baseline accept --run 1 --name main --why first --known-failures known.txt
ends 4 "there is no run 99" baseline accept --run 99 --name main --why first
ends 4 "takes no --text" baseline accept --name main --why first --text x
ends 4 "one of the words accept, annotate and list" baseline
ends 4 "one of the words accept, annotate and list, not 'acept'" baseline acept
ends 4 "does not exist" "$assay" baseline list --db nothing.db
holds "nothing was accepted, no file made" is "$(ask $db "SELECT count(*) FROM accepted_baseline") $(ls nothing.db 2>/dev/null)" "0 "
ends 0 "main is run $run" baseline accept --name main --why first --who Ada
ends 0 "" check
ends 0 "main is run $run" baseline accept --name main --why "it's \"better\"; DROP TABLE run"
holds "both decisions stay, the newest counts" is \
    "$(ask $db "SELECT count(*), (SELECT why || run_id FROM baselines) FROM accepted_baseline")" "2|it's \"better\"; DROP TABLE run$run"
holds "who said so" is "$(ask $db "SELECT who FROM accepted_baseline WHERE why = 'first'")" Ada
ends 0 "before: main: run $run" baseline list

echo "# a run that is not finished"
cp $db half.db
sqlite3 half.db "DROP TRIGGER run_end_held; DELETE FROM run_end WHERE run_id = $run"
ends 4 "is not finished" "$assay" baseline accept --run "$run" --name main --why x --db half.db

echo "# annotate"
ends 4 "needs --run RUN, --point KEY, or both" baseline annotate --text x
ends 4 "needs --text" baseline annotate --run "$run"
ends 4 "nothing was timed under the key 'axpy/naive/n=1000'" baseline annotate --point axpy/naive/n=1000 --text x
ends 4 "there is no run 99" baseline annotate --run 99 --text x
ends 0 "run $run is annotated" baseline annotate --run "$run" --text $'hot\033[2J card'
ends 0 "1 series of $point annotated" baseline annotate --point $point --text rewritten
ends 0 "1 series" baseline annotate --point $point --run "$run" --text "since here"
holds "each says what it is about" is \
    "$(ask $db "SELECT group_concat((series <> '') || (run_uuid <> ''), ' ') FROM (SELECT * FROM annotation ORDER BY annotation_id)")" "01 10 11"
holds "the series is that of the history" is \
    "$(ask $db "SELECT count(*) FROM annotation AS a WHERE EXISTS (SELECT 1 FROM measured_series AS n WHERE n.series = a.series)")" 2
ends 0 "rewritten" baseline list
holds "no control character reaches the terminal" is "$(grep -c $'\033' said)" 0
finish
