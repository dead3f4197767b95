#!/usr/bin/env bash
# Reports for other programs, read back by those: Google Benchmark's compare.py must judge what `assay compare` judges.
#   test_cli_exports.sh ASSAY MUTANT
set -u
assay=$1
mutant=$(realpath "$2") || exit 1
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/timed_files.sh"
compare_py=/usr/share/benchmark/compare.py

# A python that has the modules; nothing if none has.
python_with() { # modules
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && { echo "$python"; return; }
    done
}

echo "# Google Benchmark's JSON, judged by its compare.py"
make_base --processes 5
vary slow.db slow 02 1.1
vary fast.db fast 03 0.9
# The same kernel on another day: processes lie where they will.
vary equal.db equal 04 1 "UPDATE sample_block SET median_ns = 1e6 * (1.0004 + 0.0005 * ((process * 2) % 5)), median_cycles = 2 * median_ns"
for file in base slow fast equal; do
    ends 0 "" "$assay" report --db $file.db --format benchmark --output $file.json
done
name=$point/e2e
holds "one name for a point and regime, whose repetitions are processes" is "$(sqlite3 :memory: "
    SELECT count(DISTINCT value ->> 'name'), min(value ->> 'name'), group_concat(value ->> 'repetition_index'), max(value ->> 'repetitions')
    FROM json_each(CAST(readfile('base.json') AS TEXT), '\$.benchmarks') WHERE value ->> 'run_type' = 'iteration'")" "1|$name|0,1,2,3,4|5"
holds "with the clock as its label" grep -qF '"label":"host"' base.json
holds "and its aggregates" is "$(grep -oE '_(mean|median|stddev|cv)"' base.json | sort -u | wc -l)" 4
ends 0 "" "$assay" report --db base.db --format benchmark --details --output details.json
holds "with --details every clock, each under its name" grep -qF "\"name\":\"$name/host\"" details.json

# judged FILE: the verdict of compare.py on that file against base.json, in our words: of the median, if p says that it differs.
judged() {
    "$python" "$compare_py" --no-color benchmarks base.json "$1.json" >said 2>&1 || return
    awk -v name="$name" '$1 == name "_median" { change = $2 } $1 == name "_pvalue" { p = $2 }
        END { print (p == "" ? "unknown" : p >= 0.05 ? "SAME" : change > 0 ? "SLOWER" : "FASTER") }' said
}
python=$(python_with scipy.stats)
if [ -e "$compare_py" ] && [ -n "$python" ]; then
    for row in slow=SLOWER fast=FASTER equal=SAME; do
        file=${row%=*} verdict=${row#*=}
        "$assay" compare base.db "$file.db" --all >said
        holds "assay compare says $verdict of $file" grep -qE "^ *$verdict " said
        holds "and so does compare.py" is "$(judged "$file")" "$verdict"
    done
    # One process more or less decides nothing: as many blocks as one likes are still one process.
    sqlite3 slow.db "UPDATE sample_block SET process = 0"
    ends 0 "" "$assay" report --db slow.db --format benchmark --output slow.json
    ends 3 "CANNOT_TELL" "$assay" compare base.db slow.db
    holds "of one process neither can tell" is "$(judged slow)" unknown
else
    echo "not judged by compare.py: no libbenchmark-tools or python3-scipy"
fi
finish
