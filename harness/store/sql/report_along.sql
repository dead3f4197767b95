-- Times along the runs of a file, for the JSON and HTML reports. ?1 is the run that the report is
-- of.

-- fragment: recent
-- The newest 100 runs with times on this run's kind of card, up to this one.
SELECT r.run_id
FROM run AS r
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
WHERE (d.kind, d.name) = (
          SELECT d.kind, d.name
          FROM run AS r
          JOIN device_state AS s USING (device_state_id)
          JOIN device AS d USING (device_id)
          WHERE r.run_id = ?1
      )
  AND r.started_utc <= (SELECT started_utc FROM run WHERE run_id = ?1)
  AND EXISTS (
          SELECT 1
          FROM point AS p
          JOIN measurement AS m ON m.point_id = p.point_id
          WHERE p.run_id = r.run_id
      )
ORDER BY r.started_utc DESC, r.run_id DESC
LIMIT 100

-- fragment: with_series
-- And of them the series that this run has a time to believe in.
WITH recent AS (
    @recent@
), mine AS (
    SELECT p.key, p.config_id, p.variant, c.version AS case_version, m.regime, m.clock
    FROM point AS p
    JOIN config AS f ON f.config_id = p.config_id
    JOIN case_version AS c ON c.case_version_id = f.case_version_id
    JOIN measurement AS m ON m.point_id = p.point_id
    WHERE p.run_id = ?1 AND m.decides = 1
), seen AS (
    SELECT dense_rank() OVER (ORDER BY a.key, a.case_version, a.regime, a.clock) AS series,
           a.*,
           r.run_id,
           r.started_utc,
           m.median_ns,
           m.q1_ns,
           m.q3_ns,
           m.n_samples,
           m.n_processes
    FROM mine AS a
    CROSS JOIN recent AS n
    JOIN run AS r ON r.run_id = n.run_id
    JOIN point AS p ON p.run_id = n.run_id
                   AND p.config_id = a.config_id
                   AND p.variant = a.variant
                   AND p.key = a.key
    JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS'
    JOIN measurement AS m ON m.point_id = p.point_id
                         AND m.regime = a.regime
                         AND m.clock = a.clock
    WHERE m.median_ns IS NOT NULL
)

-- name: json_history_runs
-- The runs.
WITH recent AS (
    @recent@
)
SELECT r.run_id,
       r.uuid,
       r.started_utc,
       b.git_commit,
       b.git_dirty,
       s.driver,
       d.uuid AS device_uuid
FROM recent AS n
JOIN run AS r ON r.run_id = n.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
ORDER BY r.started_utc, r.run_id;

-- name: json_history
-- The series.
@with_series@
SELECT DISTINCT series, key, case_version, regime, clock
FROM seen
ORDER BY series;

-- name: json_history_values
-- Every time of every series.
@with_series@
SELECT series,
       run_id,
       median_ns,
       q1_ns,
       q3_ns,
       n_samples,
       n_processes
FROM seen
ORDER BY series, started_utc, run_id;
