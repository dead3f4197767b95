#!/usr/bin/env bash
# The wheel that pip builds from this tree: it is installed into a new environment; then a check, a database read as data
# frames, a test by the plugin, and mypy on the installed package. Exit status 77 if pip cannot reach PyPI.
#   test_wheel.sh TREE
set -u
tree=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 4
unset ASSAY_PYTHON ASSAY_PROGRAM ASSAY_PEERS PYTHONPATH
failed=0
holds() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >said 2>&1; then
        echo "ok      $what"
    else
        echo "FAILED  $what: $*"
        tail -n 30 said
        failed=1
    fi
}
skip() {
    echo "skipped: $1"
    tail -n 3 said
    exit 77
}

python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' || skip "python3 is older than 3.10"
python3 -m venv env >said 2>&1 || skip "python3 makes no environment (Debian: python3-venv)"
env/bin/pip install -q numpy pandas pytest mypy scikit-build-core build >said 2>&1 || skip "pip reaches no packages"
holds "pip makes a wheel" env/bin/pip wheel -q --no-deps --no-build-isolation -w wheels "$tree"
[ $failed = 0 ] || exit 1
holds "the wheel is for any Python 3" test -e wheels/assay-*-py3-none-linux_*.whl
holds "pip installs it" env/bin/pip install -q --no-index wheels/assay-*.whl
holds "the command runs" env/bin/assay --version
holds "doctor finds the peers' scripts and this Python" env/bin/assay doctor
holds "    with its frameworks" grep -Eq "^peers +ok .*numpy .* of $work/env/bin/python" said
cp -r "$tree/examples/python" example
holds "a function of one's own passes" env/bin/assay check --script example/softmax.py --device host --axis type=f32 --tier quick --db results.db
holds "the database as data frames" env/bin/python -c '
import assay
results = assay.read("results.db")
assert set(results.verdicts.verdict) == {"PASS"} and set(results.verdicts.variant) == {"mine"}, results.verdicts
assert len(results.runs) == 1 and results.times.empty'
holds "the plugin of pytest is there" env/bin/python -m pytest -q example/test_softmax.py
holds "    and ran it" grep -q "1 passed" said
holds "types hold in the tree" env/bin/python -m mypy --config-file "$tree/pyproject.toml" --cache-dir mypy "$tree/python/assay"
cat >use.py <<'END'
import assay

rows: list[dict[str, object]] = assay.read("results.db").rows("verdicts")
passed: bool = assay.check("softmax.py").passed
END
holds "    and for who uses what is installed" env/bin/python -m mypy --strict --cache-dir mypy use.py
[ $failed = 0 ]
