#!/usr/bin/env bash
# From sizes and kernels to verdicts and exit statuses, on one device.
#   test_cli_check.sh ASSAY DEVICE MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
device=$2
mutant=$(realpath "$3")
. "$(dirname "$0")/cli.sh"
db=x.db
on=(--device "$device" --db "$db")

if ! "$assay" doctor | grep -Eq "^$device +ok"; then
    echo "skipped: $("$assay" doctor | grep "^$device ")"
    exit 77
fi
verdict_of() { ask $db "SELECT verdict FROM latest WHERE key = '$1'"; }
n_measured() { ask $db "SELECT count(*) FROM measurement JOIN point USING (point_id) WHERE variant = '$1'"; }

echo "# sizes at the edge"
ends 0 "" "$assay" check axpy --axis n=0 "${on[@]}"
ends 0 "" "$assay" check axpy --axis n=1 "${on[@]}"
ends 77 "GB are free" "$assay" check axpy --axis n=99999999999999 "${on[@]}"
holds "a size beyond memory is skipped with a reason" is \
    "$(ask $db "SELECT DISTINCT verdict || ' ' || (reason LIKE 'needs % memory%') FROM latest WHERE key LIKE '%n=99999999999999'")" "SKIPPED 1"

echo "# one point, replayed by key and seed"
ends 0 "" "$assay" check --point axpy/vec4/n=1023 --seed 7 "${on[@]}"
holds "the seed is stored" is "$(ask $db "SELECT seed FROM latest WHERE key = 'axpy/vec4/n=1023'")" 7
ends 0 "" "$assay" check axpy --axis n=64 --in-process "${on[@]}"

echo "# the right kernels"
rm -f $db*
ends 0 "" "$assay" check axpy --axis n=255,1000 "${on[@]}"
holds "every variant PASSes" is "$(ask $db "SELECT count(*), sum(verdict = 'PASS') FROM latest")" "4|4"
holds "worst_error answers with rule and reason" is \
    "$(ask $db "SELECT count(*) > 0 AND min(rule <> '') AND min(why <> '') FROM worst_error")" 1

echo "# one sign changed in one kernel"
rm -f $db*
ends 2 "WRONG_VALUE" "$assay" run axpy --axis n=255,1048576 --kernels "$mutant" "${on[@]}"
holds "the report gives the line that replays it" grep -q 'assay check .*--point axpy/naive/n=255 .*--seed 1' said
holds "naive is WRONG_VALUE" is "$(verdict_of axpy/naive/n=255)" WRONG_VALUE
holds "vec4 is PASS" is "$(verdict_of axpy/vec4/n=255)" PASS
holds "no number is stored for naive" is "$(n_measured naive)" 0
if [ "$device" = cuda ]; then
    holds "but for vec4" is "$(($(n_measured vec4) > 0))" 1
fi
ends 0 "" "$assay" report --db $db --format csv --output x.csv
holds "the run is stored with exit status 2" is "$(ask $db "SELECT exit_status FROM run_end")" 2
finish
