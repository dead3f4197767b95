#!/usr/bin/env bash
# A second timing run on the same GPU waits, and says so.
#   test_cli_lock.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"

if ! "$assay" doctor | grep -Eq '^cuda +ok'; then
    echo "skipped: $("$assay" doctor | grep '^cuda ')"
    exit 77
fi
bench=("$assay" bench axpy --variant naive --axis n=1048576 --device cuda --quiet --db)
"$assay" bench axpy --device cuda --quiet --db first.db &
first=$!
is_locked() {
    local lock
    for lock in /tmp/assay-timing-*.lock; do
        [ -e "$lock" ] && ! flock -n "$lock" true && return 0
    done
    return 1
}
until is_locked || ! kill -0 $first; do sleep 0.05; done
ends 0 "is timing on this GPU; waiting for it" "${bench[@]}" second.db
holds "the first had ended by then" is "$(kill -0 $first 2>/dev/null && echo running || echo ended)" ended
wait $first
holds "and had passed" is $? 0
holds "runs did not overlap" is "$(ask second.db "ATTACH 'first.db' AS a; SELECT (SELECT max(finished_utc) FROM a.verdict)
    <= (SELECT min(finished_utc) FROM main.verdict)")" 1
finish
