#!/usr/bin/env bash
# Runs that a user's own programs write, and how every command handles them. Times are made up, so that no result depends on
# this host.
#   test_cli_programs.sh ASSAY FAKE_PROGRAM PHYSARUM_SENSITIVITY PHOTON_STREAM TEST_PHYS_PERF
set -u
assay=$1
fake=$(realpath "$2") sensitivity=$(realpath "$3") stream=$(realpath "$4") perf=$(realpath "$5")
. "$(dirname "$0")/cli.sh"
db=x.db
fake() { "$fake" --db $db "$@"; }
newest() { ask "${1:-$db}" "SELECT max(run_id) FROM run"; }

echo "# a run is written"
ends 0 "" fake right 1
holds "with the program as its verb" is "$(ask $db "SELECT verb FROM run")" fake_program
holds "four points passed" is "$(ask $db "SELECT count(*) FROM verdicts WHERE outcome = 'passed'")" 4
holds "three processes timed each" is "$(ask $db "SELECT min(n_processes) || ' ' || min(n_samples) FROM measurement")" "3 60"
holds "each with statistics" is "$(ask $db "SELECT count(*) FROM measurement WHERE p05_ns < mean_ns AND mean_ns < p95_ns")" 4
holds "a speed-up over its baseline, with its interval" is "$(ask $db "SELECT group_concat(printf('%.2f %s', speedup, finding)) FROM speedup")" "0.50 SLOWER,0.50 SLOWER"
holds "nothing of the other processes is left" is "$(find /tmp -maxdepth 1 -name 'assay-program-*' -newer $db 2>/dev/null | wc -l)" 0
ends 0 "4 points: 4 passed" "$assay" report --db $db
holds "a line for each time" grep -qE "wide +2\.000 ms +.* e2e" said
ends 0 "4 points: 4 passed" "$assay" report --db $db --details
holds "with times" grep -qE "wide +e2e host \* +2\.000 ms" said
holds "with facts" grep -qE "wide +answer +42\.0000" said
ends 0 "" "$assay" report --db $db --format html --output x.html
ends 0 "" "$assay" report --db $db --format json --output x.json

echo "# CSV and back"
ends 0 "" "$assay" report --db $db --format csv --output x.csv
ends 0 "1 new runs, 4 points" "$assay" import x.csv --db imported.db
ends 0 "4 points: 4 passed" "$assay" report --db imported.db
ends 0 "whole" "$assay" doctor --db imported.db
holds "the same times" is "$(ask imported.db "SELECT group_concat(median_ns) FROM measurement")" "$(ask $db "SELECT group_concat(median_ns) FROM measurement")"

ends 0 "" "$assay" baseline accept --name main --why x --db imported.db
ends 4 "is a run of fake_program, which assay cannot start" "$assay" gate --baseline main --db imported.db

echo "# baseline, compare, gate"
ends 0 "main is run 1" "$assay" baseline accept --name main --why first --db $db
ends 0 "" fake right 1
ends 0 "4 SAME" "$assay" compare previous latest --db $db
ends 0 "gate main: passed" "$assay" gate --baseline main --no-run --db $db
ends 0 "" "$assay" gate fake_sums --baseline main --no-run --db $db --quiet
ends 4 "neither side has a time of what is asked for" "$assay" gate fake_sumz --baseline main --no-run --db $db
ends 4 "is a run of fake_program, which assay cannot start" "$assay" gate --baseline main --db $db
holds "nothing was run" is "$(newest)" 2
ends 0 "" fake right 1.5
ends 1 "4 SLOWER" "$assay" compare previous latest --db $db
ends 3 "unconfirmed" "$assay" gate --baseline main --no-run --db $db
holds "the run before was not slower" grep -qF "again SAME: " said
ends 0 "" fake right 1.5
ends 1 "FAILED: a confirmed regression" "$assay" gate --baseline main --no-run --db $db
holds "by the run before" grep -qF "run before   run 3 of" said
ends 0 "" "$fake" --db alone.db right 1
ends 0 "" "$fake" --db alone.db right 1.5
ends 0 "" "$assay" baseline accept --run 1 --name main --why x --db alone.db
ends 3 "assay cannot start fake_program: start it again" "$assay" gate --baseline main --no-run --db alone.db

