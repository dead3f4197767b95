# shellcheck shell=bash
# Functions for the scripts that test the command line. Sourced with `set -u` on, after `assay` is set to the program.
# Everything happens in a temporary folder; every expectation is printed.

assay=$(realpath "$assay") || exit 1
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
n_expectations=0
n_failed=0

# holds "sentence" command...: the command succeeds.
holds() {
    local sentence=$1
    shift
    n_expectations=$((n_expectations + 1))
    if "$@"; then
        echo "ok      $sentence"
    else
        echo "FAILED  $sentence ($*)"
        n_failed=$((n_failed + 1))
    fi
}

is() { # value expected
    [ "$1" = "$2" ] || { echo "        is '$1', not '$2'"; return 1; }
}

# ends STATUS "words" command...: the command has this exit status, and its output contains these words ("": any).
ends() {
    local status=$1 words=$2 code
    shift 2
    "$@" >said 2>&1
    code=$?
    holds "exit $status: ${*/#$assay/assay}" is "$code" "$status"
    [ -z "$words" ] || holds "    says '$words'" grep -qF -- "$words" said
    if [ "$code" != "$status" ]; then sed 's/^/        /' said | head -n 20; fi
}

# The result of a query, with fields separated by |.
ask() { sqlite3 -readonly "$1" "$2"; }

# The last command of each script: sets its exit status.
finish() {
    echo "$n_expectations expectations, $n_failed failed"
    [ "$n_expectations" -gt 0 ] && [ "$n_failed" -eq 0 ]
}

# Does the compressed report in a page contain these words?
page_has() { # page words
    /usr/bin/python3 -c 'import base64, gzip, re, sys
packed = "".join(re.search(r"H4sI[A-Za-z0-9+/=\s]+", open(sys.argv[1]).read()).group(0).split())
sys.exit(sys.argv[2] not in gzip.decompress(base64.b64decode(packed)).decode())' "$1" "$2"
}
