#!/usr/bin/env bash
# The studies in docs/: each command selects the number of sizes in its comment, and each program is built.
#   test_study_pages.sh ASSAY TREE
set -u
assay=$1
cd "$2" || exit 1
build=$(dirname "$assay")
n_commands=0 n_failed=0

# The words of a command that `assay plan` also takes: those that select points.
selecting() {
    while [ $# -gt 0 ]; do
        case $1 in
        --processes | --budget | --time | --metrics | --sanitizer) shift ;;
        --tune) ;;
        *) printf '%s\n' "$1" ;;
        esac
        shift
    done
}

# The number of sizes that a command selects, whatever their variants. bench takes real sizes.
sizes() { "$assay" plan "$@" 2>/dev/null | grep -o '^[a-z_]*/[^ ]*' | cut -d / -f 3- | sort -u | grep -c ''; }

try_command() { # line
    local command=${1%% # *} said=1 n words environment=()
    [ "$command" = "$1" ] || said=${1##* # }
    read -r -a words <<<"$command"
    while [[ ${words[0]} == *=* ]]; do
        environment+=("${words[0]}")
        words=("${words[@]:1}")
    done
    if [ "${words[0]}" != assay ]; then
        [ -x "$build/${words[0]}" ] || [ -x "$build/${words[0]}_host" ]
        return
    fi
    [ "${words[1]}" = bench ] && words+=(--tier full)
    mapfile -t words < <(selecting "${words[@]:2}")
    n=$([ ${#environment[@]} -eq 0 ] || export "${environment[@]}"; sizes "${words[@]}")
    [ "$n" -gt 0 ] && [ "${said% sizes}" = "$n" ] || { echo "        it selects $n sizes"; return 1; }
}

for page in docs/*.md; do
    while read -r line; do
        n_commands=$((n_commands + 1))
        try_command "$line" || { echo "FAILED  $page: $line"; n_failed=$((n_failed + 1)); }
    done < <(sed -n '/^```sh study$/,/^```$/{/^```/d;p}' "$page")
done
echo "$n_commands commands, $n_failed failed"
[ "$n_commands" -ge 10 ] && [ "$n_failed" -eq 0 ]
