#!/usr/bin/env bash
# Killed in the middle, the finished points are there, and `assay resume` does the rest.
#   test_cli_resume.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"
db=x.db
sizes=$(seq -s, 1 600)
n_points=1200
n_done() { ask $db "SELECT count(*) FROM verdict" 2>/dev/null || echo 0; }

ends 4 "holds no interrupted run" "$assay" resume --db $db
rm -f $db*

"$assay" check axpy --axis "n=$sizes" --device host --quiet --db $db &
parent=$!
until [ "$(n_done)" -ge 20 ] || ! kill -0 $parent 2>/dev/null; do sleep 0.05; done
kill -9 $parent
wait $parent 2>/dev/null
holds "the kill came in the middle" is $? 137
before=$(n_done)
echo "        $before of $n_points points were finished"
holds "the database is whole" is "$(ask $db "PRAGMA integrity_check")" ok
holds "the plan is stored" is "$(ask $db "SELECT count(*) FROM point")" $n_points
holds "some points are finished, some are not" is "$((before >= 20 && before < n_points))" 1
holds "each finished point has its checks" is \
    "$(ask $db "SELECT count(*) FROM verdict v WHERE NOT EXISTS (SELECT 1 FROM check_result c WHERE c.point_id = v.point_id)")" 0
holds "the run has no end" is "$(ask $db "SELECT count(*) FROM run_end")" 0
ends 0 "interrupted" "$assay" report --db $db

ends 0 "resuming run 1 (check), $((n_points - before)) points left" "$assay" resume --db $db
holds "every point is finished once" is "$(n_done)" $n_points
holds "every one PASSes" is "$(ask $db "SELECT count(*) FROM verdict WHERE verdict = 'PASS'")" $n_points
holds "it is one run, with its end" is "$(ask $db "SELECT count(*) FROM run JOIN run_end USING (run_id)")" 1
ends 4 "holds no interrupted run" "$assay" resume --db $db
finish
