-- The statements of an import: assay_import_statement (store_import_internal.h) is made of their
-- names. Parameters are named as the columns of the CSV (empty: NULL, but '' for text), and
-- :item_... what is not a column. What must not be NULL gets '' or 0: not recorded. A row that
-- others share is added once.

-- fragment: build_columns
-- A build, and what the file tells of it.
binary_id, kernels_id, assay_version, git_commit, git_dirty, compiler, cuda_compiler,
build_type, build_flags, git_branch, git_commit_utc, git_diff_hash, cuda_toolkit,
cuda_architectures, cupti, sqlite, google_benchmark

-- fragment: build_values
coalesce(:binary_id, ''), coalesce(:kernels_id, ''), :assay_version, :git_commit, :git_dirty,
coalesce(:compiler, ''), coalesce(:cuda_compiler, ''), coalesce(:build_type, ''), '', NULL,
NULL, NULL, :cuda_toolkit, NULL, NULL, NULL, NULL

-- fragment: kind
-- The lane says on which kind of device a run was.
CASE WHEN :lane = 'cuda' THEN 'cuda' ELSE 'host' END

-- fragment: state_columns
-- The same of a device and its driver.
device_id, pci_bus_id, driver, driver_cuda_version, runtime_version, compute_capability,
sm_count, sm_clock_khz, memory_clock_khz, memory_bus_bits, ecc, memory_bytes, l2_bytes,
can_time, nvml, vbios, mig, persistence, compute_mode, power_limit_w, power_limit_default_w,
application_sm_mhz, application_memory_mhz, numa_node

-- fragment: state_values
(SELECT device_id FROM device WHERE (kind, uuid, name) = (@kind@, :device_uuid, :device)), '',
:driver, 0, coalesce(:runtime_version, 0), coalesce(:compute_capability, 0),
coalesce(:sm_count, 0), 0, 0, 0, 0, coalesce(:memory_bytes, 0), coalesce(:l2_bytes, 0),
:lane = 'cuda', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL

-- fragment: policy_columns
-- The same of a policy.
{policy}, method

-- fragment: policy_values
{:policy.first}, {:policy.more AS policy_}, :policy_method

-- fragment: case_id
-- The case of the line.
(SELECT case_version_id FROM case_version WHERE name = :case AND version = :case_version)

-- fragment: config_id
-- Its axes.
(SELECT config_id FROM config WHERE case_version_id = @case_id@ AND axes = :config)

-- fragment: check_verdict
-- An older file says nothing of the check itself: one that stayed within its bound has passed.
coalesce(
    nullif(:worst_verdict, ''),
    CASE WHEN :verdict = 'PASS' OR :worst_ratio <= 1 THEN 'PASS' ELSE :verdict END
)

-- name: import_build
-- The build of a run.
INSERT INTO build (
    @build_columns@
)
SELECT @build_values@
WHERE NOT EXISTS (
          SELECT 1
          FROM build
          WHERE (@build_columns@) IS (@build_values@)
      );

-- name: import_device
-- The device of a run.
INSERT INTO device (kind, uuid, name)
SELECT @kind@, :device_uuid, :device
WHERE NOT EXISTS (SELECT 1 FROM device WHERE (kind, uuid, name) IS (@kind@, :device_uuid, :device));

-- name: import_state
-- That device with its driver, as far as the file tells.
INSERT INTO device_state (
    @state_columns@
)
SELECT @state_values@
WHERE NOT EXISTS (
          SELECT 1
          FROM device_state
          WHERE (@state_columns@) IS (@state_values@)
      );

-- name: import_run
-- Without a command line a run is never taken for one to be resumed.
INSERT INTO run (
    uuid, started_utc, verb, command, options, seed, lane, host, kernel_release, cpu_model, n_cpus,
    memory_free_bytes, build_id, device_state_id, reason
)
VALUES (
    :run_uuid, :started_utc, coalesce(:verb, ''), '', '', coalesce(:run_seed, :seed), :lane, :host,
    '', '', 0, 0, (SELECT min(build_id) FROM build WHERE (@build_columns@) IS (@build_values@)),
    (SELECT min(device_state_id) FROM device_state WHERE (@state_columns@) IS (@state_values@)),
    nullif(:run_reason, '')
);

-- name: import_case
-- A case of this version.
INSERT INTO case_version (name, version, what)
SELECT :case, :case_version, coalesce(:case_what, '')
WHERE @case_id@ IS NULL;

-- name: import_config
-- A set of axes of that case.
INSERT INTO config (case_version_id, axes)
SELECT @case_id@, :config
WHERE @config_id@ IS NULL;

-- name: import_axis
-- One axis of a new set.
INSERT INTO axis_value (config_id, position, name, kind, value_x, value_y, value_z, text)
VALUES (@config_id@, :item_position, :item_name, :item_kind, :item_x, :item_y, :item_z, :item_text);

