-- Bringing files together: src is the file that is taken from, main the one that is written to. The
-- texts are made statements for one table at a time: store_merge.h says what stands for what in
-- them.

-- name: merge_columns
-- The columns of table ?1, from which the statements on it are made.
SELECT name, type FROM pragma_table_info(?1, 'main');

-- name: merge_make_room
-- merged: how ids of the source read here. done: points finished in both files. fresh: points whose
-- rows are to be taken. The views are sets of things whose rows are meant.
DROP VIEW IF EXISTS temp.runs;
DROP VIEW IF EXISTS temp.new_runs;
DROP VIEW IF EXISTS temp.configs;
DROP VIEW IF EXISTS temp.points;
DROP VIEW IF EXISTS temp.new_points;
DROP VIEW IF EXISTS temp.measurements;
DROP VIEW IF EXISTS temp.new_measurements;
DROP VIEW IF EXISTS temp.uuid_by_run_id;
DROP VIEW IF EXISTS temp.uuid_by_point_id;
DROP VIEW IF EXISTS temp.uuid_by_measurement_id;
DROP VIEW IF EXISTS temp.uuid_by_config_id;
DROP TABLE IF EXISTS temp.merged;
DROP TABLE IF EXISTS temp.done;
DROP TABLE IF EXISTS temp.fresh;
DROP TABLE IF EXISTS temp.ended;
DROP TABLE IF EXISTS temp.conflict;
CREATE TEMP TABLE merged (tab TEXT, old INTEGER, new INTEGER, PRIMARY KEY (tab, old)) WITHOUT ROWID;
CREATE TEMP TABLE done (old INTEGER PRIMARY KEY, new INTEGER);
CREATE TEMP TABLE fresh (old INTEGER PRIMARY KEY, new INTEGER);
CREATE TEMP TABLE ended (old INTEGER PRIMARY KEY, new INTEGER);
CREATE TEMP TABLE conflict (uuid TEXT, tab TEXT);

CREATE TEMP VIEW runs AS SELECT old, new FROM temp.merged WHERE tab = 'run';
CREATE TEMP VIEW new_runs AS SELECT old, new FROM temp.merged WHERE tab = 'new run';
CREATE TEMP VIEW configs AS SELECT old, new FROM temp.merged WHERE tab = 'config';
CREATE TEMP VIEW points AS SELECT old, new FROM temp.merged WHERE tab = 'point';
-- Of points of new runs alone: others have theirs.
CREATE TEMP VIEW new_points AS
SELECT f.old, f.new
FROM temp.fresh AS f
JOIN src.point AS p ON p.point_id = f.old
WHERE p.run_id IN (SELECT old FROM temp.merged WHERE tab = 'new run');
CREATE TEMP VIEW measurements AS SELECT old, new FROM temp.merged WHERE tab = 'measurement';
CREATE TEMP VIEW new_measurements AS
SELECT i.old, i.new
FROM temp.merged AS i
JOIN src.measurement AS q ON q.measurement_id = i.old
JOIN temp.fresh AS f ON f.old = q.point_id
WHERE i.tab = 'measurement';
-- The uuid of the run that a row belongs to, by the column that links it; axes belong to none.
CREATE TEMP VIEW uuid_by_run_id AS SELECT run_id, uuid FROM main.run;
CREATE TEMP VIEW uuid_by_point_id AS
SELECT p.point_id, r.uuid
FROM main.point AS p
JOIN main.run AS r ON r.run_id = p.run_id;
CREATE TEMP VIEW uuid_by_measurement_id AS
SELECT m.measurement_id, r.uuid
FROM main.measurement AS m
JOIN main.point AS p ON p.point_id = m.point_id
JOIN main.run AS r ON r.run_id = p.run_id;
CREATE TEMP VIEW uuid_by_config_id AS SELECT config_id, NULL AS uuid FROM main.config;

-- name: merge_share
-- Rows that others share: found, or added.
INSERT INTO main.{T} ({names})
SELECT DISTINCT {values}
FROM src.{T} AS s
WHERE NOT EXISTS (SELECT 1 FROM main.{T} AS d WHERE {same});
INSERT INTO temp.merged
SELECT '{T}', s.{own}, min(d.{own})
FROM src.{T} AS s
JOIN main.{T} AS d ON {same}
GROUP BY s.{own};

-- name: merge_add_missing
-- Rows of a kind that may grow, or that are named by a uuid.
INSERT INTO main.{T} ({names})
SELECT {values}
FROM src.{T} AS s
WHERE NOT EXISTS (SELECT 1 FROM main.{T} AS d WHERE {same});

-- name: merge_copy
-- Rows that belong to what is taken.
INSERT INTO main.{T} ({names})
SELECT {values}
FROM src.{T} AS s
WHERE s.{link} IN (SELECT old FROM {set})
ORDER BY s.{own};

-- name: merge_copy_missing
-- The same where a point that is not finished has some already, from its plan.
INSERT INTO main.{T} ({names})
SELECT {values}
FROM src.{T} AS s
WHERE s.{link} IN (SELECT old FROM {set})
  AND NOT EXISTS (SELECT 1 FROM main.{T} AS d WHERE {same})
ORDER BY s.{own};

-- name: merge_copy_plain
-- The same for a table without an id of its own.
INSERT INTO main.{T} ({names})
SELECT {values}
FROM src.{T} AS s
WHERE s.{link} IN (SELECT old FROM {set});

