#!/usr/bin/env bash
# PyTorch's activations, optimizer steps and embedding bags against the cases' references, on the CPU.
#   test_training_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
db=x.db
export ASSAY_PEERS=$peers

found=$("$assay" doctor | grep '^peers')
if ! grep -Eq '^peers +ok' <<<"$found"; then
    echo "skipped: $found"
    exit 77
fi

# All points of a peer pass, but those that it says it does not do, and so many pass.
all_pass() { # peer, least number, arguments
    local peer=$1 least=$2
    shift 2
    ends 0 "" "$assay" check "$@" --variant "$peer" --device host --db $db
    holds "    nothing but PASS and UNSUPPORTED" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$peer' AND verdict NOT IN ('PASS', 'UNSUPPORTED')")" 0
    holds "    at least $least pass" [ \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$peer' AND verdict = 'PASS'")" -ge "$least" ]
}

all_pass torch_eager 60 gelu silu embedding_bag --shard 1/2
all_pass torch_eager 80 adamw --axis n=1,3,6,8,2049
all_pass torch_optim 10 adamw --axis n=1,3,6,8,2049

echo "# what a peer does not do"
ends 77 "moments in the type of the parameters" "$assay" check adamw --variant torch_optim --axis type=bf16 --axis n=3 \
    --device host --db $db
ends 77 "is asked for fp32 alone" "$assay" check silu --variant torch_eager --axis type=bf16 --axis n=3 --device host --db $db
finish
