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
