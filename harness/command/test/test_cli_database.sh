#!/usr/bin/env bash
# A database that cannot be used: a plain message, exit 4, and not a byte of it changed.
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

echo "# locked by another program"
ends 0 "" "${check[@]}" locked.db
n_before=$(ask locked.db "SELECT count(*) FROM run")
mkfifo hold
hold() { # another program locks the file, until it is told to let it go
    sqlite3 locked.db <hold >/dev/null &
    holder=$!
    exec 3>hold
    printf '%s\n' ".timeout 60000" "BEGIN $1; SELECT 1;" >&3 # waits if the question below comes between
    until ! sqlite3 locked.db "BEGIN IMMEDIATE; ROLLBACK" 2>/dev/null; do sleep 0.05; done
}
let_go() {
    echo "ROLLBACK;" >&3
    exec 3>&-
    wait $holder
}
hold EXCLUSIVE
ends 4 "locked by process $holder (sqlite3): waiting" "${check[@]}" locked.db
let_go
holds "nothing was added" is "$(ask locked.db "SELECT count(*) FROM run")" "$n_before"
ends 0 "" "${check[@]}" locked.db
holds "and once it is free, the next run is" is "$(ask locked.db "SELECT count(*) FROM run")" $((n_before + 1))

echo "# locked by another program in the middle of a run, for longer than a run may wait to begin"
n_done() { ask locked.db "SELECT count(*) FROM verdict" 2>/dev/null || echo 0; }
before=$(n_done)
"$assay" check axpy --device host --axis "n=$(seq -s, 1 600)" --quiet --db locked.db >run 2>&1 &
run=$!
until [ "$(n_done)" -ge $((before + 20)) ] || ! kill -0 $run 2>/dev/null; do sleep 0.05; done
hold IMMEDIATE
until grep -q "locked by process" run || ! kill -0 $run 2>/dev/null; do sleep 0.2; done
sleep 20 # on top of the seconds before that word: longer than a run waits to begin
let_go
wait $run
holds "it waits" is $? 0
holds "    and says for whom" grep -q "locked by process $holder (sqlite3): waiting" run
holds "    and every point is there" is "$(n_done)" $((before + 1200))

echo "# a full disk under the report"
ends 4 "" "$assay" report --db locked.db --output /dev/full
finish
