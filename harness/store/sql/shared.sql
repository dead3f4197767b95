-- What statements of several files share. cmake/WriteSql.cmake puts a fragment in wherever its name
-- stands between two signs @; $x is what stands in parentheses behind the name.

-- fragment: join_worst(x)
-- The check of point $x that came nearest to its bound, or went farthest past it: finding w of
-- output wo by tolerance wt, with detail wd. Table by table, as a view of several would be looked
-- through from its beginning for every point.
LEFT JOIN checked_point AS wp ON wp.point_id = $x.point_id
LEFT JOIN finding_list AS wl ON wl.finding_list_id = wp.finding_list_id
LEFT JOIN finding AS w ON w.finding_id = wl.worst_id
LEFT JOIN checked_output AS wo ON wo.checked_output_id = w.checked_output_id
LEFT JOIN tolerance AS wt ON wt.tolerance_id = wo.tolerance_id
LEFT JOIN finding_detail AS wd ON wd.finding_id = w.finding_id

-- fragment: worst_verdict
-- Its verdict.
CASE WHEN w.finding_id IS NOT NULL THEN coalesce(wd.verdict, 'PASS') END

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

-- fragment: is_open
-- Of run r with its end e: interrupted, or still running? An imported run, which has no command line, may have ended untold.
(e.run_id IS NULL AND r.command <> '')

-- fragment: place_of_config
-- Where the configuration of row p stands in the plan: at the first of its points.
(SELECT min(o.ordinal) FROM point AS o WHERE o.run_id = p.run_id AND o.config_id = p.config_id)

-- fragment: taken(x)
-- Values of tuning axes that point $x was planned with: what an earlier search had chosen.
(SELECT t.tuning FROM tuning_trial AS t WHERE t.point_id = $x.point_id AND t.is_chosen = 1 AND t.reason <> '')

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

-- fragment: run_of_program
-- Run r is that of a program of one's own, whose name is its verb; nothing else tells so of one that was imported.
(
    instr(char(10) || r.options, char(10) || '--program=') > 0
    OR (r.command = '' AND r.verb NOT IN ('check', 'bench', 'run', 'profile', 'trace'))
)
