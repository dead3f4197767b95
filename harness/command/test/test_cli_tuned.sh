#!/usr/bin/env bash
# --tuned: points with the values that the newest search in the database chose, and the messages about it.
#   test_cli_tuned.sh ASSAY DEVICE MUTANT TUNING_MUTANT
#   MUTANT: a kernel module whose axpy_naive has one sign changed; TUNING_MUTANT: one whose axpy launches 2048 threads a
#   block where 64 are asked for
set -u
assay=$1
device=$2
mutant=$(realpath "$3")
tuning_mutant=$(realpath "$4")
. "$(dirname "$0")/cli.sh"
db=x.db
on=(--device "$device" --db "$db")

if ! "$assay" doctor | grep -Eq "^$device +ok"; then
    echo "skipped: $("$assay" doctor | grep "^$device ")"
    exit 77
fi
newest="SELECT max(run_id) FROM run"
trials() { # of the newest run; points without trials are left out
    ask $db "SELECT group_concat(p.key || ' ' || t.tuning, ' ') FROM tuning_trial AS t JOIN point AS p USING (point_id)
        WHERE p.run_id = ($newest) AND t.is_chosen AND t.reason LIKE 'tuned by run ________ of 2%'"
}
# The choice of a real search is not known in advance, and the host device cannot search: a check is turned into a search.
searched() { # values, then a selection: makes the newest run a search that chose the values
    "$assay" check "${on[@]}" --quiet "${@:2}" >said 2>&1
    sqlite3 $db "DROP TRIGGER IF EXISTS tuning_trial_closed; INSERT INTO tuning_trial (point_id, point_verdict, tuning, verdict,
        reason, regime, clock, n_samples, median_ns, is_chosen) SELECT point_id, 'PASS', '$1', 'PASS', '', 'cold', 'event', 5,
        1000.0, 1 FROM point WHERE run_id = ($newest)"
}
naive=(axpy --variant naive)

echo "# wrong use, and no search"
ends 4 "give one of them" "$assay" bench "${naive[@]}" --tune --tuned "${on[@]}"
ends 0 "results/assay.db does not exist: no search is known" "$assay" plan "${naive[@]}" --tuned
holds "no database is made" is "$(ls results 2>/dev/null)" ""
ends 0 "$db holds no search of these points" "$assay" check "${naive[@]}" --axis n=1000 --tuned "${on[@]}"
ends 0 "no point here has tuning axes that were not given values" \
    "$assay" check --point axpy/naive/n=1000/block=256 --tuned "${on[@]}"
holds "nothing is taken" is "$(ask $db "SELECT count(*) FROM tuning_trial")" 0

echo "# searched points"
searched block=64 "${naive[@]}" --axis n=1000
run=$(ask $db "SELECT substr(uuid, 1, 8) || ' of ' || substr(started_utc, 1, 10) FROM run ORDER BY run_id DESC LIMIT 1")
ends 0 "block=64, tuned by run $run" "$assay" plan "${naive[@]}" --axis n=1000 --tuned --db $db
ends 0 "has chosen: 1 of 4; without a search, so with default values: 3" "$assay" check axpy --axis n=1000,2000 --tuned "${on[@]}"
holds "    one has it, under the key of its defaults" is "$(trials)" "axpy/naive/n=1000 block=64"
holds "    the report says from where" grep -Eq "^ +naive +block=64 +tuned by run $run$" said
"$assay" report --format csv --db $db >a.csv
holds "    so does the CSV" is "$(grep -c "block=64,tuned by run $run" a.csv)" 1
holds "    which is imported" "$assay" import a.csv --db again.db
"$assay" report --format csv --db again.db >b.csv
holds "    and comes out the same" cmp a.csv b.csv
"$assay" report --format json --db $db >said
holds "    and the JSON" grep -qF '"tuned":"block=64"' said

echo "# values from the command line are kept, also default ones"
ends 0 "has chosen: 1 of 1" "$assay" check "${on[@]}" --tuned --point axpy/naive/n=1000 --point axpy/naive/n=1000/block=128
holds "    one was not given any" is "$(trials)" "axpy/naive/n=1000 block=64"
ends 0 "no point here" "$assay" check "${on[@]}" --tuned --point axpy/naive/n=1000/block=256
holds "    none of them" is "$(trials)" ""

