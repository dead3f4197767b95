#!/usr/bin/env bash
# --shard: the parts together are the plan, on any machine and with options in any order.
#   test_cli_shard.sh ASSAY
set -u
assay=$1
. "$(dirname "$0")/cli.sh"

keys() { grep -oE '^[a-z_]+/[^ ]+' | LC_ALL=C sort; }
"$assay" plan --tier all | keys >whole
holds "there is a plan" [ "$(wc -l <whole)" -gt 50 ]
for n in 1 2 3 4 5 6 7; do
    for ((i = 1; i <= n; i++)); do "$assay" plan --tier all --shard $i/$n | keys >part_$i; done
    holds "the $n shards are the plan, each point once" cmp <(cat $(seq -f part_%.0f $n) | LC_ALL=C sort) whole
done
for i in 1 2 3 4 5 6 7; do
    # case and axis values: the second word of a key is the variant
    cut -d/ -f1,3- part_$i | LC_ALL=C sort -u
done | LC_ALL=C sort | uniq -d >torn
holds "variants at the same axis values stay together" is "$(cat torn)" ""
"$assay" plan axpy physics_loss --axis n=64,128,1024 --tier all --shard 2/3 | keys >one
"$assay" plan --shard 2/3 --tier all physics_loss --axis n=1024,64,128 axpy | keys >other
holds "the order of options says nothing" cmp one other

echo "# more shards than groups"
ends 0 "axpy/naive/n=5" "$assay" plan axpy --axis n=5 --shard 1/3
ends 77 "skipped: shard 3 of 3 is empty" "$assay" plan axpy --axis n=5 --shard 3/3
for command in check bench run; do
    ends 77 "shard 3 of 3 is empty" "$assay" $command axpy --axis n=5 --device host --shard 3/3 --db x.db
done
ends 77 "" "$assay" profile axpy --axis n=5 --device host --shard 1/3 --db x.db
holds "nothing was written" is "$(ls x.db* 2>/dev/null)" ""

echo "# a run in parts, merged again"
for i in 1 2 3; do
    ends 0 "" "$assay" check axpy --axis n=1,5,64,128 --device host --quiet --shard $i/3 --db part$i.db
done
ends 0 "part3.db: 1 new runs" "$assay" merge all.db part1.db part2.db part3.db
"$assay" check axpy --axis n=1,5,64,128 --device host --quiet --db once.db
holds "the same points with the same verdicts" \
    is "$(ask all.db "SELECT group_concat(k, ' ') FROM (SELECT key || verdict AS k FROM verdicts ORDER BY key)")" \
    "$(ask once.db "SELECT group_concat(k, ' ') FROM (SELECT key || verdict AS k FROM verdicts ORDER BY key)")"

echo "# wrong"
for word in 0/3 4/3 1 1/0 /3 1/ a/b 1/3/5 -1/3 1/20000; do
    ends 4 "a part such as 2/7" "$assay" plan axpy --shard $word
done
ends 4 "there is no option --shard" "$assay" report --shard 1/2
finish
