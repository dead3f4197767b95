#!/usr/bin/env bash
# assay gate on CPU variants: what passes, what fails and why. No test relies on times being alike: a point that must be slower
# is compared with a baseline whose times were made a million times shorter.
#   test_cli_gate.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy naive is wrong
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"
db=x.db
at=(--axis boundary=periodic --axis time=first_order --axis vjp=residual --axis pass=both --device host)
grid=(physics_loss --axis grid=8x9x10 "${at[@]}")
key=physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both
# One thread, and enough processes that the slowest and the fastest are left out, so that other work on this machine does not
# decide.
export OMP_NUM_THREADS=1
timing=(--variant cpu_omp --time 0.01s --processes 7)
bench() { "$assay" bench "${grid[@]}" "${timing[@]}" --quiet "$@"; }
gate() { "$assay" gate --baseline main "$@" --quiet; }
judge() { gate "${grid[@]}" "${timing[@]}" --no-run "$@"; }

# In a copy of a file, all times of one run, or of all runs, multiplied: scale FROM TO FACTOR [RUN].
scale() {
    cp "$1" "$2"
    sqlite3 "$2" "DROP TRIGGER measurement_kept; DROP TRIGGER sample_block_kept;
        CREATE TEMP TABLE scaled AS SELECT measurement_id FROM measurement AS m JOIN point AS p ON p.point_id = m.point_id
            WHERE ${4:-0} IN (0, p.run_id);
        UPDATE sample_block SET median_ns = median_ns * $3 WHERE measurement_id IN scaled;
        UPDATE measurement SET median_ns = median_ns * $3, p05_ns = p05_ns * $3, p95_ns = p95_ns * $3
            WHERE measurement_id IN scaled"
}
newest() { ask $db "SELECT max(run_id) FROM run"; }

echo "# no baseline"
ends 4 "x.db does not exist" judge --db $db
ends 4 "time with \`assay bench --db 'no such.db'\`" judge --db "no such.db"
holds "    declared in the same file" grep -qF "\`assay baseline accept --name main --why ... --db 'no such.db'\`" said
ends 0 "" bench --db $db
ends 4 "has no accepted baseline 'main'" judge --db $db
ends 4 "gate needs --baseline" "$assay" gate --no-run --db $db
ends 0 "" "$assay" baseline accept --name main --why first --db $db
ends 4 "has no accepted baseline 'man'" "$assay" gate --baseline man --no-run --db $db
n_runs=$(ask $db "SELECT count(*) FROM run")

echo "# the baseline run is not slower than itself"
ends 0 "" judge --db $db
ends 0 "gate main: passed (exit status 0)" "$assay" gate --baseline main --no-run --db $db
holds "compared, and the same" grep -qF "compared     1: 1 SAME" said
holds "which is counted, and no more" is "$(grep -c " before, " said)" 0
ends 0 "  SAME         $key  e2e host:" "$assay" gate --baseline main --no-run --all --db $db
holds "    shown with --all" grep -qE "^ +[0-9.]+ [num]?s before, [0-9.]+ [num]?s after: \+0.00 %" said
ends 4 "neither side has a time of what is asked for" "$assay" gate --baseline main axpy --no-run --db $db
holds "nothing was run" is "$(newest)" "$n_runs"

