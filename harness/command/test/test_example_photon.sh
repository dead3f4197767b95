#!/usr/bin/env bash
# The program under examples/photon_session, built against an installed assay and against its build tree, and run on the
# host device.
#   test_example_photon.sh BUILD_TREE SOURCE_TREE
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

make=()
command -v ninja >/dev/null && make=(-G Ninja)
ends 0 "" cmake --install "$build" --prefix "$folder/installed" --component development
# A copy outside the tree, so that no file of the tree can be reached by a relative path.
cp -R "$source/examples/photon_session" project
for from in "$folder/installed" "$build"; do
    echo "# found in $(basename "$from")"
    rm -rf made
    ends 0 "" cmake -S project -B made "${make[@]}" -DCMAKE_PREFIX_PATH="$from" -DCMAKE_BUILD_TYPE=Release
    ends 0 "" cmake --build made
    ends 0 " detected" made/photons
    # Each photon of the source ends once, and so does each photon that replaced a re-emitted one.
    holds "photons are conserved" is \
        "$(awk '{ n[$2 " " $3 " " $4] = $1; all += $1 } END { print all - n["absorbed and re-emitted"] }' said)" 1000
    ends 0 "100% tests passed" ctest --test-dir made
done
if [ -e made/photons_cuda ]; then
    if "$assay" doctor | grep -Eq '^cuda +ok'; then
        ends 0 " detected" made/photons_cuda
    else
        ends 1 "there is no such device here" made/photons_cuda
    fi
fi
finish
