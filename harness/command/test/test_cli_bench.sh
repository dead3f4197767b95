#!/usr/bin/env bash
# assay bench without a GPU: CPU variants are timed, kernels are skipped with a reason; Google Benchmark's flags, the budget,
# and what `assay resume` keeps of a timing run.
#   test_cli_bench.sh ASSAY
set -u
assay=$1
tree=$(realpath "$(dirname "$0")/../../..")
. "$(dirname "$0")/cli.sh"
db=x.db
at=(--axis boundary=periodic --axis time=first_order --axis vjp=residual --axis pass=both --device host)
one=(physics_loss --variant cpu_omp --axis grid=8x9x10 "${at[@]}")
name=physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both/e2e
bench() { "$assay" bench "${one[@]}" --time 0.01s --quiet --db $db "$@"; }

echo "# two processes"
ends 0 "" bench --processes 2
holds "one metric, by the host's clock, which decides" is \
    "$(ask $db "SELECT regime, clock, decides FROM measurement")" "e2e|host|1"
holds "of two processes, two blocks in each" is \
    "$(ask $db "SELECT n_processes, n_blocks FROM measurement")" "2|4"
holds "each block knows its process" is "$(ask $db "SELECT group_concat(process, ' ') FROM sample_block ORDER BY block")" "0 0 1 1"
holds "each has its samples" is \
    "$(ask $db "SELECT min(n_samples) > 0 AND min(length(time_ns) = 8 * n_samples) FROM sample_block")" 1
holds "the policy is stored" is "$(ask $db "SELECT n_processes, budget_s, flush_kind FROM policy")" "2|0.01|write"
holds "why nothing is known of a GPU's clocks" is "$(ask $db "SELECT nvml FROM measurement")" "no GPU"
ends 0 "e2e host" "$assay" report --db $db --details

echo "# the time that a plan took before"
plan() { ends 0 "$1" "$assay" plan physics_loss --axis grid=8x9x10 "${at[@]}" --db $db "${@:2}"; }
plan "about 1 min to time them on an" --variant cpu_omp
plan "by what they took in $db:" --variant cpu_omp
plan "1 known, 0 as long as others of their case, 0 of cases without a time" --variant cpu_omp
plan "1 known, 2 as long as others of their case, 0 of cases" --variant cpu_omp --axis grid=8x9x10,8x9x11,8x9x12
ends 0 "1 known, 0 as long as others of their case, 1 of cases without a time" "$assay" plan axpy physics_loss --variant cpu_omp --variant naive \
    --axis n=5 --axis grid=8x9x10 "${at[@]}" --db $db
ends 0 "none of them was ever timed in $db" "$assay" plan axpy --axis n=5 --variant naive --db $db
ends 4 "absent.db" "$assay" plan axpy --axis n=5 --db absent.db
ends 0 "points; the largest" "$assay" plan axpy --axis n=5
holds "without a database nothing is said of it" is "$(grep -c "to time them" said)" 0

echo "# thresholds from the command line"
rm -f $db*
ends 0 "" bench --processes 1 --target-error 5 --flush read
holds "are stored" is "$(ask $db "SELECT n_processes, target_relative_error, flush_kind FROM policy")" "1|0.05|read"
for wrong in --processes=0 --processes=33 --time=0 --target-error=0 --target-error=101 --flush=both; do
    ends 4 "${wrong%=*}" bench $wrong
done
ends 4 "there is no option --processes here" "$assay" check "${one[@]}" --db $db --processes 2

echo "# A/A comparison"
rm -f $db*
ends 0 "" bench --against-itself --processes 2
holds "below three processes there is a ratio and no interval" is \
    "$(ask $db "SELECT kind, against, is_known, ratio > 0, lo IS NULL, hi IS NULL, n_processes FROM comparison")" "aa|cpu_omp|1|1|1|1|2"
rm -f $db*
ends 0 "" bench --against-itself --processes 3
holds "from three on there is one, around the ratio" is \
    "$(ask $db "SELECT n_processes, lo <= ratio AND ratio <= hi FROM comparison")" "3|1"
holds "the twin's own times are not the point's" is "$(ask $db "SELECT count(*) FROM measurement")" 1

echo "# a kernel on the host device"
rm -f $db*
ends 77 "never times" "$assay" bench axpy --axis n=1000 --device host --db $db
ends 77 "of 2 points 2 were reached, 0 were left out" "$assay" bench axpy --axis n=1000 --device host --db $db.budget --budget 10s
holds "is skipped with that reason" is \
    "$(ask $db "SELECT DISTINCT verdict, reason FROM verdict")" "SKIPPED|the host device checks kernels and never times them"
holds "nothing is measured" is "$(ask $db "SELECT (SELECT count(*) FROM measurement) + (SELECT count(*) FROM ceiling)")" 0

