# shellcheck shell=bash
# Shared by ci/suite, ci/test, ci/gpu, ci/nightly and ci/study: sourced, with `set -u` on.

ci_start=$SECONDS

# Prints the comment at the head of the script, for --help. Called at the top of the tree.
print_help() { sed -n '2,/^set -u/{s/^# \{0,1\}//;/^set -u/d;p}' "ci/${0##*/}"; }

# A heading with the time since the start.
step() { printf '\n==== %s (%d s)\n' "$*" $((SECONDS - ci_start)); }

# The worse of two exit statuses, from worst to best 2, 4, 1, 3, 0, 77 (skipped); any other one counts as 4, a broken set-up.
worse() {
    local rank one two
    for rank in 2 4 1 3 0 77; do
        for one in "$1" "$2"; do
            case $one in 0 | 1 | 2 | 3 | 4 | 77) two=$one ;; *) two=4 ;; esac
            [ "$two" = "$rank" ] && echo "$rank" && return
        done
    done
}

# CUDA kernels are built for the GPUs of this host. Without a GPU they never run, and are only compiled to PTX with little
# optimization: this takes a fifth of the time and finds all errors except those of the assembler, which ASSAY_FULL=1 runs.
# CUDAARCHS overrides this. Without this script, the presets build for all architectures in AssayCuda.cmake.
cuda_flags=() # for nvcc
if [ -z "${CUDAARCHS:-}" ]; then
    if nvidia-smi -L >/dev/null 2>&1; then
        CUDAARCHS=native
    elif [ "${ASSAY_FULL:-0}" = 1 ]; then
        CUDAARCHS='80-real;90' # those of the presets
    else
        CUDAARCHS=90-virtual cuda_flags=(-DCMAKE_CUDA_FLAGS='-Xcicc -O1' -DCMAKE_CUDA_FLAGS_RELEASE='-O0 -DNDEBUG')
    fi
    export CUDAARCHS
fi

# Configures and builds one preset; compiler output only if it fails.
build_preset() {
    local preset=$1 log=build/$1.log
    mkdir -p build
    step "build $preset"
    # A sanitizer's report needs only line numbers. Without this script, the presets keep the data for debuggers.
    case $preset in
    asan | tsan) set -- -DCMAKE_C_FLAGS_RELWITHDEBINFO='-O1 -g1' -DCMAKE_CXX_FLAGS_RELWITHDEBINFO='-O1 -g1' ;;
    *) set -- -DCMAKE_CUDA_ARCHITECTURES="$CUDAARCHS" "${cuda_flags[@]}" ;;
    esac
    if ! { cmake --preset "$preset" "$@" && cmake --build --preset "$preset"; } >"$log" 2>&1; then
        tail -n 60 "$log"
        echo "the build of $preset failed; all of its output is in $log"
        return 4
    fi
    tail -n 1 "$log"
}
