#!/usr/bin/env bash
# The peers of the norms against the cases' references: PyTorch's operations as they are, Triton's kernels by a stand-in
# for the language.
#   test_norms_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
db=x.db
cases=(rmsnorm layernorm fused_add_rmsnorm)

found=$("$assay" doctor | grep '^peers')
if ! grep -Eq '^peers +ok' <<<"$found"; then
    echo "skipped: $found"
    exit 77
fi

# All points of a variant of all cases pass, but those that it says it does not do.
all_pass() { # variant least arguments
    local variant=$1 least=$2
    shift 2
    ends 0 "" "$assay" check "${cases[@]}" --variant "$variant" --device host --db $db "$@"
    holds "    nothing but PASS and UNSUPPORTED" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$variant' AND verdict NOT IN ('PASS', 'UNSUPPORTED')")" 0
    holds "    at least $least pass" [ \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$variant' AND verdict = 'PASS'")" -ge "$least" ]
}

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
all_pass torch_eager 30 --shard 1/4

echo "# Triton's kernels, without Triton or a GPU; NumPy has no bf16"
ends 77 "Triton kernels run on a GPU" "$assay" check rmsnorm --variant triton --axis size=1x7x31 --device host --db $db
mkdir peers
for case in "${cases[@]}"; do
    printf 'from norms_on_numpy import serve_as\n\nserve_as("%s")\n' "$case" >"peers/$case.py"
done
export ASSAY_PEERS=$PWD/peers PYTHONPATH=$here:$here/../../thermo/test:$peers
all_pass triton 20 --shard 1/2 --axis type=f32,f16 --axis size=1x0x33,1x7x1,2x4x33,2x4x1000,2x2x8193
finish
