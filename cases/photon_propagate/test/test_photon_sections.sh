#!/bin/sh
# Every kernel that is defined in a folder has its row in the sections of a case:
#   test_photon_sections.sh FOLDER CASE.c
set -eu

kernels=$(cat "$1"/*.cu "$1"/*.cuh | tr '\n' ' ' |
    grep -oE '__global__ +void +(__[a-z_]+__\([^)]*\) *)?[a-z_]+\(' | sed -E 's/.* ([a-z_]+)\($/\1/')
n=0
status=0
for kernel in $kernels; do
    n=$((n + 1))
    grep -q "{ \"$kernel\", \"" "$2" || {
        echo "$kernel belongs to no section of $2"
        status=1
    }
done
echo "test_photon_sections: $n kernels"
[ "$n" -gt 0 ] && exit $status
exit 1
