#!/usr/bin/env bash
# Compares the peers of the thermo cases with the references, at every twelfth quick point or, with ASSAY_FULL=1, at all:
# PyTorch's own operations, and Triton's kernels with a stand-in for Triton.
#   test_thermo_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
modules=$here
. "$here/../../../harness/command/test/cli.sh"
. "$here/../../../harness/command/test/cli_peers.sh"
cases=(thermo_scatter thermo_gas thermo_gather thermo_step)

some=(--shard 1/12)
[ "${ASSAY_FULL:-0}" = 1 ] && some=()

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
peer_passes torch_eager 4 16 "${cases[@]}" "${some[@]}"
ends 77 "the log is written from within" "$assay" check thermo_step --variant torch_eager --axis log=on --device host --db $db

echo "# Triton's kernels, without Triton or a GPU"
ends 77 "Triton kernels run on a GPU" "$assay" check thermo_gas --variant triton --axis grid=2x2x2 --device host --db $db
stand_in triton_on_numpy "${cases[@]}"
peer_passes triton 4 16 "${cases[@]}" "${some[@]}"
peer_passes triton_sorted 1 1 "${cases[@]}" "${some[@]}"
ends 0 OK "$python" -B "$here/test_triton_on_numpy.py"
finish