echo "# slower, and slower again"
sqlite3 $db "VACUUM INTO 'base.db'"
scale base.db fast.db 1e-6
ends 1 "FAILED: a confirmed regression" gate "${grid[@]}" "${timing[@]}" --against fast.db --db $db
holds "names the point with its regime and clock" grep -qxF "  SLOWER       $key  e2e host:" said
effect='[0-9.]+ [num]?s before, [0-9.]+ [num]?s after: \+[0-9.]+ % \[\+[0-9.]+, \+[0-9.]+\].*'
holds "below it both times and the interval of their ratio" grep -qEx "               $effect" said
holds "says what it was the second time" grep -qEx "         again $effect" said
holds "without cycles time decided alone" grep -q " after: .*; .*cycles unknown" said
holds "says what the times are" grep -qF "before, after: the means over the processes of each side" said
compared() { "$assay" compare fast.db:baseline:main "$db:3" --format json; }
shown=$(compared | /usr/bin/python3 -c 'import json, sys
row = json.load(sys.stdin)["changes"][0]
print(f"{100 * row["effect"]:+.2f} % [{100 * row["lo"]:+.2f}, {100 * row["hi"]:+.2f}]")')
holds "as compare has them: $shown" grep -qF "$shown" said
holds "says what to do, in lines to copy" is "$(grep -A 2 "^  next " said | tail -n 2)" "      assay history --db x.db
      assay baseline accept --run 3 --name main --why ... --db x.db"
holds "made a check, a timing, and another timing of what was slower" is \
    "$(ask $db "SELECT group_concat(verb, ' ') FROM (SELECT verb FROM run WHERE run_id > $n_runs ORDER BY run_id)")" "check bench bench"
holds "the last one says whose points it repeats" is \
    "$(ask $db "SELECT instr(options, '--repeats=' || (SELECT uuid FROM run WHERE run_id = 3) || char(10)) > 0 FROM run WHERE run_id = 4")" 1
holds "it holds that point alone" is "$(ask $db "SELECT group_concat(key) FROM point WHERE run_id = 4")" "$key"
holds "all of them have ended" is "$(ask $db "SELECT count(*) FROM run_end")" 4
ends 1 "judged       run 3 of" judge --against fast.db --db $db
holds "the newest run is not the one that repeats" is "$(newest)" 5
ends 0 "again is run 3" "$assay" baseline accept --name again --why "not the repetition either" --db $db

echo "# slower once"
ends 3 "not timed again: --no-repeat was given" judge --against fast.db --db $db --no-repeat
holds "how much a case varies by itself is a line to copy" grep -qx "      assay history --calibrate --db x.db" said
long=a_database_of_which_the_name_is_so_long_that_no_command_with_it_fits.db
sqlite3 $db "VACUUM INTO '$long'"
script -qefc "stty cols 80; '$assay' gate --baseline main --no-run --no-repeat --against fast.db --db $long" /dev/null | tr -d '\r' >narrow
holds "    which a terminal does not break" grep -qx "      assay history --calibrate --db $long" narrow
holds "    and no line of it but that and the key is longer" is \
    "$(sed 's/\x1b\[[0-9]*m//g' narrow | grep -vF -e "$key" -e "$long" | awk 'length > 80' | wc -l)" 0
sqlite3 $db "VACUUM INTO 'a b.db'"
ends 3 "" "$assay" gate --baseline main --no-run --no-repeat --against fast.db --db "a b.db"
holds "a name is quoted as a shell wants it" grep -qx "      assay history --calibrate --db 'a b.db'" said
holds "is not confirmed" grep -qF "unconfirmed  $key" said
holds "and so no regression" grep -qF "1 SLOWER (0 confirmed)" said
# A baseline that is far slower than this machine, and a run that is even slower: timed again, it is faster.
sqlite3 $db "VACUUM INTO 'now.db'"
scale now.db slow.db 1e12 3
scale base.db weak.db 1e6
ends 3 "unconfirmed" judge --against weak.db --db slow.db
holds "the second time it was faster" grep -qF "         again FASTER: " said
rm -f other.db*
ends 0 "" "$assay" bench "${grid[@]}" "${timing[@]}" --quiet --db other.db
sqlite3 other.db "DROP TRIGGER build_kept; UPDATE build SET binary_id = 'another'"
ends 3 "not timed again: the run was made with another program" judge --against fast.db --db other.db

echo "# not compared"
cp base.db driver.db
sqlite3 driver.db "DROP TRIGGER device_state_kept; UPDATE device_state SET driver = 'another'"
ends 3 "driver" judge --against driver.db --db $db
two=(physics_loss --axis grid=8x9x10,9x9x9 "${at[@]}")
ends 0 "" "$assay" bench "${two[@]}" "${timing[@]}" --quiet --db two.db
ends 0 "" "$assay" baseline accept --name main --why "two points" --db two.db
ends 0 "" bench --db two.db
ends 3 "" "$assay" gate --baseline main --no-run --no-repeat --db two.db
holds "a point that is missing is named" grep -qF "cannot tell  ${key/8x9x10/9x9x9}  e2e host: only in A; A: PASS; B: not there" said

few=("${grid[@]}" --variant cpu_omp --time 0.01s --processes 2 --quiet --db few.db)
ends 0 "" "$assay" bench "${few[@]}"
ends 0 "" "$assay" baseline accept --name main --why "two processes" --db few.db
ends 0 "" "$assay" bench "${few[@]}"
ends 3 "  cannot tell  $key  e2e host:" "$assay" gate --baseline main --no-run --db few.db
holds "both times, although nothing is known of their ratio but its middle" \
    grep -qE "^               [0-9.]+ [num]?s before, [0-9.]+ [num]?s after: [+-][0-9.]+ %" said
holds "then why, and what to do" grep -qE "^               from 2 and 2 processes: an interval needs 3" said
holds "    in lines of their own" grep -qxE "               next: repeat both sides with --processes 3 or more" said

echo "# a wrong variant"
one=(axpy --axis n=1000 --device host)
ends 77 "skipped: nothing here could be timed" gate "${one[@]}" --db $db
ends 2 "FAILED: a kernel is wrong" gate "${one[@]}" --kernels "$mutant" --db $db
holds "says which point is wrong, and how" grep -qE "^  wrong +axpy/naive/n=1000 in run [0-9]+: WRONG_VALUE, exact input" said
holds "and where to look" grep -qE "^      assay report --run [0-9]+ --db x.db$" said
holds "and nothing of those that are right" is "$(grep -c "^  wrong" said)" 1
printf 'axpy naive 9999-12-31 a sign is wrong\n' >known.txt
ends 77 "axpy naive (known.txt:1): 1 failed, skipped until 9999-12-31" gate "${one[@]}" --kernels "$mutant" --known-failures known.txt --db $db
printf 'axpy naive 2001-01-01 a sign is wrong\n' >known.txt
ends 2 "expired on 2001-01-01" gate "${one[@]}" --kernels "$mutant" --known-failures known.txt --db $db
ends 4 "no case 'axpi'" gate axpi --device host --db $db
finish