echo "# a run on another card confirms nothing"
cp $db cards.db
sqlite3 cards.db "DROP TRIGGER run_kept; INSERT INTO device VALUES (9, 'host', '', 'another CPU');
    CREATE TEMP TABLE other AS SELECT * FROM device_state; UPDATE other SET device_state_id = 9, device_id = 9;
    INSERT INTO device_state SELECT * FROM other; UPDATE run SET device_state_id = 9 WHERE run_id IN (2, 3)"
ends 3 "assay cannot start fake_program: start it again" "$assay" gate --baseline main --no-run --db cards.db

echo "# beside runs of assay"
cp $db both.db
ends 0 "" "$assay" bench physics_loss --variant cpu_omp --axis grid=8x9x10 --axis boundary=periodic --axis time=first_order \
    --axis vjp=residual --axis pass=both --time 0.01s --device host --quiet --db both.db
ends 1 "FAILED: a confirmed regression" "$assay" gate --baseline main --no-run --db both.db
holds "the newest run of that program is judged" grep -qF "judged       run 4 of" said
ends 4 "there is no second finished run with times" "$assay" compare previous latest --db both.db

echo "# history, merge, doctor, prune"
ends 0 "4 series" "$assay" history --db $db
ends 0 "fake_sums/wide/n=1000, e2e, host clock: 4 runs" "$assay" history fake_sums --db $db
ends 0 "4 new runs, 16 points" "$assay" merge all.db $db
ends 0 "0 new runs" "$assay" merge all.db $db
ends 0 "whole" "$assay" doctor --db all.db
ends 0 "" "$assay" prune --db all.db --keep 1
ends 0 "4 series" "$assay" history --db all.db

echo "# a rising error is reported"
rm -f error.db*
for run in $(seq 1 12); do "$fake" --db error.db --processes 1 right 1; done
sqlite3 error.db "DROP TRIGGER run_error_kept; UPDATE run_error SET worst_ratio = 0.4 + 0.045 * run_id"
ends 0 "WARNING      fake_sums/plain" "$assay" history --db error.db

echo "# no verdict, no number"
ends 2 "" "$fake" --db wrong.db wrong 1
holds "the wrong point has no times and no facts" is "$(ask wrong.db "SELECT (SELECT count(*) FROM measurement) || ' ' || (SELECT count(*) FROM metric)")" "3 3"
ends 0 "WRONG_VALUE: 'sum' is off by 3, allowed is 1" "$assay" report --db wrong.db
holds "what repeats it is the program" grep -qF "$fake wrong 1 --db wrong.db" said
ends 4 "a run with failures cannot be a baseline" "$assay" baseline accept --name main --why x --db wrong.db
ends 2 "" "$fake" --db other.db other_wrong 1
holds "what another process found wrong is wrong" is "$(ask other.db "SELECT count(*) FROM verdicts WHERE verdict = 'WRONG_VALUE' AND reason LIKE 'process %: %sum%'")" 1
ends 4 "process 2 of 3 ended with status 134" "$fake" --db dies.db other_dies 1
holds "nothing is stored of such a group" is "$(ask dies.db "SELECT (SELECT count(*) FROM verdict) || ' ' || (SELECT count(*) FROM run_end)")" "0 0"
ends 4 "before any point had a verdict" "$fake" --db silent.db other_silent 1

echo "# interrupted, and resumed"
ends 9 "" "$fake" --db cut.db stops 1
holds "the first group is whole" is "$(ask cut.db "SELECT group_concat(outcome) FROM verdicts")" "passed,passed,ready,ready"
ends 0 "The command line of this run with --resume completes what is left" "$assay" report --db cut.db
ends 4 "its run 1 is one of fake_program, which finishes it" "$assay" resume --db cut.db
ends 4 "its own command line with --resume does the rest" "$assay" baseline accept --run 1 --name main --why x --db cut.db
ends 0 "" "$fake" --db cut.db --resume right 1
holds "it is whole" is "$(ask cut.db "SELECT count(*) || ' ' || (SELECT exit_status FROM run_end) FROM verdicts WHERE outcome = 'passed'")" "4 0"
holds "as one run" is "$(newest cut.db)" 1
holds "with the times of all processes" is "$(ask cut.db "SELECT min(n_processes) FROM measurement")" 3
ends 4 "holds no run of fake_program that was cut off" "$fake" --db cut.db --resume right 1
ends 0 "whole" "$assay" doctor --db cut.db

