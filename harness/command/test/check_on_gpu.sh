#!/usr/bin/env bash
# The edge sizes of a case on the GPU of this host; 77 where there is none. A new database each time.
#
#   check_on_gpu.sh ASSAY CASE DATABASE
set -u
assay=$1
case=$2
database=$3

if ! "$assay" doctor | grep -Eq '^cuda +ok'; then
    echo "skipped: no GPU here"
    exit 77
fi
rm -f "$database"*
exec "$assay" check "$case" --device cuda --tier quick --db "$database"
