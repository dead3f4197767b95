#!/usr/bin/env bash
# GPUs and ctest: the list of a host's GPUs that doctor writes, how ctest divides them among shards, and the checks of cases.
#   test_cli_resources.sh ASSAY GPU_MODULE CMAKE_FOLDER [NO_CUDA]    NO_CUDA: why the harness has no CUDA, if it has none
set -u
assay=$1
gpu=$(realpath "$2") || exit 1
cmake_folder=$(realpath "$3") || exit 1
no_cuda=${4:-}
. "$(dirname "$0")/cli.sh"

real=$assay
cp "$assay" "$gpu" . || exit 1
assay=$PWD/$(basename "$assay")

echo "# doctor writes the specification"
ends 77 "skipped: no GPU to write to gpus.json: there is no kernel module for 'cuda': ${no_cuda:-$(basename "$assay")_kernels_cuda.so was not built, or is not here}" "$assay" doctor --resource-spec gpus.json
mv "$(basename "$gpu")" "$(basename "$assay")_kernels_cuda.so" || exit 1
one=GPU-cf70adc6-0e1f-ead7-c47d-3ac916833ba7 two=GPU-dd91693d-4ce9-91eb-6fe9-1e54da045115
ends 77 "none was asked for" env ASSAY_FAKE_GPU_UUIDS= "$assay" doctor --resource-spec gpus.json
holds "nothing was written" [ ! -e gpus.json ]
export ASSAY_FAKE_GPU_UUIDS="$one $two"
ends 0 "gpus.json: 2 GPUs, one slot each" "$assay" doctor --resource-spec gpus.json
holds "JSON" python3 -c '
import json
spec = json.load(open("gpus.json"))
assert spec["version"] == {"major": 1, "minor": 0}
assert spec["local"][0]["gpus"] == [
    {"id": "gpu_cf70adc6_0e1f_ead7_c47d_3ac916833ba7", "slots": 1},
    {"id": "gpu_dd91693d_4ce9_91eb_6fe9_1e54da045115", "slots": 1}]'
ends 0 "3 GPUs" env ASSAY_FAKE_GPU_UUIDS="MIG-12ab-34 odd!name GPU-" "$assay" doctor --resource-spec odd.json
holds "ids that ctest takes" is "$(grep -oE '"id": "[a-z0-9_]+"' odd.json | xargs)" \
    "id: mig_12ab_34 id: index_1 id: index_2"
ends 4 "cannot write nowhere/gpus.json" "$assay" doctor --resource-spec nowhere/gpus.json

echo "# ctest divides the GPUs"
cat >program <<'EOF'
#!/usr/bin/env bash
# Stands for assay: tells where it was, and whether it was alone there.
if [ "$1" = merge ]; then
    shift 2
    printf '%s\n' "$@" >"$LOG/merged"
    exit 0
fi
mkdir "$LOG/at_$CUDA_VISIBLE_DEVICES" || echo "$*" >>"$LOG/not_alone"
echo "$CUDA_VISIBLE_DEVICES $*" >>"$LOG/calls"
sleep 0.3
rmdir "$LOG/at_$CUDA_VISIBLE_DEVICES"
for word; do file=$word; done # the argument of --db is last
: >"$file"
case "$*" in *"--shard 3/6"*) exit 77 ;; *"--shard 4/6"*) exit 2 ;; esac
EOF
chmod +x program
mkdir log tree
export LOG=$PWD/log
cat >tree/CMakeLists.txt <<EOF
cmake_minimum_required(VERSION 3.25)
project(shards NONE)
include($cmake_folder/AssaySuite.cmake)
enable_testing()
assay_add_shards(bench COUNT 6 PROGRAM $PWD/program LABELS gpu TIMEOUT 60 ARGUMENTS bench axpy)
EOF
ends 0 "" cmake -S tree -B tree/build
ends 0 "100% tests passed" env -u CUDA_VISIBLE_DEVICES ctest --test-dir tree/build -j 4
holds "without a specification all are skipped" is "$(grep -c 'Skipped' said)" 14
holds "and nothing ran" [ ! -e log/calls ]
ends 8 "1 tests failed out of 7" ctest --test-dir tree/build -j 4 --resource-spec-file "$PWD/gpus.json"
holds "the one that failed" grep -q 'bench_shard_4 (Failed)' said
holds "each shard ran once" is "$(grep -oE -- '--shard [0-9]/6' log/calls | sort | xargs)" \
    "--shard 1/6 --shard 2/6 --shard 3/6 --shard 4/6 --shard 5/6 --shard 6/6"
holds "as it was asked for" grep -qE "^GPU-[0-9a-f-]+ bench axpy --device cuda --shard 1/6 --db .*/bench_shard_1.db$" log/calls
holds "on both GPUs" is "$(cut -d' ' -f1 log/calls | sort -u | xargs)" "$one $two"
holds "each alone on its own" [ ! -e log/not_alone ]
holds "and all were merged" is "$(wc -l <log/merged)" 6
ends 7 "" bash -c 'ctest --test-dir tree/build -j 4 --resource-spec-file /nowhere.json; [ $? -ne 0 ] && exit 7'

echo "# ids and devices"
device() { CTEST_RESOURCE_GROUP_0_GPUS="id:$1,slots:1" "$cmake_folder/assay_shard" run x.db printenv 2>&1 | head -n 1; }
holds "by uuid" is "$(device gpu_cf70adc6_0e1f)" "GPU GPU-cf70adc6-0e1f"
holds "of a part of a GPU" is "$(device mig_12ab_34)" "GPU MIG-12ab-34"
holds "by place" is "$(env -u CUDA_VISIBLE_DEVICES bash -c "CTEST_RESOURCE_GROUP_0_GPUS=id:index_1,slots:1 '$cmake_folder/assay_shard' run x.db true")" "GPU 1"
export CUDA_VISIBLE_DEVICES=4,7
holds "by place among those that are visible" is "$(device index_1)" "GPU 7"
unset CUDA_VISIBLE_DEVICES
CTEST_RESOURCE_GROUP_0_GPUS=id:fpga_1,slots:1 ends 4 "names no GPU" "$cmake_folder/assay_shard" run x.db true
ends 77 "no shard left a file" "$cmake_folder/assay_shard" merge out.db "$real" none.db

echo "# the check of a case, with and without a GPU"
cat >stub <<'EOF'
#!/bin/sh
# Stands for assay on a host with a GPU, or with none.
[ "$1" = doctor ] && echo "cuda       $GPU  so it is" && exit
echo "$*"
exit 2
EOF
chmod +x stub
: >old.db
export GPU=ok
ends 2 "check axpy --device cuda --jobs 1 --tier quick --db old.db --axis n=5" "$cmake_folder/assay_check" ./stub axpy cuda old.db --axis n=5
holds "the database is a new one" [ ! -e old.db ]
GPU=missing ends 77 "skipped: no GPU here: cuda       missing  so it is" "$cmake_folder/assay_check" ./stub axpy cuda x.db
GPU=missing ends 2 "check axpy --device host --jobs 1 --tier quick --db x.db" "$cmake_folder/assay_check" ./stub axpy host x.db
finish
