#!/usr/bin/env bash
# Assay as a part of another project's build: FetchContent (fetch), add_subdirectory (add), or the latter in a function, as CPM
# calls it (function).
#   test_subproject.sh BUILD_TREE SOURCE_TREE WAY [NVCC]    BUILD_TREE: whose compilers and launchers are used
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
way=$3
nvcc=${4:-}
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/ways_in.sh"

cp -R "$here/subproject" parent
copy_example "$source" parent/dot
printf '%s\n' "assay_case(dot_product)" "assay_suite(dot)" "assay_add_checks(dot)" >parent/dot/CMakeLists.txt
for side in cases reference kernels; do
    mkdir -p parent/own/$side && cp -R "$source/$side/axpy" parent/own/$side/ || exit 1
done
cp parent/dot/main.c parent/own/
printf '%s\n' "assay_case(axpy)" "assay_suite(own)" "assay_add_checks(own)" >parent/own/CMakeLists.txt

mapfile -t compilers < <(sed -nE 's/^(CMAKE_(C|CXX)_COMPILER):[A-Z]+=(.+)/-D\1=\3/p' "$build/CMakeCache.txt"; launchers "$build")
configure=(cmake -S parent "${make[@]}" "${compilers[@]}" -DCMAKE_BUILD_TYPE=Release -DWAY="$way"
    -DASSAY_SOURCE="$source" -DFETCHCONTENT_SOURCE_DIR_ASSAY="$source")
ends 0 "" "${configure[@]}" -B tree -DASSAY_CUDA=OFF
ends 0 "" cmake --build tree --parallel 2
holds "the checks of its own suites, and no other test" is \
    "$(ctest --test-dir tree -N | sed -nE 's/.*Test +#[0-9]+: //p' | sort | xargs)" \
    "check_axpy_cuda check_axpy_host check_dot_product_cuda check_dot_product_host"
ends 0 "100% tests passed" ctest --test-dir tree
finds_everything tree/bin/dot
holds "each suite has its own cases" is "$(for p in dot own; do tree/bin/$p list | grep -o '^[a-z_]*: '; done | xargs)" "dot_product: axpy:"
holds "assay leaves nothing among its programs" is "$(cd tree/bin && printf '%s ' * | sed 's/ $//')" \
    "dot dot.build dot_kernels_host.so own own.build own_kernels_host.so"
ends 0 "" cmake --install tree --prefix "$folder/installed"
holds "nor anything to install" [ ! -e installed ]

echo "# CUDA, which the project itself must enable"
if [ -n "$nvcc" ]; then
    ends 0 "assay_suite(dot) builds no CUDA kernels, as this project has not enabled" "${configure[@]}" -B told
    sed -i 's/LANGUAGES C CXX/& CUDA/' parent/CMakeLists.txt
    ends 0 "" "${configure[@]}" -B enabled -DCMAKE_CUDA_COMPILER="$nvcc"
    holds "with it there is no such word" is "$(grep -c 'builds no CUDA kernels' said)" 0
else
    echo "left out: built without a CUDA compiler"
fi
finish
