-- What every report says of a run: what it is, what it found, what failed and by which rules. ?1 is
-- the run.

-- name: run
-- One row: all that names a run.
SELECT r.run_id,
       r.uuid,
       r.started_utc,
       e.ended_utc,
       e.exit_status,
       @is_open@ AS is_open,
       round((julianday(e.ended_utc) - julianday(r.started_utc)) * 86400, 1) AS elapsed_s,
       r.verb,
       r.command,
       printf('%u', r.seed) AS seed,
       r.lane,
       r.host,
       r.kernel_release,
       r.cpu_model,
       nullif(r.n_cpus, 0) AS n_cpus,
       d.kind,
       d.name AS device,
       d.uuid AS device_uuid,
       s.driver,
       s.driver_cuda_version,
       s.runtime_version,
       s.compute_capability,
       s.sm_count,
       s.memory_bytes,
       s.l2_bytes,
       s.ecc,
       s.can_time,
       b.assay_version,
       b.git_commit,
       b.git_dirty,
       b.compiler,
       b.cuda_compiler,
       b.build_type
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
LEFT JOIN run_end AS e ON e.run_id = r.run_id
WHERE r.run_id = ?1;

-- name: summary
-- Points by outcome and verdict.
SELECT outcome, verdict, count(*) AS n_points
FROM verdicts
WHERE run_id = ?1
GROUP BY outcome, verdict
ORDER BY outcome, verdict;

-- name: replay
-- One row: what a line that repeats a point of the run needs.
SELECT verb, command, options
FROM run
WHERE run_id = ?1;

-- name: failures
-- Points that got a verdict they may not have, each with the check behind it.
WITH failed AS (
    SELECT * FROM verdicts WHERE run_id = ?1 AND outcome = 'failed'
), guilty AS (
    SELECT k.*, row_number() OVER (PARTITION BY k.point_id ORDER BY k.check_id) AS place
    FROM failed AS p
    CROSS JOIN check_result AS k ON k.point_id = p.point_id AND k.verdict = p.verdict
)
SELECT p.case_name,
       p.key,
       @taken(p)@ AS tuned,
       p.seed,
       p.is_timed,
       p.verdict,
       p.reason,
       (
           SELECT group_concat(e.verdict, ' or ')
           FROM expected_verdict AS e
           WHERE e.point_id = p.point_id
       ) AS expected,
       w.input,
       w.output,
       w.count,
       w.n_failed,
       w.first_bad,
       w.first_bad_value,
       w.first_bad_expected,
       w.worst_ratio,
       w.max_ulp_error,
       w.is_invariant,
       w.rule,
       w.c,
       w.u_out,
       w.u_acc,
       w.growth,
       w.max_ulp
FROM failed AS p
LEFT JOIN guilty AS w ON w.point_id = p.point_id AND w.place = 1
ORDER BY p.case_name, p.ordinal;

-- name: unmeasured
-- Points without a time, those that failed first.
SELECT key,
       outcome,
       coalesce(verdict, 'not finished') AS verdict,
       coalesce(reason, '') AS reason
FROM verdicts AS p
WHERE run_id = ?1
  AND NOT EXISTS (
          SELECT 1
          FROM measurement AS m
          WHERE m.point_id = p.point_id
      )
ORDER BY outcome <> 'failed', ordinal;

-- name: skipped
-- Skipped points by reason.
SELECT verdict,
       reason,
       count(*) AS n_points,
       case_name,
       count(DISTINCT case_name) AS n_cases,
       min(variant) AS variant,
       count(DISTINCT variant) AS n_variants
FROM verdicts
WHERE run_id = ?1 AND outcome = 'skipped'
GROUP BY verdict, reason
ORDER BY n_points DESC, verdict, reason;

-- name: noted
-- Points that passed with a note, by case, variant and note.
SELECT reason,
       count(*) AS n_points,
       case_name,
       variant
FROM verdicts
WHERE run_id = ?1 AND verdict = 'PASS' AND reason <> ''
GROUP BY case_name, variant, reason
ORDER BY case_name, variant, reason;

-- name: watched
-- Variants that have passed, each with the names of what was excused at its points, a line each.
SELECT p.case_name,
       p.variant,
       coalesce(group_concat(m.name || char(10), ''), '') AS names
FROM verdicts AS p
LEFT JOIN metric AS m ON m.point_id = p.point_id AND instr(m.name, 'check.') > 0
WHERE p.run_id = ?1 AND p.verdict = 'PASS'
GROUP BY p.case_name, p.variant
ORDER BY p.case_name, p.variant;

-- name: cases
-- Cases of the run, in the order of their names.
SELECT DISTINCT c.name AS case_name, c.version AS case_version, c.what
FROM point AS p
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
WHERE p.run_id = ?1
ORDER BY c.name, c.version;

