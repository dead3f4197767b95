#!/usr/bin/env bash
# Small mistakes are found by `assay check` alone: one that shows only where the axes of a grid differ, and one that only
# a law of conservation sees.
#   test_cli_mutant.sh ASSAY PHYS STEP   PHYS: a kernel module whose physics_loss exchanges the boundaries of x and z
#                                        STEP: one whose thermo_step loses a millionth of the heat that it exchanges
set -u
assay=$1
mutant=$(realpath "$2")
step=$(realpath "$3")
. "$(dirname "$0")/cli.sh"

one=(check physics_loss --variant fused_pointwise --axis grid=5x6x7 --device host --db x.db)
ends 0 "" "$assay" "${one[@]}"
ends 0 "" "$assay" "${one[@]}" --kernels "$mutant" --axis boundary=periodic,zero_gradient
ends 2 "WRONG_VALUE" "$assay" "${one[@]}" --kernels "$mutant"

one=(check thermo_step --variant host_retry --axis grid=4x4x4 --axis per_cell=8 --axis gravity=0 --device host --db x.db)
ends 0 "" "$assay" "${one[@]}"
ends 2 "WRONG_VALUE: adversarial input, 'exchange'" "$assay" "${one[@]}" --kernels "$step"
finish
