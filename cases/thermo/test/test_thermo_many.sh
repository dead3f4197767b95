#!/usr/bin/env bash
# The marches of test_thermo_many as a run of a database: every step is a point with its laws and with the drift between the
# ways, and every march is a further point.
#   test_thermo_many.sh TEST_THERMO_MANY ASSAY
set -u
program=$1 assay=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
db=$folder/x.db
failures=0

holds() { # sentence, actual answer, expected answer
    [ "$2" = "$3" ] || { echo "does not hold: $1: '$2', not '$3'"; failures=$((failures + 1)); }
}
ask() { sqlite3 -readonly "$db" "$1"; }

"$program" --db "$db" quick >"$folder/said" 2>&1
holds 'the program ends well' $? 0
tail -n 3 "$folder/said"
holds 'every step of every way has passed' \
    "$(ask "SELECT count(*), count(DISTINCT axes) FROM verdicts WHERE case_name = 'thermo_many_step' AND outcome = 'passed'")" '4000|2000'
holds 'so has every march' "$(ask "SELECT count(*) FROM verdicts WHERE case_name = 'thermo_many' AND outcome = 'passed'")" 4
holds 'errors over bounds are followed from run to run' \
    "$(ask "SELECT group_concat(DISTINCT output) FROM (SELECT output FROM trend WHERE case_name = 'thermo_many_step' AND worst_ratio <= 1 ORDER BY output)")" \
    'apart,energy,exchange,halvings,heat,mass,misplaced,momentum'
holds 'the second way drifts from the first at each step' \
    "$(ask "SELECT count(*), min(value) > 0 FROM metric WHERE name = 'apart_from_first_way'")" '2000|1'
holds 'further at the end than at the beginning' "$(ask "SELECT group_concat(late > early) FROM (
    SELECT replace(axes, ';step=' || step, '') AS march, max(CASE step WHEN 1 THEN value END) AS early, max(CASE step WHEN 1000 THEN value END) AS late
    FROM (SELECT c.axes, m.value, a.value_x AS step FROM metric AS m JOIN point AS p USING (point_id) JOIN config AS c USING (config_id)
        JOIN axis_value AS a ON a.config_id = c.config_id AND a.name = 'step' WHERE m.name = 'apart_from_first_way')
    WHERE step IN (1, 1000) GROUP BY march)")" '1,1'
"$assay" history --db "$db" >/dev/null
holds 'history works on it' $? 0
"$assay" report --db "$db" --format csv --output "$folder/x.csv"
holds 'and the CSV' $? 0
"$assay" report --db "$db" >"$folder/text"
holds 'the text for people stays short, and says so' \
    "$(grep -c 'lines more: the CSV has all' "$folder/text") $(($(wc -l <"$folder/text") < 3000))" '1 1'
[ "$failures" -eq 0 ]
