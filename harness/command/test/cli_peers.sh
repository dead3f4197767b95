# For tests that check peers on the CPU, sourced after cli.sh: exit status 77 if no Python has PyTorch.
#   $db      the database that the checks below write
#   $python  the interpreter of the peers
db=x.db
found=$("$assay" doctor | grep '^peers')
torch=$(grep -Em 1 '^peers +ok .*torch ' <<<"$found")
if [ -z "$torch" ]; then
    echo "skipped: no python has torch: $found"
    exit 77
fi
python=$(sed 's/.* of \(.*\), for --peers and --script$/\1/' <<<"$torch")

# peer_passes VARIANT CASES LEAST WHAT...: all points of a peer that `assay check WHAT...` selects PASS, except those that the
# peer does not support. There must be points in CASES cases, and at least LEAST points.
peer_passes() {
    local variant=$1 cases=$2 least=$3
    shift 3
    ends 0 "" "$assay" check "$@" --variant "$variant" --device host --db $db
    holds "    nothing but PASS and UNSUPPORTED" is \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$variant' AND verdict NOT IN ('PASS', 'UNSUPPORTED')")" 0
    holds "    PASS in $cases cases" is \
        "$(ask $db "SELECT count(DISTINCT case_name) FROM latest WHERE variant = '$variant' AND verdict = 'PASS'")" "$cases"
    holds "    PASS at $least points or more" [ \
        "$(ask $db "SELECT count(*) FROM latest WHERE variant = '$variant' AND verdict = 'PASS'")" -ge "$least" ]
}

# stand_in MODULE CASE...: from now on MODULE, a stand-in for Triton without a GPU, serves the peers of these cases. It is
# looked for in the folders of $modules and among the peers.
stand_in() {
    local module=$1 case
    shift
    mkdir peers
    for case in "$@"; do
        printf 'from %s import serve_as\n\nserve_as("%s")\n' "$module" "$case" >"peers/$case.py"
    done
    export ASSAY_PEERS=$PWD/peers PYTHONPATH=$modules:$peers
}
