-- What the text report shows first: a line for each point. ?1 is the run.

-- name: screen_times
-- The time of each point that has one: of the first regime in which a clock decides. Axes that differ among the timed points of a
-- case stand in `axes`, the others in `shared`.
WITH shown AS (
    SELECT *,
           row_number() OVER (
               PARTITION BY point_id
               ORDER BY coalesce(decides, 0) DESC,
                        median_ns IS NULL,
                        CASE regime WHEN 'hot' THEN 0 WHEN 'cold' THEN 1 WHEN 'graph' THEN 2 ELSE 3 END,
                        clock
           ) AS place
    FROM timed
    WHERE run_id = ?1
), varying AS (
    SELECT s.case_name, s.case_version, a.name
    FROM (SELECT DISTINCT case_name, case_version, config_id FROM shown) AS s
    JOIN axis_value AS a ON a.config_id = s.config_id
    GROUP BY s.case_name, s.case_version, a.name
    HAVING count(DISTINCT a.text) > 1
), words AS (
    SELECT case_name,
           case_version,
           config_id,
           group_concat(CASE WHEN varies THEN word END, ' ') AS axes,
           group_concat(CASE WHEN NOT varies THEN word END, ' ') AS shared
    FROM (
        SELECT s.case_name,
               s.case_version,
               s.config_id,
               a.name || '=' || a.text AS word,
               EXISTS (
                   SELECT 1
                   FROM varying AS v
                   WHERE v.case_name = s.case_name
                     AND v.case_version = s.case_version
                     AND v.name = a.name
               ) AS varies
        FROM (SELECT DISTINCT case_name, case_version, config_id FROM shown) AS s
        JOIN axis_value AS a ON a.config_id = s.config_id
        ORDER BY s.config_id, a.position
    )
    GROUP BY case_name, case_version, config_id
)
SELECT p.case_name,
       p.case_version,
       coalesce(w.axes, '') AS axes,
       coalesce(w.shared, '') AS shared,
       p.variant,
       p.regime,
       p.clock,
       p.decides,
       p.n_samples,
       p.process_spread,
       p.median_ns,
       p.q1_ns,
       p.q3_ns,
       p.n_throttled,
       p.n_discarded,
       p.share_of_ceiling,
       p.is_below_floor,
       k.ratio AS speedup,
       k.lo,
       k.hi
FROM shown AS p
LEFT JOIN words AS w
       ON w.case_name = p.case_name AND w.case_version = p.case_version AND w.config_id = p.config_id
-- Each regime has one comparison, by the clock that decides for both.
LEFT JOIN compared AS k
       ON k.run_id = ?1
      AND k.point_id = p.point_id
      AND k.kind = 'speedup'
      AND k.against = p.baseline
      AND k.regime = p.regime
WHERE p.place = 1
ORDER BY p.case_name, p.case_version, @place_of_config@, p.ordinal;
