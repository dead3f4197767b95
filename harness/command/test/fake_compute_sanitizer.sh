#!/usr/bin/env bash
# A stand-in for compute-sanitizer: runs the program after its options as a child, and writes a log in the tool's format. FAKE
# says what it finds, in FAKE_KERNEL of FAKE_FILE; its arguments go to the file FAKE_WORDS.
set -u
kernel=${FAKE_KERNEL-axpy_kernel}
file=${FAKE_FILE-axpy.cu}
tool='' log=''
[ -z "${FAKE_WORDS-}" ] || printf '%s\n' "$*" >>"$FAKE_WORDS"
while [ $# -gt 0 ] && [[ $1 == --* ]]; do
    case $1 in
    --tool) tool=$2 ;;
    --log-file) log=$2 ;;
    --target-processes | --check-exit-code | --require-cuda-init | --show-backtrace | --print-limit | --launch-timeout | \
        --max-connections | --report-api-errors | --padding | --check-api-memory-access) ;;
    *)
        echo "compute-sanitizer: unrecognised option '$1'" >&2
        exit 1 ;;
    esac
    shift 2
done
[ -n "$tool" ] && [ -n "$log" ] && [ $# -gt 0 ] || exit 1
say() { printf '=========%s\n' "${1:+ $1}" >>"$log"; }

say COMPUTE-SANITIZER
if [ "${FAKE-}" = device ]; then
    say 'Error: Device not supported. Please refer to the "Supported Devices" section of the sanitizer documentation'
    exit 1
fi
# As with the real tool, the program is not its child, but the child of a process between them.
bash -c '"$@"; exit $?' between "$@"
code=$?
n=0
case ${FAKE-} in
race | excused)
    n=1
    say "Error: Race reported between Write access at $kernel(float *, int)+0x90 in $file:12"
    say "    and Read access at $kernel(float *, int)+0x100 in $file:15 [192 hazards]"
    say ;;
outside)
    n=2
    for thread in 33 34; do
        say "Invalid __global__ write of size 4 bytes"
        say "    at $kernel(float *, int)+0x90 in $file:12"
        say "    by thread ($thread,0,0) in block (1,0,0)"
        say "    Address 0x710fdca00001 is out of bounds"
        say "    and is 1 bytes after the nearest allocation at 0x710fdca00000 of size 4 bytes"
        say
    done ;;
unwritten)
    n=1
    say "Uninitialized __global__ memory read of size 4 bytes"
    say "    at $kernel(float *, int)+0x70 in $file:14"
    say "    by thread (31,0,0) in block (1,0,0)"
    say "    Address 0x7f3c7ec000fc" ;;
barrier)
    n=1
    say "Barrier error detected. Divergent thread(s) in block."
    say "    at $kernel(float *, int)+0xf0 in $file:16"
    say "    by thread (37,0,0) in block (0,0,0)" ;;
other)
    n=1
    say "Something that nobody has seen before" ;;
untracked)
    say "Internal Sanitizer Error: The Sanitizer encountered an error while launching k and didn't track the launch. Errors might go undetected. (Unable to allocate enough memory to perform the requested operation)" ;;
cut) exit 1 ;;
esac
if [ "$tool" = racecheck ]; then
    say "RACECHECK SUMMARY: $n hazards displayed ($n errors, 0 warnings)"
else
    say "ERROR SUMMARY: $n errors"
fi
exit $code
