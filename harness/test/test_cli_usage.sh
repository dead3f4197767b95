#!/usr/bin/env bash
# Wrong use is named, with the nearest valid word; it ends with 4 and writes nothing.
#   test_cli_usage.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"

written() { find . -mindepth 1 ! -name said | sort; }
wrong() { # words, then the arguments of assay
    local before
    before=$(written)
    ends 4 "$1" "$assay" "${@:2}"
    holds "    writes nothing" is "$(written)" "$before"
}

echo "# wrong use"
wrong "usage: assay"
wrong "there is no command 'chek' (did you mean 'check'?)" chek
wrong "there is no case 'axpyy' (did you mean 'axpy'?)" check axpyy
wrong "no selected case has a variant 'vec' (did you mean 'vec4'?)" check axpy --variant vec
wrong "no selected case has an axis 'm'" check axpy --axis m=3
wrong "axis 'n' takes a whole number, not 'x'" check axpy --axis n=x
wrong "" check axpy --axis n=-1
wrong "" check axpy --axis n=99999999999999999999
wrong "axis 'n' is given no value" check axpy --axis n=
wrong "there is no option --devic here (did you mean 'device'?)" check --devic host
wrong "--device does not know 'hots' (did you mean 'host'?)" check --device hots
wrong "--tier takes quick, full or all" check --tier quik
wrong "--seed takes a whole number" check --seed -4
wrong "--budget takes a time" check --budget 5parsecs
wrong "--gpu takes a number" check --gpu first
wrong "--format does not know 'cvs' (did you mean 'csv'?)" report --format cvs
wrong "there is no option --axis here" report --axis n=1
wrong "'report' takes no case" report axpy
wrong "" check --point axpy/vec9/n=4
wrong "" check --point axpy/vec4
wrong "--point names case" check --point axpy/naive/n=5 --variant nonesuch
wrong "cannot load the kernel module" check axpy --device host --kernels ./absent.so
wrong "is not a kernel module" check axpy --kernels "$(ldd "$assay" | awk '/libc\.so/ { print $3 }')"
wrong "" report --db absent.db
wrong "" resume --db absent.db
wrong "" check axpy --db no/such/folder/x.db

echo "# nothing selected"
wrong "leave none" check physics_loss --axis grid=0x4x4
wrong "leave none" plan physics_loss --axis grid=0x4x4

echo "# right use that needs no device and writes nothing"
for command in "--help" "list" "list axpy" "plan axpy" "check --help" "doctor"; do
    # shellcheck disable=SC2086 # words on purpose
    ends 0 "" "$assay" $command
done
ends 0 "axpy/vec4/n=1000" "$assay" plan axpy --variant vec4 --axis n=1000
ends 0 "kernel variants run on the host device" "$assay" list
holds "nothing was written" is "$(written)" ""
finish