echo "# another module: the values reach its kernel, and the line that repeats the failure has them"
ends 2 "LAUNCH_FAILED" "$assay" check "${naive[@]}" --axis n=1000 --tuned "${on[@]}" --kernels "$tuning_mutant"
holds "    in its key" grep -qF -- "check --point axpy/naive/n=1000/block=64 --seed 1" said
ends 2 "whether its code has changed since is not known" \
    "$assay" check "${naive[@]}" --axis n=1000 --tuned "${on[@]}" --kernels "$mutant"
holds "    said at the beginning, too" grep -qF "by another kernel module, of whose code nothing is known: 1" said

echo "# a file with a text that is longer than a program could have written"
cp $db odd.db
sqlite3 odd.db "DROP TRIGGER tuning_trial_kept; UPDATE tuning_trial SET tuning = replace(hex(zeroblob(20000)), '0', ',')
    WHERE is_chosen AND reason <> ''"
ends 0 "LAUNCH_FAILED" "$assay" report --db odd.db --run "$(ask odd.db "SELECT run_id FROM verdicts WHERE verdict = 'LAUNCH_FAILED' LIMIT 1")"
holds "    its key is cut" grep -qE -- "check --point axpy/naive/n=1000//{100,127} --seed 1" said

echo "# a resumed run has the values that it was planned with, whatever later searches chose"
ends 2 "" "$assay" check "${naive[@]}" --axis n=1000,2000,3000 --tuned "${on[@]}" --kernels "$tuning_mutant" --quiet
left="(SELECT point_id FROM point WHERE run_id = ($newest) AND key = 'axpy/naive/n=1000')"
holds "    its searched point is taken back" sqlite3 $db "DROP TRIGGER verdict_held; DROP TRIGGER checked_point_held;
    DROP TRIGGER IF EXISTS run_error_held; DROP TRIGGER IF EXISTS run_end_held;
    DELETE FROM run_end WHERE run_id = ($newest); DELETE FROM run_error WHERE run_id = ($newest);
    DELETE FROM verdict WHERE point_id = $left; DELETE FROM checked_point WHERE point_id = $left"
begun=$(ask $db "$newest")
searched block=128 "${naive[@]}" --axis n=1000
ends 2 "resuming run $begun (check), 1 points left" "$assay" resume --db $db --kernels "$tuning_mutant"
holds "    with 64 threads a block" is "$(ask $db "SELECT verdict FROM verdicts
    WHERE run_id = $begun AND key = 'axpy/naive/n=1000'")" LAUNCH_FAILED

echo "# the newest search counts; if its values no longer exist, a message says so"
ends 0 "block=128" "$assay" check "${naive[@]}" --axis n=1000 --tuned "${on[@]}"
searched block=96 "${naive[@]}" --axis n=1000
ends 0 "does not have what was chosen any more: 1 (axpy/naive/n=1000: block=96)" \
    "$assay" check "${naive[@]}" --axis n=1000 --tuned "${on[@]}"
holds "    nothing is taken" is "$(trials)" ""

if [ "$device" = cuda ]; then
    echo "# a real search, and a timing with its values"
    db=real.db
    on=(--device cuda --db $db --time 0.02s)
    ends 0 "" "$assay" bench "${naive[@]}" --axis n=1048576 --tune "${on[@]}"
    found=$(ask $db "SELECT tuning FROM tuning_trial WHERE is_chosen")
    ends 0 "has chosen: 1 of 1" "$assay" bench "${naive[@]}" --axis n=1048576 --tuned "${on[@]}"
    holds "    with what was found" is "$(trials)" "axpy/naive/n=1048576 $found"
    holds "    in every measurement" is "$(ask $db "SELECT group_concat(DISTINCT m.tuning) FROM measurement AS m
        JOIN point AS p USING (point_id) WHERE p.run_id = ($newest)")" "$found"
    on=(--device cuda --db $db)
    if [ -n "$(ask $db "SELECT code_hash FROM launch LIMIT 1")" ]; then
        ends 2 "its code has changed since" \
            "$assay" check "${naive[@]}" --axis n=1048576 --tuned "${on[@]}" --kernels "$mutant"
    else
        ends 2 "is not known" "$assay" check "${naive[@]}" --axis n=1048576 --tuned "${on[@]}" --kernels "$mutant"
    fi
fi
finish
