#!/usr/bin/env bash
# Compares the peers of softmax_row, softmax_row_grad and reduction with the references of the cases: PyTorch's own
# operations, and Triton's kernel with a stand-in for Triton. Exit status 77 if no Python has PyTorch.
#   test_softmax_peers.sh ASSAY PEERS STAND_IN
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
modules=$here:$(realpath "$3")
. "$here/../../../harness/command/test/cli.sh"
. "$here/../../../harness/command/test/cli_peers.sh"

some=(--shard 1/4)
[ "${ASSAY_FULL:-0}" = 1 ] && some=()

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
peer_passes torch_eager 3 15 softmax_row softmax_row_grad reduction "${some[@]}"

echo "# Triton's kernel, without Triton or a GPU; NumPy has no bf16"
ends 77 "Triton kernels run on a GPU" "$assay" check softmax_row --variant triton --axis size=5x1x1 --device host --db refused.db
stand_in softmax_on_numpy softmax_row
peer_passes triton 1 4 softmax_row "${some[@]}" --axis type=f32,f16
ends 77 "up to 32768 columns" "$assay" check softmax_row --variant triton --axis type=f32 --axis size=1x32770x1 \
    --device host --db refused.db
finish
