-- What statements of several files share. cmake/WriteSql.cmake puts a fragment in wherever its name
-- stands between two signs @; $x is what stands in parentheses behind the name.

-- fragment: worst
-- Of each point of the run its check that came nearest to its bound, or went farthest past it.
worst AS (
    SELECT p.point_id, coalesce(k.own_seed, p.seed) AS seed, k.*
    FROM point AS p
    JOIN checked_point AS c ON c.point_id = p.point_id
    JOIN finding_list AS l ON l.finding_list_id = c.finding_list_id
    JOIN findings AS k ON k.finding_id = l.worst_id
    WHERE p.run_id = ?1
)

-- fragment: join_speedup
-- Speed-up k of row p (a point with regime and clock) against its declared baseline. One that no
-- clock can tell stands beside all of them.
LEFT JOIN compared AS k
       ON k.run_id = ?1
      AND k.point_id = p.point_id
      AND k.kind = 'speedup'
      AND k.against = p.baseline
      AND k.regime = p.regime
      AND (k.clock = p.clock OR (k.clock = '' AND k.ratio IS NULL))

-- fragment: place_of_config
-- Where the configuration of row p stands in the plan: at the first of its points.
(SELECT min(o.ordinal) FROM point AS o WHERE o.run_id = p.run_id AND o.config_id = p.config_id)

-- fragment: timed_run
-- Run r has times, or would have, had its kernels not failed; and no gate made it of a few points,
-- chosen because they were slower, to confirm another one.
(
    instr(char(10) || r.options, char(10) || '--repeats=') = 0
    AND (
        EXISTS (
            SELECT 1
            FROM point AS p
            JOIN measurement AS m ON m.point_id = p.point_id
            WHERE p.run_id = r.run_id
        )
        OR (
            r.verb IN ('bench', 'run')
            AND EXISTS (
                SELECT 1
                FROM verdicts AS v
                WHERE v.run_id = r.run_id AND v.is_timed AND v.outcome = 'failed'
            )
        )
    )
)
