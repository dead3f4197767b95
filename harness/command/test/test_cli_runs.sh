#!/usr/bin/env bash
# assay runs: the runs of a database, as text in 80 columns, as CSV and as JSON.
#   test_cli_runs.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

echo "# wrong use"
ends 4 "absent.db does not exist" "$assay" runs --db absent.db
ends 4 "--format does not know 'html'" "$assay" runs --format html
ends 4 "'runs' takes no case" "$assay" runs axpy

echo "# the runs of a database"
ends 0 "" "$assay" check axpy --axis n=255 --device host --db r.db --quiet
ends 2 "" "$assay" check axpy --axis n=255 --device host --db r.db --quiet --kernels "$mutant"
ends 0 "" "$assay" check axpy --axis n=3 --device host --db r.db --quiet
sqlite3 r.db "DROP TRIGGER run_end_held; DELETE FROM run_end WHERE run_id = 3"
ends 0 "  run  uuid      started (UTC)     what    lane   points failed   open  end" "$assay" runs --db r.db
holds "a line a run, the newest first" is "$(awk 'NR > 1 { print $1 }' said | tr '\n' ' ')" "3 2 1 "
holds "    within 80 columns" is "$(awk 'length > 80' said)" ""
holds "    that has ended well" grep -Eq '^ +1 +[0-9a-f]{8} .* check +host +2 +0 +0 +passed$' said
holds "    that found a wrong answer" grep -Eq '^ +2 .* check +host +2 +1 +0 +FAILED$' said
holds "    that was cut off" grep -Eq '^ +3 .* open$' said
ends 0 "" "$assay" runs --db r.db --format csv --output r.csv
holds "CSV has a name for each column" is "$(head -n 1 r.csv | cut -d, -f 1-3)" run_id,uuid,started_utc
holds "    and a line for each run" is "$(wc -l <r.csv)" 4
ends 0 "" "$assay" runs --db r.db --format json --output r.json
holds "JSON has them too" is "$(python3 -c '
import json
runs = json.load(open("r.json"))["runs"]
print([r["run_id"] for r in runs], runs[2]["n_passed"], runs[2]["verb"], runs[0]["exit_status"])')" "[3, 2, 1] 2 check None"

echo "# on a terminal of 60 columns"
export TERM=xterm
unset NO_COLOR
script -qefc "stty cols 60; '$assay' report --db r.db --run 2" /dev/null | tr -d '\r' >coloured
escape=$(printf '\033')
sed "s/$escape\[[0-9]*m//g" coloured >said
holds "failures are red, what passed is green" grep -q "^2 points: $escape\[32m1 passed$escape\[0m, $escape\[31m1 failed (1 WRONG_VALUE)$escape\[0m$" coloured
holds "    in tables, too" grep -qE "^    naive +1 +$escape\[31m1$escape\[0m +|^ *naive +- +$escape\[31m1$escape\[0m" coloured
holds "no line but commands is longer than 80" is "$(awk 'length > 80 && !/ --point | check axpy /' said)" ""
holds "the reason is broken" grep -qE '^        [0-9 of]*fail$' said
holds "the command is whole" grep -qE '^ +.* check --point axpy/naive/n=255 --seed 1 --kernels .* --device host$' said
NO_COLOR=1 script -qefc "stty cols 60; '$assay' report --db r.db --run 2" /dev/null | tr -d '\r' >plain
holds "without colours it is the same" cmp said plain
"$assay" report --db r.db --run 2 >said
holds "nothing of a pipe is coloured" is "$(grep -c "$escape" said)" 0
holds "elsewhere all lines are whole" grep -q 'element 0 is -69.25, expected exactly 7.25; 252 of 255 fail$' said

echo "# one run, by any of its names"
cp "$(dirname "$0")/../../../results/baseline/h200/axpy.csv" axpy.csv
ends 0 "" "$assay" import axpy.csv --db t.db
uuid=$(ask t.db "SELECT substr(uuid, 1, 8) FROM run WHERE run_id = 1")
ends 0 "run 1 (" "$assay" report --db t.db --run 1
ends 0 "run 1 ($uuid)" "$assay" report --db t.db --run "$uuid"
ends 0 "run $(ask t.db "SELECT max(run_id) FROM run") (" "$assay" report --db t.db --run latest
ends 0 "first is run 1" "$assay" baseline accept --db t.db --run "$uuid" --name first --why "a test"
ends 0 "run 1 ($uuid)" "$assay" report --db t.db --run baseline:first
ends 4 "has no accepted baseline 'second'" "$assay" report --db t.db --run baseline:second
ends 4 "may mean several runs" "$assay" report --db t.db --run build:1
ends 4 "has no run 'nobody': give its number or the beginning of its uuid, latest, previous or baseline:NAME" "$assay" report --db t.db --run nobody
ends 4 "--run takes the number of a run, from 1 on, not '0'" "$assay" report --db t.db --run 0
ends 4 "not '99999999999999999999'" "$assay" report --db t.db --run 99999999999999999999
ends 4 "there is no run 99" "$assay" report --db t.db --run 99
ends 4 "has no run ''" "$assay" report --db t.db --run ''
ends 4 "is not an interrupted run of assay" "$assay" resume --db t.db --run "$uuid"

finish
