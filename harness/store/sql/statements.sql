-- Statements that a store prepares once and keeps: assay_statement (store_internal.h) is made of
-- their names. Parameters are bound from the left. What adds rows, or finds those that others share,
-- stands in store_statements.c.

-- name: begin
-- Writers wait for each other here, not in the middle of their work.
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: find_case
-- A case of that version.
SELECT case_version_id
FROM case_version
WHERE name = ?1 AND version = ?2;

-- name: next_ordinal
-- Where the next point of run ?1 is planned.
SELECT coalesce(max(ordinal) + 1, 0) FROM point WHERE run_id = ?1;

-- name: point_at
-- The point of run ?1 at ordinal ?2.
SELECT point_id FROM planned_point WHERE run_id = ?1 AND ordinal = ?2;

-- name: point_state
-- A row if the point is there: has it a verdict?
SELECT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id)
FROM point AS p
WHERE p.point_id = ?1;

-- name: find_run
-- A run by its uuid.
SELECT run_id FROM run WHERE uuid = ?1;

-- name: find_interrupted
-- The newest run that has not ended, or ?2 unless 0: of the program ?1, or (NULL) one that `assay resume` can finish. An
-- imported one has no command.
SELECT r.run_id, d.uuid, {r.run.begun}, {b.build.begun}
FROM run AS r
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
JOIN build AS b ON b.build_id = r.build_id
WHERE CASE
          WHEN ?1 IS NULL THEN r.verb <> 'trace' AND NOT @run_of_program@
          ELSE r.verb = ?1 AND @run_of_program@
      END
  AND (?2 = 0 OR r.run_id = ?2)
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
SELECT p.ordinal, p.point_id, p.key, printf('%u', p.seed) AS seed
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
       b.block,
       {b.sample_block}
FROM measurement AS m
LEFT JOIN sample_block AS b ON b.measurement_id = m.measurement_id
WHERE m.measurement_id = ?1
ORDER BY b.block;

-- name: each_process
-- What each process read of the times of run ?1 that count: by clocks that decide, or (?2) by all. A block of an older file is of
-- the first process.
SELECT p.key,
       m.regime,
       m.clock,
       m.decides,
       m.bytes_declared,
       m.flops,
       p.cells,
       count(*) OVER (PARTITION BY m.measurement_id) AS n_processes,
       row_number() OVER (PARTITION BY m.measurement_id ORDER BY b.process) - 1 AS place,
       CASE count(b.median_ns)
           WHEN 1 THEN max(b.median_ns) -- to the last digit
           ELSE exp(avg(CASE WHEN b.median_ns > 0 THEN ln(b.median_ns) END))
       END AS time_ns,
       avg(b.sm_clock_mhz) AS sm_clock_mhz,
       total(b.n_throttled) AS n_throttled,
       total(b.n_discarded) AS n_discarded
FROM point AS p
JOIN verdict AS v ON v.point_id = p.point_id AND v.verdict = 'PASS'
JOIN measurement AS m ON m.point_id = p.point_id
JOIN sample_block AS b ON b.measurement_id = m.measurement_id
WHERE p.run_id = ?1 AND (?2 OR m.decides = 1)
GROUP BY p.ordinal, m.measurement_id, b.process
ORDER BY p.ordinal, m.measurement_id, b.process;

-- name: take_ceilings
-- For run ?1 the ceilings that another run in this file has measured in the last ?2 seconds: of the same program on the same
-- device in the same state since the host was started, flushed alike, and with no budget that may have cut them short.
INSERT INTO ceiling (run_id, kind, regime, clock, working_set_bytes, n_samples, median_ns, rate, measured_utc)
SELECT r.run_id, c.kind, c.regime, c.clock, c.working_set_bytes, c.n_samples, c.median_ns, c.rate, c.measured_utc
FROM run AS r
JOIN ceilings AS c ON c.run_id = (
    SELECT o.run_id
    FROM run AS o
    WHERE o.run_id < r.run_id
      AND o.device_state_id = r.device_state_id
      AND o.build_id = r.build_id
      AND o.lane = r.lane
      AND o.boot_id = r.boot_id
      AND o.boot_id <> ''
      AND o.options NOT LIKE '%--budget=%'
      AND (o.options LIKE '%--flush=read%') = (r.options LIKE '%--flush=read%')
      AND EXISTS (SELECT 1 FROM run_end AS e WHERE e.run_id = o.run_id)
      AND (SELECT 86400 * (julianday('now') - julianday(min(old.measured_utc)))
           FROM ceiling AS old
           WHERE old.run_id = o.run_id) BETWEEN 0 AND ?2
    ORDER BY o.run_id DESC
    LIMIT 1)
WHERE r.run_id = ?1
ORDER BY c.ceiling_id;

-- name: each_ceiling
-- What the device of run ?1 can do.
SELECT {c.ceiling}
FROM ceilings AS c
WHERE c.run_id = ?1
ORDER BY c.ceiling_id;
