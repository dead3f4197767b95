#!/usr/bin/env bash
# The peers of attention_row against its reference: PyTorch's operations as they are, the Triton kernel by a stand-in for
# the language.
#   test_attention_row_peers.sh ASSAY PEERS STAND_IN
set -u
assay=$1
peers=$(realpath "$2")
stand_in=$(realpath "$3")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
db=x.db

found=$("$assay" doctor | grep '^peers')
if ! grep -Eq '^peers +ok' <<<"$found"; then
    echo "skipped: $found"
    exit 77
fi

# All points of a peer pass but those that it does not do; of some it says so.
all_pass() { # variant points options
    ends 0 "" "$assay" check attention_row --variant "$1" --device host --db $db "${@:3}"
    holds "    nothing but PASS and UNSUPPORTED" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$1' AND verdict NOT IN ('PASS', 'UNSUPPORTED')")" 0
    holds "    PASS at each point that it does" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$1' AND verdict = 'PASS'")" "$2"
}

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
all_pass torch_eager 19
ends 77 "flash attention takes 16 bits" "$assay" check attention_row --variant torch_flash --axis type=f32 \
    --axis length=1x1x1 --device host --db $db

echo "# Triton's kernel, without Triton or a GPU"
ends 77 "Triton kernels run on a GPU" "$assay" check attention_row --variant triton --axis pass=forward \
    --axis length=129x65x1 --device host --db $db
mkdir peers
printf 'from triton_on_numpy import serve_as\n\nserve_as("attention_row")\n' >peers/attention_row.py
export ASSAY_PEERS=$PWD/peers PYTHONPATH=$stand_in:$peers
all_pass triton 7 --axis pass=forward --axis type=f32,f16
finish
