-- What reports for other programs read. ?1 is the run.

-- name: export_times
-- Each time to believe: of a point that passed, by the clock that decides in its regime.
SELECT p.key,
       p.regime,
       p.clock,
       p.median_ns,
       p.q1_ns,
       p.q3_ns,
       p.process_spread,
       p.n_samples,
       p.n_processes,
       p.n_throttled,
       p.n_discarded,
       p.is_below_floor,
       p.share_of_ceiling,
       p.decides,
       r.uuid,
       d.name AS device,
       b.git_commit
FROM timed AS p
JOIN run AS r ON r.run_id = p.run_id
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
WHERE p.run_id = ?1 AND p.decides = 1
ORDER BY p.ordinal, p.measurement_id;

-- name: export_axes
-- The names of all axes, each at the place where it comes first.
SELECT name
FROM (
    SELECT a.name, min(p.ordinal * 100 + a.position) AS place
    FROM point AS p
    JOIN axis_value AS a ON a.config_id = p.config_id
    WHERE p.run_id = ?1
    GROUP BY a.name
)
ORDER BY place;

-- name: export_outcomes
-- How each point came out, by case; with the line of each what its case has in all.
SELECT p.case_name,
       p.key,
       @taken(p)@ AS tuned,
       p.seed,
       p.is_timed,
       p.outcome,
       p.verdict,
       p.reason,
       p.wall_s,
       p.lane,
       p.device,
       p.host,
       p.started_utc,
       count(*) OVER w AS n_tests,
       total(p.outcome = 'failed') OVER w AS n_failures,
       total(p.outcome = 'ready') OVER w AS n_errors,
       total(p.outcome = 'skipped') OVER w AS n_skipped,
       sum(p.wall_s) OVER w AS all_s,
       row_number() OVER (PARTITION BY p.case_name ORDER BY p.ordinal) AS place
FROM verdicts AS p
WHERE p.run_id = ?1
WINDOW w AS (PARTITION BY p.case_name)
ORDER BY p.case_name, p.ordinal;
