#!/usr/bin/env bash
# merge, prune and doctor on given files.
#   test_cli_merge.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"
check() { ends 0 "" "$assay" check axpy --axis n="$2" --device host --quiet --db "$1"; }

echo "# merge"
check a.db 4
check "b's.db" 5
before=$(cksum <a.db)
ends 0 "a.db: 1 new runs" "$assay" merge all.db a.db "b's.db"
holds "both runs are there" is "$(ask all.db "SELECT count(*) FROM run")" 2
ends 0 "a.db: 0 new runs, 0 points" "$assay" merge all.db a.db "b's.db"
holds "once" is "$(ask all.db "SELECT count(*) FROM run")" 2
holds "the source is as it was" is "$(cksum <a.db)" "$before"
ends 0 "" "$assay" report --db all.db
ends 4 "does not exist" "$assay" merge all.db nothing.db
ends 4 "a file to write and files to read" "$assay" merge all.db
ends 4 "into itself" "$assay" merge all.db all.db
holds "no file was made" [ ! -e nothing.db ]

echo "# the same run with other contents"
cp a.db changed.db
sqlite3 changed.db "DROP TRIGGER verdict_kept; UPDATE verdict SET wall_s = 1e9"
ends 4 "was not merged: it contradicts" "$assay" merge all.db changed.db "b's.db"
holds "names the table" grep -qF ": verdict)" said

echo "# a damaged source"
cp a.db damaged.db
sqlite3 damaged.db "PRAGMA foreign_keys = OFF; DROP TRIGGER planned_point_held; DELETE FROM planned_point WHERE ordinal = 0"
ends 4 "as it is damaged" "$assay" merge rest.db damaged.db
holds "nothing was taken" is "$(ask rest.db "SELECT count(*) FROM run")" 0

echo "# a case defined in other words"
cp "b's.db" words.db
sqlite3 words.db "DROP TRIGGER case_version_kept; UPDATE case_version SET what = 'something else'"
ends 0 "its description of a case differs from the one in rest.db" "$assay" merge rest.db a.db words.db
holds "both runs were taken" is "$(ask rest.db "SELECT count(*) FROM run")" 2

echo "# doctor"
ends 0 "whole" "$assay" doctor --db all.db
sqlite3 a.db "DROP TRIGGER checked_point_held; DELETE FROM checked_point"
ends 4 "a PASS without a check that passed" "$assay" doctor --db a.db

echo "# prune"
ends 0 "newest N runs that have" "$assay" prune --help
ends 0 "samples of 0 blocks" "$assay" prune --keep 1 --db all.db
ends 0 "samples of 0 blocks" "$assay" prune --older-than 90d --db all.db
ends 4 "either --older-than 90d or --keep 20" "$assay" prune --db all.db
ends 4 "days or weeks" "$assay" prune --older-than 90 --db all.db
ends 4 "does not exist" "$assay" prune --keep 1 --db nothing.db
finish
