#!/usr/bin/env bash
# Compares the peers of attention_row with its reference: PyTorch's own operations, and the Triton kernel with a stand-in
# for Triton.
#   test_attention_row_peers.sh ASSAY PEERS STAND_IN
set -u
assay=$1
peers=$(realpath "$2")
modules=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
. "$here/../../../harness/command/test/cli_peers.sh"

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
peer_passes torch_eager 1 19 attention_row
ends 77 "flash attention takes 16 bits" "$assay" check attention_row --variant torch_flash --axis type=f32 \
    --axis length=1x1x1 --device host --db $db

echo "# Triton's kernel, without Triton or a GPU"
ends 77 "Triton kernels run on a GPU" "$assay" check attention_row --variant triton --axis pass=forward \
    --axis length=129x65x1 --device host --db $db
stand_in triton_on_numpy attention_row
peer_passes triton 1 7 attention_row --axis pass=forward --axis type=f32,f16
finish
