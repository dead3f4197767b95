#!/usr/bin/env bash
# The two programs that people run: frames from an image, hostile files refused with a sentence, and the study of a
# perturbation.
set -u
frames=$1 sensitivity=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

holds() { # what, then a command
    local what=$1
    shift
    "$@" || {
        echo "does not hold: $what"
        failures=$((failures + 1))
    }
}

printf 'P2\n4 4\n1\n1 0 0 1  0 1 1 0  0 1 1 0  1 0 0 1\n' >"$folder/cross.pgm"
printf 'P5\n9 9\n255\nshort' >"$folder/short.pgm"

holds 'frames are written' "$frames" torch 32 50 4 2 "$folder/cat" "$folder/cross.pgm"
for step in 00000 00002 00004; do
    holds "frame $step has its size" test "$(stat -c %s "$folder/cat_$step.ppm")" -eq $((32 * 32 * 3 + 13))
done
holds 'the field changes' test "$(cmp "$folder/cat_00000.ppm" "$folder/cat_00004.ppm" | wc -l)" -eq 1
"$frames" torch 32 50 4 2 "$folder/dog" "$folder/short.pgm" 2>"$folder/said"
holds 'a short image ends with 1' test $? -eq 1
holds 'and says why' grep -q 'short.pgm: ends before its last pixel' "$folder/said"
"$frames" toroid 32 50 4 2 "$folder/dog" 2>"$folder/said"
holds 'unknown semantics end with 4' test $? -eq 4
holds 'and say what is known' grep -q 'canonical|torch|triton' "$folder/said"

"$sensitivity" 32 1024 40 3 1 5 >"$folder/growth" 2>"$folder/said"
holds 'the study ends well' test $? -eq 0
holds 'and has a line a seed and start' test "$(grep -c '^[15],[123],' "$folder/growth")" -eq 6
holds 'and a mean with its interval for each start' test "$(grep -c '3 seeds: .* exp(.* +- ' "$folder/said")" -eq 2
"$sensitivity" --sensor-distance 9 --spread 0.5 32 1024 40 3 5 >"$folder/far" 2>"$folder/said"
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

[ "$failures" -eq 0 ]
