#!/usr/bin/env bash
# The studies of columns and of tracing back: their lines, the runs they write, and invalid words.
set -u
columns=$1 traceback=$2 assay=$3
. "$(dirname "$0")/../../../harness/command/test/cli.sh"

"$columns" --db "$folder/runs.db" --processes 1 24 60 2 5 1 3 >"$folder/columns" 2>"$folder/said"
holds 'columns end well' test $? -eq 0
holds 'with a line a kind, eps, number of steps and seed' test "$(grep -c '^[a-z]*,10*,[13],[12],' "$folder/columns")" -eq $((9 * 3 * 2 * 2))
holds 'and a mean for each but the seeds' test "$(grep -c ' sensitivity .* +- .*toy model ' "$folder/said")" -eq $((9 * 3 * 2))
holds 'a cell changes the sum as decay does' grep -q '^cell,10,1,1,32,[0-9.]*,[0-9.]*,1,0.99,0.99$' "$folder/columns"
holds 'the run is there' "$assay" report --db "$folder/runs.db" >"$folder/report"
holds 'with all of its points' grep -q '54 points: 54 passed' "$folder/report"
"$columns" --distance 7 --db "$folder/runs.db" --processes 1 24 60 2 5 1 >"$folder/other" 2>"$folder/said"
holds 'other numbers are another point' "$assay" report --db "$folder/runs.db" >"$folder/report"
holds 'and named' grep -q 'numbers=reach7' "$folder/report"
"$columns" 24 60 32 2>"$folder/said"
holds '32 seeds end with 4' test $? -eq 4
holds 'and say how many there may be' grep -q 'SEEDS from 2 to 31' "$folder/said"
"$columns" 24 60 2 5 1 1 1 1 1 1 1 1 1 2>"$folder/said"
holds 'nine numbers of steps end with 4' test $? -eq 4

"$traceback" --db "$folder/back.db" 24 4 2 1 2 >"$folder/back" 2>"$folder/said"
holds 'tracing back ends well' test $? -eq 0
holds 'with a line a way, number of steps and seed' test "$(grep -c '^[a-z]*,4,[12],[12],' "$folder/back")" -eq $((5 * 2 * 2))
holds 'of one step all is found from the last state' test "$(grep -c '^state,4,1,[12],0,' "$folder/back")" -eq 2
holds 'the run is there, too' "$assay" report --db "$folder/back.db" >"$folder/report"
holds 'with all points' grep -q '10 points: 10 passed' "$folder/report"
"$traceback" --strength 0.8 24 4 2 1 2>"$folder/said"
holds 'a strength without inverse ends with 4' test $? -eq 4
holds 'and says so' grep -q 'no inverse' "$folder/said"
"$traceback" 24 four 2>"$folder/said"
holds 'a word that is no number ends with 4' test $? -eq 4

finish
