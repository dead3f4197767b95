#!/usr/bin/env bash
# From sizes and kernels to verdicts and exit statuses, on one device.
#   test_cli_check.sh ASSAY DEVICE MUTANT   MUTANT: a kernel module whose axpy_naive has one sign changed
set -u
assay=$1
device=$2
mutant=$(realpath "$3")
. "$(dirname "$0")/cli.sh"
db=x.db
on=(--device "$device" --db "$db")

if ! "$assay" doctor | grep -Eq "^$device +ok"; then
    echo "skipped: $("$assay" doctor | grep "^$device ")"
    exit 77
fi
verdict_of() { ask $db "SELECT verdict FROM latest WHERE key = '$1'"; }
n_measured() { ask $db "SELECT count(*) FROM measurement JOIN point USING (point_id) WHERE variant = '$1'"; }

echo "# sizes at the edge"
if [ "$device" = host ]; then
    ends 0 "left out: 8 points of the full tier" "$assay" check axpy "${on[@]}"
    ends 0 "" "$assay" check axpy --tier quick "${on[@]}"
    holds "what was asked for leaves nothing out" is "$(grep -c 'left out' said)" 0
fi
ends 0 "" "$assay" check axpy --axis n=0 "${on[@]}"
ends 0 "" "$assay" check axpy --axis n=1 "${on[@]}"
ends 77 "GB are free" "$assay" check axpy --axis n=99999999999999 "${on[@]}"
holds "a size beyond memory is skipped with a reason" is \
    "$(ask $db "SELECT DISTINCT verdict || ' ' || (reason LIKE 'needs % memory%') FROM latest WHERE key LIKE '%n=99999999999999'")" "SKIPPED 1"

echo "# one point, replayed by key and seed"
ends 0 "" "$assay" check --point axpy/vec4/n=1023 --seed 7 "${on[@]}"
holds "the seed is stored" is "$(ask $db "SELECT seed FROM latest WHERE key = 'axpy/vec4/n=1023'")" 7
ends 0 "" "$assay" check axpy --axis n=64 --in-process "${on[@]}"
for seed in 010:10 08:8 0x1F:31; do
    ends 0 "" "$assay" check --point axpy/vec4/n=1023 --seed "${seed%:*}" "${on[@]}"
    holds "seed ${seed%:*} is ${seed#*:}" is \
        "$(ask $db "SELECT seed FROM latest WHERE key = 'axpy/vec4/n=1023'")" "${seed#*:}"
done

echo "# the right kernels"
rm -f $db*
ends 0 "" "$assay" check axpy --axis n=255,1000 "${on[@]}"
holds "every variant PASSes" is "$(ask $db "SELECT count(*), sum(verdict = 'PASS') FROM latest")" "4|4"
holds "worst_error answers with rule and reason" is \
    "$(ask $db "SELECT count(*) > 0 AND min(rule <> '') AND min(why <> '') FROM worst_error")" 1

echo "# one sign changed in one kernel"
rm -f $db*
ends 2 "WRONG_VALUE" "$assay" run axpy --axis n=255,1048576 --kernels "$mutant" "${on[@]}"
holds "the report gives the line that replays it" grep -q 'assay check .*--point axpy/naive/n=255 .*--seed 1' said
replay=$(grep -e '--point axpy/naive/n=255 ' said)
holds "    with the program, the module and the device" is "$replay" \
    "      $assay check --point axpy/naive/n=255 --seed 1 --kernels $mutant --device $device$([ "$device" = cuda ] && echo " --gpu 0")"
ends 2 "WRONG_VALUE" sh -c "$replay"
for format in json md html; do
    "$assay" report --db $db --format $format --output replay.$format
done
for format in json md; do
    holds "    it is in the report as $format" grep -qF -- "${replay#      }" replay.$format
done
holds "    it is on the page" page_has replay.html "${replay#      }"
mkdir "a folder"
ln -s "$assay" "a folder/it's assay"
cp "$mutant" "a folder/its kernels.so"
ends 2 "" "a folder/it's assay" check axpy --axis n=255 --kernels "a folder/its kernels.so" --device "$device" --db spaced.db
ends 2 "WRONG_VALUE" sh -c "$(grep -e '--point axpy/naive/n=255 ' said)"
holds "naive is WRONG_VALUE" is "$(verdict_of axpy/naive/n=255)" WRONG_VALUE
holds "vec4 is PASS" is "$(verdict_of axpy/vec4/n=255)" PASS
holds "no number is stored for naive" is "$(n_measured naive)" 0
if [ "$device" = cuda ]; then
    holds "but for vec4" is "$(($(n_measured vec4) > 0))" 1
fi
holds "the run is stored with exit status 2" is "$(ask $db "SELECT exit_status FROM run_end")" 2

echo "# a user's module with a plain name is taken from this folder"
cp "$mutant" bare.so
ends 2 "WRONG_VALUE" "$assay" check axpy --variant naive --axis n=255 --kernels bare.so --device "$device" --db bare.db

echo "# the file of a report"
ends 0 "" "$assay" report --db $db --format csv --output x.csv
holds "the report is in it" grep -q axpy/naive/n=255 x.csv
for part in $db ./$db $db-wal $db-shm; do
    ends 4 "the report needs another file" "$assay" report --db $db --output "$part"
done
ln -s $db link
ln $db hard
ends 4 "the report needs another file" "$assay" report --db $db --output link
ends 4 "the report needs another file" "$assay" report --db $db --output hard
holds "the database is whole" is "$(ask $db "PRAGMA integrity_check")" ok
echo older >kept.txt
chmod 640 kept.txt
ends 4 "" "$assay" report --db absent.db --output kept.txt
ends 4 "there is no run 99" "$assay" report --db $db --run 99 --output kept.txt
holds "a report that fails leaves the older one" is "$(cat kept.txt)" older
ends 4 "there is no run 99" "$assay" report --db $db --run 99 --output new.txt
ln -s kept.txt link.txt
ends 0 "" "$assay" report --db $db --output link.txt
holds "one that works takes its place, behind the link" grep -q WRONG_VALUE kept.txt
holds "    which stays one" test -L link.txt
holds "    with the mode that it had" is "$(stat -c %a kept.txt)" 640
mkfifo pipe
cat pipe >piped.txt &
ends 0 "" "$assay" report --db $db --output pipe
wait $!
holds "a pipe stays one" test -p pipe
holds "    and carries the report" grep -q WRONG_VALUE piped.txt
ends 4 "no/such/folder" "$assay" report --db $db --output no/such/folder/x.txt
holds "nothing is left over" is "$(find . -name '*.tmp-*' -o -name new.txt)" ""
finish
