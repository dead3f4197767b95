#!/usr/bin/env bash
# The peers of softmax_row, softmax_row_grad and reduction against the cases' references: PyTorch's operations as they are,
# Triton's kernel by a stand-in for the language. Exit status 77 where no python has PyTorch.
#   test_softmax_peers.sh ASSAY PEERS STANDIN
set -u
assay=$1
peers=$(realpath "$2")
standin=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
db=x.db

found=$("$assay" doctor | grep '^peers')
if ! grep -Eq '^peers +ok' <<<"$found"; then
    echo "skipped: $found"
    exit 77
fi

some=(--shard 1/4)
[ "${ASSAY_FULL:-0}" = 1 ] && some=()

# Points of a variant all pass, and there are some in each case that has it.
all_pass() { # variant cases option...
    local variant=$1 cases=$2
    shift 2
    ends 0 "" "$assay" check softmax_row softmax_row_grad reduction --variant "$variant" --device host --db $db "${some[@]}" "$@"
    holds "    nothing but PASS" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$variant' AND verdict <> 'PASS'")" 0
    holds "    in each case that has it" is \
        "$(ask $db "SELECT count(DISTINCT case_name) FROM latest WHERE variant = '$variant'")" "$cases"
}

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
all_pass torch_eager 3

echo "# Triton's kernel, without Triton or a GPU; NumPy has no bf16"
ends 77 "Triton kernels run on a GPU" "$assay" check softmax_row --variant triton --axis size=5x1x1 --device host --db refused.db
mkdir peers
printf 'import softmax_on_numpy\n\nsoftmax_on_numpy.serve()\n' >peers/softmax_row.py
export ASSAY_PEERS=$PWD/peers PYTHONPATH=$here:$standin:$peers
all_pass triton 1 --axis type=f32,f16
ends 77 "up to 32768 columns" "$assay" check softmax_row --variant triton --axis type=f32 --axis size=1x32770x1 \
    --device host --db refused.db
finish