echo "# killed, with another process at work"
has_ended() { [ ! -e "/proc/$1" ] || grep -q '^State:.Z' "/proc/$1/status"; }
"$fake" --db killed.db other_waits 1 2>said &
until [ -s other.pid ] || has_ended $!; do sleep 0.1; done
kill -KILL $!
wait $! 2>/dev/null
for _ in $(seq 100); do has_ended "$(cat other.pid)" && break; sleep 0.1; done
holds "that one has ended, too" has_ended "$(cat other.pid)"
holds "what it was started for was said" grep -qF "fake_program: process 2 of 3 times points 1 to 2 of 4" said
ends 0 "" "$fake" --db killed.db --resume right 1

echo "# wrong use"
ends 4 "--resume finishes a run of a database" "$fake" --resume right
ends 4 "--processes takes a number of processes" "$fake" --db $db --processes 0 right
ends 4 "no/such/x.db" "$fake" --db no/such/x.db right
ends 4 "x.csv" "$fake" --db x.csv right
ends 4 "usage: fake_program [--db FILE" "$fake" --db $db
ends 0 "" "$fake" right

echo "# the programs of the cases"
ends 0 "" "$sensitivity" --db s.db 32 1024 40 3 1 5
ends 0 "" "$sensitivity" --db s.db 32 1024 40 3 1 5
holds "growth is a fact" is "$(ask s.db "SELECT count(DISTINCT value) FROM metric WHERE name = 'agents_rate_a_step'")" 2
holds "times of the CPU" is "$(ask s.db "SELECT count(*) FROM measurement WHERE decides = 1 AND regime = 'e2e' AND n_samples = 9")" 4
holds "they can be compared" sh -c "'$assay' compare previous latest --db s.db --format csv | grep -c '^compared' | grep -qx 2"
ends 0 "3 of 3 points are right" "$stream" --db p.db sizes 1000 1 2
ends 0 "2 of 2 points are right" "$stream" --db p.db checkpoint 1000 1 2
holds "a question is a case" is "$(ask p.db "SELECT count(*) FROM verdicts WHERE outcome = 'passed' AND case_name = 'photon_stream_checkpoint'")" 2
holds "the host device times nothing" is "$(ask p.db "SELECT (SELECT count(*) FROM measurement) || ' ' || (SELECT count(*) FROM metric WHERE name LIKE '%_ns')")" "0 0"
holds "each configuration has its shares" is "$(ask p.db "SELECT count(*) FROM metric WHERE name = 'busy_lane_share'")" 3
n_passed() { ask "$1" "SELECT count(*) FROM verdicts WHERE outcome = 'passed'" 2>/dev/null || echo 0; }
"$stream" --db half.db latency 10000 1 1 2>/dev/null &
while [ "$(n_passed half.db)" -lt 9 ] && ! has_ended $!; do sleep 0.02; done
kill -KILL $!
wait $! 2>/dev/null
n_half=$(n_passed half.db)
holds "of a question that is killed, what was finished is there" [ "$n_half" -ge 9 ]
holds "and the rest is not" [ "$n_half" -lt 45 ]
ends 0 "points are right" "$stream" --db half.db --resume latency 10000 1 1
holds "it is whole, as one run" is "$(n_passed half.db) $(newest half.db)" "45 1"
ends 0 "9 of 9 points are right" "$stream" latency 1 1 # as many repeats as fit into the time
ends 4 "photon_stream " "$stream" --db p.db sizes 0
ends 0 "points are right" "$stream" sizes 1000 1 1
ends 0 "" "$perf" --db k.db 6
holds "kernels of the API were checked" is "$(ask k.db "SELECT count(*) FROM verdicts WHERE outcome = 'passed' AND case_name = 'physics_loss_api'")" 52
ends 77 "store" "$perf" 6
finish
