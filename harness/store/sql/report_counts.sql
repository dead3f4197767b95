-- The reports' queries about what stands behind times: launches, counters, facts, sections, tuning.
-- ?1 is the run.

-- name: launches
-- The kernels of each variant's call; equal ones of several points once.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       count(*) AS n_points,
       l.ordinal,
       l.kernel,
       l.grid_x,
       l.grid_y,
       l.grid_z,
       l.block_x,
       l.block_y,
       l.block_z,
       l.registers,
       l.local_bytes,
       l.static_shared_bytes + l.dynamic_shared_bytes AS shared_bytes,
       l.code_hash,
       l.time_ns
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN launch AS l ON l.point_id = p.point_id
WHERE p.run_id = ?1
GROUP BY c.name, c.version, p.variant, l.ordinal, l.kernel, l.grid_x, l.grid_y, l.grid_z, l.block_x,
         l.block_y, l.block_z, l.registers, l.local_bytes, l.static_shared_bytes,
         l.dynamic_shared_bytes, l.code_hash
ORDER BY c.name, c.version, min(p.ordinal), l.ordinal;

-- name: counted
-- What the case declares against what was counted. What measurements of the same configuration
-- declare, in whichever run, belongs to the case.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       coalesce(p.bytes_declared, a.bytes_declared) AS bytes_declared,
       coalesce(p.flops, a.flops) AS flops,
       coalesce(p.bytes_moved, b.bytes_moved) AS bytes_moved,
       d.dram_bytes,
       d.dram_read_bytes,
       d.dram_write_bytes,
       d.l2_bytes,
       d.fp32_flops,
       d.fp64_flops
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN counted AS d ON d.run_id = ?1 AND d.point_id = p.point_id
LEFT JOIN (
    SELECT o.config_id,
           max(m.bytes_declared) AS bytes_declared,
           max(m.flops) AS flops
    FROM measurement AS m
    JOIN point AS o ON o.point_id = m.point_id
    WHERE o.config_id IN (SELECT config_id FROM point WHERE run_id = ?1)
    GROUP BY o.config_id
) AS a
       ON a.config_id = p.config_id
LEFT JOIN (
    SELECT o.config_id, o.variant, max(m.bytes_moved) AS bytes_moved
    FROM measurement AS m
    JOIN point AS o ON o.point_id = m.point_id
    WHERE o.config_id IN (SELECT config_id FROM point WHERE run_id = ?1)
    GROUP BY o.config_id, o.variant
) AS b
       ON b.config_id = p.config_id AND b.variant = p.variant
WHERE p.run_id = ?1
  AND coalesce(d.dram_bytes, d.l2_bytes, d.fp32_flops, d.fp64_flops) IS NOT NULL
ORDER BY c.name, c.version, @place_of_config@, p.ordinal;

-- name: first_calls
-- What the first call of a process took, beside what decides of the later ones.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       m.value AS first_ns,
       m.n_passes AS n_processes,
       t.regime,
       t.clock,
       t.median_ns,
       m.value / t.median_ns AS ratio
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN metric AS m ON m.point_id = p.point_id AND m.replay = 'first'
LEFT JOIN measurement AS t
       ON t.point_id = p.point_id
      AND t.decides = 1
      AND t.regime IN ('hot', 'e2e')
WHERE p.run_id = ?1
ORDER BY c.name, c.version, @place_of_config@, p.ordinal;

-- name: facts
-- What the check found out of each point, facts of its input, and what a peer told of itself.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       m.name,
       m.value,
       m.replay
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN metric AS m ON m.point_id = p.point_id
WHERE p.run_id = ?1
  AND m.replay IN ('check', 'input', 'peer')
  AND (m.replay = 'peer' OR instr(m.name, '.') = 0)
ORDER BY c.name, c.version, @place_of_config@, p.ordinal, m.metric_id;

-- name: metrics
-- Counters that were read.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       m.name,
       m.value,
       m.replay
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN metric AS m ON m.point_id = p.point_id
WHERE p.run_id = ?1
  AND m.status = 'ok'
  AND m.replay NOT IN ('check', 'input', 'peer', 'first')
ORDER BY c.name, c.version, @place_of_config@, p.ordinal, m.metric_id;

-- name: uncounted
-- Counters that were not read, by reason.
SELECT m.status,
       m.reason,
       count(DISTINCT m.name) AS n_metrics,
       min(m.name) AS name,
       count(DISTINCT m.point_id) AS n_points
FROM metric AS m
JOIN point AS p ON p.point_id = m.point_id
WHERE p.run_id = ?1 AND m.status <> 'ok'
GROUP BY m.status, m.reason
ORDER BY m.status, m.reason;

-- name: sections
-- The shares of the sections of each call.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       s.name,
       s.launches,
       s.time_ns,
       s.share
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN section AS s ON s.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY c.name, c.version, @place_of_config@, p.ordinal, s.section_id;

-- name: trials
-- One row a point that was tuned: what was tried, and what was chosen; or what an earlier search had
-- chosen, by its reason.
SELECT c.name AS case_name,
       c.version AS case_version,
       f.axes,
       p.variant,
       a.n_trials,
       a.n_failed,
       CASE WHEN v.verdict = 'PASS' THEN a.slowest_ns END AS slowest_ns,
       t.tuning,
       t.regime,
       t.clock,
       t.reason,
       CASE WHEN v.verdict = 'PASS' THEN t.median_ns END AS median_ns
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
LEFT JOIN verdict AS v ON v.point_id = p.point_id
JOIN (
    SELECT point_id,
           sum(NOT (is_chosen AND reason <> '')) AS n_trials,
           sum(verdict <> 'PASS') AS n_failed,
           max(median_ns) AS slowest_ns
    FROM tuning_trial
    GROUP BY point_id
) AS a
  ON a.point_id = p.point_id
LEFT JOIN tuning_trial AS t ON t.point_id = p.point_id AND t.is_chosen
WHERE p.run_id = ?1
ORDER BY c.name, c.version, @place_of_config@, p.ordinal;
