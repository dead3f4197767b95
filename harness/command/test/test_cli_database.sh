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
sqlite3 locked.db <hold >/dev/null &
exec 3>hold
printf '%s\n' ".timeout 60000" "BEGIN EXCLUSIVE; SELECT 1;" >&3 # waits if the question below comes between
until ! sqlite3 locked.db "BEGIN IMMEDIATE; ROLLBACK" 2>/dev/null; do sleep 0.05; done
ends 4 "locked" "${check[@]}" locked.db
echo "ROLLBACK;" >&3
exec 3>&-
wait
holds "nothing was added" is "$(ask locked.db "SELECT count(*) FROM run")" "$n_before"
ends 0 "" "${check[@]}" locked.db
holds "and once it is free, the next run is" is "$(ask locked.db "SELECT count(*) FROM run")" $((n_before + 1))

echo "# a full disk under the report"
ends 4 "" "$assay" report --db locked.db --output /dev/full
finish
