#!/usr/bin/env bash
# Compares PyTorch's activations, optimizer steps and embedding bags with the references of the cases, on the CPU.
#   test_training_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
. "$here/../../../harness/command/test/cli_peers.sh"
export ASSAY_PEERS=$peers

peer_passes torch_eager 3 60 gelu silu embedding_bag --shard 1/2
peer_passes torch_eager 4 80 adamw --axis n=1,3,6,8,2049
peer_passes torch_optim 1 10 adamw --axis n=1,3,6,8,2049

echo "# what a peer does not support"
ends 77 "moments in the type of the parameters" "$assay" check adamw --variant torch_optim --axis type=bf16 --axis n=3 \
    --device host --db $db
ends 77 "is asked for fp32 alone" "$assay" check silu --variant torch_eager --axis type=bf16 --axis n=3 --device host --db $db
finish
