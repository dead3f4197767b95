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
# A copy outside the tree, so that no file of the tree can be reached by a relative path.
cp -R "$source/examples/dot_product" project
ends 0 "" cmake -S project -B dot "${make[@]}" -DCMAKE_PREFIX_PATH="$folder/installed" -DCMAKE_BUILD_TYPE=Release
ends 0 "" cmake --build dot
echo "# the checks of its case, as ctest runs them; without a GPU, a check is skipped with a reason"
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
# The checks judge this kernel like assay's own: without one atomic the answer is wrong.
sed -i 's/if (lane == 0)$/if (lane == 0 \&\& blockIdx.x == 0)/' project/kernels/dot_product/dot_product.cu
ends 0 "" cmake --build dot
ends 2 "WRONG_VALUE" dot/dot check dot_product --variant warp --axis n=10007 --device host --db wrong.db
echo "# a saved file, built by the project's own build and checked again"
dot/dot check dot_product --axis n=10007 --device host --db watch.db --watch >watched 2>&1 &
watcher=$!
awaits() {
    for _ in $(seq 3000); do
        grep -qF -- "$1" watched && return 0
        kill -0 $watcher 2>/dev/null || break
        sleep 0.1
    done
    cat watched
    return 1
}
holds "the wrong kernel" awaits "first: dot_product/warp/n=10007 WRONG_VALUE"
sed -i 's/ && blockIdx.x == 0//' project/kernels/dot_product/dot_product.cu
holds "    and the right one again" awaits "2 points: 2 passed"
kill -INT $watcher
wait $watcher
holds "    which is its status" is $? 0
sed -i 's/if (lane == 0)$/if (lane == 0 \&\& blockIdx.x == 0)/' project/kernels/dot_product/dot_product.cu
ends 0 "" cmake --build dot
ends 8 "check_dot_product_host (Failed)" ctest --test-dir dot -R check_dot_product_host

echo "# lanes: the program and its kernels built again for each sanitizer"
cp "$source/examples/dot_product/kernels/dot_product/dot_product.cu" project/kernels/dot_product/
cat >project/kernels/dot_product/cpu.c <<'END'
#include "kernel.h"
#include <stdlib.h>
assay_launch_fn dot_product_cpu;
static int last(int64_t n)
{
    float    *copy = calloc((size_t)n, sizeof *copy);
    const int is_one = copy[n - 1] == 1;
    free(copy);
    return is_one;
}
int dot_product_cpu(const assay_args *args, assay_stream stream)
{
    const float *x = args->buf[0], *y = args->buf[1];
    double      *dot = args->buf[2];

    (void)stream;
    *dot = 0;
    for (int64_t i = 0; i < args->count[0]; i++)
        *dot += (double)x[i] * (double)y[i];
    return last(args->count[0]);
}
END
sed -i -e 's/^assay_reference_fn.*/&\nassay_launch_fn dot_product_cpu;/' \
    -e 's/^ *{ .name = "warp".*/&\n { .name = "cpu", .cpu = dot_product_cpu },/' project/cases/dot_product.c
ends 0 "" cmake --build dot --target dot_lanes dot dot_kernels_host
lanes() { dot/dot check dot_product --axis n=257 --lane host,asan,tsan --db lanes.db "$@"; }
ends 0 "run 3: 3 points: 3 passed" lanes
holds "the lanes are stored" is "$(ask lanes.db "SELECT group_concat(lane) FROM run")" "host,asan,tsan"
sed -i '/__syncthreads();/d' project/kernels/dot_product/dot_product.cu
sed -i 's/copy\[n - 1\]/copy[n]/' project/kernels/dot_product/cpu.c
ends 0 "" cmake --build dot
ends 4 "dot_asan is older than" lanes
ends 0 "" cmake --build dot --target dot_lanes dot dot_kernels_host
ends 2 "SUMMARY: ThreadSanitizer: data race" lanes
holds "asan sees what a CPU variant reads past its memory" grep -qE '1 PASS +FAILED: 1 OUT_OF_BOUNDS +1 PASS' <(grep ' cpu ' said)
holds "tsan sees the missing barrier" grep -qE 'FAILED: 1 RACE$' <(grep ' warp  ' said)
finish
