#!/usr/bin/env bash
# The peers of the thermo cases against the cases' references, at every twelfth quick point or, with ASSAY_FULL=1, at all:
# PyTorch's operations as they are, Triton's kernels by a stand-in for the language.
#   test_thermo_peers.sh ASSAY PEERS
set -u
assay=$1
peers=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/../../../harness/command/test/cli.sh"
db=x.db
cases=(thermo_scatter thermo_gas thermo_gather thermo_step)

found=$("$assay" doctor | grep '^peers')
if ! grep -Eq '^peers +ok' <<<"$found"; then
    echo "skipped: $found"
    exit 77
fi
python=$(sed 's/.* of \(.*\), for --peers$/\1/' <<<"$found")

some=(--shard 1/12)
[ "${ASSAY_FULL:-0}" = 1 ] && some=()

# All points of a variant of all cases pass, but those that it says it does not do.
all_pass() { # variant cases
    ends 0 "" "$assay" check "${cases[@]}" --variant "$1" --device host --db $db "${some[@]}"
    holds "    nothing but PASS and UNSUPPORTED" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$1' AND verdict NOT IN ('PASS', 'UNSUPPORTED')")" 0
    holds "    PASS in each case that has it" is \
        "$(ask $db "SELECT count(DISTINCT case_name) FROM latest WHERE variant = '$1' AND verdict = 'PASS'")" "$2"
}

echo "# PyTorch's operations"
export ASSAY_PEERS=$peers
all_pass torch_eager 4
ends 77 "the log is written from within" "$assay" check thermo_step --variant torch_eager --axis log=on --device host --db $db

echo "# Triton's kernels, without Triton or a GPU"
ends 77 "Triton kernels run on a GPU" "$assay" check thermo_gas --variant triton --axis grid=2x2x2 --device host --db $db
mkdir peers
for case in "${cases[@]}"; do
    printf 'from triton_on_numpy import serve_as\n\nserve_as("%s")\n' "$case" >"peers/$case.py"
done
export ASSAY_PEERS=$PWD/peers PYTHONPATH=$here:$peers
all_pass triton 4
all_pass triton_sorted 1
ends 0 OK "$python" -B "$here/test_triton_on_numpy.py"
finish
