-- Queries of --tuned: what searches over tuning axes have chosen, and what was taken of it. ?1 is
-- the run.

-- name: chosen
-- What the newest search of each variant at each axis values has chosen, among those that the file
-- held when run ?1 was begun, on a device of the same name (0: among all, on the device of the
-- newest one); with the kernel module of that run and its kernels, as in `took`. Only where the
-- point passed with it. key: without values of tuning axes.
WITH search AS MATERIALIZED (
    SELECT c.name || '/' || p.variant
               || CASE f.axes WHEN '' THEN '' ELSE '/' || replace(f.axes, ';', '/') END AS base,
           p.own_key,
           c.version AS case_version,
           p.point_id,
           p.config_id,
           p.variant,
           t.tuning,
           r.run_id,
           r.uuid,
           r.started_utc,
           d.kind,
           d.name AS device,
           b.kernels_id
    FROM tuning_trial AS t
    JOIN planned_point AS p ON p.point_id = t.point_id
    JOIN config AS f ON f.config_id = p.config_id
    JOIN case_version AS c ON c.case_version_id = f.case_version_id
    JOIN run AS r ON r.run_id = p.run_id
    JOIN build AS b ON b.build_id = r.build_id
    JOIN device_state AS s ON s.device_state_id = r.device_state_id
    JOIN device AS d ON d.device_id = s.device_id
    WHERE t.is_chosen = 1 AND t.median_ns IS NOT NULL AND (?1 = 0 OR r.run_id < ?1)
)
SELECT CASE
           WHEN own_key IS NULL OR instr(own_key, base || '/') = 1 THEN base
           ELSE own_key
       END AS key,
       case_version,
       tuning,
       uuid,
       started_utc,
       device,
       kernels_id,
       (
           SELECT coalesce(group_concat(k.kernel || ' ' || k.code_hash, char(10)), '')
           FROM launch AS k
           WHERE k.point_id = newest.point_id AND k.code_hash <> ''
       ) AS launches
FROM (
    SELECT *,
           row_number() OVER (
               PARTITION BY config_id, variant
               ORDER BY started_utc DESC, run_id DESC, point_id DESC
           ) AS nth
    FROM search
    WHERE (kind, device) = (
              SELECT d.kind, d.name
              FROM run AS r
              JOIN device_state AS s ON s.device_state_id = r.device_state_id
              JOIN device AS d ON d.device_id = s.device_id
              WHERE r.run_id = CASE ?1
                        WHEN 0 THEN (
                            SELECT run_id FROM search ORDER BY started_utc DESC, run_id DESC LIMIT 1
                        )
                        ELSE ?1
                    END
          )
) AS newest
WHERE nth = 1;

-- name: planned_tuning
-- The points of a run that were planned with such a choice and are not finished.
SELECT p.point_id, @taken(p)@ AS tuning
FROM planned_point AS p
WHERE p.run_id = ?1
  AND @taken(p)@ IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id)
ORDER BY p.ordinal;
