#!/usr/bin/env bash
# assay profile and assay trace without a GPU: arguments are checked as far as possible; all else is refused with a reason.
#   test_cli_profile.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"
db=x.db
written() { find . -mindepth 1 ! -name said | sort; }

echo "# nothing to count or trace on the host device"
ends 77 "'assay profile' needs a GPU, and this is the host device" \
    "$assay" profile axpy --axis n=1000 --device host --db $db
ends 77 "'assay profile' needs a GPU" "$assay" profile physics_loss --variant cpu_omp --axis grid=8x9x10 --device host --db $db
ends 77 "'assay trace' needs a GPU, and this is the host device" \
    "$assay" trace --point axpy/vec4/n=1000 --device host --db $db
holds "nothing was written" is "$(written)" ""

echo "# wrong use"
ends 4 "trace takes one point, and this selection holds 2" "$assay" trace axpy --axis n=1000 --device host --db $db
ends 4 "trace takes one point, and this selection holds 2" \
    "$assay" trace axpy --variant vec4 --axis n=1000,1001 --device host --db $db
ends 4 "did you mean 'core'?" "$assay" profile axpy --metrics cor --device host --db $db
ends 4 "--replay does not know 'kernels' (did you mean 'kernel'?)" "$assay" profile axpy --replay kernels --db $db
ends 4 "--chip needs --dry-run or --list-metrics" "$assay" profile axpy --chip GH100 --device host --db $db
ends 4 "there is no option --metrics here" "$assay" run axpy --metrics core --db $db
ends 4 "there is no option --processes here" "$assay" profile axpy --processes 3 --db $db
ends 4 "there is no option --in-process here" "$assay" trace axpy --in-process --db $db
ends 4 "only 'assay bench'" "$assay" profile axpy --benchmark_filter=axpy --db $db
holds "nothing was written" is "$(written)" ""

echo "# without a GPU, by the name of a chip"
"$assay" profile --dry-run --chip GH100 >said 2>&1
if [ $? = 77 ]; then # this build or this machine has no CUPTI
    holds "says what is missing" grep -qi "cupti" said
    sed 's/^/skipped: /' said
    finish
    exit
fi
ends 0 "core: " "$assay" profile --dry-run --chip GH100
for preset in core memory compute atomics occupancy stalls; do
    holds "$preset has metrics and passes" grep -Eq "^$preset: [1-9][0-9]* metrics?, [1-9][0-9]* pass(es)? on GH100" said
done
holds "each metric can be counted" is "$(grep '^  ' said | grep -vc ' ok$')" 0
ends 0 "dram__bytes_read.sum" "$assay" profile --dry-run --chip GH100 --metrics dram__bytes_read.sum
ends 0 "selection: 20 metrics" "$assay" profile --dry-run --chip GH100 --metrics core,lts__t_bytes.sum
ends 4 "did you mean 'dram__bytes_read.sum'?" "$assay" profile --dry-run --chip GH100 --metrics dram__bytes_reed.sum
ends 4 "1 of 20 metrics cannot be counted on GH100" "$assay" profile --dry-run --chip GH100 --metrics core,dram__bytes_reed.sum
ends 4 "there is no preset 'cors' (did you mean 'core'?)" "$assay" profile --dry-run --chip GH100 --metrics cors
ends 4 "does not know a chip 'GH999'" "$assay" profile --dry-run --chip GH999
ends 0 " passes on GH100" "$assay" profile --dry-run --chip gh100
ends 4 "--chip takes the name of a chip" "$assay" profile --dry-run --chip ""
if ! "$assay" doctor | grep -Eq '^cuda +ok'; then
    ends 4 "name the chip" "$assay" profile --dry-run
fi
ends 0 "dram__bytes_read " "$assay" profile --list-metrics=dram__bytes --chip GH100
holds "    lists those with the word in their names, and the line below" is "$(grep -c '^dram__bytes' said) $(grep -c '^[a-z0-9]*__' said)" "3 3"
ends 0 "" "$assay" profile --list-metrics --chip GH100
holds "    lists all without one" is "$(($(grep -c '__' said) > 1000))" 1
ends 4 "has no metric with 'nonesuch'" "$assay" profile --list-metrics=nonesuch --chip GH100
holds "nothing was written" is "$(written)" ""
finish
