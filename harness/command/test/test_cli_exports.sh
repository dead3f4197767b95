#!/usr/bin/env bash
# Reports for other programs, read by these programs: Google Benchmark's compare.py must agree with `assay compare`.
#   test_cli_exports.sh ASSAY
set -u
assay=$1
here=$(realpath "$(dirname "$0")")
. "$here/cli.sh"
. "$here/timed_files.sh"
compare_py=/usr/share/benchmark/compare.py

# A Python that has the modules; nothing if none has.
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
# The same kernel on another day: the times of processes differ by chance.
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

# judged FILE: the verdict of compare.py on this file and base.json, in our words: for the median, if p shows a difference.
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
    # The number of processes matters: any number of blocks of one process is still one process.
    sqlite3 slow.db "UPDATE sample_block SET process = 0"
    ends 0 "" "$assay" report --db slow.db --format benchmark --output slow.json
    ends 3 "CANNOT_TELL" "$assay" compare base.db slow.db
    holds "of one process neither can tell" is "$(judged slow)" unknown
else
    echo "not judged by compare.py: no libbenchmark-tools or python3-scipy"
fi
echo "# services that follow a project along its commits"
vary wrong.db wrong 06 1.1 "DROP TRIGGER measurement_held; DROP TRIGGER sample_block_held;
    DELETE FROM sample_block; DELETE FROM measurement; UPDATE verdict SET verdict = 'WRONG_VALUE', reason = 'off by one'"
vary undecided.db undecided 07 1.1 "UPDATE measurement SET decides = 0"
for format in github-action-benchmark bencher; do
    ends 0 "" "$assay" report --db base.db --format $format --output $format.json
    ends 0 "" "$assay" report --db wrong.db --format $format --output $format.wrong.json
    ends 0 "" "$assay" report --db undecided.db --format $format --output $format.undecided.json
done
holds "github-action-benchmark's fields" python3 -c "
import json
(b,) = json.load(open('github-action-benchmark.json'))
assert set(b) == {'name', 'unit', 'value', 'range', 'extra'}, b
assert b['name'] == '$name' and b['unit'] == 'ns' and b['value'] == 1e6
assert b['range'].startswith('\\u00b1 ') and float(b['range'][2:]) > 0 and 'clock: host' in b['extra']"
holds "Bencher's fields" python3 -c "
import json
((name, measures),) = json.load(open('bencher.json')).items()
assert name == '$name' and list(measures) == ['latency'] and set(measures['latency']) == {'value', 'lower_value', 'upper_value'}
assert measures['latency']['lower_value'] < measures['latency']['value'] == 1e6 < measures['latency']['upper_value']"
holds "no verdict, no number; and none where no clock decides" python3 -c "
import json
for file in 'wrong', 'undecided':
    assert json.load(open('github-action-benchmark.%s.json' % file)) == []
    assert json.load(open('bencher.%s.json' % file)) == {}"

echo "# JUnit"
"$assay" check axpy selftest_narrow --device host --quiet --db points.db >said 2>&1
# A failure with text that XML cannot contain, and a point that is not finished.
sqlite3 points.db "DROP TRIGGER verdict_kept; DROP TRIGGER verdict_held; PRAGMA foreign_keys = OFF;
    UPDATE verdict SET verdict = 'WRONG_VALUE', reason = 'a<b>&\"' || char(27) || char(65535) || CAST(x'ff' AS TEXT) || char(10) || ']]>'
    WHERE point_id = (SELECT min(point_id) FROM verdicts WHERE outcome = 'passed');
    CREATE TABLE gone AS SELECT min(point_id) AS id FROM verdicts WHERE outcome = 'caught';
    DELETE FROM verdict WHERE point_id = (SELECT id FROM gone); DROP TABLE gone"
