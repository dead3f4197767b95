#!/usr/bin/env bash
# Checks under a tool of compute-sanitizer: a script is a stand-in for it, and the host device for a GPU.
#   test_cli_sanitizer.sh ASSAY FAKE_GPU FAKE_TOOL
set -u
assay=$1
kernels=$(realpath "$2")
tool=$(realpath "$3")
. "$(dirname "$0")/cli.sh"
db=x.db
point=axpy/naive/n=1023
check() { "$assay" check --device cuda --kernels "$kernels" --db $db --jobs 1 "$@"; }
newest() { ask $db "SELECT $1 FROM verdicts WHERE run_id = (SELECT max(run_id) FROM run)"; }

# ---- without a tool, or without a GPU ----
rm -f $db*
ends 4 "memcheck, racecheck, initcheck or synccheck" "$assay" check axpy --sanitizer helgrind
ends 77 "needs a GPU, and this is the host device" "$assay" check axpy --sanitizer memcheck --device host
ASSAY_COMPUTE_SANITIZER=/nowhere/x ends 77 "names /nowhere/x, which cannot be started" check --point $point --sanitizer memcheck
export ASSAY_COMPUTE_SANITIZER=$tool
ends 4 "leave out --in-process" check --point $point --sanitizer memcheck --in-process

# ---- nothing is found ----
export FAKE_WORDS=$PWD/words
rm -f words
ends 0 "" check axpy --axis n=1,1023 --sanitizer racecheck
holds "each point passes" is "$(newest "sum(verdict = 'PASS') = count(*)")" 1
holds "the run is stored under its tool" is "$(ask $db "SELECT lane FROM run")" racecheck
holds "a process for each point, and one that was ready for the next" is "$(wc -l <words)" "$(newest "count(*) + 1")"
ends 0 "lane racecheck" "$assay" report --db $db

ends 77 "racecheck watches kernels on a GPU, and this variant has none" \
    check photon_propagate --variant cpu_omp --axis photons=1 --sanitizer racecheck

# ---- what each tool finds ----
finds() { # tool fake verdict words
    export FAKE=$2
    ends 2 "$4" check --point $point --sanitizer "$1"
    holds "$2 under $1" is "$(newest verdict)" "$3"
}
finds racecheck race RACE "racecheck: Error: Race reported between Write access at axpy_kernel(float *, int)+0x90 in axpy.cu:12 and Read access at axpy_kernel(float *, int)+0x100 in axpy.cu:15 [192 hazards]"
finds memcheck outside OUT_OF_BOUNDS "memcheck: Invalid __global__ write of size 4 bytes at axpy_kernel(float *, int)+0x90 in axpy.cu:12 by thread (33,0,0) in block (1,0,0)"
finds initcheck unwritten UNWRITTEN "initcheck: Uninitialized __global__ memory read of size 4 bytes at axpy_kernel(float *, int)+0x70 in axpy.cu:14"
finds synccheck barrier MISUSE "Barrier error detected. Divergent thread(s) in block. at axpy_kernel(float *, int)+0xf0 in axpy.cu:16"
finds memcheck other SUSPECT "1 faults are counted, but assay can read the reports of only 0; the last line that it cannot read: Something that nobody"
unset FAKE
ends 0 "" check softmax_row --variant only_128 --each 1 --sanitizer initcheck
holds "without poison, what nobody wrote is wrong, and wanted so" is "$(newest "outcome || ' ' || verdict")" "caught WRONG_VALUE"
holds "initcheck is to say nothing of copies home" grep -qe "initcheck.*--check-api-memory-access no" words
holds "memcheck pads" grep -qe "memcheck.*--padding 4096" words

# ---- a tool that did not work ----
FAKE=untracked ends 77 "memcheck could not watch it: Internal Sanitizer Error" check --point $point --sanitizer memcheck
FAKE=cut ends 4 "has no summary" check --point $point --sanitizer memcheck
FAKE=device ends 4 "Device not supported" check --point $point --sanitizer memcheck
holds "nothing is judged without the tool" is "$(newest "verdict IS NULL")" 1
unset FAKE
ends 0 "" "$assay" resume --kernels "$kernels" --db $db
holds "resume has the tool again" is "$(newest verdict)" PASS

# ---- killed in the middle of a kernel ----
# The tool's own processes are between the program and the kernel, and could leave the kernel running.
"$assay" check --device cuda --kernels "$kernels" --db $db --point selftest_launch/endless_loop/n=1000 --sanitizer memcheck >said 2>&1 &
parent=$!
within() { # command that must succeed in time
    for ((try = 0; try < 600; try++)); do
        "$@" && return
        sleep 0.1
    done
    return 1
}
at_work() { pgrep -f "^[^ ]*assay worker $kernels" >pids; }
is_over() { ! at_work; }
holds "a worker runs under the tool" within at_work
kill -9 $parent
wait $parent 2>/dev/null
holds "it ends with the check that started it" within is_over

# ---- what a case excuses ----
photons() { check photon_propagate --variant persistent_specialised --axis photons=3 --each 1 --sanitizer "$1"; }
export FAKE_KERNEL=take_slot FAKE_FILE=resident.cuh
FAKE=race ends 0 "Passed, with a note" photons racecheck
holds "with the case's reason" grep -q "racecheck reports 192 in persistent_specialised.cu, resident.cuh, .*: a slot" said
holds "which is stored" is "$(newest "count(*) || ' ' || verdict || ' ' || (reason LIKE 'racecheck reports 192%')")" "1 PASS 1"
FAKE=barrier ends 2 "MISUSE" photons synccheck
ends 2 "NOT NEEDED: the row .unseen of photon_propagate/persistent_specialised for racecheck" photons racecheck
holds "although the point passes" is "$(newest verdict)" PASS
ends 0 "" photons memcheck
unset FAKE_KERNEL FAKE_FILE

# ---- what a tool cannot watch at all ----
ends 0 "1 point  UNSUPPORTED: synccheck cannot watch it: a shuffle that names lanes which are not there" \
    check reduction --variant shuffle_mask --variant atomic --axis type=f32 --axis n=33,1023 --each 1 --sanitizer synccheck

# ---- a few points of each variant ----
ends 0 "" check axpy --tier quick --each 1 --sanitizer synccheck
holds "one point a variant" is "$(newest "count(*) = count(DISTINCT variant)" | head -n 1)" 1
holds "the largest" is "$(newest "max(key)" | grep -c n=140003)" 1
finish
