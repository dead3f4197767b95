#!/usr/bin/env bash
# Messages about memory orders and waits: the note about a last block after a barrier, which is a race if the memory model is
# strict; the line that repeats it; and the lines at which a kernel spins.
#   memory_model.sh ASSAY LANE    LANE: host, asan or tsan
set -u
assay=$1
lane=$2
. "$(dirname "$0")/../../../command/test/cli.sh"

check() { "$assay" check selftest_constructs_orders --device host --db x.db "$@"; }
note="last block behind a barrier: kernel last_block_behind<false> reads what others had written before the atomic at orders.cu:"

ends 0 "1 passed" check --variant last_block_behind
if [ "$lane" = tsan ]; then
    holds "passes with a note" grep -qF "$note" said
    holds "    under its heading" grep -qx "Passed, with a note" said
    ends 2 "RACE: during" check --variant last_block_behind --strict-memory-model
    holds "is repeated so" grep -q -- "--point .* --strict-memory-model" said
    holds "both places are in the report" is "$(ask x.db "SELECT count(*) > 0 FROM verdicts WHERE verdict = 'RACE' AND reason LIKE '%orders.cu:%'")" 1
    ends 0 "found out (1 RACE)" check --variant last_block_behind_wrong
else
    holds "no note is said of it" is "$(grep -c "with a note" said)" 0
    ends 0 "1 passed" check --variant last_block_behind --strict-memory-model
    ends 0 "TIMED_OUT" check --variant wait_unseen
    command -v addr2line >/dev/null && holds "its lines are named" is \
        "$(ask x.db "SELECT max(reason LIKE '%; it spins at orders.cu:%') FROM verdicts WHERE variant = 'wait_unseen'")" 1
fi
ends 0 "DEADLOCK" check --variant wait_in_vain
holds "by its line" is "$(ask x.db "SELECT max(reason LIKE '%polling at orders.cu:%') FROM verdicts WHERE variant = 'wait_in_vain'")" 1
finish