echo "# a budget for few of the points"
rm -f $db*
started=$(date +%s%N)
ends 0 "were left out" "$assay" bench physics_loss --variant cpu_omp "${at[@]}" --db $db --quiet --processes 2 \
    --axis grid="$(seq -s, -f '64x64x%g' 61 660)" --budget 10s
echo "        it took $((($(date +%s%N) - started) / 1000000)) ms"
holds "some points are timed" is "$(ask $db "SELECT count(*) > 0 FROM measurement")" 1
holds "the others are skipped, with the reason" is \
    "$(ask $db "SELECT count(*) > 0 AND min(reason = 'left out: the budget of 10 s has no room for it') FROM verdict WHERE verdict = 'SKIPPED'")" 1
holds "each point is one or the other" is \
    "$(ask $db "SELECT count(*), sum(verdict = 'SKIPPED' OR EXISTS (SELECT 1 FROM measurement AS m WHERE m.point_id = v.point_id))
        FROM verdict AS v")" "600|600"
holds "samples of a point get no more than what is left allows" is \
    "$(ask $db "SELECT max(budget_s) < 0.25 FROM policy")" 1
holds "the run is complete, there is nothing to resume" is "$(ask $db "SELECT exit_status FROM run_end")" 0
ends 4 "no interrupted run" "$assay" resume --db $db

echo "# killed and resumed"
n_done() { ask $db "SELECT count(*) FROM verdict" 2>/dev/null || echo 0; }
begin_and_kill() { # number words: a run of as many points, killed when some of them are finished
    local n=$1
    shift
    rm -f $db*
    "$assay" bench physics_loss --variant cpu_omp "${at[@]}" --db $db --quiet --axis grid="$(seq -s, -f '%gx4x4' 4 $((n + 3)))" "$@" &
    parent=$!
    until [ "$(n_done)" -ge 2 ] || ! kill -0 $parent 2>/dev/null; do sleep 0.05; done
    kill -9 $parent
    wait $parent 2>/dev/null
    holds "the kill came in the middle" is $? 137
    before=$(n_done)
}
begin_and_kill 24 --processes 2 --time 0.05s --target-error 1 --flush read --against-itself
ends 0 "resuming run 1 (bench), $((24 - before)) points left" "$assay" resume --db $db --quiet
holds "of flags that were not given nothing is said" is "$(grep -c benchmark said)" 0
holds "every point is timed once" is "$(ask $db "SELECT count(*), count(DISTINCT point_id) FROM measurement")" "24|24"
holds "all by one policy, the one that the run was begun with" is \
    "$(ask $db "SELECT n_processes, budget_s, target_relative_error, flush_kind FROM policy")" "2|0.05|0.01|read"
holds "by as many processes" is "$(ask $db "SELECT DISTINCT n_processes FROM measurement")" 2
holds "and against itself" is "$(ask $db "SELECT DISTINCT kind FROM comparison")|$(ask $db "SELECT count(*) FROM comparison")" "aa|24"

echo "# docs/clocks.md has the rule for the clock that decides, in the same words"
n_reasons=0
while read -r reason; do
    n_reasons=$((n_reasons + 1))
    holds "'$reason'" grep -qF -- "$reason" "$tree/docs/clocks.md"
done < <(sed -n '/^static const char \*judge_pair/,/^void assay_decide(/p' "$tree/harness/supervise/decide.c" | grep -o '"[a-z][a-z,:]* [^"]*"' | tr -d '"')
holds "all of them were found" is "$((n_reasons >= 10))" 1

echo "# docs/measuring.md has the thresholds, as they are stored"
rm -f $db*
ends 0 "" "$assay" bench "${one[@]}" --quiet --db $db
while IFS='|' read -r what value; do
    holds "$what: $value" grep -qF -- "| $what | $value |" "$tree/docs/measuring.md"
done < <(ask $db "SELECT 'processes|' || n_processes || '
blocks of a metric in each|' || n_blocks || '
time for all metrics of a point in one process|' || budget_s || ' s
a block may end at this half width of its median''s interval|' || printf('%g', 100 * target_relative_error) || ' %
samples of a block, least and most|' || min_samples || ', ' || max_samples || '
calls behind one gate, at most|' || max_calls || '
a hot sample is as long as|' || printf('%g', sample_target_ns / 1e3) || ' us
calls in a graph; unless it gets longer than|' || graph_calls || '; ' || printf('%g', graph_target_ns / 1e6) || ' ms
of a long kernel, the event decides unless the record is smaller by more than|' || printf('%g', 100 * clock_tie) || ' %
warm-up: times in a row that must agree; within; calls at most; share of the time at most|' || printf('%d; %g %%; %d; %g %%',
    warm_window, 100 * warm_agreement, max_warmup, 100 * warm_share) || '
