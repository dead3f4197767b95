#!/usr/bin/env bash
# assay fuzz: a right kernel passes. A kernel that is wrong at one element is found; its point is simplified and kept, and
# check finds it again.
#   test_cli_fuzz.sh ASSAY LATE   LATE: a kernel module whose axpy is wrong only at element 700
set -u
assay=$1
late=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

ends 0 "0 variants failed" "$assay" fuzz axpy --for 1s --device host
holds "its runs are in results/fuzz.db" test -s results/fuzz.db
holds "nothing is kept of what passes" test ! -e fuzz_found.txt

ends 2 "WRONG_VALUE axpy/naive/n=701" "$assay" fuzz axpy --variant naive --for 1s --device host --kernels "$late" --seed 3
holds "one variant" grep -q ": 1 variants failed" said
replay=$(sed -n 's/^ *replay: assay //p' said)
holds "the point is kept" grep -q "^axpy/naive/n=701 [0-9]*$" fuzz_found.txt
# shellcheck disable=SC2086
ends 2 "WRONG_VALUE" "$assay" $replay --device host --kernels "$late" --db replay.db
# shellcheck disable=SC2086
ends 0 "" "$assay" $replay --device host --db replay.db

# A point that was found once is part of every later plain check, with its own seed.
ends 0 "1 point of fuzz_found.txt as well" "$assay" check axpy --device host --db plain.db
is_there() { is "$(ask plain.db "SELECT count(*) FROM point WHERE key = 'axpy/naive/n=701'")" 1; }
holds "it was checked" is_there
seeds() { is "$(ask plain.db "SELECT seed FROM point WHERE key = 'axpy/naive/n=701'")" "$(cut -d ' ' -f 2 fuzz_found.txt)"; }
holds "    with its seed" seeds
"$assay" check axpy --device host --db plain.db --axis n=1 >said 2>&1
holds "not where sizes are named" grep -vq "fuzz_found" said

echo "gone/naive/n=1 5" >>fuzz_found.txt
ends 0 "fuzz_found.txt: left out" "$assay" check axpy --device host --db plain.db
echo "what is this" >>fuzz_found.txt
ends 4 "fuzz_found.txt:3: a line is a point and its seed" "$assay" check axpy --device host --db plain.db
rm fuzz_found.txt
ends 4 "which cases" "$assay" fuzz --for 1s
ends 4 "nocase" "$assay" fuzz nocase --for 1s
ends 4 "a time such as" "$assay" fuzz axpy --for never
finish
