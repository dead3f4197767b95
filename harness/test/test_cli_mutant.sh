#!/usr/bin/env bash
# A mistake that shows only where the axes of a grid differ is found by `assay check` alone.
#   test_cli_mutant.sh ASSAY MUTANT   MUTANT: a kernel module whose physics_loss exchanges the boundaries of x and z
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

one=(check physics_loss --variant fused_pointwise --axis grid=5x6x7 --device host --db x.db)
ends 0 "" "$assay" "${one[@]}"
ends 0 "" "$assay" "${one[@]}" --kernels "$mutant" --axis boundary=periodic,zero_gradient
ends 2 "WRONG_VALUE" "$assay" "${one[@]}" --kernels "$mutant"
finish