ends 0 "" "$assay" report --db points.db --format junit --output junit.xml
# One line for each test: suite, class, name and result.
cat >read_junit.py <<'END'
import sys
try:
    from junitparser import JUnitXml
    for suite in JUnitXml.fromfile(sys.argv[1]):
        for case in suite:
            result = [r for r in case.result or [] if type(r).__name__ in ("Failure", "Skipped", "Error")]
            print(suite.name, case.classname, case.name, type(result[0]).__name__ if result else "passed", sep="\t")
        assert suite.tests == len(list(suite)), suite.name
except ImportError:
    from xml.etree import ElementTree
    for suite in ElementTree.parse(sys.argv[1]).getroot():
        for case in suite.iter("testcase"):
            result = [e.tag.capitalize() for e in case if e.tag != "system-out"]
            print(suite.get("name"), case.get("classname"), case.get("name"), result[0] if result else "passed", sep="\t")
END
python=$(python_with junitparser)
holds "it is read" eval "${python:-python3} read_junit.py junit.xml >junit.txt"
words="CASE outcome WHEN 'failed' THEN 'Failure' WHEN 'skipped' THEN 'Skipped' WHEN 'ready' THEN 'Error' ELSE 'passed' END"
holds "a suite a case, a test a point" diff <(sort junit.txt) \
    <(sqlite3 -readonly -separator $'\t' points.db "SELECT case_name, case_name, key, $words FROM verdicts" | sort)
for word in Failure Skipped Error passed; do
    holds "    with $word" grep -q "$word\$" junit.txt
done
holds "what was broken on purpose and found out has passed, and says so" grep -qF "<system-out>broken on purpose, and found out: " junit.xml
holds "a failure has its verdict, its reason and the line that repeats it" python3 -c "
from xml.etree import ElementTree
failures = list(ElementTree.parse('junit.xml').getroot().iter('failure'))
assert all(f.get('type') and f.get('message') and ' --point ' in f.text for f in failures)
assert any(f.get('message') == 'a<b>&\"\\ufffd\\ufffd\\ufffd\\n]]>' for f in failures), [f.get('message') for f in failures]
skipped = list(ElementTree.parse('junit.xml').getroot().iter('skipped'))
assert skipped and all(': ' in s.get('message') for s in skipped)"

echo "# CSV with a column for each axis"
"$assay" check axpy physics_loss --axis n=255 --axis grid=1x5x4 --axis time=central --axis boundary=periodic --variant vec4 \
    --variant cpu_omp --device host --quiet --db axes.db >said 2>&1
ends 0 "" "$assay" report --db axes.db --format csv --output plain.csv
ends 0 "" "$assay" report --db axes.db --format csv-axes --output axes.csv
holds "is the other one, and columns behind it" python3 -c "
import csv
plain, axes = (list(csv.reader(open(name, newline=''))) for name in ('plain.csv', 'axes.csv'))
n = len(plain[0])
assert [row[:n] for row in axes] == plain and axes[0][n:n + 2] == ['axis.n', 'axis.grid'], axes[0][n:]
config = plain[0].index('config')
for row in axes[1:]:
    assert ';'.join(name[5:] + '=' + value for name, value in zip(axes[0][n:], row[n:]) if value) == row[config], row"
ends 0 "1 new runs" "$assay" import axes.csv --db imported.db
python=$(python_with pandas)
if [ -n "$python" ]; then
    holds "pandas groups by an axis" "$python" -c "
import pandas
frame = pandas.read_csv('axes.csv')
assert frame.groupby('axis.n').size().to_dict() == {255: 1} and (frame.groupby('axis.grid').size() > 1).all()"
else
    echo "not read by pandas: there is none"
fi
python3 - <<'END'
rows = open("axes.csv", newline="").read().split("\r\n")
at = rows[0].split(",").index("axis.n") - len(rows[0].split(","))
cells = rows[1].split(",")
cells[at] = "256"
rows[1] = ",".join(cells)
open("other.csv", "w", newline="").write("\r\n".join(rows))
END
ends 4 "axis n: '256', and config has '255'" "$assay" import other.csv --db other.db
finish
