#!/usr/bin/env bash
# A point has the same verdict alone, in a run and beside other points: for the shelf, and for a launcher that counts its
# calls and is wrong from the 21st on, so that the number of earlier points could decide.
#
#   test_cli_alone.sh ASSAY MODULE   MODULE: axpy's kernels with that counter
set -u
assay=$1
module=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

# Keys and verdicts of all points of a database.
verdicts() { sqlite3 "$1" 'SELECT key, verdict FROM verdicts ORDER BY key'; }

# The selection has the same verdicts in one run, in two shards, and point by point.
same_in_every_company() { # words that select; `on` has the other options
    local key db
    "$assay" check "$@" "${on[@]}" --db whole.db >/dev/null 2>&1
    for share in 1/2 2/2; do
        "$assay" check "$@" "${on[@]}" --shard $share --db shares.db >/dev/null 2>&1
    done
    while IFS='|' read -r key _; do
        "$assay" check --point "$key" "${on[@]}" --db alone.db >/dev/null 2>&1
    done < <(verdicts whole.db)
    holds "$1: some points" test "$(verdicts whole.db | grep -c '')" -ge 10
    for db in shares.db alone.db; do
        holds "$1: $db as in one run" diff <(verdicts whole.db) <(verdicts $db)
    done
    rm -f whole.db* shares.db* alone.db*
}

echo "# a launcher that counts its calls"
on=(--device host --kernels "$module")
same_in_every_company axpy
echo "# a limit that one variant raises is not raised for the next"
on=(--device host)
same_in_every_company selftest_launch --variant right --variant raises_limit \
    --variant forgets_limit --variant raises_limit_once --axis n=1000,1,64,1024

finish
