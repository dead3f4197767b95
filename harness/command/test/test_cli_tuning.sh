#!/usr/bin/env bash
# Tuning axes on one device: every combination of every variant gives the right answer.
#   test_cli_tuning.sh ASSAY DEVICE MUTANT   MUTANT: a kernel module whose axpy launches 2048 threads a block where 64
#                                            are asked for
set -u
assay=$1
device=$2
mutant=$(realpath "$3")
. "$(dirname "$0")/cli.sh"
db=x.db
on=(--device "$device" --db "$db")

if ! "$assay" doctor | grep -Eq "^$device +ok"; then
    echo "skipped: $("$assay" doctor | grep "^$device ")"
    exit 77
fi
verdict_of() { ask $db "SELECT verdict FROM latest WHERE key = '$1'"; }

echo "# assay list names the axes, the default first"
"$assay" list axpy >said
holds "block of axpy" is "$(grep -c '^        tuning block: 256 64 128 512 1024$' said)" 2

echo "# keys"
ends 0 "" "$assay" check --point axpy/naive/n=257/block=64 "${on[@]}"
ends 0 "" "$assay" check --point axpy/naive/n=257/block=256 "${on[@]}"
holds "a value that is not the default is in the key" is "$(verdict_of axpy/naive/n=257/block=64)" PASS
holds "the default is not" is "$(verdict_of axpy/naive/n=257)" PASS
ends 4 "no value '65': it has 256, 64, 128, 512, 1024" "$assay" check --point axpy/naive/n=257/block=65 "${on[@]}"
ends 4 "no tuning axis 'blok' (did you mean 'block'?)" "$assay" check --point axpy/naive/n=257/blok=64 "${on[@]}"
ends 4 "given twice" "$assay" check --point axpy/naive/n=257/block=64/block=64 "${on[@]}"
ends 4 "6 axes, not more" "$assay" check \
    --point physics_loss/cpu_omp/grid=5x6x7/boundary=mixed/time=central/vjp=residual/levels=t1/pass=both/block=64 "${on[@]}"

echo "# the values reach the kernel: a module that asks for too many threads where block is 64"
for variant in naive vec4; do
    ends 0 "" "$assay" check --point axpy/$variant/n=257/block=128 --kernels "$mutant" "${on[@]}"
    ends 2 "LAUNCH_FAILED" "$assay" check --point axpy/$variant/n=257/block=64 --kernels "$mutant" "${on[@]}"
done

# The combinations of one variant as ends of keys, "/block=64/tile=2", from the output of assay list.
combinations() { # case variant
    local ends=('') name values value end next
    while read -r name values; do
        next=()
        for end in "${ends[@]}"; do
            for value in $values; do next+=("$end/${name%:}=$value"); done
        done
        ends=("${next[@]}")
    done < <("$assay" list "$1" | awk -v variant="$2" \
        '/^    variant/ { sub(/,$/, "", $2); is_it = $2 == variant } /^        tuning/ && is_it { sub(/ *tuning /, ""); print }')
    printf '%s\n' "${ends[@]}"
}

