-- From an older schema to this one. Most of these make the text that does it. Names are those of the
-- list of old tables, and of columns that both versions have: no text of a row goes into a statement.

-- fragment: with_old
-- The tables of version 5, in the order in which their rows are copied: what is referred to comes
-- first, and verdicts and ends of runs come last, since what they close takes nothing more.
WITH old (place, name) AS (
    VALUES (1, 'build'),
           (2, 'device'),
           (3, 'device_state'),
           (4, 'run'),
           (5, 'case_version'),
           (6, 'config'),
           (7, 'axis_value'),
           (8, 'point'),
           (9, 'expected_verdict'),
           (10, 'check_result'),
           (11, 'policy'),
           (12, 'ceiling'),
           (13, 'measurement'),
           (14, 'sample_block'),
           (15, 'comparison'),
           (16, 'launch'),
           (17, 'section'),
           (18, 'metric'),
           (19, 'tuning_trial'),
           (20, 'verdict'),
           (21, 'run_end'),
           (22, 'annotation'),
           (23, 'accepted_baseline'),
           (24, 'calibration'),
           (25, 'change')
)

-- name: migrate_own_tables
-- References that a person added, and that would go to tables that are gone.
@with_old@
SELECT group_concat(DISTINCT t.name || ' (to ' || o.name || ')')
FROM sqlite_schema AS t
JOIN pragma_foreign_key_list(t.name) AS k
JOIN old AS o ON o.name = k."table" COLLATE NOCASE
WHERE t.type = 'table'
  AND t.name NOT IN (SELECT name FROM old);

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
    AND tbl_name IN (SELECT name FROM old)
);

-- name: migrate_aside
-- Every table steps aside.
@with_old@
SELECT group_concat(printf('ALTER TABLE "%w" RENAME TO "%w_old";', name, name), '')
FROM old;

-- name: migrate_own_columns
-- What a person added and the copying would lose: columns, shown or generated.
@with_old@
SELECT group_concat(o.name || '.' || a.name, ', ')
FROM old AS o
JOIN pragma_table_xinfo(o.name || '_old') AS a
WHERE NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(o.name) AS b WHERE b.name = a.name);

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
    ORDER BY o.place
);

-- name: migrate_remove
-- The old tables go.
@with_old@
SELECT group_concat(printf('DROP TABLE "%w_old";', name), '')
FROM (SELECT name FROM old ORDER BY place DESC);

-- name: migrate_loose
-- Rows that refer to rows that are not there.
SELECT count(*) FROM pragma_foreign_key_check;
