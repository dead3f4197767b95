#!/usr/bin/env bash
# The judge of every case rejects wrong answers, or gives a reason why not; the page that shows this is up to date.
#   test_cli_wrong_answers.sh ASSAY TREE
set -u
assay=$1
page=$2/docs/trust.md
. "$(dirname "$0")/cli.sh"

echo "# all cases"
ends 0 ", 0 accepted (!)" "$assay" check --wrong-answers
mv said all
holds "    no fault" is "$(grep -cE '^(ACCEPTED|REFUSED|UNTRIED|NOT NEEDED)' all)" 0
holds "    stores nothing" is "$(find . -name '*.db')" ""

echo "# the table of docs/trust.md"
# The sum over all cases is compared only if the page has all of them: a new case first needs its line.
n_cases=$(grep -cE '^[a-z0-9_]+ +[0-9]+ +[0-9]+ ' all)
block() {
    sed -n '/^    \$ assay check --wrong-answers/,/^$/s/^    //p' "$page" | tail -n +2 | grep -vE "^$1"
}
holds "the page has a table" test "$(block '[0-9]+ cases' | wc -l)" -gt 20
holds "    each of its lines is so now" is "$(block '[0-9]+ cases' | grep -vFx -f all)" ""
if [ "$(block '([0-9]+ cases|case )' | wc -l)" = "$n_cases" ]; then
    holds "    and the sum" is "$(block none | grep -vFx -f all)" ""
fi

echo "# a part"
ends 0 "1 cases, 1 points with" "$assay" check --wrong-answers axpy --axis n=1000
holds "    all are rejected" grep -qE '^axpy +1 +1( +1){11}$' said
ends 0 "1 cases, 1 points" "$assay" check --wrong-answers --point axpy/naive/n=257 --seed 9
ends 0 "1 cases, 10 points" "$assay" check --wrong-answers softmax_row_grad

echo "# wrong use"
only="it takes only cases, --axis, --point, --tier and --seed"
ends 4 "$only" "$assay" check axpy --wrong-answers --device host
ends 4 "$only" "$assay" check axpy --wrong-answers --variant naive
ends 4 "$only" "$assay" check axpy --wrong-answers --db x.db
ends 4 "$only" "$assay" check axpy --wrong-answers --watch
ends 4 "there is no option --wrong-answers here" "$assay" bench axpy --wrong-answers
finish
