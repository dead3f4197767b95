#!/usr/bin/env bash
# Wrong use is named, with the nearest valid word; it ends with 4 and writes nothing.
#   test_cli_usage.sh ASSAY
set -u
assay=$1
ci=$(realpath "$(dirname "$0")/../../../ci")
. "$(dirname "$0")/cli.sh"

written() { find . -mindepth 1 ! -name said | sort; }
wrong() { # words, then the arguments of assay
    local before
    before=$(written)
    ends 4 "$1" "$assay" "${@:2}"
    holds "    writes nothing" is "$(written)" "$before"
}

echo "# wrong use"
wrong "next: assay check axpy"
wrong "more: assay doctor, assay list, assay --help"
wrong "there is no command 'chek' (did you mean 'check'?)" chek
wrong "there is no case 'axpyy' (did you mean 'axpy'?)" check axpyy
wrong "no selected case has a variant 'vec' (did you mean 'vec4'?)" check axpy --variant vec
wrong "no selected case has an axis 'm'" check axpy --axis m=3
wrong "axis 'n' takes a whole number, not 'x'" check axpy --axis n=x
wrong "" check axpy --axis n=-1
wrong "" check axpy --axis n=99999999999999999999
wrong "axis 'n' is given no value" check axpy --axis n=
wrong "axis 'n' takes a whole number, not '000'" check axpy --axis n=1,000
wrong "axis 'n' is given an empty value" check axpy --axis n=1,,2
wrong "--shard" plan axpy --shard 0x1/0x2
wrong "there is no option --devic here (did you mean 'device'?)" check --devic host
wrong "--device does not know 'hots' (did you mean 'host'?)" check --device hots
wrong "--tier does not know" check --tier quik
wrong "--seed takes a whole number" check --seed -4
wrong "--seed takes a whole number" check --seed 0x
wrong "--seed takes a whole number" check --seed 0x-5
wrong "--seed takes a whole number" check --seed 12f
wrong "--seed takes a whole number" check --seed 18446744073709551616
wrong "--budget takes a time" check --budget 5parsecs
wrong "--gpu takes a number" check --gpu first
wrong "--jobs takes a number from 1 to 64" check --jobs 65
wrong "there is no option --strict-memory-model here" bench axpy --strict-memory-model
wrong "--wrong-answers runs no kernel" check axpy --wrong-answers --strict-memory-model
wrong "--jobs is a number of worker processes: leave out --in-process" check axpy --jobs 2 --in-process
wrong "one after the other: leave out --jobs" bench axpy --jobs 2 --budget 5s
wrong "--tuned uses what an earlier search found: give one of them" bench axpy --tune --tuned
wrong "there is no option --tuned here" resume --tuned
wrong "--wrong-answers runs no kernel" check axpy --wrong-answers --sanitizer memcheck
wrong "--wrong-answers runs no kernel" check axpy --wrong-answers --each 1
wrong "--tuning does not know 'most'" check axpy --tuning most
wrong "so do --tuned and --point: give one of them" check axpy --tuning all --tuned
wrong "so do --tuned and --point: give one of them" check --point axpy/naive/n=5 --tuning all
wrong "there is no option --tuning here" bench axpy --tuning all
wrong "--format does not know 'cvs' (did you mean 'csv'?)" report --format cvs
wrong "there is no option --axis here" report --axis n=1
wrong "'report' takes no case" report axpy
wrong "there is no option --gpu here" plan axpy --gpu 0
wrong "there is no option --kernels here" plan axpy --kernels absent.so
wrong "there is no option --device here" doctor --device host
wrong "there is no usable GPU 1024 here" doctor --gpu 1024
wrong "" check --point axpy/vec9/n=4
wrong "" check --point axpy/vec4
wrong "beyond 2^48" check axpy --axis n=9223372036854775807
wrong "beyond 2^48" check physics_loss --axis grid=4294967296x4294967296x1
wrong "beyond 2^48" check physics_loss --axis grid=2097152x2097152x4194304
wrong "a mean over no cells" check --point physics_loss/nonfused/grid=0x4x4/boundary=periodic/time=central/vjp=residual/levels=t1/pass=both
wrong "already names its size" check --point axpy/naive/n=5 --tier full
wrong "nearest: '" check zzzzzzzzzzz
wrong "--point already names case" check --point axpy/naive/n=5 --variant nonesuch
wrong "gate takes one --point, not 2" gate --point axpy/naive/n=5 --point axpy/naive/n=6
wrong "history takes one --point, not 2" history --point axpy/naive/n=5 --point axpy/naive/n=6
wrong "cannot find the kernel module ./absent.so: No such file" check axpy --device host --kernels ./absent.so
wrong "cannot find the kernel module libc.so.6: No such file" check axpy --kernels libc.so.6
wrong "is not a kernel module" check axpy --kernels /etc/passwd
wrong "is not a kernel module" check axpy --kernels "$(ldd "$assay" | awk '/libc\.so/ { print $3 }')"
wrong "the budget must lie between 0 and 1e+06, not at 2e+06" bench axpy --time 2000000s
wrong "the budget must lie between 0 and 1e+06, not at 7.2e+08" run axpy --time 200000h
wrong "--processes takes a number from 1 to 32, not '0'" bench axpy --processes 0
wrong "no case has all the axes of --axis together" check --axis n=3 --axis time=central
wrong "--chip takes the name of a chip" profile --dry-run --chip=
wrong "" report --db absent.db
wrong "" resume --db absent.db
wrong "" check axpy --db no/such/folder/x.db

