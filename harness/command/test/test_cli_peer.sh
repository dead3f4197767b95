#!/usr/bin/env bash
# Peers from the command line: when they take part, the message if there is none, and PyTorch itself if it is installed.
#   test_cli_peer.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"
db=x.db
on=(--device host --db "$db")
point=(--axis grid=5x6x7 --axis boundary=periodic --axis time=central --axis vjp=residual --axis pass=both)
n_points() { ask $db "SELECT count(*) FROM point WHERE run_id = (SELECT max(run_id) FROM run) AND variant $1"; }

echo "# peers take part only on request"
ends 0 "variant torch_eager (peer), against nonfused" "$assay" list physics_loss
ends 0 "" "$assay" check physics_loss "${point[@]}" --variant nonfused "${on[@]}"
holds "a plain run has none" is "$(n_points "LIKE 'torch%'")" 0
ends 0 "physics_loss/torch_compile/grid=5x6x7" "$assay" plan physics_loss "${point[@]}" --peers
ends 0 "" "$assay" plan physics_loss "${point[@]}"
holds "nor has its plan" is "$(grep -c torch said)" 0
ends 4 "torch_eager" "$assay" check physics_loss --variant torch_eagr "${on[@]}"

echo "# without PyTorch"
export ASSAY_PYTHON=/no/such/python3
ends 0 "peers      missing  /no/such/python3" "$assay" doctor
ends 77 "exit status 127" "$assay" check physics_loss "${point[@]}" --variant torch_eager "${on[@]}"
holds "a skip has its reason" is "$(ask $db "SELECT verdict FROM latest WHERE variant = 'torch_eager'")" SKIPPED
ends 0 "passed" "$assay" check physics_loss "${point[@]}" --variant nonfused --peers "${on[@]}"
unset ASSAY_PYTHON
export ASSAY_PEERS=/no/such/folder
ends 77 "physics_loss.py is not in /no/such/folder, which ASSAY_PEERS names" "$assay" check physics_loss "${point[@]}" --variant torch_eager "${on[@]}"
unset ASSAY_PEERS

echo "# with PyTorch, on the CPU"
if "$assay" doctor | grep -Eq '^peers +ok .*torch '; then
    ends 0 "" "$assay" check physics_loss --axis grid=5x6x7 --axis time=central --variant torch_eager "${on[@]}"
    holds "every point PASSes" is "$(ask $db "SELECT count(DISTINCT verdict) || max(verdict) FROM latest WHERE variant = 'torch_eager'")" 1PASS
    ends 0 "" "$assay" check physics_loss "${point[@]}" --variant torch_eager --in-process "${on[@]}"
    ends 77 "never times" "$assay" bench physics_loss "${point[@]}" --variant torch_eager "${on[@]}"
    holds "nothing is timed on the CPU" is "$(ask $db "SELECT count(*) FROM measurement")" 0
else
    echo "left out: $("$assay" doctor | grep '^peers')"
fi
finish
