-- Is a file whole, and does it keep its own rules? Each of these but the last gives a row for each
-- problem: its words. The trigger or constraint that forbids it may have been away when the row was
-- written.

-- fragment: number_without_pass(x)
-- Rows of table $x, which holds numbers.
SELECT printf('$x of point %d: a number without a PASS', n.point_id)
FROM $x AS n
LEFT JOIN verdict AS v ON v.point_id = n.point_id
WHERE v.verdict IS NOT 'PASS'

-- name: integrity_pages
-- What SQLite itself finds.
SELECT integrity_check
FROM pragma_integrity_check
WHERE integrity_check <> 'ok';

-- name: integrity_references
-- References that lead nowhere.
SELECT printf(
           '%s, row %s: it refers to a row of %s that is not there',
           "table",
           coalesce(rowid, '?'),
           parent
       )
FROM pragma_foreign_key_check;

-- name: integrity_measurement
@number_without_pass(measurement)@;

-- name: integrity_comparison
@number_without_pass(comparison)@;

-- name: integrity_launch
@number_without_pass(launch)@;

-- name: integrity_section
@number_without_pass(section)@;

-- name: integrity_metric
@number_without_pass(metric)@;

-- name: integrity_tuning_trial
-- A trial may have failed: then it has no time.
@number_without_pass(tuning_trial)@
  AND n.median_ns IS NOT NULL;

-- name: integrity_pass_unchecked
-- No verdict without a check.
SELECT printf('point %d: a PASS without a check that passed', v.point_id)
FROM verdict AS v
JOIN point AS p ON p.point_id = v.point_id
WHERE v.verdict = 'PASS'
  AND NOT p.is_reference
  AND NOT EXISTS (
          SELECT 1
          FROM check_result AS k
          WHERE k.point_id = v.point_id AND k.verdict = 'PASS'
      );

-- name: integrity_pass_failed
-- A check that failed is the verdict.
SELECT printf('point %d: a PASS beside a check that failed', v.point_id)
FROM verdict AS v
WHERE v.verdict = 'PASS'
  AND EXISTS (
          SELECT 1
          FROM check_result AS k
          WHERE k.point_id = v.point_id
            AND k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN')
      );

-- name: integrity_findings
-- A list of findings is one of ids that are there.
SELECT printf('list %d of findings: it refers to a finding that is not there', l.finding_list_id)
FROM finding_list AS l
WHERE NOT json_valid('[' || l.findings || ']')
   OR EXISTS (
          SELECT 1
          FROM json_each(CASE WHEN json_valid('[' || l.findings || ']') THEN '[' || l.findings || ']' END) AS j
          WHERE NOT EXISTS (SELECT 1 FROM finding AS f WHERE f.finding_id = j.value)
      );

-- name: integrity_worst
-- The worst of a list is the one that its findings say.
SELECT printf('list %d of findings: its worst is not finding %d', l.finding_list_id, l.worst_id)
FROM finding_list AS l
WHERE json_valid('[' || l.findings || ']')
  AND l.worst_id IS NOT (
          SELECT f.finding_id
          FROM json_each(CASE WHEN json_valid('[' || l.findings || ']') THEN '[' || l.findings || ']' END) AS j
          JOIN finding AS f ON f.finding_id = j.value
          LEFT JOIN finding_detail AS d ON d.finding_id = f.finding_id
          ORDER BY coalesce(
                       f.worst_ratio,
                       CASE
                           WHEN coalesce(d.verdict, 'PASS') IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN') THEN -1.0
                           ELSE 9e999
                       END
                   ) DESC,
                   j.key
          LIMIT 1
      );

-- name: integrity_open_points
-- A point's checks and its verdict are written together.
SELECT printf('point %d: checks that no verdict has closed', o.point_id)
FROM open_point AS o;

-- name: integrity_errors
-- What an ended run keeps of its errors is what its checks say.
WITH said AS MATERIALIZED (
    SELECT g.run_id,
           g.case_version_id,
           g.variant,
           g.is_reference,
           k.input,
           k.output,
           max(
               CASE
                   WHEN k.worst_ratio IS NULL
                    AND k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN') THEN 9e999
                   ELSE k.worst_ratio
               END
           ) AS worst_ratio,
           sum(g.n_points) AS n_checks,
           sum(g.n_points * (k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN'))) AS n_failed
    FROM (
        SELECT p.run_id, f.case_version_id, p.variant, p.is_reference, c.finding_list_id, count(*) AS n_points
        FROM run_end AS e
        JOIN planned_point AS p ON p.run_id = e.run_id
        JOIN config AS f ON f.config_id = p.config_id
        JOIN checked_point AS c ON c.point_id = p.point_id
        GROUP BY p.run_id, f.case_version_id, p.variant, p.is_reference, c.finding_list_id
    ) AS g
    JOIN finding_list AS l ON l.finding_list_id = g.finding_list_id
    JOIN json_each(CASE WHEN json_valid('[' || l.findings || ']') THEN '[' || l.findings || ']' END) AS j
    JOIN findings AS k ON k.finding_id = j.value
    GROUP BY g.run_id, g.case_version_id, g.variant, g.is_reference, k.input, k.output
)
SELECT printf('run %d: its errors are not what its checks say', run_id)
FROM (
    SELECT run_id FROM (SELECT * FROM said EXCEPT SELECT * FROM run_error)
    UNION
    SELECT run_id FROM (SELECT * FROM run_error EXCEPT SELECT * FROM said)
);

-- name: integrity_blocks
-- A measurement is the sum of its blocks.
SELECT printf('measurement %d: its blocks do not hold what it counts', m.measurement_id)
FROM measurement AS m
LEFT JOIN sample_block AS b ON b.measurement_id = m.measurement_id
GROUP BY m.measurement_id
HAVING count(b.block) <> m.n_blocks OR coalesce(sum(b.n_samples), 0) <> m.n_samples;

-- name: integrity_samples
-- The samples of every block, with their checksums.
SELECT measurement_id,
       block,
       n_samples,
       crc32,
       time_ns,
       clock_crc32,
       clock_mhz
FROM sample_block;
