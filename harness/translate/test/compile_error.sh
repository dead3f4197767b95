#!/usr/bin/env bash
# A kernel with a mistake: assay-cc ends with the status of the compiler, and adds no error of its own. The folder of work,
# which a line marker names when there is debug data, is not one.
#
#   compile_error.sh ASSAY_CC COMPILER HARNESS
set -u
cc=$1 compiler=$2 harness=$3
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 4

printf '__global__ void wrong(float *x) { x[0] = nowhere; }\n' >wrong.cc
"$cc" "$compiler" -DASSAY_HOST_KERNELS -I"$harness" -I"$harness/api" -I"$harness/api/host/cuda" -std=gnu++17 -O0 -g \
    -c wrong.cc -o wrong.o >said 2>&1
status=$?
cat said
[ "$status" -ne 0 ] || { echo "it compiled"; exit 1; }
grep -q nowhere said || { echo "the mistake is not named"; exit 1; }
! grep -q "cannot read" said || { echo "an error of its own"; exit 1; }
