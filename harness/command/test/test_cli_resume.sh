#!/usr/bin/env bash
# A run that is killed in the middle has its finished points, and `assay resume` does the rest.
#   test_cli_resume.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"
db=x.db
sizes=$(seq -s, 1 600)
n_points=1200
n_done() { ask $db "SELECT count(*) FROM verdict" 2>/dev/null || echo 0; }

ends 4 "holds no interrupted run" "$assay" resume --db $db
rm -f $db*

start() { # words: begins a run and waits until some of its points are finished
    "$assay" check axpy --axis "n=$sizes" --device host --quiet --db $db "$@" &
    parent=$!
    until [ "$(n_done)" -ge 20 ] || ! kill -0 $parent 2>/dev/null; do sleep 0.05; done
}
kill_it() {
    kill -9 $parent
    wait $parent 2>/dev/null
    holds "the kill came in the middle" is $? 137
}

start
ends 4 "process $parent is working on it" "$assay" resume --db $db
kill_it
before=$(n_done)
echo "        $before of $n_points points were finished"
holds "the database is whole" is "$(ask $db "PRAGMA integrity_check")" ok
holds "the plan is stored" is "$(ask $db "SELECT count(*) FROM point")" $n_points
holds "some points are finished, some are not" is "$((before >= 20 && before < n_points))" 1
holds "each finished point has its checks" is \
    "$(ask $db "SELECT count(*) FROM verdict v WHERE NOT EXISTS (SELECT 1 FROM check_result c WHERE c.point_id = v.point_id)")" 0
holds "the run has no end" is "$(ask $db "SELECT count(*) FROM run_end")" 0
ends 0 "interrupted" "$assay" report --db $db

ends 4 "run 7 of $db is not an interrupted run of assay" "$assay" resume --run 7 --db $db
ends 0 "resuming run 1 (check), $((n_points - before)) points left" "$assay" resume --run 1 --db $db
ends 4 "run 1 of $db is not an interrupted run of assay" "$assay" resume --run 1 --db $db
holds "every point is finished once" is "$(n_done)" $n_points
holds "every one PASSes" is "$(ask $db "SELECT count(*) FROM verdict WHERE verdict = 'PASS'")" $n_points
holds "it is one run, with its end" is "$(ask $db "SELECT count(*) FROM run JOIN run_end USING (run_id)")" 1
ends 4 "holds no interrupted run" "$assay" resume --db $db

echo "# a run that is ended by hand says how to resume it"
rm -f $db*
start 2>said
kill -TERM $parent
wait $parent
holds "it ends by the signal" is $? 143
holds "it says how to go on" grep -qxF "assay resume --run 1 --db $db" said
ends 0 "points left" "$assay" resume --db $db
rm -f $db*
"$assay" check axpy --axis "n=$sizes" --device host --quiet --db $db 2>said &
parent=$!
until [ "$(n_done)" -ge 20 ] || ! kill -0 $parent 2>/dev/null; do sleep 0.05; done
kill -INT $parent # background processes of a shell ignore it
wait $parent
holds "a signal that is ignored is ignored" is "$? $(grep -c interrupted said)" "0 0"

# A resumed run uses the same kernel module, and its exit status counts findings from before the kill.
rm -f $db*
cp "$mutant" own.so
start --kernels own.so
kill_it
cp "$(dirname "$assay")/assay_kernels_host.so" own.so
ends 4 "with kernel module" "$assay" resume --db $db --kernels own.so

echo "# no file that a database names is loaded, and no other module before its id is found equal to the run's"
cat >stranger.c <<END
#include <fcntl.h>
#include <unistd.h>
__attribute__((constructor)) static void run(void) { close(open("$folder/ran", O_CREAT | O_WRONLY, 0600)); }
END
if cc -shared -fPIC -o own.so stranger.c 2>/dev/null; then
    ends 4 "name it yourself: assay resume --kernels FILE" "$assay" resume --db $db
    ends 4 "with kernel module" "$assay" resume --db $db --kernels own.so
    holds "the stranger's code has not run" is "$(ls ran 2>/dev/null)" ""
else
    echo "        no C compiler: without a stranger's library"
fi
cp "$mutant" own.so
head -c 100 own.so >short.so
ends 4 "is truncated" "$assay" resume --db $db --kernels short.so
ends 4 "name it yourself: assay resume --kernels FILE" "$assay" resume --db $db
holds "a device of the database's own is no path" sqlite3 $db "DROP TRIGGER run_kept; UPDATE run SET options = replace(
    options, '--device=host', '--device=/../../x')"
ends 4 "on a device that this program does not know" "$assay" resume --db $db --kernels own.so
holds "and numbers may be anything" sqlite3 $db "UPDATE run SET options = replace(replace(options,
    '--device=/../../x', '--device=host'), '--gpu=0', '--gpu=-1e300')"
ends 2 "resuming run 1" "$assay" resume --db $db --kernels own.so
holds "the end of the run says so too" is "$(ask $db "SELECT exit_status FROM run_end")" 2
holds "no lock file is left of them" is \
    "$(for u in $(ask $db "SELECT uuid FROM run"); do ls /tmp/assay-run-$u.lock 2>/dev/null; done)" ""
finish
