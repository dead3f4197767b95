-- Comparisons and history: runs to choose from, what a run found and measured, and how times were
-- along the runs of a file. ?1 is the run, where there is one.

-- fragment: conditions
-- What a number stands on beside the code under test, as the table of conditions in
-- store_conditions.h names it. The number of processes is left out of the policy: more of them make
-- a number surer, not another one. From point p, run r with build b, device d and its state s,
-- measurement m with policy l, case c.
trim(d.kind || ' ' || d.name || ' ' || d.uuid) AS device,
s.driver,
coalesce(nullif(b.cuda_toolkit, ''), b.cuda_compiler) || ', runtime ' || s.runtime_version
    AS toolkit,
'blocks=' || quote(l.n_blocks)
    || ' budget_s=' || quote(l.budget_s)
    || ' target_error=' || quote(l.target_relative_error)
    || ' min_samples=' || quote(l.min_samples)
    || ' max_samples=' || quote(l.max_samples)
    || ' max_calls=' || quote(l.max_calls)
    || ' sample_target_ns=' || quote(l.sample_target_ns)
    || ' warm_window=' || quote(l.warm_window)
    || ' max_warmup=' || quote(l.max_warmup)
    || ' rewarm=' || quote(l.rewarm)
    || ' warm_agreement=' || quote(l.warm_agreement)
    || ' warm_share=' || quote(l.warm_share)
    || ' flush=' || quote(l.flush_kind)
    || ' short_ns=' || quote(l.short_ns)
    || ' floor_factor=' || quote(l.floor_factor)
    || ' ceiling_margin=' || quote(l.ceiling_margin)
    || ' clock_gap_ns=' || quote(l.clock_gap_ns)
    || ' clock_gap_share=' || quote(l.clock_gap_share)
    || ' invalid_reasons=' || quote(l.invalid_reasons)
    || ' graph_calls=' || quote(l.graph_calls)
    || ' graph_target_ns=' || quote(l.graph_target_ns)
    || ' confident_samples=' || quote(l.confident_samples)
    || ' clock_tie=' || quote(l.clock_tie)
    || ' method=' || quote(l.method)
    AS policy,
m.tuning,
c.version AS case_version,
(
    SELECT group_concat(fact, ';')
    FROM (
        SELECT k.name || '=' || printf('%.15g', k.value) AS fact
        FROM metric AS k
        WHERE k.point_id = p.point_id AND k.replay = 'input' AND k.value IS NOT NULL
        ORDER BY k.name
    )
) AS input_fact

-- name: compare_runs
-- Runs to choose from.
SELECT r.run_id,
       r.uuid,
       r.started_utc,
       b.git_commit,
       b.git_dirty,
       b.binary_id,
       b.kernels_id,
       r.build_id,
       r.device_state_id,
       e.run_id IS NOT NULL AS is_finished,
       @timed_run@ AS is_timed,
       CASE WHEN @run_of_program@ THEN r.verb ELSE '' END AS program
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
LEFT JOIN run_end AS e ON e.run_id = r.run_id
ORDER BY r.started_utc, r.run_id;

-- name: compare_baselines
-- Baselines by name.
SELECT name, run_uuid FROM baselines ORDER BY name;

-- name: compare_points
-- What a run found.
SELECT point_id,
       key,
       case_name,
       case_version,
       variant,
       axes,
       outcome,
       coalesce(verdict, 'not finished') AS verdict,
       reason
FROM verdicts
WHERE run_id = ?1
ORDER BY point_id;

-- name: compare_times
-- What a run measured: a row each regime and clock that decides, or the reason why none does.
SELECT t.point_id,
       coalesce(t.measurement_id, 0) AS measurement_id,
       t.regime,
       t.clock,
       t.median_ns,
       t.q1_ns,
       t.q3_ns,
       t.process_spread,
       t.n_samples,
       t.is_below_floor,
       t.share_of_ceiling,
       t.clock IS NOT NULL AS decides,
       m.n_throttled,
       t.cannot_tell,
       m.p05_ns,
       m.p95_ns,
       m.launches_per_sample,
       d.kind AS device_kind,
       d.name AS device_name,
       @conditions@
FROM deciding AS t
JOIN point AS p ON p.point_id = t.point_id
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN measurement AS m ON m.measurement_id = t.measurement_id
LEFT JOIN policy AS l ON l.policy_id = m.policy_id
WHERE t.run_id = ?1
ORDER BY t.point_id, 2;

-- name: compare_blocks
-- The medians of the blocks behind those times.
SELECT m.point_id, x.measurement_id, x.process, x.median_ns, x.median_cycles
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN measurement AS m ON m.point_id = p.point_id
JOIN sample_block AS x ON x.measurement_id = m.measurement_id
WHERE p.run_id = ?1 AND m.decides = 1
ORDER BY m.point_id, x.measurement_id, x.block;

-- name: compare_calibrated
-- How large a change by chance is, where it was calibrated.
SELECT * FROM calibrated;

-- name: history_times
-- Every time of every series that a clock decides, in the order of the runs.
SELECT n.series,
       p.key,
       c.name AS case_name,
       p.variant,
       f.axes,
       m.regime,
       m.clock,
       r.run_id,
       r.uuid AS run_uuid,
       r.started_utc,
       b.git_commit,
       b.git_dirty,
       d.name AS device_name,
       m.median_ns,
       m.q1_ns,
       m.q3_ns,
       m.median_cycles,
       @conditions@
FROM measurement AS m
JOIN point AS p ON p.point_id = m.point_id
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN policy AS l ON l.policy_id = m.policy_id
JOIN measured_series AS n ON n.measurement_id = m.measurement_id
WHERE m.decides = 1 AND m.median_ns > 0
ORDER BY n.series, r.started_utc, r.run_id;

-- name: history_errors
-- The worst error of every output along the runs.
SELECT *
FROM trend
ORDER BY case_name, case_version, variant, device, device_uuid, lane, input, output, started_utc,
         run_id;

-- name: history_annotations
-- What people wrote of series.
SELECT series, run_uuid, text, who, written_utc
FROM annotation
ORDER BY written_utc, annotation_id;
