#!/usr/bin/env bash
# Compiles every instruction of the table of inline PTX for the host device: each has a function, which compiles.
#
#   ptx_every.sh ASSAY_CC COMPILER HARNESS
set -u
cc=$1 compiler=$2 harness=$3
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT

cp "$harness/translate/test/ptx_every.cu" "$work/every.cc" || exit 4
"$cc" "$compiler" -DASSAY_HOST_KERNELS -I"$harness" -I"$harness/api" -I"$harness/api/host/cuda" -std=gnu++17 -O0 \
    -c "$work/every.cc" -o "$work/every.o" 2>&1 | cut -c 1-400
exit "${PIPESTATUS[0]}"
