#!/usr/bin/env bash
# A database that cannot be used: a clear message, exit status 4, and no byte of it is changed.
#   test_cli_database.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"
check=("$assay" check axpy --axis n=4 --device host --quiet --db)

refused() { # words, file
    local before
    before=$(cksum <"$2")
    ends 4 "$1" "${check[@]}" "$2"
    holds "    $2 is as it was" is "$(cksum <"$2")" "$before"
}

echo "hello, this is a letter and no database at all" >letter.db
refused "letter.db" letter.db
sqlite3 foreign.db "CREATE TABLE customers(name TEXT); INSERT INTO customers VALUES ('Ada')"
refused "foreign.db" foreign.db
ends 0 "" "${check[@]}" newer.db
sqlite3 newer.db "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99" >/dev/null
refused "newer" newer.db
ends 4 "newer" "$assay" report --db newer.db
mkdir folder.db
ends 4 "folder.db" "${check[@]}" folder.db
if [ "$(id -u)" -ne 0 ]; then # root may write everywhere
    ends 0 "" "${check[@]}" readonly.db
    sqlite3 readonly.db "PRAGMA journal_mode = DELETE" >/dev/null
    chmod a-w readonly.db .
    refused "readonly.db" readonly.db
    chmod u+w .
fi

hold() { # database, descriptor, kind of lock: another program ($holder) locks the file until let_go
    mkfifo "$1.hold"
    sqlite3 "$1" <"$1.hold" >/dev/null &
    holder=$!
    eval "exec $2>$1.hold"
    printf '%s\n' ".timeout 60000" "BEGIN $3; SELECT 1;" >&"$2" # waits if the query below runs at the same time
    until ! sqlite3 "$1" "BEGIN IMMEDIATE; ROLLBACK" 2>/dev/null; do sleep 0.05; done
}
let_go() { # descriptor, holder
    printf '%s\n' "ROLLBACK;" ".quit" >&"$1"
    eval "exec $1>&-"
    wait "$2"
}
n_runs() { ask "$1" "SELECT count(*) FROM run"; }
n_done() { ask long.db "SELECT count(*) FROM verdict" 2>/dev/null || echo 0; }

echo "# locked by another program in the middle of a run"
"$assay" check axpy --device host --axis "n=$(seq -s, 1 600)" --quiet --db long.db >run 2>&1 &
run=$!
until [ "$(n_done)" -ge 20 ] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
hold long.db 4 IMMEDIATE
long_holder=$holder
until grep -q "locked by process" run || ! kill -0 $run 2>/dev/null; do sleep 0.2; done

echo "# locked before another run, which waits and then is refused"
ends 0 "" "${check[@]}" locked.db
n_before=$(n_runs locked.db)
hold locked.db 3 EXCLUSIVE
ends 4 "locked by process $holder (sqlite3): waiting" "${check[@]}" locked.db
let_go 3 "$holder"
holds "nothing was added" is "$(n_runs locked.db)" "$n_before"
ends 0 "" "${check[@]}" locked.db
holds "and once it is free, the next run is" is "$(n_runs locked.db)" $((n_before + 1))

echo "# the first run has waited for longer than a run may wait at its begin"
holds "it waits still" kill -0 $run
let_go 4 "$long_holder"
wait $run
holds "it goes on" is $? 0
holds "    and said for whom it waited" grep -q "locked by process $long_holder (sqlite3): waiting" run
holds "    and every point is there" is "$(n_done)" 1200

echo "# a full disk under the report"
ends 4 "" "$assay" report --db locked.db --output /dev/full
finish
