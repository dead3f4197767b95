#!/usr/bin/env bash
# import: the reviewed baselines are imported and exported again byte for byte, and an invalid file changes nothing.
#   test_cli_import.sh ASSAY BASELINES
set -u
assay=$1
baselines=$(realpath "$2") || exit 1
. "$(dirname "$0")/cli.sh"

# starts_alike OLD NEW: NEW has the contents of OLD, and may have more columns after them. Six decimals are compared, since older
# releases wrote more digits than needed. They also repeated in each line of a point what only the first line has now.
starts_alike() {
    python3 - "$1" "$2" <<'EOF'
import csv, re, sys

def read(name):
    csv.field_size_limit(1 << 30)
    with open(name, newline="") as file:
        return [[re.sub(r"(\.\d{6})\d+", r"\1", cell) for cell in row] for row in csv.reader(file)]

old, new = (read(name) for name in sys.argv[1:])
once = {"kernels", "code_hashes", "metrics"}
alike = len(old) == len(new) > 1
point = [old[0].index(name) for name in ("run_uuid", "key")]
for i, (a, b) in enumerate(zip(old, new)):
    is_more = all(a[place] == old[i - 1][place] for place in point)
    for name, before, said, now in zip(old[0], old[i - 1], a, b):
        alike &= (now == "" and said in ("", before)) if name in once and is_more else said == now
    alike &= len(a) <= len(b)
sys.exit(not alike)
EOF
}
# Exports all runs of a file, one after another with one header.
export_csv() { # database csv
    local run
    for run in $(ask "$1" "SELECT run_id FROM run ORDER BY run_id"); do
        "$assay" report --db "$1" --run "$run" --format csv | if [ "$run" -eq 1 ]; then cat; else tail -n +2; fi
    done >"$2"
}
runs_of() { tail -n +2 "$1" | cut -d, -f1 | sort -u | wc -l; }

echo "# reviewed baselines"
n_small=0 n_runs=0
for csv in "$baselines"/*/*.csv; do
    name=$(basename "$(dirname "$csv")")_$(basename "$csv" .csv)
    runs=$(runs_of "$csv")
    n_runs=$((n_runs + runs))
    [ "$(stat -c %s "$csv")" -lt 300000 ] || continue # large ones are tested below, with all others
    n_small=$((n_small + 1))
    ends 0 "$runs new runs" "$assay" import "$csv" --db "$name.db"
    ends 0 "0 new runs, 0 points; $runs runs were there" "$assay" import "$csv" --db "$name.db"
    export_csv "$name.db" "$name.1.csv"
    holds "what the file says comes out" starts_alike "$csv" "$name.1.csv"
    ends 0 "$runs new runs" "$assay" import "$name.1.csv" --db "$name.2.db"
    export_csv "$name.2.db" "$name.2.csv"
    holds "byte for byte" cmp "$name.1.csv" "$name.2.csv"
done
holds "there are small baselines" [ "$n_small" -gt 0 ]
ends 0 "$n_runs new runs" "$assay" import "$baselines"/*/*.csv --db all.db
holds "all in one" is "$(ask all.db "SELECT count(*) FROM run")" "$n_runs"
holds "no samples" is "$(ask all.db "SELECT count(time_ns) FROM sample_block")" 0
ends 0 "$n_runs new runs" "$assay" merge merged.db all.db
ends 0 "whole" "$assay" doctor --db all.db
ends 0 "whole" "$assay" doctor --db merged.db
ends 0 "axpy" "$assay" report --db all.db --run 1

echo "# a run of this build"
ends 0 "" "$assay" check axpy --axis n=1,5 --device host --quiet --db here.db
export_csv here.db here.csv
ends 0 "1 new runs" "$assay" import here.csv --db there.db
export_csv there.db there.csv
holds "byte for byte" cmp here.csv there.csv
ends 0 "0 new runs, 0 points; 1 runs were there" "$assay" import here.csv --db here.db
ends 4 "holds no interrupted run" "$assay" resume --db there.db
{ cat here.csv; tail -n +2 "$baselines"/h200/axpy.csv | cut -d, -f1-40; } >two.csv
ends 4 "two.csv:" "$assay" import two.csv --db two.db

echo "# refused"
before=$(cksum <here.db)
sed 's/PASS,passed/PASS,caught/' here.csv >contradiction.csv
ends 4 "contradiction.csv:2:" "$assay" import contradiction.csv --db none.db
holds "    names the column" grep -qF "outcome: 'caught' does not fit" said
head -c 3000 here.csv >cut.csv
ends 4 "cut.csv:" "$assay" import cut.csv --db none.db
ends 4 "cannot read nothing.csv" "$assay" import here.csv nothing.csv --db none.db
ends 4 "there is no column 'run_uuid'" "$assay" import <(echo a,b) --db none.db
ends 4 "a database to write" "$assay" import here.csv
ends 4 "files to read" "$assay" import --db none.db
ends 4 "is not a database" "$assay" import here.csv --db here.csv
holds "nothing is left of what was refused" is "$(echo none.db*)" 'none.db*'
holds "the source is as it was" is "$(cksum <here.db)" "$before"
ends 4 "contradiction.csv:2:" "$assay" import contradiction.csv --db here.db
holds "a database that was there is as it was, with nothing beside it" is "$(cksum <here.db) $(echo here.db*)" "$before here.db"

echo "# facts that the file lacks are not reported"
# An older file lacks the end of the run and the kernels; no file has host, settings and samples.
for csv in "$baselines"/h100-sxm/physics_loss.csv "$baselines"/h200/axpy.csv; do
    rm -f old.db*
    ends 0 "new runs" "$assay" import "$csv" --db old.db
    for format in text csv json md html "text --details"; do
        # shellcheck disable=SC2086
        "$assay" report --db old.db --format $format --output old.report >said 2>&1 || cat said
        holds "    $format says nothing of it" is "$(grep -oE '\b0 CPUs|pruned|null CPU|0x0x0|"n_cpus":0|"ecc":[01]|_khz":0|grid_x":0|no end: inter[^ ]*, or still running$' old.report | sort -u)" ""
        [ "$format" = html ] || holds "    nor that it was interrupted" is "$(grep -c interrupted old.report)" 0
    done
    holds "the list of runs does not call it open" is "$("$assay" runs --db old.db | grep -c 'open$')" 0
done
ends 0 "" "$assay" report --db here.db
holds "a run that was recorded here has its CPUs" grep -qE '"n_cpus":[1-9]' <("$assay" report --db here.db --format json)

echo "# reading a closed file leaves nothing beside it"
for words in report "report --format csv" runs history "compare latest latest" doctor; do
    # shellcheck disable=SC2086
    "$assay" $words --db old.db >said 2>&1
    holds "    $words" is "$(echo old.db*)" old.db
done
ends 0 "" "$assay" merge out.db old.db
holds "    merge" is "$(echo old.db* out.db*)" "old.db out.db"
mkdir closed && cp old.db closed/ && chmod a-w closed/old.db closed && chmod a+rx . closed
as_reader=()
[ "$(id -u)" -ne 0 ] || as_reader=(setpriv --reuid=65534 --regid=65534 --clear-groups) # root may write everywhere
ends 0 "axpy" "${as_reader[@]}" "$assay" report --db closed/old.db
holds "and a file that is read-only in a folder that is" is "$(echo closed/*)" closed/old.db
chmod u+w closed
finish