echo "# every combination, at an edge size"
n_combinations=0
shapes() { if [ "${ASSAY_FULL:-0}" = 1 ]; then echo "$1"; else echo 1; fi; } # how many of N shapes `each` uses
# A combination is tried at one shape. Of many combinations every n-th is tried, with the largest n for which each value of
# each axis occurs. With the label full, all combinations are tried at all shapes.
choose() { # combinations: sets tried
    tried=("$@")
    [ "${ASSAY_FULL:-0}" != 1 ] || return
    mapfile -t tried < <(printf '%s\n' "$@" | awk -F/ '
        function n_values(step, i, k, n, seen) { # number of values, of all axes, in every step-th line
            for (i = 1; i <= NR; i += step)
                for (k = 2; k <= n_fields[i]; k++) n += !seen[value[i, k]]++
            return n
        }
        { line[NR] = $0; n_fields[NR] = NF; for (k = 2; k <= NF; k++) value[NR, k] = $k }
        END {
            for (step = NR; n_values(step) < n_values(1); step--) { }
            for (i = 1; i <= NR; i += step) print line[i]
        }')
}
each() { # case/variant axes...: at the first of these axis values, or with ASSAY_FULL=1 at all of them
    local start=$1 axes end points ends tried
    shift
    [ "${ASSAY_FULL:-0}" = 1 ] || set -- "$1"
    for axes in "$@"; do
        mapfile -t ends < <(combinations "${start%/*}" "${start#*/}")
        choose "${ends[@]}"
        points=()
        for end in "${tried[@]}"; do points+=(--point "$start/$axes$end"); done
        n_combinations=$((n_combinations + ${#ends[@]}))
        "$assay" check "${points[@]}" "${on[@]}" >said 2>&1
        holds "$((${#points[@]} / 2)) of $start/$axes" is $? 0
        holds "    passed" grep -q "$((${#points[@]} / 2)) passed" said
    done
}
phys() { # grid boundary time pass [vjp levels]
    echo "grid=$1/boundary=$2/time=$3/vjp=${5:-residual}/levels=${6:-t1}/pass=$4"
}
each axpy/naive n=1023
each axpy/vec4 n=1023
each physics_loss/nonfused "$(phys 36x17x5 mixed central both)" "$(phys 33x17x9 zero_gradient first_order forward)" \
    "$(phys 9x9x5 periodic first_order backward)"
each physics_loss/fused_pointwise "$(phys 36x17x5 mixed central both)" "$(phys 33x17x9 zero_gradient first_order forward)"
# Rows of vectors that end within a tile, rows that are not whole vectors, and so many planes that some blocks march over
# twice as many.
each physics_loss/fused_tiled "$(phys 36x17x5 mixed central both)" "$(phys 33x17x9 zero_gradient first_order forward)" \
    "$(phys 4x5x2051 zero_gradient first_order both)"
each physics_loss/fused_tiled "$(phys 36x17x5 mixed central both field all)"
each physics_loss/fused_stream "$(phys 36x17x5 mixed central both)" "$(phys 36x17x5 zero_gradient first_order backward field t1)" \
    "$(phys 60x9x3 zero_gradient central both field all)"
holds "axpy and physics_loss have as many as their axes say" is "$n_combinations" \
    $((5 + 5 + 3 * $(shapes 3) + 4 * $(shapes 2) + 16 * $(shapes 3) + 16 + 15 * $(shapes 3)))
n_combinations=0
mlp="sizes=5x66x9/depth=2/activation=relu"
each mlp_grad/naive "batch=65/$mlp"
each mlp_grad/tiled "batch=65/$mlp"
each mlp_grad/fused "batch=129/sizes=3x31x2/depth=2/activation=tanh"
holds "mlp_grad has as many as its axes say" is "$n_combinations" $((3 + 12 + 3))
n_combinations=0
# Windows that end within a tile, and tiles that are crowded.
scatter() { # distribution outputs [grid]
    echo "grid=${3:-64x7x11}/n=2053/distribution=$1/outputs=$2"
}
for variant in atomic_native atomic_cas atomic_vector; do
    each thermo_scatter/$variant "$(scatter uniform fields)"
done
each thermo_scatter/sorted_particle "$(scatter clustered stages)"
each thermo_scatter/sorted_cell "$(scatter uniform stages 7x8x9)"
each thermo_scatter/tiled "$(scatter clustered fields)"
for variant in plain ssp tiled3d stream; do # tiles that end within the grid on every axis
    each thermo_gas/$variant grid=5x9x33/output=step/poison=none/log=off
done
for variant in plain sorted_order staged packed; do
    each thermo_gather/$variant grid=64x7x11/n=2053/particles=random/negative_rho=zero
done
for variant in host_retry device_retry device_retry_enqueued device_retry_tiled; do
    each thermo_step/$variant grid=5x7x6/per_cell=8/start=clustered/gravity=1/dt_rule=metal/log=off
done
holds "the thermo cases have as many as their axes say" is "$n_combinations" \
    $((3 * 5 + 24 + 4 + 4 + 4 + 60 + 3 + 3 * 9 + 3 * 3 + 18))
n_combinations=0
each physarum/fused semantics=canonical/grid=128x9x1/agents=1023/blur=3/step=10
for variant in fused_sorted fused_resident; do
    each physarum_run/$variant semantics=canonical/grid=128x9x1/agents=1023/start=10/steps=5
done
holds "physarum has as many as its axes say" is "$n_combinations" $((9 + 36 + 24))
n_combinations=0
for variant in thread_cas broker warp_broker warp_flagged block_chunk block_flagged; do # operations of more than a chunk, and across the wrap
    each photon_queue/$variant workload=half/capacity=256/blocks=4/threads=33/operations=5/batch=3/payload=16/start=4294967295
done
holds "photon_queue has as many as its axes say" is "$n_combinations" $((3 + 4 + 4 + 4 + 3 + 4))
n_combinations=0
for variant in per_step persistent persistent_specialised; do
    each photon_propagate/$variant output=history/geometry=sphere/material=scintillator/photons=257
done
holds "photon_propagate has as many as its axes say" is "$n_combinations" $((4 + 24 + 18))
n_combinations=0
each photon_session/pipelined detector=box/photons=33/events=5
holds "photon_session has as many as its axes say" is "$n_combinations" 5
n_combinations=0
for variant in scalar vector; do # packs that leave elements over
    each gelu/$variant n=2049/type=bf16/output=d_x/form=erf
    each silu/$variant n=2049/type=f32/output=y
done
for variant in scalar vector ilp; do
    each adamw/$variant n=2049/type=bf16/master=f32/offset=1/steps=1
done
for variant in scalar vector lists; do
    each embedding_bag/$variant size=17x5x64/length=5/type=f32/pass=backward/mode=mean
done
holds "operators of training have as many as their axes say" is "$n_combinations" $((4 * 3 + 3 + 3 + 6 + 3 * 3))
n_combinations=0
# Each matrix has a block of its own, so two matrices are enough.
for variant in lu_solve/block cholesky/block; do
    each $variant n=32/batch=2/type=f32
done
for variant in lu_solve/warp_shuffle lu_solve/warp cholesky/warp; do
    each $variant n=32/batch=13/type=f32
done
each qr/warp size=33x33x1/batch=8/type=f32
holds "lu_solve, cholesky and qr have as many as their axes say" is "$n_combinations" $((6 + 4 + 4 + 6 + 4 + 4))
n_combinations=0
# Rows begin at any place within a vector; with 1001 columns, a thread of a block of 128 has 8 elements.
for variant in softmax_row/kept softmax_row/online softmax_row/vec4 softmax_row_grad/online softmax_row_grad/vec4; do
    each $variant type=f16/size=3x1001x1
done
each softmax_row/skinny type=f16/size=9x127x1
each softmax_row_grad/skinny type=f16/size=9x127x1
for variant in two_stage last_block atomic words; do
    each reduction/$variant type=bf16/n=4098
done
holds "softmax_row and reduction have as many as their axes say" is "$n_combinations" $((3 + 3 + 4 + 3 + 4 + 3 + 3 + 4 * 9))
n_combinations=0
for variant in row row_atomic; do
    each attention_row/$variant pass=backward/type=f32/mask=none/heads=2x2x40/length=31x33x1
done
holds "attention_row has as many as its axes say" is "$n_combinations" 8
n_combinations=0
for case in rmsnorm layernorm fused_add_rmsnorm; do
    each $case/plain type=f32/pass=backward/size=2x4x128
    each $case/registers type=f32/pass=backward/size=2x2x8193
    each $case/warp_rows type=f16/pass=backward/size=2x4x33
done
each layernorm/welford type=bf16/pass=forward/size=2x4x1000
holds "the norms have as many as their axes say" is "$n_combinations" $((3 * (3 + 9 + 3) + 3))
holds "all of them PASS" is \
    "$(ask $db "SELECT count(*) FROM latest WHERE verdict <> 'PASS' AND key NOT LIKE 'axpy/%/n=257/block=64'")" 0
finish
