#!/usr/bin/env bash
# The program for users: frames from an image, an animation, a map, a sheet over two parameters. Wrong words and hostile
# files are refused with a sentence. The kernels make the same frames as the reference.
set -u
assay=$1 frames=$1 device=$2 # device: the one besides the reference
. "$(dirname "$0")/../../../harness/command/test/cli.sh"

refuses() { # status, words of the message, then arguments
    local status=$1 says=$2
    shift 2
    "$frames" "$@" >"$folder/said" 2>&1
    holds "$* ends with $status" test $? -eq "$status"
    holds "$* says: $says" grep -qF -- "$says" "$folder/said"
}

# Width and height of a PNG, from its header.
size_of() { od -An -tu1 -j16 -N8 "$1" | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }'; }

# A missing GPU is recognised by status and sentence. Any other failure, also that of an unusable GPU, fails below.
"$frames" --side 16 --agents 0 --steps 0 --frames "$folder/none" --device "$device" >"$folder/said" 2>&1
status=$?
if [ $status -eq 77 ] && grep -q 'no CUDA device' "$folder/said"; then
    cat "$folder/said"
    exit 77
fi
holds "the device $device can be used" is $status 0
[ $status -eq 0 ] || cat "$folder/said"

printf 'P2\n4 4\n1\n1 0 0 1  0 1 1 0  0 1 1 0  1 0 0 1\n' >"$folder/cross.pgm"
printf 'P5\n9 9\n255\nshort' >"$folder/short.pgm"
printf '\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1' >"$folder/short.png"
small=(--side 32 --agents 50 --steps 4 --every 2)

holds 'frames are written' "$frames" "${small[@]}" --semantics torch --image "$folder/cross.pgm" --frames "$folder/cat" \
    --animate "$folder/cat.gif" --zoom 2 --palette moss
for step in 00000 00002 00004; do
    holds "frame $step has its size" test "$(size_of "$folder/cat_$step.png")" = '64 64'
done
holds 'the field changes' test "$(cmp "$folder/cat_00000.png" "$folder/cat_00004.png" 2>&1 | wc -l)" -eq 1
holds 'the animation is a GIF' grep -qaF NETSCAPE2.0 "$folder/cat.gif"
holds 'a frame is an image for the next run' "$frames" "${small[@]}" --image "$folder/cat_00004.png" --frames "$folder/next" \
    --map terrain

# The kernels: after one step, rounding has not changed any agent's turn yet; the map hides the last bit of the field.
for semantics in canonical torch triton; do
    for of in reference "$device"; do
        holds "$semantics by $of" "$frames" --side 64 --agents 200 --steps 1 --semantics $semantics --map steps \
            --device "$of" --frames "$folder/$semantics.$of"
    done
    holds "$semantics: the same picture" cmp "$folder/$semantics.reference_00001.png" "$folder/$semantics.${device}_00001.png"
done

holds 'a sheet' "$frames" "${small[@]}" --grid strength=0.1,0.9 --by distance=2,5,9 --sheet "$folder/sheet.png"
holds 'with its pictures side by side' test "$(size_of "$folder/sheet.png")" = "$((18 + 8 * 8 + 3 * 38)) $((18 + 20 + 2 * 38))"
holds 'numbers of a step for all' "$frames" "${small[@]}" --set decay=0.5 --set angle=1 --set diffusion=5 --frames "$folder/set"
holds 'which change the field' test "$(cmp "$folder/set_00004.png" "$folder/next_00004.png" 2>&1 | wc -l)" -eq 1

refuses 1 'short.pgm: ends before its last pixel' "${small[@]}" --frames "$folder/dog" --image "$folder/short.pgm"
refuses 1 'short.png: Read Error' "${small[@]}" --frames "$folder/dog" --image "$folder/short.png"
refuses 1 'cannot be written' "${small[@]}" --frames "$folder/none/dog"
refuses 1 'cannot be written' "${small[@]}" --animate "$folder/none/dog.gif"
refuses 4 'are all missing' "${small[@]}"
refuses 4 'is none of canonical, torch, triton' --semantics toroid --frames "$folder/dog"
refuses 4 "reference|$device" --device moon --frames "$folder/dog"
refuses 4 'is none of grey, ember' --palette rainbow --frames "$folder/dog"
refuses 4 'is none of caves, terrain, steps' --map sea --frames "$folder/dog"
refuses 4 'from 2 to 16384' --side 1 --frames "$folder/dog"
refuses 4 'from 1 to 64' --zoom 2x --frames "$folder/dog"
refuses 4 'too many pixels' --side 16384 --zoom 2 --frames "$folder/dog"
refuses 4 'is none of step, distance' --set colour=3 --frames "$folder/dog"
refuses 4 'is not NAME=VALUE' --set decay --frames "$folder/dog"
refuses 4 'from 0 to 1' --set decay=1.5 --frames "$folder/dog"
refuses 4 'from 0 to 1' --set decay=nan --frames "$folder/dog"
refuses 4 'is not 3 or 5' --set diffusion=4 --frames "$folder/dog"
refuses 4 'more than one value' --set decay=0.1,0.2 --frames "$folder/dog"
refuses 4 'needs --grid and --by' --grid decay=0.1 --frames "$folder/dog"
refuses 4 'needs --grid and --by' --sheet "$folder/dog.png"
refuses 4 'one value too many' --grid decay=0,0,0,0,0,0,0,0,0,0,0,0,0 --by step=1 --sheet "$folder/dog.png"
refuses 4 'is no option, or lacks its value' --frames
refuses 4 'belongs to no option' --frames "$folder/dog" cat

finish
