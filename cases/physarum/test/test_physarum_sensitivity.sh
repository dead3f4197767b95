#!/usr/bin/env bash
# The program for the study of a perturbation.
set -u
assay=$1 sensitivity=$1
. "$(dirname "$0")/../../../harness/command/test/cli.sh"

"$sensitivity" 32 1024 40 3 1 5 >"$folder/growth" 2>"$folder/said"
holds 'the study ends well' test $? -eq 0
holds 'and has a line a seed and start' test "$(grep -c '^[15],[123],' "$folder/growth")" -eq 6
holds 'and a mean with its interval for each start' test "$(grep -c '3 seeds: .* exp(.* +- ' "$folder/said")" -eq 2
"$sensitivity" --distance 9 --angle 0.5 32 1024 40 3 5 >"$folder/far" 2>"$folder/said"
holds 'numbers of a step leave as many lines' test "$(grep -c '^5,[123],' "$folder/far")" -eq 3
holds 'and change the rates' test "$(cmp <(grep '^5,' "$folder/growth") <(grep '^5,' "$folder/far") | wc -l)" -eq 1
"$sensitivity" --decay 2 32 1024 40 3 5 2>"$folder/said"
holds 'a decay beyond 1 ends with 4' test $? -eq 4
holds 'and says what it may be' grep -q -e '--decay takes a number from 0 to 1' "$folder/said"
"$sensitivity" 32 1024 40 1 2>"$folder/said"
holds 'one seed ends with 4' test $? -eq 4
holds 'and says how many there may be' grep -q 'SEEDS from 2 to 31' "$folder/said"
"$sensitivity" 32 1024 40 3 5x 2>"$folder/said"
holds 'a word that is no number ends with 4' test $? -eq 4

finish
