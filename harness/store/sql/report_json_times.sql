-- The numbers of the JSON and HTML reports. ?1 is the run. Rows of a point come in planned order,
-- and name it first. A number without a PASS is none, whatever the file says.

-- name: json_measurements
-- Every measurement of a point that passed.
SELECT x.point_id,
       x.measurement_id,
       {x.measurement.head},
       x.policy_id,
       {x.measurement.taken},
       x.bytes_declared,
       x.bytes_moved,
       x.working_set_bytes,
       x.flops,
       x.gb_per_s,
       x.own_gb_per_s,
       x.gflop_per_s,
       x.giga_per_s,
       {x.measurement.limits},
       x.share_of_ceiling{, x.measurement.last}
FROM timed AS x
WHERE x.run_id = ?1
ORDER BY x.ordinal, x.measurement_id;

-- name: json_blocks
-- Every block of samples.
SELECT m.measurement_id,
       x.block,
       {x.sample_block.place},
       {x.sample_block.counts},
       {x.sample_block.state}
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN measurement AS m ON m.point_id = p.point_id
JOIN sample_block AS x ON x.measurement_id = m.measurement_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, m.measurement_id, x.block;

-- name: page_blocks
-- What a page shows of them.
SELECT m.measurement_id, x.process, x.n_samples, round(x.median_ns, 1) AS median_ns
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN measurement AS m ON m.point_id = p.point_id
JOIN sample_block AS x ON x.measurement_id = m.measurement_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, m.measurement_id, x.block;

-- name: json_undecided
-- Regimes in which no clock decides.
SELECT x.point_id, x.regime, x.cannot_tell AS reason
FROM deciding AS x
JOIN point AS p ON p.point_id = x.point_id
WHERE x.run_id = ?1 AND x.cannot_tell IS NOT NULL
ORDER BY p.ordinal, x.regime;

-- name: json_comparisons
-- Every comparison.
SELECT k.point_id,
       {k.comparison.pair},
       {k.comparison.found},
       k.finding,
       k.reason
FROM compared AS k
WHERE k.run_id = ?1
ORDER BY k.ordinal, k.comparison_id;

-- name: json_launches
-- Every launch.
SELECT p.point_id,
       x.ordinal,
       x.kernel,
       nullif(x.grid_x, 0) AS grid_x, -- a copy has none, and an import may not say it
       nullif(x.grid_y, 0) AS grid_y,
       nullif(x.grid_z, 0) AS grid_z,
       nullif(x.block_x, 0) AS block_x,
       nullif(x.block_y, 0) AS block_y,
       nullif(x.block_z, 0) AS block_z,
       x.registers,
       x.local_bytes,
       x.static_shared_bytes,
       x.dynamic_shared_bytes,
       x.code_hash,
       x.regime,
       x.clock,
       {x.launch.time}
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN launch AS x ON x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.ordinal;

-- name: json_sections
-- Every section.
SELECT p.point_id,
       {x.section.part},
       x.regime,
       x.clock,
       {x.section.time}
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN section AS x ON x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.section_id;

-- name: json_counters
-- Every counter and every fact.
SELECT p.point_id,
       x.name,
       x.status,
       x.reason,
       x.regime,
       x.value,
       x.replay
FROM point AS p
JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
JOIN metric AS x ON x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.metric_id;

-- name: json_counted
-- The counters that say how much was moved and computed.
SELECT p.point_id,
       x.dram_bytes,
       x.dram_read_bytes,
       x.dram_write_bytes,
       x.l2_bytes,
       x.fp32_flops,
       x.fp64_flops
FROM point AS p
JOIN counted AS x ON x.run_id = ?1 AND x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal;

-- name: json_trials
-- Every trial of tuning; its time only if the point passed.
SELECT p.point_id,
       x.tuning,
       x.verdict,
       x.reason,
       x.regime,
       x.clock,
       x.n_samples,
       CASE
           WHEN (SELECT g.verdict FROM verdict AS g WHERE g.point_id = p.point_id) = 'PASS'
               THEN x.median_ns
       END AS median_ns,
       x.is_chosen,
       CASE
           WHEN (SELECT g.verdict FROM verdict AS g WHERE g.point_id = p.point_id) = 'PASS'
               THEN p.cells / x.median_ns * CASE
                   WHEN coalesce(p.rate_fact, '') = '' THEN 1.0
                   ELSE (
                       SELECT k.value
                       FROM metric AS k
                       WHERE k.point_id = p.point_id
                         AND k.name = p.rate_fact
                         AND k.replay = 'check'
                   )
               END
       END AS giga_per_s
FROM point AS p
JOIN tuning_trial AS x ON x.point_id = p.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, x.trial_id;
