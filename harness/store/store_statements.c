/* The texts of the store's statements: those of sql/statements.sql, and what adds rows. Parameters
 * are bound from the left, in the order of the numbers. */
#include "store_internal.h"

const char *const assay_statement_sql[ASSAY_N_STATEMENTS] = {
    [ASSAY_SQL_ADD_BUILD] =
        "INSERT INTO build (binary_id, assay_version, git_commit, git_dirty, compiler, "
        "cuda_compiler, build_type, build_flags, kernels_id, git_branch, git_commit_utc, "
        "git_diff_hash, cuda_toolkit, cuda_architectures, cupti, sqlite, google_benchmark) VALUES "
        "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    [ASSAY_SQL_ADD_DEVICE] = "INSERT INTO device (kind, uuid, name) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_ADD_DEVICE_STATE] =
        "INSERT INTO device_state (device_id, pci_bus_id, driver, driver_cuda_version, "
        "runtime_version, compute_capability, sm_count, sm_clock_khz, memory_clock_khz, "
        "memory_bus_bits, ecc, memory_bytes, l2_bytes, can_time, nvml, vbios, mig, persistence, "
        "compute_mode, power_limit_w, power_limit_default_w, application_sm_mhz, "
        "application_memory_mhz, numa_node) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
        "?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
    [ASSAY_SQL_ADD_RUN] =
        "INSERT INTO run (uuid, verb, command, options, seed, lane, host, kernel_release, "
        "cpu_model, n_cpus, memory_free_bytes, build_id, device_state_id, reason, monotonic_s, "
        "boot_id, user_name, container, environment, ci_url, governor, turbo, smt, affinity, "
        "load_average, started_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, "
        "?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_RUN_END] =
        "INSERT INTO run_end (run_id, exit_status, ended_utc) VALUES (?1, ?2, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_CASE]   = "INSERT INTO case_version (name, version, what) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_ADD_CONFIG] = "INSERT INTO config (case_version_id, axes) VALUES (?1, ?2)",
    [ASSAY_SQL_ADD_AXIS]   = "INSERT INTO axis_value (config_id, position, name, kind, value_x, "
                             "value_y, value_z, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [ASSAY_SQL_ADD_POINT] =
        "INSERT INTO point (run_id, ordinal, config_id, variant, baseline, key, seed, "
        "is_reference, is_timed, cells, bytes_declared, bytes_moved, working_set_bytes, flops, "
        "variant_what, rate_fact, rate_along) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
        "?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    [ASSAY_SQL_ADD_EXPECTED] = "INSERT INTO expected_verdict (point_id, verdict) VALUES (?1, ?2)",
    [ASSAY_SQL_ADD_CHECK] =
        "INSERT INTO check_result (point_id, input, output, is_invariant, verdict, reason, seed, "
        "n_runs, rule, c, u_out, u_acc, growth, terms, max_ulp, why, count, n_failed, first_bad, "
        "first_bad_value, first_bad_expected, worst_ratio, max_abs_error, max_abs_expected, "
        "max_ulp_error, relative_l2, n_exempt, exempt_share_predicted) VALUES (?1, ?2, ?3, ?4, ?5, "
        "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
        "?24, "
        "?25, ?26, ?27, ?28)",
    [ASSAY_SQL_ADD_POLICY] =
        "INSERT INTO policy (n_processes, n_blocks, budget_s, target_relative_error, min_samples, "
        "max_samples, max_calls, sample_target_ns, warm_window, max_warmup, rewarm, "
        "warm_agreement, warm_share, flush_kind, short_ns, floor_factor, ceiling_margin, "
        "clock_gap_ns, clock_gap_share, invalid_reasons, graph_calls, graph_target_ns, clock_tie, "
        "confident_samples, method) "
        "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, "
        "?19, ?20, ?21, ?22, ?23, ?24, ?25)",
    [ASSAY_SQL_ADD_MEASUREMENT] =
        "INSERT INTO measurement (point_id, regime, clock, n_samples, n_blocks, n_processes, "
        "launches_per_sample, median_ns, mean_ns, min_ns, max_ns, p05_ns, q1_ns, q3_ns, p95_ns, "
        "stdev_ns, process_spread, median_cycles, sm_clock_mhz, n_throttled, n_discarded, "
        "stop_reason, policy_id, flush_bytes, n_warmup, wall_s, nvml, tuning, bytes_declared, "
        "bytes_moved, flops, decides, decision, floor_ns, is_below_floor, ceiling_bytes_per_s, "
        "ceiling_flops, working_set_bytes, mad_ns, median_lo_ns, median_hi_ns, lag1, drift_ns, "
        "median_interval, energy_j) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
        "?12, ?13, ?14, ?15, "
        "?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31, ?32, ?33, "
        "?34, ?35, ?36, ?37, ?38, ?39, ?40, ?41, ?42, ?43, ?44, ?45)",
    [ASSAY_SQL_ADD_BLOCK] =
        "INSERT INTO sample_block (measurement_id, block, n_samples, n_throttled, n_discarded, "
        "process, sequence, start_s, median_ns, median_cycles, sm_clock_mhz, reasons, memory_mhz, "
        "temperature_c, power_before_w, power_after_w, energy_j, memory_before_mhz, "
        "temperature_before_c, crc32, time_ns, clock_crc32, clock_mhz) VALUES (?1, ?2, ?3, ?4, ?5, "
        "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23)",
    [ASSAY_SQL_ADD_COMPARISON] =
        "INSERT INTO comparison (point_id, kind, against, regime, clock, is_known, ratio, lo, hi, "
        "n_pairs, n_processes, reason) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)",
    [ASSAY_SQL_ADD_LAUNCH] =
        "INSERT INTO launch (point_id, ordinal, kernel, grid_x, grid_y, grid_z, block_x, block_y, "
        "block_z, registers, local_bytes, static_shared_bytes, dynamic_shared_bytes, code_hash, "
        "time_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)",
    [ASSAY_SQL_ADD_SECTION] = "INSERT INTO section (point_id, name, launches, time_ns, share) "
                              "VALUES (?1, ?2, ?3, ?4, ?5)",
    [ASSAY_SQL_ADD_METRIC] = "INSERT INTO metric (point_id, name, status, reason, value, n_passes, "
                             "replay) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    [ASSAY_SQL_ADD_TRIAL] =
        "INSERT INTO tuning_trial (point_id, tuning, verdict, reason, regime, clock, n_samples, "
        "median_ns, is_chosen, point_verdict) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [ASSAY_SQL_ADD_CEILING] =
        "INSERT INTO ceiling (run_id, kind, regime, clock, working_set_bytes, n_samples, "
        "median_ns, rate, measured_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_VERDICT] =
        "INSERT INTO verdict (point_id, verdict, reason, launches, workspace_bytes, device_bytes, "
        "peak_bytes, wall_s, finished_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_ANNOTATION] =
        "INSERT INTO annotation (uuid, series, run_uuid, text, who, written_utc) VALUES (?1, ?2, "
        "?3, ?4, ?5, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_ACCEPTED] =
        "INSERT INTO accepted_baseline (uuid, name, run_uuid, why, who, accepted_utc) VALUES (?1, "
        "?2, ?3, ?4, ?5, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_CALIBRATION] =
        "INSERT INTO calibration (uuid, case_name, case_version, regime, clock, device_kind, "
        "device_name, key, tuning, n_comparisons, false_slower, false_faster, cannot_tell, band, "
        "process_sd, process_df, method, runs, calibrated_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
        "nullif(?8, ''), CASE WHEN ?8 <> '' THEN ?9 END, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
        "?18, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_ADD_CHANGE] =
        "INSERT INTO change (uuid, from_run, to_run, from_key, to_key, regime, clock, effect, lo, "
        "hi, p, p_corrected, cycles_effect, threshold, band, verdict, reason, compared_utc) VALUES "
        "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
#define ENTRY(NAME, name) [ASSAY_SQL_##NAME] = assay_sql_##name,
    ASSAY_SQL_STATEMENTS(ENTRY)
#undef ENTRY
};
