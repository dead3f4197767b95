#!/usr/bin/env bash
# Our Google Benchmark output as other programs read it: the JSON by a strict parser and, with `compare`, by the library's own
# compare.py (Debian: libbenchmark-tools, python3-scipy). Ends with 77 if that is not installed.
#   test_gbench_json.sh PROGRAM [compare]
set -u
assay=$1
part=${2-strict}
. "$(dirname "$0")/cli.sh"

naive=axpy/naive/n=1048576/hot/event
compare=/usr/share/benchmark/compare.py

command -v python3 >/dev/null || { echo "no python3"; exit 77; }
"$assay" --benchmark_list_tests >/dev/null 2>said || {
    cat said
    grep -q 'built without' said && exit 77
    exit 1
}

# Prints "ok" if every expression is true for the JSON in FILE: rows(name) are those of a benchmark, one(name) its only row.
check_json() { # file expression...
    python3 - "$@" <<'END'
import json, math, sys

def refuse(constant):
    raise ValueError("not JSON: " + constant)

def unique(pairs):
    assert len({key for key, _ in pairs}) == len(pairs), "a key twice: %s" % pairs
    return dict(pairs)

with open(sys.argv[1], encoding="utf-8", errors="strict") as file:
    data = json.load(file, parse_constant=refuse, object_pairs_hook=unique)
assert list(data) == ["context", "benchmarks"]
context, benchmarks = data["context"], data["benchmarks"]

def rows(name):
    return [b for b in benchmarks if b["name"] == name]

def one(name):
    (row,) = rows(name)
    return row

for expression in sys.argv[2:]:
    if not eval(expression):
        sys.exit("does not hold: " + expression)
print("ok")
END
}

# ---- a strict parser ----
strict() {
    echo "# file and standard output"
    ends 0 "" "$assay" --benchmark_out=out.json '--benchmark_context=card=H100 "PCIe",host=a'
    "$assay" --benchmark_format=json >std.json 2>std.err
    for file in out.json std.json; do
        holds "$file is strict JSON" is "$(check_json $file 'len(benchmarks) == 16 + 16 + 1 + 8 + 1')" ok
        holds "repetition k is number k" is "$(check_json $file \
            "[r['repetition_index'] for r in rows('$naive')] == list(range(12))" \
            "math.isclose(rows('$naive')[8]['real_time'], 5030, rel_tol=1e-12)" \
            "math.isclose(one('${naive}_median')['real_time'], 5000, rel_tol=1e-12)" \
            "math.isclose(one('${naive}_cv')['real_time'], 0.0032203895868, rel_tol=1e-9)")" ok
        holds "rates are amounts over the time of the repetition" is "$(check_json $file \
            "all(math.isclose(r['bytes'], 12582912 / (r['real_time'] * 1e-9), rel_tol=1e-12) for r in rows('$naive'))" \
            "'nan' not in one('${naive}_mean')" "one('${naive}_mean')['misses'] == 0" \
            "one('${naive}_cv').get('misses', 0) == 0")" ok
        holds "one repetition has no aggregates, equal ones no variation" is "$(check_json $file \
            "one('lbm/step/grid=8x8x4/cold/record')['real_time'] == 250e6" \
            "one('floor/null/hot/graph_cv')['real_time'] == 0")" ok
        holds "a point without a number has its reason" is "$(check_json $file \
            "one('axpy/vec4/n=64/cold/record')['error_occurred'] is True" \
            "one('axpy/vec4/n=64/cold/record')['error_message'] == 'too short \"here\" '")" ok
    done
    holds "the context has what was added" is "$(check_json out.json 'context["card"] == "H100 \"PCIe\""' \
        'context["host"] == "a"' 'context["executable"] == "assay"')" ok
    holds "nothing else is said" is "$(cat std.err)" ""

    echo "# the parser is strict: it refuses what the library would write"
    echo '{"context": {}, "benchmarks": [{"name": "a", "real_time": NaN}]}' >nan.json
    holds "NaN" [ "$(check_json nan.json 2>/dev/null)" != ok ]
    echo '{"context": {}, "benchmarks": [{"name": "a", "name": "b"}]}' >twice.json
    holds "a key twice" [ "$(check_json twice.json 2>/dev/null)" != ok ]
    holds "an expression that does not hold" [ "$(check_json out.json 'len(benchmarks) == 0' 2>/dev/null)" != ok ]

    echo "# the library's variables change nothing"
    export BENCHMARK_REPETITIONS=3 BENCHMARK_MIN_TIME=soon BENCHMARK_MIN_WARMUP_TIME=9 BENCHMARK_DRY_RUN=true
    export BENCHMARK_FORMAT=csv BENCHMARK_OUT=elsewhere.json BENCHMARK_OUT_FORMAT=xml BENCHMARK_LIST_TESTS=true
    export BENCHMARK_FILTER=nothing BENCHMARK_TIME_UNIT=min BENCHMARK_PERF_COUNTERS=CYCLES
    export BENCHMARK_ENABLE_RANDOM_INTERLEAVING=true BENCHMARK_REPORT_AGGREGATES_ONLY=true
    "$assay" --benchmark_format=json >variables.json 2>said
    holds "all rows, in ns" is "$(check_json variables.json 'len(benchmarks) == 42' \
        'all(b["time_unit"] == "ns" for b in benchmarks)' \
        "[r['repetition_index'] for r in rows('$naive')] == list(range(12))")" ok
    holds "no other file" [ ! -e elsewhere.json ]
}

# ---- compare.py ----
compares() { # words arguments...
    ends 0 "$1" "$python" "$compare" --no-color "${@:2}"
    holds "    without a Python error" [ "$(grep -c -e Traceback -e Error said)" -eq 0 ]
}

compare_runs() {
    SAMPLE_SCALE=1.5 SAMPLE_REPETITIONS=10 "$assay" --benchmark_out=slow.json >/dev/null
    "$assay" --benchmark_out=base.json >/dev/null

    echo "# two files"
    compares "$naive" benchmarks base.json slow.json
    holds "half as slow again, though it has fewer repetitions" grep -qE "^${naive}_median +\+0\.5000 " said
    holds "the other as fast as before" grep -qE '^axpy/vec4/n=1048576/hot/event_median +\+0\.0000 ' said
    holds "the test of Mann and Whitney ran: 12 against 10" \
        grep -qE "^${naive}_pvalue +0\.000.* U Test, Repetitions: 12 vs 10" said
    compares "[axpy/naive vs. axpy/vec4]" filters slow.json axpy/naive axpy/vec4
    holds "two variants of one file" grep -qE '^\[axpy/naive vs\. axpy/vec4\]/n=1048576/hot/event_median +-0\.33' said

    echo "# two programs"
    compares "axpy/vec4/n=1048576/hot/event" benchmarks "$assay" "$assay" '--benchmark_filter=vec4.*event$'
    holds "no change of one program against itself" grep -qE '^axpy/vec4/n=1048576/hot/event_median +\+0\.0000 ' said
    holds "nor in the geometric mean" grep -qE '^OVERALL_GEOMEAN +\+0\.0000 ' said
}

if [ "$part" = compare ]; then
    [ -e "$compare" ] || { echo "no $compare: install libbenchmark-tools"; exit 77; }
    for python in python3 /usr/bin/python3 ''; do
        [ -z "$python" ] && { echo "compare.py needs scipy: install python3-scipy"; exit 77; }
        "$python" -c 'import scipy.stats' 2>/dev/null && break
    done
    compare_runs
else
    strict
fi
finish
