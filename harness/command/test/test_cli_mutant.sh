#!/usr/bin/env bash
# `assay check` alone finds small mistakes: one that shows only if the axes of a grid differ, and one that only a law of
# conservation shows.
#   test_cli_mutant.sh ASSAY PHYS STEP MODE  PHYS: a kernel module whose physics_loss exchanges the boundaries of x and z
#                                        STEP: one whose thermo_step loses a millionth of the heat that it exchanges
#                                        MODE: one that changes the floating-point mode when it is loaded
set -u
assay=$1
mutant=$(realpath "$2")
step=$(realpath "$3")
mode=$(realpath "$4")
. "$(dirname "$0")/cli.sh"

one=(check physics_loss --variant fused_pointwise --axis grid=5x6x7 --device host --db x.db)
ends 0 "" "$assay" "${one[@]}"
ends 0 "" "$assay" "${one[@]}" --kernels "$mutant" --axis boundary=periodic,zero_gradient
ends 2 "WRONG_VALUE" "$assay" "${one[@]}" --kernels "$mutant"

one=(check thermo_step --variant host_retry --axis grid=4x4x4 --axis per_cell=8 --axis gravity=0 --device host --db x.db)
ends 0 "" "$assay" "${one[@]}"
ends 2 "WRONG_VALUE: adversarial input, 'exchange'" "$assay" "${one[@]}" --kernels "$step"
ends 0 "was linked with -ffast-math" "$assay" check axpy --variant naive --device host --kernels "$mode" --db x.db
finish
