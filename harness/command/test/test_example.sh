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
# A copy outside the tree: nothing of it may be reached by a relative path.
cp -R "$source/examples/dot_product" project
ends 0 "" cmake -S project -B dot "${make[@]}" -DCMAKE_PREFIX_PATH="$folder/installed" -DCMAKE_BUILD_TYPE=Release
ends 0 "" cmake --build dot
ends 0 "dot_product: sum of x[i] * y[i]" dot/dot list
ends 0 "" dot/dot check --device host --db dot.db
holds "both variants PASS at every size" is \
    "$(ask dot.db "SELECT variant, count(*) = sum(verdict = 'PASS') FROM latest GROUP BY 1 ORDER BY 1" | tr '\n' ' ')" \
    "naive|1 warp|1 "
ends 0 "" dot/dot check dot_product --variant warp --device host --kernels dot/dot_trial.so --db trial.db
ends 4 "has no symbol dot_product_naive" dot/dot check dot_product --device host --kernels dot/dot_trial.so --db trial.db
ends 4 "there is no case 'axpy'" dot/dot check axpy
# The checks see this kernel as they see assay's own: one atomic less, and the answer is wrong.
sed -i 's/if (lane == 0)$/if (lane == 0 \&\& blockIdx.x == 0)/' project/kernels/dot_product/dot_product.cu
ends 0 "" cmake --build dot
ends 2 "WRONG_VALUE" dot/dot check dot_product --variant warp --axis n=10007 --device host --db wrong.db
finish