-- name: variants
-- Every variant of every case: how many points with which outcome, and the worst check of all.
SELECT p.case_name,
       p.case_version,
       p.variant,
       p.is_reference,
       p.n_points,
       p.n_passed,
       p.n_failed,
       p.n_caught,
       p.n_skipped,
       p.n_ready,
       w.worst_ratio,
       wo.input,
       wo.output,
       p.check_verdict AS verdict,
       p.axes,
       wt.rule,
       wt.c,
       wt.u_out,
       wt.u_acc,
       wt.growth,
       wt.max_ulp
FROM (
    SELECT v.*,
           count(*) OVER variant AS n_points,
           sum(outcome IN ('passed', 'reference')) OVER variant AS n_passed,
           sum(outcome = 'failed') OVER variant AS n_failed,
           sum(outcome = 'caught') OVER variant AS n_caught,
           sum(outcome = 'skipped') OVER variant AS n_skipped,
           sum(outcome = 'ready') OVER variant AS n_ready,
           min(ordinal) OVER variant AS first_ordinal,
           row_number() OVER (
               PARTITION BY case_name, case_version, variant
               ORDER BY coalesce(
                            worst_ratio,
                            CASE
                                WHEN finding_id IS NULL THEN -2.0
                                WHEN check_verdict IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN')
                                    THEN -1.0
                                ELSE 9e999
                            END
                        ) DESC,
                        ordinal
           ) AS place
    FROM (
        SELECT p.*, w.finding_id, w.worst_ratio, @worst_verdict@ AS check_verdict
        FROM verdicts AS p
        @join_worst(p)@
        WHERE p.run_id = ?1
    ) AS v
    WINDOW variant AS (PARTITION BY case_name, case_version, variant)
) AS p
@join_worst(p)@
WHERE p.place = 1
ORDER BY p.case_name, p.case_version, p.first_ordinal;

-- name: described
-- What each variant is, where its case says so.
SELECT case_name, case_version, variant, max(variant_what) AS variant_what
FROM verdicts
WHERE run_id = ?1 AND variant_what <> ''
GROUP BY case_name, case_version, variant
ORDER BY case_name, case_version, min(ordinal);

-- name: rules
-- The tolerances of every case, each with its reason, its outputs and the inputs it was applied to.
SELECT c.name AS case_name,
       c.version AS case_version,
       group_concat(DISTINCT w.output) AS outputs,
       w.is_invariant,
       group_concat(DISTINCT w.input) AS inputs,
       w.rule,
       w.c,
       w.u_out,
       w.u_acc,
       w.growth,
       w.max_ulp,
       w.why,
       min(w.check_id) AS first
FROM check_result AS w
JOIN point AS p ON p.point_id = w.point_id
JOIN config AS f ON f.config_id = p.config_id
JOIN case_version AS c ON c.case_version_id = f.case_version_id
WHERE p.run_id = ?1
GROUP BY c.name, c.version, w.is_invariant, w.rule, w.c, w.u_out, w.u_acc, w.growth, w.max_ulp,
         w.why
ORDER BY c.name, c.version, first;

-- name: lane
-- Each variant of a run with its verdicts counted, those that it may not have first.
WITH counted AS (
    SELECT case_name, variant, outcome = 'failed' AS is_failure, coalesce(verdict, 'not finished') AS verdict,
        count(*) AS n_points, min(ordinal) AS ordinal
    FROM verdicts
    WHERE run_id = ?1
    GROUP BY case_name, variant, is_failure, verdict
    ORDER BY is_failure DESC, verdict
)
SELECT case_name,
       variant,
       group_concat(CASE WHEN is_failure THEN 'FAILED: ' ELSE '' END || n_points || ' ' || verdict, ', ') AS verdicts
FROM counted
GROUP BY case_name, variant
ORDER BY case_name, min(ordinal);

-- name: runs
-- All runs, the newest first: what each is, and its points by outcome.
SELECT r.run_id,
       r.uuid,
       r.started_utc,
       e.ended_utc,
       e.exit_status,
       @is_open@ AS is_open,
       r.verb,
       r.command,
       r.lane,
       d.name AS device,
       r.host,
       b.git_commit,
       b.git_dirty,
       count(v.point_id) AS n_points,
       coalesce(sum(v.outcome = 'passed'), 0) AS n_passed,
       coalesce(sum(v.outcome = 'failed'), 0) AS n_failed,
       coalesce(sum(v.outcome = 'caught'), 0) AS n_caught,
       coalesce(sum(v.outcome = 'skipped'), 0) AS n_skipped,
       coalesce(sum(v.outcome = 'ready'), 0) AS n_ready
FROM run AS r
JOIN build AS b ON b.build_id = r.build_id
JOIN device_state AS s ON s.device_state_id = r.device_state_id
JOIN device AS d ON d.device_id = s.device_id
LEFT JOIN run_end AS e ON e.run_id = r.run_id
LEFT JOIN verdicts AS v ON v.run_id = r.run_id
GROUP BY r.run_id
ORDER BY r.run_id DESC;
