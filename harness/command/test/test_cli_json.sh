#!/usr/bin/env bash
# list, plan and doctor with --format json, read by Python's json and compared with the text output of the same command.
#   test_cli_json.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"

# reads FILE "python": assertions on `d`, the document in the file, and `text`, the lines of the text output.
reads() {
    /usr/bin/python3 - "$1" text.txt <<END
import json, sys
d = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
lines = text.splitlines()
$2
END
}

echo "# wrong use"
ends 4 "--format does not know 'csv'" "$assay" list --format csv
ends 4 "--format json is for what doctor finds" "$assay" doctor --format json --self-check
ends 4 "--format json is for what doctor finds" "$assay" doctor --format json --resource-spec gpus.json
ends 4 "there is no case 'axpyy'" "$assay" list axpyy --format json

echo "# list"
"$assay" list >text.txt
ends 0 "" "$assay" list --format json
cp said list.json
holds "names what the text names" reads list.json "
assert d['format'] == 'assay list' and d['format_version'] == 1
assert [c['name'] + ': ' + c['what'] + ('; group ' + c['group'] if c['group'] else '') for c in d['cases']] == \
    [line for line in lines if not line.startswith(' ')][:-1]
assert sum(len(c['variants']) for c in d['cases']) == sum(line.startswith('    variant ') for line in lines)
assert sum(len(c['axes']) for c in d['cases']) == sum(line.startswith('    axis ') for line in lines)
assert sum(len(v['tuning']) for c in d['cases'] for v in c['variants']) == sum(line.startswith('        tuning ') for line in lines)"
"$assay" list axpy >text.txt
ends 0 "" "$assay" list axpy --format json
cp said list.json
holds "one case, all of its values" reads list.json "
[c] = d['cases']
assert c['version'] >= 1
[axis] = c['axes']
assert axis['name'] == 'n'
shown = [v['value'] + ('*' if v['tier'] == 'full' else '') for v in axis['values']]
assert '    axis n          ' + ' '.join(shown) in lines
vec4 = c['variants'][1]
assert vec4['name'] == 'vec4' and not vec4['is_cpu'] and not vec4['is_reference'] and vec4['baseline'] == 'naive', vec4"

echo "# plan"
"$assay" plan axpy --axis n=255,1000 >text.txt
ends 0 "" "$assay" plan axpy --axis n=255,1000 --format json
cp said plan.json
holds "has the points in their order" reads plan.json "
assert d['format'] == 'assay plan' and d['device'] is None
assert [p['key'] for p in d['points']] == [line.split()[0] for line in lines[:-1]]
p = d['points'][0]
assert p['case_name'] == 'axpy' and p['device_bytes'] > 0 and p['bytes_read'] == 8 * 255 and p['bytes_written'] == 4 * 255
assert p['unsupported'] is None and p['tuning'] is None and p['wall_s'] is None"
ends 77 "" "$assay" plan axpy --axis n=255 --shard 7/7 --format json
ends 4 "leave none" "$assay" plan physics_loss --axis grid=0x4x4 --format json
point=physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both
ends 0 "" "$assay" bench --point $point --device host --time 0.01s --quiet --db t.db
"$assay" plan --point $point --db t.db --format json >plan.json
holds "a point that was timed has its time" reads plan.json "assert d['points'][0]['wall_s'] > 0 and d['device']"

echo "# doctor"
"$assay" doctor --db t.db >text.txt
ends 0 "" "$assay" doctor --db t.db --format json
cp said doctor.json
holds "finds the same" reads doctor.json "
assert d['format'] == 'assay doctor'
assert {f['state'] for f in d['findings']} <= {'ok', 'missing', 'note', 'broken'}
assert [f['what'] for f in d['findings']] == [line.split()[0] for line in lines]
assert d['findings'][-1]['what'] == 'cases'"
echo "a letter and no database" >letter.db
"$assay" doctor --db letter.db --format json >doctor.json 2>said
holds "a database that is none ends with 4" is $? 4
holds "    and is a finding" reads doctor.json "assert any(f['what'] == 'database' and f['state'] == 'broken' for f in d['findings'])"

finish
