-- The reports' queries about times: measurements, comparisons, fits, ceilings, thresholds. ?1 is
-- the run.

-- fragment: other_axes(x)
-- The axes of point p without axis a, each as $x, as one text.
(
    SELECT group_concat(one, ';')
    FROM (
        SELECT $x AS one
        FROM axis_value AS o
        WHERE o.config_id = p.config_id AND o.position <> a.position
        ORDER BY o.position
    )
)

-- name: timings
-- Every measurement, variants of one configuration and regime side by side.
SELECT p.case_name,
       p.case_version,
       p.axes,
       p.variant,
       p.baseline,
       p.key,
       p.regime,
       p.clock,
       p.decides,
       p.decision,
       w.worst_ratio,
       wt.rule,
       wt.c,
       wt.u_out,
       wt.u_acc,
       wt.growth,
       wt.max_ulp,
       p.tuning,
       p.n_samples,
       p.n_blocks,
       p.n_processes,
       p.process_spread,
       p.median_ns,
       p.q1_ns,
       p.q3_ns,
       p.median_cycles,
       p.sm_clock_mhz,
       p.n_throttled,
       p.n_discarded,
       p.stop_reason,
       p.verdict,
       nullif(p.gb_per_s, 0.0) AS gb_per_s,
       p.own_gb_per_s,
       p.gflop_per_s,
       p.share_of_bandwidth,
       p.share_of_flops,
       p.share_of_ceiling,
       p.is_below_floor,
       CASE WHEN p.rate_fact <> '' THEN p.giga_per_s END AS giga_per_s,
       k.ratio AS speedup,
       k.lo,
       k.hi
FROM timed AS p
@join_worst(p)@
@join_speedup@
WHERE p.run_id = ?1
ORDER BY p.case_name, p.case_version, @place_of_config@, p.regime, p.clock, p.ordinal;

-- name: undecided
-- Regimes of points in which no clock decides, by reason.
SELECT d.case_name,
       d.case_version,
       d.regime,
       d.cannot_tell AS why,
       count(*) AS n_points,
       min(d.key) AS key
FROM deciding AS d
JOIN point AS p ON p.point_id = d.point_id
WHERE d.run_id = ?1
  AND d.cannot_tell IS NOT NULL
  AND EXISTS (
          SELECT 1
          FROM measurement AS m
          WHERE m.point_id = d.point_id
            AND m.decides IS NOT NULL
      )
GROUP BY d.case_name, d.case_version, d.regime, d.cannot_tell
ORDER BY d.case_name, d.case_version, min(p.ordinal), d.regime;

-- name: compared
-- Comparisons that stand beside no time: unknown ones, A/A, against another than the baseline.
SELECT p.case_name,
       p.case_version,
       p.axes,
       p.variant,
       p.kind,
       p.against,
       p.regime,
       p.clock,
       p.ratio,
       p.lo,
       p.hi,
       p.n_pairs,
       p.n_processes,
       p.finding,
       p.reason
FROM compared AS p
LEFT JOIN measurement AS m ON m.point_id = p.point_id AND m.regime = p.regime AND m.clock = p.clock
WHERE p.run_id = ?1
  AND (p.kind <> 'speedup' OR p.against <> p.baseline OR m.measurement_id IS NULL)
ORDER BY p.case_name, p.case_version, @place_of_config@, p.kind, p.regime, p.clock, p.ordinal;

-- name: fits
-- Times along each axis of numbers, all others alike: the rows of one series come together, in the
-- order of its sizes.
WITH at AS (
    SELECT c.name AS case_name,
           c.version AS case_version,
           a.position,
           a.name AS axis,
           a.value_x,
           a.value_y,
           a.value_z,
           p.variant,
           p.ordinal,
           p.point_id,
           m.regime,
           m.clock,
           m.median_ns,
           m.is_below_floor,
           @other_axes(quote(name) || '=' || quote(text))@ AS rest,
           @other_axes(name || '=' || text)@ AS others
    FROM point AS p
    JOIN config AS f ON f.config_id = p.config_id
    JOIN case_version AS c ON c.case_version_id = f.case_version_id
    JOIN verdict AS g ON g.point_id = p.point_id AND g.verdict = 'PASS'
    JOIN measurement AS m ON m.point_id = p.point_id AND m.decides = 1
    JOIN axis_value AS a ON a.config_id = p.config_id AND a.kind <> 'text'
    WHERE p.run_id = ?1 AND m.median_ns IS NOT NULL
)
SELECT *,
       dense_rank() OVER (
           ORDER BY case_name, case_version, position, rest, regime, variant
       ) AS series,
       min(ordinal) OVER (PARTITION BY case_name, case_version, position, rest) AS place_of_rest,
       min(ordinal) OVER (PARTITION BY case_name, case_version, variant) AS place_of_variant
