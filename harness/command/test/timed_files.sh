# shellcheck shell=bash
# Files with timing runs, made from one real run whose times are rewritten, so that the results are known. Sourced after
# cli.sh.

point=physics_loss/cpu_omp/grid=8x9x10/boundary=periodic/time=first_order/vjp=residual/levels=t1/pass=both

# Makes base.db, with a run of three processes (or N with `make_base --processes N`) that are 0.05 % apart. The clock has 2
# cycles per ns; a call takes 1 ms.
make_base() {
    "$assay" bench --point $point --device host --processes 3 --time 0.01s --quiet --db base.db "$@" >said 2>&1 || cat said
    sqlite3 base.db "DROP TRIGGER measurement_kept; DROP TRIGGER sample_block_kept; DROP TRIGGER run_kept;
        DROP TRIGGER device_state_kept; DROP TRIGGER verdict_kept; DROP TRIGGER finding_kept;
        DROP TRIGGER finding_list_kept; DROP TRIGGER run_error_kept;
        UPDATE measurement SET median_ns = 1e6, q1_ns = 0.99e6, q3_ns = 1.01e6, process_spread = 0.001;
        UPDATE sample_block SET median_ns = 1e6 * (1 + 0.0005 * process);
        UPDATE sample_block SET median_cycles = 2 * median_ns"
}

# vary FILE UUID DAY FACTOR [SQL]: a copy of the run with another uuid and day, slower by this factor.
vary() {
    cp base.db "$1"
    sqlite3 "$1" "UPDATE run SET uuid = '$2', started_utc = '2026-01-$3T00:00:00.000Z';
        UPDATE measurement SET median_ns = median_ns * $4, q1_ns = q1_ns * $4, q3_ns = q3_ns * $4;
        UPDATE sample_block SET median_ns = median_ns * $4, median_cycles = median_cycles * $4; ${5:-}"
}
