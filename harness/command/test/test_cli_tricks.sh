#!/usr/bin/env bash
# Tricks that have fooled other benchmarks (docs/exploits.md): the verdict of each without a GPU, checked and timed.
#   test_cli_tricks.sh ASSAY MODULE   MODULE: kernels beside a clock of their own that stands still
set -u
assay=$1
module=$(realpath "$2")
. "$(dirname "$0")/cli.sh"
on=(selftest_tricks --axis n=1000 --device host --quiet)

verdict() { ask "$1" "SELECT verdict FROM verdicts WHERE key = 'selftest_tricks/$2/n=1000'"; }
reason() { ask "$1" "SELECT reason FROM verdicts WHERE key = 'selftest_tricks/$2/n=1000'"; }

gets() { # variant "verdict or verdict ..."
    holds "$1: $2" grep -qwF -- "$(verdict check.db "$1")" <<<"$2"
}

# The variant has no number, and its reason contains the words.
is_found_out() { # database variant "words"
    holds "$2: SUSPECT" is "$(verdict "$1" "$2")" SUSPECT
    holds "    says '$3'" grep -qF -- "$3" <<<"$(reason "$1" "$2")"
    holds "    has no time" is "$(ask "$1" "SELECT count(*) FROM measurement JOIN point USING (point_id) WHERE variant = '$2'")" 0
}

takes_its_time() { # database
    holds "cpu_right has the time of its work, 2 ms" is \
        "$(ask "$1" "SELECT count(*) > 0 AND min(median_ns) >= 2e6 FROM timed WHERE variant = 'cpu_right'")" 1
}

echo "# checked"
ends 0 "" "$assay" check "${on[@]}" --db check.db
while read -r name verdicts; do
    gets "$name" "$verdicts"
done <<'END'
right PASS
zeros WRONG_VALUE
lower_precision WRONG_VALUE
zeros_its_input INPUT_CHANGED
restores_its_input PASS
keeps_by_shape WRONG_VALUE
every_other WRONG_VALUE NOT_FINITE UNWRITTEN
neighbours_result WRONG_VALUE
inherits_memory WRONG_VALUE NOT_FINITE
prepares_its_input WRONG_VALUE NOT_FINITE
done_later WRONG_VALUE NOT_FINITE UNWRITTEN
slow_on_another_stream LAUNCH_FAILED
quick_on_another_stream LAUNCH_FAILED
END
holds "another stream is named" grep -qF "not on the stream that the launcher was given" \
    <<<"$(reason check.db quick_on_another_stream)"

echo "# timed"
ends 0 "" "$assay" bench "${on[@]}" --variant cpu_right --variant cpu_keeps_by_contents --variant cpu_looks_first --db timed.db
takes_its_time timed.db
is_found_out timed.db cpu_keeps_by_contents "it keeps its answer"
is_found_out timed.db cpu_looks_first "its outputs hold the answer already"

echo "# a module with its own clock"
ends 0 "" "$assay" bench "${on[@]}" --variant cpu_right --kernels "$module" --db clock.db
takes_its_time clock.db

finish
