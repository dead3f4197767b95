#!/usr/bin/env bash
# Compares the peers of the norms with the references of the cases: PyTorch's own operations, and Triton kernels with a
# stand-in for Triton.
#   test_norms_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
modules=$here:$here/../../thermo/test
. "$here/../../../harness/command/test/cli.sh"
. "$here/../../../harness/command/test/cli_peers.sh"
cases=(rmsnorm layernorm fused_add_rmsnorm)

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
peer_passes torch_eager 3 30 "${cases[@]}" --shard 1/4

echo "# Triton's kernels, without Triton or a GPU; NumPy has no bf16"
ends 77 "Triton kernels run on a GPU" "$assay" check rmsnorm --variant triton --axis size=1x7x31 --device host --db $db
stand_in norms_on_numpy "${cases[@]}"
peer_passes triton 3 20 "${cases[@]}" --shard 1/2 --axis type=f32,f16 --axis size=1x0x33,1x7x1,2x4x33,2x4x1000,2x2x8193
finish
