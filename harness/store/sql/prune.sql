-- Dropping raw samples.

-- name: prune
-- Runs that are baselines today keep theirs, since others are compared with them. ?1 seconds, NULL:
-- of any age; ?2 newest runs that keep theirs: of those that have times, or checks alone would soon
-- be all that is kept.
UPDATE sample_block
SET time_ns = NULL, clock_mhz = NULL
WHERE time_ns IS NOT NULL
  AND measurement_id IN (
          SELECT m.measurement_id
          FROM run AS r
          JOIN point AS p ON p.run_id = r.run_id
          JOIN measurement AS m ON m.point_id = p.point_id
          WHERE (?1 IS NULL OR julianday(r.started_utc) < julianday('now') - ?1 / 86400.0)
            AND r.run_id NOT IN (
                    SELECT n.run_id
                    FROM run AS n
                    WHERE EXISTS (
                              SELECT 1
                              FROM point AS p
                              JOIN measurement AS m ON m.point_id = p.point_id
                              WHERE p.run_id = n.run_id
                          )
                    ORDER BY n.started_utc DESC, n.run_id DESC
                    LIMIT ?2
                )
            AND r.uuid NOT IN (SELECT run_uuid FROM baselines)
      );
