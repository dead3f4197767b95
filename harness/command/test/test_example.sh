#!/usr/bin/env bash
# The project under examples/, built against an installed assay and run on the host device.
#   test_example.sh BUILD_TREE SOURCE_TREE
set -u
assay=$1/assay
build=$(realpath "$1")
source=$(realpath "$2")
. "$(dirname "$0")/cli.sh"

make=()
command -v ninja >/dev/null && make=(-G Ninja)
ends 0 "" cmake --install "$build" --prefix "$folder/installed"
ends 0 "host" installed/bin/assay doctor
ends 0 "" installed/bin/assay check axpy --axis n=100 --device host --db x.db
mkdir theirs
echo '__global__ void k(float *x) { *x = 1; }' >theirs/one.cu
ends 0 "1 of 1 files are taken as they are" installed/bin/assay survey theirs
# A copy outside the tree: nothing of it may be reached by a relative path.
cp -R "$source/examples/dot_product" project
ends 0 "" cmake -S project -B dot "${make[@]}" -DCMAKE_PREFIX_PATH="$folder/installed" -DCMAKE_BUILD_TYPE=Release
ends 0 "" cmake --build dot
echo "# the checks of its case, as ctest runs them; a GPU that is not there is a skip with its reason"
ends 0 "100% tests passed" ctest --test-dir dot -V
holds "one test a device" is "$(sed -nE 's/.*Test +#[0-9]+: (check_[a-z_]+) .*/\1/p' said | sort | xargs)" \
    "check_dot_product_cuda check_dot_product_host"
holds "the host's ran" grep -qE 'check_dot_product_host \.+ +Passed' said
if installed/bin/assay doctor | grep -Eq '^cuda +ok' && [ -e dot/dot_kernels_cuda.so ]; then
    holds "the GPU's ran" grep -qE 'check_dot_product_cuda \.+ +Passed' said
else
    holds "the GPU's is a skip" grep -qE 'check_dot_product_cuda \.+\*\*\*Skipped' said
    holds "    with its reason" grep -q "skipped: no GPU here: cuda " said
fi
holds "label and lock of the GPU's" is "$(ctest --test-dir dot --show-only=json-v1 -L '^gpu$' | python3 -c '
import json, sys
print(*(t["name"] + " " + p["name"] + " " + str(p["value"]) for t in json.load(sys.stdin)["tests"]
        for p in t["properties"] if p["name"] == "RESOURCE_LOCK"))')" "check_dot_product_cuda RESOURCE_LOCK ['gpu']"
ends 0 "dot_product: sum of x[i] * y[i]" dot/dot list
ends 0 "" dot/dot check --device host --db dot.db
holds "both variants PASS at every size" is \
    "$(ask dot.db "SELECT variant, count(*) = sum(verdict = 'PASS') FROM latest GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
    "naive|1 warp|1 "
ends 0 "" dot/dot check dot_product --variant warp --device host --kernels dot/dot_trial.so --db trial.db
ends 4 "has no symbol dot_product_naive" dot/dot check dot_product --device host --kernels dot/dot_trial.so --db trial.db
ends 4 "there is no case 'axpy'" dot/dot check axpy
ends 4 "there is no assay-cc beside this program" env PATH=/nonexistent dot/dot survey theirs
PATH=$folder/installed/bin:$PATH ends 0 "1 of 1 files are taken as they are" dot/dot survey theirs
# The checks see this kernel as they see assay's own: one atomic less, and the answer is wrong.
sed -i 's/if (lane == 0)$/if (lane == 0 \&\& blockIdx.x == 0)/' project/kernels/dot_product/dot_product.cu
ends 0 "" cmake --build dot
ends 2 "WRONG_VALUE" dot/dot check dot_product --variant warp --axis n=10007 --device host --db wrong.db
ends 8 "check_dot_product_host (Failed)" ctest --test-dir dot -R check_dot_product_host
finish
