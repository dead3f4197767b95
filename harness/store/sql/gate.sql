-- Queries of the gate, of people's decisions (baselines, annotations, what a run stands on) and of programs of one's own.
-- ?1 is the run.

-- name: accepted
-- Every decision, those that count today first under their names.
SELECT a.name,
       a.run_uuid,
       a.why,
       a.who,
       a.accepted_utc,
       r.run_id,
       r.started_utc,
       b.git_commit,
       b.git_dirty,
       row_number() OVER (
           PARTITION BY a.name
           ORDER BY a.accepted_utc DESC, a.accepted_id DESC
       ) = 1 AS is_current
FROM accepted_baseline AS a
LEFT JOIN run AS r ON r.uuid = a.run_uuid
LEFT JOIN build AS b ON b.build_id = r.build_id
ORDER BY a.name, a.accepted_utc DESC, a.accepted_id DESC;

-- name: annotations
-- What people wrote of series, with the run they meant.
SELECT a.series,
       a.run_uuid,
       a.text,
       a.who,
       a.written_utc,
       r.run_id
FROM annotation AS a
LEFT JOIN run AS r ON r.uuid = a.run_uuid
ORDER BY a.written_utc, a.annotation_id;

-- name: series_of_points
-- Which series each point has by a clock that decides.
SELECT DISTINCT p.key, n.series
FROM measurement AS m
JOIN point AS p ON p.point_id = m.point_id
JOIN measured_series AS n ON n.measurement_id = m.measurement_id
WHERE m.decides = 1
ORDER BY p.key, n.series;

-- name: newest_timed
-- The runs that may stand for today, the newest first.
SELECT r.run_id, CASE WHEN @run_of_program@ THEN r.verb ELSE '' END AS program
FROM run AS r
WHERE @timed_run@
ORDER BY r.started_utc DESC, r.run_id DESC;

-- name: took
-- What each point took when it was timed last, how much of that were its sample loops, how wide the
-- widest of its intervals on a GPU was (1: too few samples for one; 0: it has no such times), the
-- kernel module of that run and its kernels with the hashes of their code, one a line, and how many runs ago that was: in the newest runs that timed anything on the device of run ?1 (0: of the
-- newest one), so many that all parts of a plan are among them.
WITH timed AS MATERIALIZED (
    SELECT r.run_id, d.kind, d.name, b.kernels_id
    FROM run AS r
    JOIN build AS b ON b.build_id = r.build_id
    JOIN device_state AS s ON s.device_state_id = r.device_state_id
    JOIN device AS d ON d.device_id = s.device_id
    WHERE r.verb IN ('bench', 'run') AND @timed_run@
), last AS (
    SELECT run_id, name, kernels_id, row_number() OVER (ORDER BY run_id DESC) AS age
    FROM timed
    WHERE (kind, name) = (
              SELECT d.kind, d.name
              FROM run AS r
              JOIN device_state AS s ON s.device_state_id = r.device_state_id
              JOIN device AS d ON d.device_id = s.device_id
              WHERE r.run_id = CASE ?1 WHEN 0 THEN (SELECT max(run_id) FROM timed) ELSE ?1 END
          )
    ORDER BY run_id DESC
    LIMIT 50
)
SELECT key, wall_s, loops_s, device, age, half_width, kernels_id, launches
FROM (
    SELECT p.key,
           v.wall_s,
           (SELECT coalesce(sum(m.wall_s), 0.0) FROM measurement AS m WHERE m.point_id = p.point_id) AS loops_s,
           l.name AS device,
           l.age,
           (
               SELECT CASE count(*)
                          WHEN 0 THEN 0.0
                          ELSE max(coalesce((m.median_hi_ns - m.median_lo_ns) / 2 / m.median_ns, 1.0))
                      END
               FROM measurement AS m
               WHERE m.point_id = p.point_id AND m.decides = 1 AND m.clock <> 'host'
           ) AS half_width,
           l.kernels_id,
           (
               SELECT coalesce(group_concat(k.kernel || ' ' || k.code_hash, char(10)), '')
               FROM launch AS k
               WHERE k.point_id = p.point_id AND k.code_hash <> ''
           ) AS launches,
           row_number() OVER (PARTITION BY p.key ORDER BY p.run_id DESC) AS nth
    FROM last AS l
    JOIN point AS p ON p.run_id = l.run_id
    JOIN verdict AS v ON v.point_id = p.point_id
    WHERE p.is_timed
      AND v.wall_s IS NOT NULL
      AND v.verdict <> 'SKIPPED'
      AND (v.verdict <> 'PASS' OR EXISTS (SELECT 1 FROM measurement AS m WHERE m.point_id = p.point_id))
)
WHERE nth = 1;

-- name: run_standing
-- What a run stands on, and what became of it.
SELECT r.uuid,
       r.verb,
       @run_of_program@ AS is_of_program,
       r.lane,
       e.exit_status,
       b.binary_id,
       b.kernels_id,
       b.git_dirty,
       d.kind,
       d.uuid AS device_uuid,
       (
           SELECT count(*)
           FROM point AS p
           JOIN measurement AS m ON m.point_id = p.point_id
           WHERE p.run_id = r.run_id
       ) AS n_measurements
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
LEFT JOIN run_end AS e ON e.run_id = r.run_id
WHERE r.run_id = ?1;

-- name: run_points
-- The points of a run in planned order.
SELECT run_id,
       point_id,
       key,
       seed,
       cells,
       variant,
       case_name,
       outcome,
       verdict,
       reason
FROM verdicts
WHERE run_id = ?1
ORDER BY ordinal;

-- name: run_measurements
-- What was measured of each point of a run, in planned order, without what its samples say.
SELECT p.ordinal,
       m.measurement_id,
       m.regime,
       m.clock,
       m.launches_per_sample
FROM measurement AS m
JOIN point AS p ON p.point_id = m.point_id
WHERE p.run_id = ?1
ORDER BY p.ordinal, m.measurement_id;

-- name: interrupted_programs
-- Runs of programs of one's own that have not ended, the newest first.
SELECT r.run_id, r.verb
FROM run AS r
WHERE @run_of_program@
  AND r.command <> ''
  AND NOT EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = r.run_id)
ORDER BY r.started_utc DESC, r.run_id DESC;
