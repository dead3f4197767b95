-- What the JSON and HTML reports say of a run beside its times. ?1 is the run. A query of rows that
-- belong to another query's row names their owner first; both come in planned order.

-- name: json_run
-- One row: the run.
SELECT r.run_id,
       r.uuid,
       r.started_utc,
       e.ended_utc,
       e.exit_status,
       @is_open@ AS is_open,
       r.verb,
       r.command,
       printf('%u', r.seed) AS seed,
       r.lane,
       r.host,
       r.kernel_release,
       r.cpu_model,
       nullif(r.n_cpus, 0) AS n_cpus,
       nullif(r.memory_free_bytes, 0) AS memory_free_bytes
FROM run AS r
LEFT JOIN run_end AS e ON e.run_id = r.run_id
WHERE r.run_id = ?1;

-- name: json_build
-- One row: the build of the run.
SELECT b.binary_id,
       b.kernels_id,
       b.assay_version,
       b.git_commit,
       b.git_dirty,
       b.compiler,
       b.cuda_compiler,
       b.build_type,
       b.build_flags
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
WHERE r.run_id = ?1;

-- name: json_device
-- One row: the device of the run.
SELECT d.kind,
       d.name,
       d.uuid,
       s.pci_bus_id,
       s.driver,
       nullif(s.driver_cuda_version, 0) AS driver_cuda_version,
       nullif(s.runtime_version, 0) AS runtime_version,
       nullif(s.compute_capability, 0) AS compute_capability,
       nullif(s.sm_count, 0) AS sm_count,
       nullif(s.sm_clock_khz, 0) AS sm_clock_khz,
       nullif(s.memory_clock_khz, 0) AS memory_clock_khz,
       nullif(s.memory_bus_bits, 0) AS memory_bus_bits,
       CASE WHEN r.command <> '' THEN s.ecc END AS ecc, -- no file of an import says it
       nullif(s.memory_bytes, 0) AS memory_bytes,
       nullif(s.l2_bytes, 0) AS l2_bytes,
       s.can_time
FROM run AS r
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
WHERE r.run_id = ?1;

-- name: json_policies
-- The thresholds by which the numbers of the run were taken.
SELECT *
FROM policy
WHERE policy_id IN (
          SELECT m.policy_id
          FROM point AS p
          JOIN measurement AS m ON m.point_id = p.point_id
          WHERE p.run_id = ?1
      )
ORDER BY policy_id;

-- name: json_ceilings
-- What the device can do, as it was measured in this run.
SELECT {c.ceiling}, c.measured_utc
FROM ceilings AS c
WHERE c.run_id = ?1
ORDER BY c.ceiling_id;

-- name: json_measured
-- One row: are there times at all?
SELECT count(*) AS n_measurements
FROM point AS p
JOIN measurement AS m ON m.point_id = p.point_id
WHERE p.run_id = ?1;

-- name: json_points
-- Every point, with its verdict and its worst check.
SELECT p.point_id,
       p.ordinal,
       p.case_name,
       p.case_version,
       p.variant,
       p.baseline,
       p.axes,
       p.key,
       @taken(p)@ AS tuned,
       p.seed,
       p.cells,
       p.is_reference,
       p.is_timed,
       p.state,
       p.outcome,
       p.verdict,
       p.reason,
       (
           SELECT group_concat(e.verdict, ' or ')
           FROM expected_verdict AS e
           WHERE e.point_id = p.point_id
       ) AS expected,
       wo.input AS worst_input,
       wo.output AS worst_output,
       w.worst_ratio,
       p.launches,
       p.workspace_bytes,
       p.device_bytes,
       p.peak_bytes,
       p.wall_s,
       p.finished_utc,
       p.variant_what,
       p.rate_fact,
       p.rate_along
FROM verdicts AS p
@join_worst(p)@
WHERE p.run_id = ?1
ORDER BY p.ordinal;

-- name: json_axis_values
-- The axes of each point.
SELECT p.point_id,
       x.name,
       x.kind,
       x.text,
       x.value_x,
       x.value_y,
       x.value_z
FROM point AS p
JOIN axis_value AS x ON x.config_id = p.config_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.position;

-- name: json_checks
-- Every check.
SELECT p.point_id,
       {x.check_result}
FROM point AS p
JOIN check_result AS x ON x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.check_id;

-- name: json_changes
-- Each comparison of this run with another, as it was recorded last.
SELECT k.from_run,
       (SELECT run_id FROM run AS a WHERE a.uuid = k.from_run) AS from_run_id,
       k.to_key AS key,
       k.regime,
       k.clock,
       k.verdict,
       k.effect,
       k.lo,
       k.hi,
       k.p_corrected,
       k.cycles_effect,
       k.threshold,
       k.band,
       k.reason,
       k.compared_utc
FROM change AS k
JOIN run AS r ON r.uuid = k.to_run
WHERE r.run_id = ?1
  AND NOT EXISTS (
          SELECT 1
          FROM change AS n
          WHERE n.to_run = k.to_run
            AND n.from_run = k.from_run
            AND n.to_key = k.to_key
            AND n.regime = k.regime
            AND (n.compared_utc, n.change_id) > (k.compared_utc, k.change_id)
      )
ORDER BY CASE k.verdict
             WHEN 'SLOWER' THEN 0
             WHEN 'CANNOT_TELL' THEN 1
             WHEN 'FASTER' THEN 2
             ELSE 3
         END,
         abs(k.effect) DESC,
         k.to_key,
         k.regime;