FROM at
ORDER BY case_name, case_version, position, place_of_rest, rest, regime, place_of_variant, variant,
         value_x, value_y, value_z, ordinal;

-- name: aa
-- One row: comparisons of points with themselves.
SELECT count(*) AS n,
       sum(lo IS NOT NULL AND hi IS NOT NULL) AS n_intervals,
       sum(lo > 1 OR hi < 1) AS n_excluding,
       max(abs(ratio - 1)) AS largest,
       sum(ratio IS NULL) AS n_unknown
FROM compared
WHERE run_id = ?1 AND kind = 'aa'
HAVING count(*) > 0;

-- name: cost
-- One row: what timing took. timing_s: the sample loops; whole_s: with checks and set-up.
SELECT count(*) AS n_points,
       sum(t.timing_s) AS timing_s,
       max(t.timing_s) AS most_s,
       (SELECT p.key FROM point AS p WHERE p.point_id = t.point_id) AS key,
       sum(v.wall_s) AS whole_s,
       sum(t.n_samples) AS n_samples,
       sum(t.timed_s) AS timed_s
FROM (
    SELECT p.point_id,
           sum(m.wall_s) AS timing_s,
           sum(m.n_samples) AS n_samples,
           sum(1e-9 * m.n_samples * m.launches_per_sample * m.median_ns) AS timed_s
    FROM point AS p
    JOIN measurement AS m ON m.point_id = p.point_id
    WHERE p.run_id = ?1
    GROUP BY p.point_id
) AS t
JOIN verdict AS v ON v.point_id = t.point_id
HAVING count(*) > 0;

-- name: memory
-- Largest of each variant's points.
SELECT c.name AS case_name,
       c.version AS case_version,
       p.variant,
       max(v.workspace_bytes) AS workspace_bytes,
       max(v.device_bytes) AS device_bytes,
       max(v.peak_bytes) AS peak_bytes
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
JOIN verdict AS v ON v.point_id = p.point_id
WHERE p.run_id = ?1
GROUP BY c.name, c.version, p.variant
HAVING max(coalesce(max(v.workspace_bytes), 0), coalesce(max(v.peak_bytes), 0)) > 0
ORDER BY c.name, c.version, min(p.ordinal);

-- name: ceilings
-- By regime, clock and working set; one column a kind.
SELECT regime,
       clock,
       working_set_bytes,
       max(CASE kind WHEN 'copy' THEN rate END) AS copy_rate,
       max(CASE kind WHEN 'read' THEN rate END) AS read_rate,
       max(CASE kind WHEN 'write' THEN rate END) AS write_rate,
       max(CASE kind WHEN 'triad' THEN rate END) AS triad_rate,
       max(CASE kind WHEN 'fma' THEN rate END) AS fma_rate,
       max(CASE kind WHEN 'null' THEN median_ns END) AS null_ns
FROM ceilings
WHERE run_id = ?1
GROUP BY regime, clock, working_set_bytes
ORDER BY regime, clock, working_set_bytes;

-- name: policies
-- By which thresholds numbers were taken.
SELECT l.*, count(*) AS n_measurements
FROM policy AS l
JOIN measurement AS m ON m.policy_id = l.policy_id
JOIN point AS p ON p.point_id = m.point_id
WHERE p.run_id = ?1 AND l.n_processes IS NOT NULL
GROUP BY l.policy_id
ORDER BY l.policy_id;

-- name: nvml
-- Where the driver's library said nothing, and why.
SELECT m.nvml AS why, count(*) AS n_measurements
FROM measurement AS m
JOIN point AS p ON p.point_id = m.point_id
WHERE p.run_id = ?1 AND m.nvml <> ''
GROUP BY m.nvml
ORDER BY m.nvml;
