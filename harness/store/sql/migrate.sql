-- From an older schema to this one. Most of these make the text that does it; ?1 is the version of
-- the file. Names are those of the list of old tables, and of columns that both versions have: no
-- text of a row goes into a statement.

-- fragment: with_old
-- The tables of older versions, with the first version that had them, in the order in which their
-- rows are copied: what is referred to comes first, and verdicts and ends of runs come last, since
-- what they close takes nothing more.
WITH old (place, name, since) AS (
    VALUES (1, 'build', 1),
           (2, 'device', 1),
           (3, 'device_state', 1),
           (4, 'run', 1),
           (5, 'case_version', 1),
           (6, 'config', 1),
           (7, 'axis_value', 1),
           (8, 'point', 1),
           (9, 'expected_verdict', 1),
           (10, 'check_result', 1),
           (11, 'policy', 2),
           (12, 'ceiling', 2),
           (13, 'measurement', 1),
           (14, 'sample_block', 1),
           (15, 'comparison', 2),
           (16, 'launch', 2),
           (17, 'section', 2),
           (18, 'metric', 2),
           (19, 'tuning_trial', 2),
           (20, 'verdict', 1),
           (21, 'run_end', 1),
           (22, 'annotation', 3),
           (23, 'accepted_baseline', 3),
           (24, 'calibration', 3),
           (25, 'change', 3)
)

-- name: migrate_own_tables
-- References that a person added, and that would go to tables that are gone.
@with_old@
SELECT group_concat(DISTINCT t.name || ' (to ' || o.name || ')')
FROM sqlite_schema AS t
JOIN pragma_foreign_key_list(t.name) AS k
JOIN old AS o ON o.name = k."table" COLLATE NOCASE AND o.since <= ?1
WHERE t.type = 'table'
  AND t.name NOT IN (SELECT name FROM old WHERE since <= ?1);

-- name: migrate_drop
-- Views, triggers and indices go: they are made anew.
@with_old@
SELECT group_concat(printf('DROP %s "%w";', type, name), '')
FROM sqlite_schema
WHERE (
    type = 'view'
    AND name IN (
        'verdicts', 'latest', 'worst_error_by_output', 'worst_error', 'timed', 'deciding',
        'compared', 'speedup', 'history', 'counted', 'block_lists', 'code', 'ceilings',
        'measured_series', 'trend', 'calibrated', 'baselines'
    )
)
OR (
    type IN ('trigger', 'index')
    AND sql IS NOT NULL
    AND tbl_name IN (SELECT name FROM old WHERE since <= ?1)
);

-- name: migrate_aside
-- Every table steps aside.
@with_old@
SELECT group_concat(printf('ALTER TABLE "%w" RENAME TO "%w_old";', name, name), '')
FROM old
WHERE since <= ?1;

-- name: migrate_own_columns
-- What a person added and the copying would lose: columns, shown or generated, but not those that
-- version 1 had and policies have now.
@with_old@
SELECT group_concat(o.name || '.' || a.name, ', ')
FROM old AS o
JOIN pragma_table_xinfo(o.name || '_old') AS a
WHERE o.since <= ?1
  AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(o.name) AS b WHERE b.name = a.name)
  AND NOT (
          ?1 = 1
          AND o.name = 'measurement'
          AND a.name IN ('budget_s', 'target_relative_error', 'min_samples', 'max_samples')
      );

-- name: migrate_policies_of_1
-- Version 1 kept four thresholds with each measurement, before there were policies.
INSERT INTO policy (budget_s, target_relative_error, min_samples, max_samples)
SELECT DISTINCT budget_s, target_relative_error, min_samples, max_samples
FROM measurement_old;
ALTER TABLE measurement_old ADD COLUMN policy_id INTEGER;
UPDATE measurement_old AS m
SET policy_id = (
    SELECT l.policy_id
    FROM policy AS l
    WHERE l.budget_s IS m.budget_s
      AND l.target_relative_error IS m.target_relative_error
      AND l.min_samples IS m.min_samples
      AND l.max_samples IS m.max_samples
);

-- name: migrate_copy
-- Every row is copied.
@with_old@
SELECT group_concat(
           printf('INSERT INTO "%w" (%s) SELECT %s FROM "%w_old";', name, columns, columns, name),
           ''
       )
FROM (
    SELECT o.name,
           (
               SELECT group_concat(printf('"%w"', a.name), ', ')
               FROM pragma_table_info(o.name || '_old') AS a
               JOIN pragma_table_info(o.name) AS b ON b.name = a.name
           ) AS columns
    FROM old AS o
    WHERE o.since <= ?1
    ORDER BY o.place
);

-- name: migrate_remove
-- The old tables go.
@with_old@
SELECT group_concat(printf('DROP TABLE "%w_old";', name), '')
FROM (SELECT name FROM old WHERE since <= ?1 ORDER BY place DESC);

-- name: migrate_loose
-- Rows that refer to rows that are not there.
SELECT count(*) FROM pragma_foreign_key_check;
