#!/usr/bin/env bash
# assay runs: which runs a database holds, for people in 80 columns, and as CSV and JSON.
#   test_cli_runs.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

echo "# wrong use"
ends 4 "absent.db does not exist" "$assay" runs --db absent.db
ends 4 "--format does not know 'html'" "$assay" runs --format html
ends 4 "'runs' takes no case" "$assay" runs axpy

echo "# what there is"
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

finish
