#!/usr/bin/env bash
# assay history: steps, segments, notes, calibration; its exit statuses and formats.
#   test_cli_history.sh ASSAY
set -u
assay=$1
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/timed_files.sh"
history_of() { "$assay" history --db "$@"; }

# nights FILE SQL-of-a-night FACTOR-of-a-night: sixteen nights in one file; $night is 1 to 16.
nights() {
    local file=$1 sql=$2 factor night
    for night in $(seq 1 16); do
        factor=$(awk -v n="$night" "BEGIN { print (1 + 0.0004 * ((n * 7) % 5 - 2)) * ($3) }")
        vary night.db "night-$night" "$(printf %02d "$night")" "$factor" "$(eval "echo \"$sql\"")"
        "$assay" merge "$file" night.db >said 2>&1 || cat said
    done
}

make_base
echo "# steady"
nights steady.db "" 1
ends 0 "1 series: the newest step is slower in 0" history_of steady.db
holds "says so" grep -qF "steady       $point, e2e, host clock: 16 runs, now 1.000 ms" said

echo "# a step"
nights step.db "" 'n > 9 ? 1.05 : 1'
ends 1 "(1 not explained)" history_of step.db
holds "where" grep -qF "step at run 10 (2026-01-10" said
holds "how large" grep -qE "\+(4\.9|5\.0)[0-9] %" said
ends 0 "slower in 0" history_of step.db --threshold 20%
sqlite3 step.db "INSERT INTO annotation (uuid, series, run_uuid, text, who, written_utc)
    VALUES ('n1', '', 'night-10', 'a larger halo', 'me', '2026-01-11T00:00:00.000Z')"
ends 0 "(0 not explained)" history_of step.db
holds "with the words" grep -qF "note on run 10 (2026-01-11, me): a larger halo" said
ends 0 "" history_of step.db --format json --output x.json
holds "JSON" python3 -c "
import json
s = json.load(open('x.json'))['series'][0]
assert [t['run_id'] for t in s['steps']] == [10] and len(s['values']) == 16 and s['is_explained']"
ends 0 "" history_of step.db --format csv --output x.csv
holds "CSV: a line a run" is "$(wc -l <x.csv)" 17

echo "# another driver"
nights driver.db 'UPDATE device_state SET driver = $((night > 8 ? 2 : 1))' 'n > 8 ? 1.05 : 1'
ends 0 "new segment from run 9" history_of driver.db
holds "named" grep -qF "driver 1 / 2" said

echo "# an error that rises"
# The same for all outputs, so that the worst of each list is its first.
nights error.db 'UPDATE finding SET worst_ratio = 0.5 + 0.02 * $night WHERE worst_ratio IS NOT NULL;
    UPDATE finding_list SET worst_id = (SELECT f.finding_id FROM json_each(char(91) || findings || char(93)) AS j
        JOIN finding AS f ON f.finding_id = j.value ORDER BY coalesce(f.worst_ratio, -1) DESC, j.key LIMIT 1);
    UPDATE run_error SET worst_ratio = 0.5 + 0.02 * $night WHERE worst_ratio IS NOT NULL' 1
ends 0 "WARNING      physics_loss/cpu_omp" history_of error.db

echo "# the page"
ends 0 "" "$assay" report --db step.db --format json --output x.json
holds "has the step" python3 -c "
import json
s = json.load(open('x.json'))['history'][0]
assert [t['run_id'] for t in s['steps']] == [10] and len(s['segments']) == 1"

echo "# a build with itself"
ends 0 "8 pairs of runs of one build" history_of steady.db --calibrate
holds "nothing is recorded unasked" is "$(ask steady.db "SELECT count(*) FROM calibration")" 0
ends 0 "1 of 1 cases have a band" history_of steady.db --calibrate --record
holds "is kept" is "$(ask steady.db "SELECT case_name, regime, clock, n_comparisons, false_slower, band > 0, process_df > 0, process_sd > 0,
    (device_kind, device_name) IN (SELECT kind, name FROM device) FROM calibrated WHERE key IS NOT NULL")" \
    "physics_loss|e2e|host|8|0.0|1|1|1|1"
holds "and so is its case" is "$(ask steady.db "SELECT case_name, n_comparisons, band > 0, process_df FROM calibrated WHERE key IS NULL")" \
    "physics_loss|8|1|"
ends 0 "SAME" "$assay" compare 3 4 --db steady.db --all
ends 0 "" "$assay" compare 3 4 --db steady.db --format csv --output x.csv
holds "compare uses it" python3 -c "
import csv
(row,) = csv.DictReader(open('x.csv', newline=''))
assert 0 < float(row['band']) < 0.015 and row['verdict'] == 'SAME'"
ends 4 "no two finished timing runs" "$assay" history --db base.db --calibrate

echo "# wrong words"
ends 4 "does not exist" history_of absent.db
ends 4 "no history of what is asked for" history_of steady.db axpy
ends 4 "records nothing" history_of steady.db --record
ends 4 "--format does not know 'md'" history_of steady.db --format md
ends 0 "1 series" history_of steady.db physics_loss --point $point --regime e2e
finish