echo "# nothing selected"
wrong "leave none" check physics_loss --axis grid=0x4x4
wrong "leave none" plan physics_loss --axis grid=0x4x4
wrong "set ASSAY_PHOTON_MESH to an OBJ file" check photon_propagate --axis geometry=mesh
export ASSAY_PHOTON_MESH=absent.obj
wrong "leave none; 'photon_propagate': absent.obj: No such file" check photon_propagate --axis geometry=mesh
wrong "no such point: absent.obj: No such file" check \
    --point photon_propagate/per_step/output=step/geometry=mesh/material=white/photons=257
unset ASSAY_PHOTON_MESH

echo "# valid use that needs no device and writes nothing"
for command in "--help" "--version" "list" "list axpy" "plan axpy" "check --help" "doctor"; do
    # shellcheck disable=SC2086 # words on purpose
    ends 0 "" "$assay" $command
done
ends 0 "left out, without such an axis: " "$assay" plan --axis grid=4x4x4
holds "axpy is left out" grep -q '^assay: left out.*: .*axpy' said
holds "and has no point" is "$(grep -c '^axpy/' said)" 0
holds "physics_loss is not, and has points of this grid alone" is \
    "$(grep '^physics_loss/' said | grep -c grid=4x4x4) $(grep '^physics_loss/' said | grep -vc grid=4x4x4)" \
    "$(grep -c '^physics_loss/' said) 0"
ends 0 "axpy/vec4/n=1000" "$assay" plan axpy --variant vec4 --axis n=1000
ends 0 "kernel variants run on the host device" "$assay" list
ends 0 "        waits: one addition a warp, by the lowest lane that asks" "$assay" list photon_queue
echo "# short options"
ends 0 "usage: assay COMMAND" "$assay" -h
ends 0 "assay $("$assay" --version | cut -d' ' -f2)" "$assay" -V
ends 0 "Usage: assay check" "$assay" check -h
ends 0 "" "$assay" check axpy --axis n=255 --device host --db short.db -q
holds "-q leaves nothing" is "$(cat said)" ""
rm short.db
ends 0 "axpy/vec4/n=4096 " "$assay" plan axpy --axis n=1Ki..4Ki*2

echo "# the help of each command has examples, and one for each option with an argument"
for command in $("$assay" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    ends 0 "Examples:" "$assay" "$command" --help
    holds "    of itself" grep -q "^ *assay $command" said
    words=$(tr -s ' \n' ' ' <said)
    for option in $(sed -n 's/^ *--\([a-z-]*\)=.*/\1/p' said); do
        holds "    --$option" grep -q -- "--$option [^-]" <<<"$words"
    done
done
holds "nothing was written" is "$(written)" ""

echo "# doctor"
if "$assay" doctor | grep -Eq '^cuda +ok'; then
    ends 0 "" "$assay" doctor --gpu 0
else
    ends 4 "there is no usable GPU 0 here" "$assay" doctor --gpu 0
fi
echo "a letter and no database" >letter.db
ends 4 "broken" "$assay" doctor --db letter.db

echo "# ci/gpu, with a program that records its arguments and fails every check"
mkdir prebuilt
cat >prebuilt/assay <<'END'
#!/bin/sh
echo "$*" >>"$NOTES"
case $1 in
doctor) echo "cuda       ${CUDA:-ok}"; exit "${DOCTOR:-0}" ;;
check) exit 2 ;;
bench) exit "${BENCH:-0}" ;;
esac
while [ $# -gt 0 ]; do
    [ "$1" != --output ] || echo report >"$2"
    shift
done
END
cat >prebuilt/test_gpu_any <<'END'
#!/bin/sh
echo "visible: $CUDA_VISIBLE_DEVICES" >>"$NOTES"
END
chmod +x prebuilt/assay prebuilt/test_gpu_any
echo test_gpu_any >prebuilt/gpu_programs.txt
export NOTES=$PWD/notes
gpu() { "$ci/gpu" --prebuilt "$PWD/prebuilt" --output "$PWD/out" "$@"; }
sees() { # card, then the arguments of ci/gpu
    : >notes
    ends 2 "" gpu "${@:2}"
    holds "    its programs see card '$1'" grep -qx "visible: $1" notes
}
unset CUDA_VISIBLE_DEVICES
sees 1 --gpu 1
holds "reports of failed checks are kept" is "$(cat out/check.txt out/check.csv out/selftest.txt out/bench.txt)" \
    "$(printf 'report\n%.0s' 1 2 3 4)"
holds "its doctor is asked about that GPU" grep -q 'doctor --gpu 1' notes
export CUDA_VISIBLE_DEVICES=5,6
sees 5
sees 6 --gpu 1
sees 6 --gpu 01
export CUDA_VISIBLE_DEVICES="GPU-a, GPU-b"
sees GPU-b --gpu 1
unset CUDA_VISIBLE_DEVICES
BENCH=4 ends 2 "" gpu
holds "a run that could not be made has no report" test ! -e out/bench.txt
CUDA=missing DOCTOR=4 ends 77 "no usable GPU" gpu
DOCTOR=4 ends 4 "" gpu
ends 4 "--gpu takes a number" gpu --gpu first
finish
