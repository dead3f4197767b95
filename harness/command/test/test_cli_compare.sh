#!/usr/bin/env bash
# assay compare: what is the same, slower, not compared; its exit statuses, formats and records.
#   test_cli_compare.sh ASSAY
set -u
assay=$1
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/timed_files.sh"
compare() { "$assay" compare "$@"; }

make_base
echo "# a file with itself, and with changed copies"
ends 0 "0 SLOWER, 0 CANNOT_TELL, 0 FASTER, 1 SAME" compare base.db base.db
holds "the summary comes first" is "$(head -c 8 said)" "0 SLOWER"
ends 0 " $point" compare base.db base.db --all
holds "in one line, by what is judged" grep -qE "^SAME +1\.000 ms +1\.000 ms +\+0\.00 % +\[-0\.[0-9]+, \+0\.[0-9]+\] +e2e " said
vary slow.db slow 02 1.1
ends 1 "1 SLOWER" compare base.db slow.db
holds "with both sides, effect and interval" \
    grep -qE "^SLOWER +1\.000 ms +1\.101 ms +\+10\.00 % +\[\+9\.[0-9]+, \+10\.[0-9]+\] +e2e +host +(A: few samples; B: few samples +)?$point$" said
holds "and the next step, once" is "$(grep -c '^next, of 1 SLOWER: repeat' said)" 1
ends 0 "1 FASTER" compare slow.db base.db
vary clock.db clock 03 1.1 "UPDATE sample_block SET median_cycles = median_cycles / 1.1"
ends 3 "1 CANNOT_TELL" compare base.db clock.db
holds "as the clock was lower" grep -qF "the clock was lower" said
vary little.db little 04 1.002
ends 0 "1 SAME" compare base.db little.db
# Only the judged values are shown: here the median of the measurement is a quarter of the median of its blocks.
vary other.db other 08 1.1 "UPDATE measurement SET median_ns = median_ns / 4, q1_ns = q1_ns / 4, q3_ns = q3_ns / 4, process_spread = 0.9"
ends 1 "1 SLOWER" compare base.db other.db
holds "both sides are by what is judged" grep -qE "^SLOWER +1\.000 ms +1\.101 ms +\+10\.00 % .* B: noise +$point$" said
vary blind.db blind 09 1.1 "UPDATE sample_block SET median_cycles = NULL"
ends 1 " cycles unknown " compare base.db blind.db
ends 1 "1 SLOWER" compare base.db slow.db --threshold 5%
ends 3 "1 CANNOT_TELL" compare base.db slow.db --threshold 10
vary single.db single 05 1.1 "UPDATE sample_block SET process = 0"
ends 3 "an interval needs 3 on each side" compare base.db single.db
holds "the reason stands below its line" grep -qE "^    from 3 and 1 processes: an interval needs 3 on each side$" said

echo "# correctness first"
vary wrong.db wrong 06 1.1 "DROP TRIGGER measurement_held; DROP TRIGGER sample_block_held;
    DELETE FROM sample_block; DELETE FROM measurement; UPDATE verdict SET verdict = 'WRONG_VALUE', reason = 'off by one'"
ends 2 "1 points FAIL in B" compare base.db wrong.db
holds "with the verdicts" grep -qF "A: PASS; B: WRONG_VALUE (off by one)" said
ends 3 "1 without a number" compare wrong.db base.db

echo "# other conditions"
vary driver.db driver 07 1.1 "UPDATE device_state SET driver = '999.9'"
ends 3 "1 not compared" compare base.db driver.db
holds "with the difference" grep -qF "/ 999.9" said
ends 1 "1 SLOWER" compare base.db driver.db --across driver
holds "every line says so" grep -qF "across driver" said
ends 3 "1 not compared" compare base.db driver.db --across policy
ends 4 "--across does not know 'case'" compare base.db driver.db --across case

echo "# runs of one file"
ends 0 "" "$assay" merge all.db base.db slow.db
ends 1 "A: run 1 of all.db" compare 1 2 --db all.db
ends 1 "B: run 2 of all.db" compare all.db:1 all.db:2
base=$(ask base.db "SELECT substr(uuid, 1, 8) FROM run")
ends 1 "" compare "$base" slow --db all.db
ends 0 "1 SAME" compare slow all.db:2 --db all.db
ends 0 "2 runs of one build" compare build:"$(ask all.db "SELECT substr(binary_id, 1, 12) FROM build")" \
    build:"$(ask all.db "SELECT binary_id FROM build")" --db all.db