-- name: import_point
-- A point of the run.
INSERT INTO point (
    run_id, ordinal, config_id, variant, baseline, key, seed, is_reference, is_timed, cells,
    bytes_declared, bytes_moved, working_set_bytes, flops, variant_what, rate_fact, rate_along
)
VALUES (
    :item_run, :item_ordinal, @config_id@, :variant, :baseline, :key, :seed,
    coalesce(:is_reference, :outcome = 'reference'), coalesce(:is_timed, :regime <> ''), :cells,
    :bytes_declared, :bytes_moved, :working_set_bytes, :flops, :variant_what, :rate_fact,
    :rate_along
);

-- name: import_expected
-- A verdict that the point may have.
INSERT INTO expected_verdict (point_id, verdict)
VALUES (:item_point, :item_verdict);

-- name: import_check
-- Its worst check, the only one that the file tells of.
INSERT INTO check_result (
    point_id, input, output, is_invariant, verdict, reason, seed, n_runs, rule, c, u_out, u_acc,
    growth, terms, max_ulp, why, worst_ratio
)
VALUES (
    :item_point, :worst_input, :worst_output, coalesce(:worst_is_invariant, 0), @check_verdict@,
    coalesce(:worst_reason, CASE WHEN @check_verdict@ = 'PASS' THEN '' ELSE :reason END),
    coalesce(:worst_seed, :seed), coalesce(:worst_runs, 0), :rule, :c, :u_out, :u_acc,
    nullif(:growth, ''), :worst_terms, :max_ulp, coalesce(:worst_why, ''), :worst_ratio
);

-- name: import_policy
-- The thresholds of a measurement.
INSERT INTO policy (
    @policy_columns@
)
SELECT @policy_values@
WHERE NOT EXISTS (
          SELECT 1
          FROM policy
          WHERE (@policy_columns@) IS (@policy_values@)
      );

-- name: import_measurement
-- A measurement of the point.
INSERT INTO measurement (point_id, policy_id, {measurement})
VALUES (
    :item_point,
    (SELECT min(policy_id) FROM policy WHERE (@policy_columns@) IS (@policy_values@)),
    {:measurement}
);

-- name: import_block
-- The samples are not in the file: neither is their checksum.
INSERT INTO sample_block (
    measurement_id, block, process, sequence, n_samples, n_throttled, n_discarded, median_ns,
    median_cycles, sm_clock_mhz, crc32
)
VALUES (
    :item_measurement, :item_block, :item_process, :item_sequence, :item_samples, :item_throttled,
    :item_discarded, :item_median, :item_cycles, :item_mhz, 0
);

-- name: import_comparison
-- One that no clock can tell stands beside every clock of its regime, and is one row.
INSERT INTO comparison (
    point_id, kind, against, regime, clock, is_known, ratio, lo, hi, n_pairs, n_processes, reason
)
SELECT :item_point,
       'speedup',
       :baseline,
       :regime,
       c,
       :speedup IS NOT NULL,
       :speedup,
       :speedup_lo,
       :speedup_hi,
       coalesce(:speedup_pairs, 0),
       coalesce(:speedup_processes, 0),
       :speedup_reason
FROM (SELECT coalesce(:speedup_clock, CASE WHEN :speedup IS NULL THEN '' ELSE :clock END) AS c)
WHERE NOT EXISTS (
          SELECT 1
          FROM comparison AS k
          WHERE k.point_id = :item_point
            AND k.kind = 'speedup'
            AND k.against = :baseline
            AND k.regime = :regime
            AND k.clock = c
            AND c = ''
      );

-- name: import_launch
-- One entry of the list of kernels.
INSERT INTO launch (
    point_id, ordinal, kernel, grid_x, grid_y, grid_z, block_x, block_y, block_z, registers,
    local_bytes, static_shared_bytes, dynamic_shared_bytes, code_hash, time_ns
)
VALUES (
    :item_point, :item_ordinal, :item_kernel, :item_gx, :item_gy, :item_gz, :item_bx, :item_by,
    :item_bz, :item_registers, :item_local, :item_static, :item_dynamic, :item_hash, :item_time
);

-- name: import_metric
-- One entry of the list of metrics.
INSERT INTO metric (point_id, name, status, reason, value, n_passes, replay)
VALUES (
    :item_point, :item_name, :item_status, :item_reason, :item_value, :item_passes, :item_replay
);

-- name: import_tuned
-- What the point was planned with: the only trial that the file tells of.
INSERT INTO tuning_trial (point_id, tuning, verdict, reason, regime, clock, n_samples, is_chosen)
VALUES (:item_point, :tuned, 'PASS', :tuned_by, '', '', 0, 1);

-- name: import_verdict
-- What became of the point: it takes nothing more.
INSERT INTO verdict (
    point_id, verdict, reason, launches, workspace_bytes, device_bytes, peak_bytes, finished_utc
)
VALUES (
    :item_point, :verdict, :reason, :launches, :workspace_bytes, :device_bytes, :peak_bytes,
    coalesce(:finished_utc, '')
);

-- name: import_run_end
-- The end of the run: it takes nothing more.
INSERT INTO run_end (run_id, ended_utc, exit_status)
VALUES (:item_run, :ended_utc, :exit_status);
