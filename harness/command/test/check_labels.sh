#!/usr/bin/env bash
# Every test has one of the known labels, so that `ci/test -L` and --label-exclude leave none out by mistake.
#   check_labels.sh BUILD
set -u
count() { ctest --test-dir "$1" -N "${@:2}" | sed -n 's/^Total Tests: //p'; }
all=$(count "$1")
labelled=0
for label in quick default gpu full; do
    n=$(count "$1" -L "^$label\$")
    echo "$label: $n"
    labelled=$((labelled + n))
done
echo "$all tests, $labelled labels"
if [ "$all" -eq 0 ] || [ "$labelled" -ne "$all" ]; then
    echo "without a label, or with an unknown one:"
    ctest --test-dir "$1" -N -LE '^(quick|default|gpu|full)$'
    exit 1
fi
