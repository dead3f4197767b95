-- The Markdown report. ?1 is the run.

-- name: md_verdicts
-- Every point.
SELECT p.case_name,
       p.axes,
       p.variant,
       p.outcome,
       coalesce(p.verdict, 'not finished') AS verdict,
       w.worst_ratio,
       wo.input,
       wo.output,
       p.reason
FROM verdicts AS p
@join_worst(p)@
WHERE p.run_id = ?1
ORDER BY p.ordinal;

-- name: md_times
-- Every time; where no clock decides, why.
SELECT p.case_name,
       p.axes,
       p.variant,
       d.regime,
       coalesce(d.clock, 'CANNOT_TELL') AS clock,
       d.median_ns,
       d.q1_ns,
       d.q3_ns,
       d.n_samples,
       d.n_processes,
       d.gb_per_s,
       d.gflop_per_s,
       100 * d.share_of_ceiling AS ceiling_percent,
       CASE
           WHEN d.cannot_tell IS NOT NULL THEN d.cannot_tell
           WHEN d.is_below_floor THEN 'near the floor; ' || coalesce(d.decision, '')
           ELSE d.decision
       END AS why
FROM deciding AS d
JOIN verdicts AS p ON p.point_id = d.point_id
WHERE d.run_id = ?1
ORDER BY p.ordinal, d.regime;

-- name: md_comparisons
-- Every comparison.
SELECT case_name,
       axes,
       kind,
       variant,
       against,
       regime,
       clock,
       ratio,
       lo,
       hi,
       n_pairs,
       n_processes,
       finding,
       reason
FROM compared
WHERE run_id = ?1
ORDER BY ordinal, comparison_id;

-- name: md_ceilings
-- What the device can do.
SELECT kind,
       regime,
       clock,
       working_set_bytes,
       median_ns,
       rate
FROM ceilings
WHERE run_id = ?1
ORDER BY ceiling_id;

-- name: md_sections
-- Every section.
SELECT v.case_name,
       v.axes,
       v.variant,
       x.name,
       x.regime,
       x.clock,
       x.launches,
       x.time_ns,
       100 * x.share AS percent
FROM verdicts AS v
JOIN section AS x ON x.point_id = v.point_id
WHERE v.run_id = ?1 AND v.verdict = 'PASS'
ORDER BY v.ordinal, x.section_id;