echo "# selections"
ends 1 "1 SLOWER" compare base.db slow.db --case physics_loss --variant cpu_omp --axis grid=8x9x10 --regime e2e
ends 1 "1 SLOWER" compare base.db slow.db --point $point
ends 4 "neither side has a time" compare base.db slow.db --case axpy
ends 4 "neither side has a time" compare base.db slow.db --regime hot
ends 4 "" compare base.db slow.db --regime warm

echo "# formats"
ends 1 "" compare base.db slow.db --format csv --output x.csv
holds "one line a pair" is "$(tr -d '\r' <x.csv | wc -l)" 2
ends 1 "" compare base.db slow.db --format json --output x.json
holds "JSON" python3 -c "
import json
r = json.load(open('x.json'))
assert r['format'] == 'assay compare' and r['format_version'] == 2 and r['summary']['slower'] == 1
c = r['changes'][0]
assert abs(c['time_b_ns'] / c['time_a_ns'] - 1.1) < 1e-9 and abs(c['cycles_effect'] - 0.1) < 1e-9
assert c['median_a_ns'] == 1e6 and c['doubt_a'] == c['doubt_b'] and 'noise' not in c['doubt_a']
assert c['verdict'] == 'SLOWER' and abs(c['effect'] - 0.1) < 1e-9 and c['lo'] < 0.1 < c['hi'] and c['p_corrected'] < 0.01"
ends 1 "| SLOWER | physics\\_loss" compare base.db slow.db --format md
ends 4 "is the database" compare base.db slow.db --output slow.db
ends 1 "" compare base.db slow.db --format html --output x.html
holds "a whole page" is "$(head -n 1 x.html) $(tail -n 1 x.html)" "<!DOCTYPE html> </html>"
ends 4 "--format does not know 'xml'" compare base.db slow.db --format xml

echo "# on a terminal: colours, and lines that fit; files have neither"
terminal() { # columns, then a command
    script -qefc "stty cols $1; ${*:2}" /dev/null | tr -d '\r' >said
}
escape=$(printf '\033')
export TERM=xterm
unset NO_COLOR
terminal 80 "'$assay' compare base.db slow.db"
holds "SLOWER is red" grep -q "^$escape\[31mSLOWER$escape\[0m " said
holds "no line but the key's is longer than 80" is "$(sed "s/$escape\[[0-9]*m//g" said | awk 'length > 80 && !/physics_loss/')" ""
terminal 200 "'$assay' compare base.db slow.db"
holds "a wider one is used" grep -qE "e2e +host .*$point$" said
NO_COLOR=1 terminal 80 "'$assay' compare base.db slow.db"
holds "NO_COLOR is heeded" is "$(grep -c "$escape" said)" 0
TERM=dumb terminal 80 "'$assay' compare base.db slow.db"
holds "so is a terminal that shows none" is "$(grep -c "$escape" said)" 0
terminal 80 "'$assay' compare base.db slow.db --output x.txt"
holds "a file has none" is "$(grep -c "$escape" x.txt)" 0

echo "# records"
holds "nothing is recorded unasked" is "$(ask slow.db "SELECT count(*) FROM change")" 0
ends 1 "" compare base.db slow.db --record
holds "the change is in the file of B" is \
    "$(ask slow.db "SELECT verdict, round(effect, 6), threshold, to_run, regime, clock FROM change")" "SLOWER|0.1|0.01|slow|e2e|host"
holds "and not in that of A" is "$(ask base.db "SELECT count(*) FROM change")" 0
ends 0 "" "$assay" report --db slow.db --format json --output slow.json
holds "the report has it" grep -qF '"verdict":"SLOWER"' slow.json

echo "# wrong words"
ends 4 "compare takes two sides" compare base.db
ends 4 "compare takes two sides" compare base.db slow.db clock.db
ends 4 "has no run 'nothing'" compare base.db nothing --db base.db
ends 4 "no database" compare nothing.db base.db --db absent.db
ends 4 "--threshold takes percents" compare base.db slow.db --threshold 0
echo text >not.db
ends 4 "" compare base.db not.db
finish
