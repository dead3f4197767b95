#!/usr/bin/env bash
# Ways to use an assay that is already built: its build tree, an installation that was moved, the example's presets,
# pkg-config.
#   test_ways_in.sh BUILD_TREE SOURCE_TREE
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/ways_in.sh"

echo "# find_package on a build tree"
copy_example "$source" project
ends 0 "" cmake -S project -B dot_build "${make[@]}" -DCMAKE_PREFIX_PATH="$build" -DCMAKE_BUILD_TYPE=Release
ends 0 "" cmake --build dot_build
finds_everything dot_build/dot
holds "its own program knows no folder but its own" is "$(readelf -d "$assay" | grep -c RUNPATH)" 0

echo "# an installation that was moved, by the example's presets"
ends 0 "" cmake --install "$build" --prefix "$folder/installed"
mv installed moved
cd project || exit 1
ends 0 "100% tests passed" env assay_ROOT="$folder/moved" cmake --workflow --preset host
cd .. || exit 1
ends 0 "1 cases" project/build/host/dot doctor
holds "without CUDA, as that preset says" is "$(find project/build/host -name '*_cuda.so')" ""
finds_everything project/build/host/dot

echo "# if program and installation are moved, LD_LIBRARY_PATH can name the new place"
cp project/build/host/dot project/build/host/dot_kernels_host.so .
mv moved again
env -u LD_LIBRARY_PATH ./dot doctor >said 2>&1
holds "what is gone is missed, with its name" grep -qF "the peer's script physics_loss.py is not here; looked for in peers" said
holds "    and assay_cupti.so, if it was built" is "$(grep -c "$cupti_is_lost" said)" "$(find again -name assay_cupti.so | wc -l)"
LD_LIBRARY_PATH=$folder/again/lib/assay finds_everything ./dot
mv again moved

echo "# a component of the installation"
ends 0 "" cmake --install "$build" --prefix "$folder/program" --component program
ends 0 "cases      ok" program/bin/assay doctor
for file in man/man1/assay.1 bash-completion/completions/assay zsh/site-functions/_assay; do
    holds "with share/$file" test -s program/share/$file
done
ends 0 "" program/bin/assay check axpy --axis n=100 --device host --db component.db
holds "    with nothing to build with" is "$(find program -name '*.[ah]' -o -name '*.cmake')" ""

echo "# pkg-config"
if command -v pkg-config >/dev/null; then
    export PKG_CONFIG_PATH=$folder/moved/lib/pkgconfig
    cat >cases.c <<'C'
#include <assay.h>
extern const assay_case assay_case_axpy;
extern const assay_case *const assay_cases[];
const assay_case *const assay_cases[] = { &assay_case_axpy, NULL };
C
    compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$build/CMakeCache.txt")
    # The flags must be split into words.
    # shellcheck disable=SC2046
    ends 0 "" "$compiler" -std=c17 -Wall -Wextra -Werror cases.c "$source/examples/dot_product/main.c" \
        "$source/cases/axpy/axpy.c" "$source/reference/axpy/axpy.c" $(pkg-config --cflags --libs assay) -o own
    ends 0 "" ./own check axpy --axis n=100 --kernels moved/lib/assay/assay_kernels_host.so --db own.db
    ends 4 "there is no kernel module for 'host': own_kernels_host.so was not built, or is not here" \
        ./own check axpy --axis n=100 --device host --db own.db
    ./own doctor >said 2>&1
    holds "assay_cupti.so is found, if it was built" is "$(grep -c "$cupti_is_lost" said)" 0
    holds "the version is the program's" is "assay $(pkg-config --modversion assay)" "$(./own --version | cut -d' ' -f1,2)"
else
    echo "left out: no pkg-config"
fi
finish
