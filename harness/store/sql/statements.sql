-- Statements that a store prepares once and keeps: assay_statement (store_internal.h) is made of
-- their names. Parameters are bound from the left. What adds rows stands in store_statements.c.

-- fragment: block_columns
-- What is known of block b, in the order that assay_store_block_at reads.
b.block,
b.n_samples,
b.n_throttled,
b.n_discarded,
b.process,
b.sequence,
b.start_s,
b.median_ns,
b.median_cycles,
b.sm_clock_mhz,
b.reasons,
b.memory_mhz,
b.temperature_c,
b.power_before_w,
b.power_after_w,
b.energy_j,
b.memory_before_mhz,
b.temperature_before_c

-- name: begin
-- Writers wait for each other here, not in the middle of their work.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: find_build
-- The row that others share, if it is there: every fact is the same.
SELECT build_id
FROM build
WHERE binary_id = ?1
  AND assay_version = ?2
  AND git_commit = ?3
  AND git_dirty = ?4
  AND compiler = ?5
  AND cuda_compiler = ?6
  AND build_type = ?7
  AND build_flags = ?8
  AND kernels_id = ?9
  AND git_branch = ?10
  AND git_commit_utc = ?11
  AND git_diff_hash = ?12
  AND cuda_toolkit = ?13
  AND cuda_architectures = ?14
  AND cupti = ?15
  AND sqlite = ?16
  AND google_benchmark = ?17;

-- name: find_device
-- The same of a device.
SELECT device_id
FROM device
WHERE kind = ?1 AND uuid = ?2 AND name = ?3;

-- name: find_device_state
-- The same of a device with its driver and its settings; NULL is what nobody could tell.
SELECT device_state_id
FROM device_state
WHERE device_id = ?1
  AND pci_bus_id = ?2
  AND driver = ?3
  AND driver_cuda_version = ?4
  AND runtime_version = ?5
  AND compute_capability = ?6
  AND sm_count = ?7
  AND sm_clock_khz = ?8
  AND memory_clock_khz = ?9
  AND memory_bus_bits = ?10
  AND ecc = ?11
  AND memory_bytes = ?12
  AND l2_bytes = ?13
  AND can_time = ?14
  AND nvml = ?15
  AND vbios = ?16
  AND mig IS ?17
  AND persistence IS ?18
  AND compute_mode IS ?19
  AND power_limit_w IS ?20
  AND power_limit_default_w IS ?21
  AND application_sm_mhz IS ?22
  AND application_memory_mhz IS ?23
  AND numa_node IS ?24;

-- name: find_case
-- A case of that version.
SELECT case_version_id
FROM case_version
WHERE name = ?1 AND version = ?2;

-- name: find_config
-- A set of axes of that case.
SELECT config_id FROM config WHERE case_version_id = ?1 AND axes = ?2;

-- name: next_ordinal
-- Where the next point of run ?1 is planned.
SELECT coalesce(max(ordinal) + 1, 0) FROM point WHERE run_id = ?1;

-- name: point_state
-- A row if the point is there: has it a verdict?
SELECT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id)
FROM point AS p
WHERE p.point_id = ?1;

-- name: find_policy
-- The same of the thresholds of a measurement.
SELECT policy_id
FROM policy
WHERE n_processes = ?1
  AND n_blocks = ?2
  AND budget_s = ?3
  AND target_relative_error = ?4
  AND min_samples = ?5
  AND max_samples = ?6
  AND max_calls = ?7
  AND sample_target_ns = ?8
  AND warm_window = ?9
  AND max_warmup = ?10
  AND rewarm = ?11
  AND warm_agreement = ?12
  AND warm_share = ?13
  AND flush_kind = ?14
  AND short_ns = ?15
  AND floor_factor = ?16
  AND ceiling_margin = ?17
  AND clock_gap_ns = ?18
  AND clock_gap_share = ?19
  AND invalid_reasons = ?20
  AND graph_calls = ?21
  AND graph_target_ns = ?22
  AND clock_tie = ?23
  AND confident_samples = ?24
  AND method = ?25;

-- name: find_run
-- A run by its uuid.
SELECT run_id FROM run WHERE uuid = ?1;

-- name: find_interrupted
-- The newest run that has not ended, for `assay resume`; an imported one has no command.
SELECT r.run_id,
       r.uuid,
       r.command,
       r.verb,
       r.options,
       r.seed,
       r.lane,
       r.host,
       r.kernel_release,
       r.cpu_model,
       r.n_cpus,
       b.assay_version,
       b.git_commit,
       b.git_dirty,
       b.compiler,
       b.cuda_compiler,
       b.build_type,
       b.build_flags,
       b.binary_id,
       b.kernels_id,
       d.uuid
FROM run AS r
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN build AS b ON b.build_id = r.build_id
WHERE r.verb <> 'trace'
  AND r.command <> ''
  AND NOT EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = r.run_id)
ORDER BY r.started_utc DESC, r.run_id DESC
LIMIT 1;

-- name: latest_run
-- The newest run with anything finished.
SELECT r.run_id
FROM run AS r
WHERE EXISTS (
          SELECT 1
          FROM point AS p
          JOIN verdict AS v ON v.point_id = p.point_id
          WHERE p.run_id = r.run_id
      )
ORDER BY r.started_utc DESC, r.run_id DESC
LIMIT 1;

-- name: each_ready
-- The next point of run ?1 after ordinal ?2 that has no verdict.
SELECT p.ordinal, p.point_id, p.key, p.seed
FROM point AS p
WHERE p.run_id = ?1
  AND p.ordinal > ?2
  AND NOT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id)
ORDER BY p.ordinal
LIMIT 1;

-- name: read_blocks
-- The samples of measurement ?1; a row without a block if it has none.
SELECT m.n_samples,
       m.n_blocks,
       b.crc32,
       b.time_ns,
       b.clock_crc32,
       b.clock_mhz,
       @block_columns@
FROM measurement AS m
LEFT JOIN sample_block AS b ON b.measurement_id = m.measurement_id
WHERE m.measurement_id = ?1
ORDER BY b.block;

-- name: each_block
-- Every block of the times of run ?1 that count.
SELECT p.key,
       m.regime,
       m.clock,
       m.n_blocks,
       m.decides,
       m.median_ns,
       m.bytes_declared,
       m.flops,
       p.cells,
       @block_columns@
FROM point AS p
JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS'
JOIN measurement AS m ON m.point_id = p.point_id
JOIN sample_block AS b ON b.measurement_id = m.measurement_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, m.measurement_id, b.block;

-- name: each_ceiling
-- What the device of run ?1 can do.
SELECT kind,
       regime,
       clock,
       working_set_bytes,
       n_samples,
       median_ns,
       rate
FROM ceilings
WHERE run_id = ?1
ORDER BY ceiling_id;
