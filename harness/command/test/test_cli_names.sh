#!/usr/bin/env bash
# Keys and configurations that reports print select the same points again: all those of a report of several cases are passed
# to check.
#   test_cli_names.sh ASSAY MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
mutant=$(realpath "$2")
. "$(dirname "$0")/cli.sh"
on=(--device host --quiet)

# The points of the newest run of a database.
keys_of() { ask "$1" "SELECT key FROM latest WHERE run_id = (SELECT max(run_id) FROM run) ORDER BY key"; }

"$assay" check axpy rmsnorm lu_solve --each 1 --tier quick --db all.db "${on[@]}" >said 2>&1
"$assay" report --db all.db --format csv --output all.csv
"$assay" report --db all.db --details >details.txt

echo "# keys"
ends 2 "" "$assay" check axpy --axis n=255,1000 --device host --db bad.db --kernels "$mutant"
mapfile -t keys < <(sed -nE 's/^  ([a-z_]+\/[^ ]+)$/\1/p' said)
holds "failures have theirs" is "${keys[*]}" "axpy/naive/n=255 axpy/naive/n=1000"
ends 0 "" "$assay" check "${keys[@]/#/--point=}" --db one.db "${on[@]}"
holds "    which name the same points" is "$(keys_of one.db)" "$(printf '%s\n' "${keys[@]}" | sort)"
mapfile -t keys < <(/usr/bin/python3 -c 'import csv; print("\n".join(sorted({r["key"] for r in csv.DictReader(open("all.csv"))})))')
holds "so have the lines of a CSV" test "${#keys[@]}" -gt 8
"$assay" check "${keys[@]/#/--point=}" --db all_keys.db "${on[@]}" >said 2>&1
holds "    which name the same points" is "$(keys_of all_keys.db)" "$(printf '%s\n' "${keys[@]}")"

echo "# configurations of --details: AXIS=VALUE;AXIS=VALUE"
# case, then configuration
awk '/^[a-z_]+, version [0-9]+: / { sub(",", "", $1); name = $1 }
    match($0, /[a-z_]+=[^ ;]+(;[a-z_0-9]+=[^ ;]+)+$/) { print name, substr($0, RSTART) }' details.txt | sort -u >configurations
holds "there are some of two cases" is "$(cut -d' ' -f1 configurations | sort -u | paste -sd ' ')" "lu_solve rmsnorm"
while read -r name configuration; do
    ends 0 "" "$assay" plan "$name" --axis "$configuration"
    holds "    is of that configuration alone" is "$(sed -n "s/^$name\/[^/]*\/\([^ ]*\) .*/\1/p" said | sort -u)" "${configuration//;//}"
done <configurations
for name in lu_solve rmsnorm; do
    configuration=$(sed -n "s/^$name //p" configurations | head -n 1)
    "$assay" check "$name" --each 1 --axis "$configuration" --db "$name.db" "${on[@]}" >said 2>&1
    holds "check takes it: $name $configuration" is "$(keys_of "$name.db" | cut -d/ -f 3- | sort -u)" "${configuration//;//}"
done

echo "# configurations of the short report: AXIS=VALUE AXIS=VALUE; values that all share stand apart"
"$assay" bench physics_loss --variant cpu_omp --axis grid=8x9x10,9x9x9 --axis time=central --axis boundary=periodic --axis levels=t1 \
    --axis pass=both --time 0.01s --processes 1 --device host --db timed.db >short.txt 2>said
shared=$(sed -nE 's/^  ([a-z]+=[^ ]+ .*)$/\1/p' short.txt)
mapfile -t varying < <(sed -nE 's/^    ([a-z]+=[^ ]+.*)$/\1/p' short.txt)
holds "what is shared" is "$shared" "boundary=periodic time=central levels=t1 pass=both"
holds "what is not" test "${#varying[@]}" -gt 2
for configuration in "${varying[@]}"; do
    ends 0 "" "$assay" check physics_loss --variant cpu_omp --axis "$shared" --axis "$configuration" --db short.db "${on[@]}"
    holds "    is one point of the report" is \
        "$(ask timed.db "SELECT count(*) FROM latest WHERE key = '$(keys_of short.db)'")" 1
done

echo "# other readers of --axis"
ends 4 "neither side has a time" "$assay" compare 1 1 --db timed.db --axis "$shared grid=4x4x4"
ends 0 "" "$assay" compare 1 1 --db timed.db --axis "$shared ${varying[0]}" --all
holds "compare finds that point alone" is "$(grep -c ' physics_loss/cpu_omp/' said)" 1
ends 4 "'never'" "$assay" check physics_loss --axis "grid=8x9x10 time=never"
ends 4 "no selected case has an axis 'm'" "$assay" check axpy --axis "n=8 m=3"
ends 4 "axis 'n' takes a whole number, not '8 3'" "$assay" check axpy --axis "n=8 3"
ends 4 "axis 'n' takes a whole number, not ' '" "$assay" check axpy --axis "n= "
long=$(seq -s , 1 1200)
ends 0 "axpy/vec4/n=1200 " "$assay" plan axpy --axis "n=$long"
ends 4 "more than 4096 characters" "$assay" plan axpy --axis "n=$long m=1"
finish