calls before each later block|' || rewarm || '
flush|' || flush_kind || '
short: the event clock does not decide below|' || printf('%g', short_ns / 1e3) || ' us
event and record may differ by the larger of|' || printf('%g us, %g %%', clock_gap_ns / 1e3, 100 * clock_gap_share) || '
below_floor under so many times the null kernel|' || printf('%g', floor_factor) || '
SUSPECT above the ceiling by more than|' || printf('%g', 100 * ceiling_margin) || ' %' FROM policy")
ends 0 "" "$assay" bench --help
words=$(tr -s ' \n' ' ' <said)
for default in "one after the other (default $(ask $db "SELECT n_processes FROM policy"))" \
    "all regimes together (default $(ask $db "SELECT budget_s FROM policy")s)" \
    "of its median's interval (default $(ask $db "SELECT printf('%g', 100 * target_relative_error) FROM policy"))" \
    "before a cold sample (default $(ask $db "SELECT flush_kind FROM policy"))"; do
    holds "--help says '$default'" grep -qF -- "$default" <<<"$words"
done

echo "# flags of Google Benchmark"
ends 4 "" bench --benchmark_repetitions=3
if grep -qF "built without" said; then
    sed 's/^/skipped: /' said
    finish
    exit
fi
refused() { # flag: named, with a reason, before anything is measured
    rm -f $db*
    ends 4 "${1%%=*} would do nothing here: " bench "$1"
    holds "    nothing is stored" test ! -e $db
}
refused --benchmark_min_time=1
refused --benchmark_min_warmup_time=1
refused --benchmark_repetitions=3
refused --benchmark_enable_random_interleaving=true
refused --benchmark_perf_counters=CYCLES
refused --benchmark_dry_run=true
refused --benchmark_out_format=json
ends 0 "--benchmark_filter=REGEX" "$assay" bench --help
ends 4 "no flag --benchmark_filer" bench --benchmark_filer=axpy
ends 4 "is not a regular expression" bench '--benchmark_filter=('
ends 4 "only 'assay bench'" "$assay" check "${one[@]}" --benchmark_filter=axpy
ends 4 "leaves no point" bench --benchmark_filter=axpy
ends 77 "SKIPPED: the host device checks kernels" "$assay" bench axpy --axis n=1000 --device host --db skipped.db --benchmark_filter=naive
holds "still nothing is stored" test ! -e $db

ends 0 "" bench --benchmark_list_tests
holds "a list of names" is "$(cat said)" "$name"
ends 0 "" "$assay" bench physics_loss --axis grid=8x9x10 "${at[@]}" --benchmark_list_tests --db $db
holds "names what can be timed here, and no kernel" is "$(grep -c . said) $(grep -c '/cpu_[a-z]*/.*/e2e$' said)" "2 2"
ends 0 "" bench --benchmark_list_tests --details
holds "every clock by its name" is "$(cat said)" "$name/host"
holds "measures nothing" test ! -e $db

ends 0 "" bench --processes 2 --benchmark_out=bench.json
# json 'expression': its value, where d is the whole file
json() { sqlite3 :memory: "SELECT $1 FROM (SELECT CAST(readfile('bench.json') AS TEXT) AS d)"; }
repetitions="FROM json_each(d, '$.benchmarks') WHERE value ->> 'run_type' = 'iteration'"
holds "the file is JSON" is "$(json "json_valid(d)")" 1
holds "it names the database and the run" is "$(json "json_extract(d, '$.context.assay_database', '$.context.assay_run')")" '["x.db","1"]'
holds "a repetition is a process" is "$(json "(SELECT group_concat(value ->> 'repetition_index', ' ') $repetitions)")" "0 1"
holds "under the point's key and regime" is "$(json "(SELECT DISTINCT value ->> 'name' $repetitions)")" "$name"
times=$(json "(SELECT group_concat(printf('%.3f', value ->> 'real_time'), ' ') $repetitions)")
holds "with the middle of the blocks that are stored" is "$times" \
    "$(ask $db "SELECT group_concat(printf('%.3f', t), ' ') FROM (SELECT exp(avg(ln(median_ns))) AS t FROM sample_block GROUP BY process)")"
holds "and the clock that decides" is "$(json "(SELECT DISTINCT value ->> 'label' $repetitions)")" host

rm -f $db*
ends 0 "" "$assay" bench physics_loss --variant cpu_omp --axis grid=8x9x10,9x9x9 "${at[@]}" --time 0.01s --db $db --benchmark_filter=grid=9x
holds "the filter picks before anything is measured" is \
    "$(ask $db "SELECT count(*), max(key LIKE '%grid=9x9x9%') FROM point")" "1|1"

echo "# flags of Google Benchmark are not kept for a resumed run, and a message says so"
begin_and_kill 40 --processes 1 --time 0.02s --benchmark_out=killed.json
ends 0 "the --benchmark_ flags of the interrupted run are not repeated" "$assay" resume --db $db
holds "it prints the text report" grep -qF "Times are those of the clock that decides" said
holds "and writes no JSON" test ! -s killed.json
finish
