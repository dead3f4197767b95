#!/usr/bin/env bash
# assay check --lane: which lanes run, their table and the worst of their statuses. Here the programs of lanes are copies;
# test_example tests what the lanes find.
#   test_cli_lanes.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
right=$(realpath "$(dirname "$1")/assay_kernels_host.so")
wrong=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

cp "$assay" mine
cp "$right" mine_kernels_host.so
check() { ./mine check axpy --axis n=255 --db x.db "$@"; }
cells() { sed -n "s/^  axpy *$1  *//p" said | tr -s ' '; }

echo "# the lanes that are built"
ends 0 "left out: lane asan: there is no $PWD/mine_asan: the target mine_lanes" check --lane all
holds "lane, duration and line" grep -qE '^host +[0-9]+\.[0-9] s  run 1: 2 points: 2 passed' said
holds "one lane, one column" is "$(cells naive)" "1 PASS"
ends 0 "tsan       missing  there is no $PWD/mine_tsan" ./mine doctor --db x.db
ends 4 "lane tsan: there is no" check --lane host,tsan
holds "nothing is run where one is missing" is "$(ask x.db "SELECT count(*) FROM run")" 1

echo "# several"
cp "$assay" mine_asan
cp "$wrong" mine_asan_kernels_host.so
ends 2 "1 failed (1 WRONG_VALUE); first: axpy/naive/n=255 WRONG_VALUE" check --lane=all
holds "a variant is a row" is "$(cells naive)" "1 PASS FAILED: 1 WRONG_VALUE"
holds "    the other as well" is "$(cells vec4)" "1 PASS 1 PASS"
holds "a run each" is "$(ask x.db "SELECT count(*) FROM run")" 3
holds "without --lane in its command" is "$(ask x.db "SELECT count(*) FROM run WHERE command LIKE '%--lane%'")" 0
ends 0 "asan       ok       for --lane" ./mine doctor --db x.db
ends 2 "" check --lane asan,host --brief
holds "in one line" is "$(sed -E 's/run [0-9]+/run/g' said)" \
    "asan: run: 2 points: 1 passed, 1 failed (1 WRONG_VALUE); first: $(sed -n 's/.*first: \(.*\) | host.*/\1/p' said) | host: run: 2 points: 2 passed"

echo "# the program of a lane that is older than a source is not used"
printf 'build\tlanes\ttrue\nsource\taxpy\t%s\n' "$PWD/axpy.cu" >mine.build
touch -d '2020-01-01' axpy.cu
ends 2 "1 failed (1 WRONG_VALUE)" check --lane host,asan
touch -d '+1 hour' axpy.cu
ends 4 "lane asan: $PWD/mine_asan is older than $PWD/axpy.cu: build the target mine_lanes" check --lane host,asan
ends 0 "left out: lane asan: $PWD/mine_asan is older than" check --lane all
rm mine.build
printf '#!/bin/sh\necho "assay: skipped: nothing to do" >&2\nexit 77\n' >mine_tsan
chmod +x mine_tsan
ends 77 "skipped: nothing to do" check --lane host,tsan
holds "a lane without a run has no column" is "$(cells naive)" "1 PASS"
printf '#!/bin/sh\nkill -SEGV $$\n' >mine_tsan
ends 4 "" check --lane tsan,host
ends 4 "" check --lane tsan

echo "# wrong use"
ends 4 "--lane takes all, or lanes such as" check --lane msan
ends 4 "each lane has its device: leave out --device" check --lane all --device host
ends 4 "own kernel modules: leave out --kernels" check --lane all --kernels "$wrong"
ends 4 "--quiet prints nothing: leave out --brief, --watch and --lane" check --lane all --quiet
ends 4 "start other processes: leave out --in-process" check --lane all --in-process
ends 4 "there is no option --lane" ./mine bench axpy --lane all
finish
