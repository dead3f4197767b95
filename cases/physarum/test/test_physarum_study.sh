#!/usr/bin/env bash
# The commands of the study in docs/physarum.md: each selects as many sizes as it says beside it.
#   test_physarum_study.sh ASSAY docs/physarum.md
set -u
assay=$1 document=$2
failures=0 n_commands=0

# The sizes of a plan, without the variants that they are for.
sizes() { # words of the command behind the verb
    "$assay" plan "$@" --tier full 2>/dev/null | grep -o 'semantics=[^ ]*' | sort -u | wc -l
}

while IFS='#' read -r command said; do
    read -ra words <<<"${command/--tune/}"
    n=$(sizes "${words[@]:2}")
    n_commands=$((n_commands + 1))
    [ "$said" = " $n sizes" ] || {
        echo "'${command}' selects $n sizes, said are:$said"
        failures=$((failures + 1))
    }
done < <(grep '^    assay bench physarum.*#' "$document")

while read -r _ _ _ point; do
    n_commands=$((n_commands + 1))
    "$assay" plan --point "$point" >/dev/null || failures=$((failures + 1))
done < <(grep '^    assay trace --point physarum/' "$document")

[ "$n_commands" -ge 10 ] || { echo "only $n_commands commands are in $document" && failures=1; }
[ "$failures" -eq 0 ]
