/* The texts of the store's statements. Parameters are bound from the left, in the order of the
 * numbers. */
#include "store_internal.h"

const char *const assay_statement_sql[ASSAY_N_STATEMENTS] = {
    [ASSAY_SQL_BEGIN]    = "BEGIN IMMEDIATE",
    [ASSAY_SQL_COMMIT]   = "COMMIT",
    [ASSAY_SQL_ROLLBACK] = "ROLLBACK",
    [ASSAY_SQL_FIND_BUILD] =
        "SELECT build_id FROM build WHERE binary_id = ?1 AND assay_version = ?2 AND git_commit = "
        "?3 AND git_dirty = ?4 AND compiler = ?5 AND cuda_compiler = ?6 AND build_type = ?7 AND "
        "build_flags = ?8 AND kernels_id = ?9 AND git_branch = ?10 AND git_commit_utc = ?11 AND "
        "git_diff_hash = ?12 AND cuda_toolkit = ?13 AND cuda_architectures = ?14 AND cupti = ?15 "
        "AND sqlite = ?16 AND google_benchmark = ?17",
    [ASSAY_SQL_ADD_BUILD] =
        "INSERT INTO build (binary_id, assay_version, git_commit, git_dirty, compiler, "
        "cuda_compiler, build_type, build_flags, kernels_id, git_branch, git_commit_utc, "
        "git_diff_hash, cuda_toolkit, cuda_architectures, cupti, sqlite, google_benchmark) VALUES "
        "(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    [ASSAY_SQL_FIND_DEVICE] =
        "SELECT device_id FROM device WHERE kind = ?1 AND uuid = ?2 AND name = ?3",
    [ASSAY_SQL_ADD_DEVICE] = "INSERT INTO device (kind, uuid, name) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_FIND_DEVICE_STATE] =
        "SELECT device_state_id FROM device_state WHERE device_id = ?1 AND pci_bus_id = ?2 AND "
        "driver = ?3 AND driver_cuda_version = ?4 AND runtime_version = ?5 AND compute_capability "
        "= "
        "?6 AND sm_count = ?7 AND sm_clock_khz = ?8 AND memory_clock_khz = ?9 AND memory_bus_bits "
        "= "
        "?10 AND ecc = ?11 AND memory_bytes = ?12 AND l2_bytes = ?13 AND can_time = ?14 AND nvml "
        "= ?15 AND vbios = ?16 AND mig IS ?17 AND persistence IS ?18 AND compute_mode IS ?19 AND "
        "power_limit_w IS ?20 AND power_limit_default_w IS ?21 AND application_sm_mhz IS ?22 AND "
        "application_memory_mhz IS ?23 AND numa_node IS ?24",
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
    [ASSAY_SQL_FIND_CASE] =
        "SELECT case_version_id FROM case_version WHERE name = ?1 AND version = ?2",
    [ASSAY_SQL_ADD_CASE] = "INSERT INTO case_version (name, version, what) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_FIND_CONFIG] =
        "SELECT config_id FROM config WHERE case_version_id = ?1 AND axes = ?2",
    [ASSAY_SQL_ADD_CONFIG]   = "INSERT INTO config (case_version_id, axes) VALUES (?1, ?2)",
    [ASSAY_SQL_ADD_AXIS]     = "INSERT INTO axis_value (config_id, position, name, kind, value_x, "
                               "value_y, value_z, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [ASSAY_SQL_NEXT_ORDINAL] = "SELECT coalesce(max(ordinal) + 1, 0) FROM point WHERE run_id = ?1",
    [ASSAY_SQL_ADD_POINT] =
        "INSERT INTO point (run_id, ordinal, config_id, variant, baseline, key, seed, "
        "is_reference, is_timed, cells, bytes_declared, bytes_moved, working_set_bytes, flops, "
        "variant_what, rate_fact, rate_along) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
        "?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    [ASSAY_SQL_ADD_EXPECTED] = "INSERT INTO expected_verdict (point_id, verdict) VALUES (?1, ?2)",
    [ASSAY_SQL_POINT_STATE] =
        "SELECT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) FROM point AS p "
        "WHERE p.point_id = ?1",
    [ASSAY_SQL_ADD_CHECK] =
        "INSERT INTO check_result (point_id, input, output, is_invariant, verdict, reason, seed, "
        "n_runs, rule, c, u_out, u_acc, growth, terms, max_ulp, why, count, n_failed, first_bad, "
        "first_bad_value, first_bad_expected, worst_ratio, max_abs_error, max_abs_expected, "
        "max_ulp_error, relative_l2, n_exempt, exempt_share_predicted) VALUES (?1, ?2, ?3, ?4, ?5, "
        "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
        "?24, "
        "?25, ?26, ?27, ?28)",
    [ASSAY_SQL_FIND_POLICY] =
        "SELECT policy_id FROM policy WHERE n_processes = ?1 AND n_blocks = ?2 AND budget_s = ?3 "
        "AND target_relative_error = ?4 AND min_samples = ?5 AND max_samples = ?6 AND max_calls = "
        "?7 AND sample_target_ns = ?8 AND warm_window = ?9 AND max_warmup = ?10 AND rewarm = ?11 "
        "AND warm_agreement = ?12 AND warm_share = ?13 AND flush_kind = ?14 AND short_ns = ?15 AND "
        "floor_factor = ?16 AND ceiling_margin = ?17 AND clock_gap_ns = ?18 AND clock_gap_share = "
        "?19 AND invalid_reasons = ?20 AND graph_calls = ?21 AND graph_target_ns = ?22 AND "
        "clock_tie = ?23 AND confident_samples = ?24 AND method = ?25",
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
    [ASSAY_SQL_FIND_RUN] = "SELECT run_id FROM run WHERE uuid = ?1",
    [ASSAY_SQL_FIND_INTERRUPTED] =
        "SELECT r.run_id, r.uuid, r.command, r.verb, r.options, r.seed, r.lane, r.host, "
        "r.kernel_release, r.cpu_model, r.n_cpus, b.assay_version, b.git_commit, b.git_dirty, "
        "b.compiler, b.cuda_compiler, b.build_type, b.build_flags, b.binary_id, b.kernels_id, "
        "d.uuid FROM run AS r JOIN device_state AS s ON s.device_state_id = r.device_state_id JOIN "
        "device AS d ON d.device_id = s.device_id "
        "JOIN build AS b ON b.build_id = r.build_id WHERE r.verb <> 'trace' AND r.command <> '' "
        "AND NOT "
        "EXISTS (SELECT "
        "1 FROM run_end AS e "
        "WHERE e.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id DESC LIMIT 1",
    [ASSAY_SQL_LATEST_RUN] =
        "SELECT r.run_id FROM run AS r WHERE EXISTS (SELECT 1 FROM point AS p JOIN verdict AS v ON "
        "v.point_id = p.point_id WHERE p.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id "
        "DESC LIMIT 1",
    [ASSAY_SQL_EACH_READY] =
        "SELECT p.ordinal, p.point_id, p.key, p.seed FROM point AS p WHERE p.run_id = ?1 AND "
        "p.ordinal > ?2 AND NOT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) "
        "ORDER BY p.ordinal LIMIT 1",
    [ASSAY_SQL_READ_BLOCKS] =
        "SELECT m.n_samples, m.n_blocks, b.crc32, b.time_ns, b.clock_crc32, b.clock_mhz, " //
    ASSAY_BLOCK_COLUMNS " FROM measurement AS m LEFT JOIN sample_block AS b ON "
        "b.measurement_id = m.measurement_id WHERE m.measurement_id = ?1 ORDER BY b.block",
    [ASSAY_SQL_EACH_BLOCK] =
        "SELECT p.key, m.regime, m.clock, m.n_blocks, m.decides, m.median_ns, "
        "m.bytes_declared, m.flops, p.cells, " ASSAY_BLOCK_COLUMNS
        " FROM point AS p JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS' JOIN "
        "measurement AS m ON m.point_id = p.point_id JOIN sample_block AS b "
        "ON b.measurement_id = m.measurement_id WHERE p.run_id = ?1 ORDER BY p.ordinal, "
        "m.measurement_id, b.block",
    [ASSAY_SQL_EACH_CEILING] =
        "SELECT kind, regime, clock, working_set_bytes, n_samples, median_ns, rate FROM ceilings "
        "WHERE run_id = ?1 ORDER BY ceiling_id",
};