-- name: merge_find_common
-- What both files have.
INSERT INTO temp.merged
SELECT 'run', s.run_id, d.run_id
FROM src.run AS s
JOIN main.run AS d ON d.uuid = s.uuid;
INSERT INTO temp.merged
SELECT 'point', s.point_id, d.point_id
FROM src.point AS s
JOIN temp.merged AS i ON i.tab = 'run' AND i.old = s.run_id
JOIN main.point AS d ON d.run_id = i.new AND d.ordinal = s.ordinal;
INSERT INTO temp.done
SELECT i.old, i.new
FROM temp.merged AS i
JOIN src.verdict AS a ON a.point_id = i.old
JOIN main.verdict AS b ON b.point_id = i.new
WHERE i.tab = 'point';
INSERT INTO temp.merged
SELECT 'measurement', s.measurement_id, d.measurement_id
FROM temp.done AS o
JOIN src.measurement AS s ON s.point_id = o.old
JOIN main.measurement AS d ON d.point_id = o.new AND d.regime = s.regime AND d.clock = s.clock;
INSERT INTO temp.ended
SELECT i.old, i.new
FROM temp.merged AS i
JOIN src.run_end AS a ON a.run_id = i.old
JOIN main.run_end AS b ON b.run_id = i.new
WHERE i.tab = 'run';
INSERT INTO temp.fresh
SELECT i.old, i.new
FROM temp.merged AS i
JOIN src.verdict AS a ON a.point_id = i.old
WHERE i.tab = 'point'
  AND i.old NOT IN (SELECT old FROM temp.done);

-- name: merge_compare_rows
-- Rows that the two files tell differently, of what both have.
INSERT INTO temp.conflict
SELECT DISTINCT (SELECT o.uuid FROM temp.uuid_by_{link} AS o WHERE o.{link} = x.{link}),
                '{T}'
FROM (
    SELECT *
    FROM (
        SELECT {values}
        FROM src.{T} AS s
        WHERE s.{link} IN (SELECT old FROM {set})
        EXCEPT
        SELECT {names}
        FROM main.{T} AS d
        WHERE d.{link} IN (SELECT new FROM {set})
    )
    UNION ALL
    SELECT *
    FROM (
        SELECT {names}
        FROM main.{T} AS d
        WHERE d.{link} IN (SELECT new FROM {set})
        EXCEPT
        SELECT {values}
        FROM src.{T} AS s
        WHERE s.{link} IN (SELECT old FROM {set})
    )
) AS x;

-- name: merge_compare_named
-- The same for rows that are named by a uuid.
INSERT INTO temp.conflict
SELECT s.uuid, '{T}'
FROM src.{T} AS s
JOIN main.{T} AS d ON d.uuid = s.uuid
WHERE NOT ({equal});

-- name: merge_compare_ended
-- A run that has ended here takes nothing more.
INSERT INTO temp.conflict
SELECT DISTINCT r.uuid, '{T}'
FROM src.{T} AS s
JOIN temp.merged AS m ON m.tab = 'run' AND m.old = s.run_id
JOIN main.run_end AS e ON e.run_id = m.new
JOIN main.run AS r ON r.run_id = m.new
WHERE NOT EXISTS (SELECT 1 FROM main.{T} AS d WHERE {same});

-- name: merge_add_runs
-- Runs that are not here yet.
INSERT INTO main.run ({names})
SELECT {values}
FROM src.run AS s
WHERE NOT EXISTS (SELECT 1 FROM main.run AS d WHERE d.uuid = s.uuid)
ORDER BY s.run_id;
INSERT INTO temp.merged
SELECT 'new run', s.run_id, d.run_id
FROM src.run AS s
JOIN main.run AS d ON d.uuid = s.uuid
WHERE s.run_id NOT IN (SELECT old FROM temp.merged WHERE tab = 'run');
INSERT INTO temp.merged
SELECT 'run', old, new
FROM temp.merged
WHERE tab = 'new run';

-- name: merge_find_points
-- The points of new runs, now that they are here.
INSERT INTO temp.fresh
SELECT s.point_id, d.point_id
FROM temp.merged AS i
JOIN src.point AS s ON s.run_id = i.old
JOIN main.point AS d ON d.run_id = i.new AND d.ordinal = s.ordinal
WHERE i.tab = 'new run';
INSERT OR IGNORE INTO temp.merged
SELECT 'point', old, new
FROM temp.fresh;

-- name: merge_find_measurements
-- The measurements that were taken, now that they are here.
INSERT INTO temp.merged
SELECT 'measurement', s.measurement_id, d.measurement_id
FROM temp.fresh AS o
JOIN src.measurement AS s ON s.point_id = o.old
JOIN main.measurement AS d ON d.point_id = o.new AND d.regime = s.regime AND d.clock = s.clock;

-- name: merge_conflicts
-- "run 1234: check_result, verdict; ..."
SELECT group_concat(name || ': ' || tabs, '; ')
FROM (
    SELECT coalesce(uuid, 'axes') AS name, group_concat(DISTINCT tab) AS tabs
    FROM temp.conflict
    GROUP BY uuid
    ORDER BY uuid
);

-- name: merge_n_conflicts
-- How many runs the two files tell differently.
SELECT count(DISTINCT coalesce(uuid, '')) FROM temp.conflict;

-- name: merge_other_words
-- No conflict: numbers of one version are comparable by definition, and the words of this file
-- stay.
SELECT group_concat(words, '; ')
FROM (
    SELECT s.name || ', version ' || s.version AS words
    FROM src.case_version AS s
    JOIN main.case_version AS d ON d.name = s.name AND d.version = s.version
    WHERE d.what <> s.what
    ORDER BY s.name, s.version
);

-- name: merge_n_runs
-- How many runs were taken.
SELECT count(*) FROM temp.merged WHERE tab = 'new run';

-- name: merge_n_points
-- How many points were finished by what was taken.
SELECT count(*)
FROM temp.fresh AS f
JOIN main.verdict AS v ON v.point_id = f.new;
