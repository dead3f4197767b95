/* From an older schema to this one: every table steps aside, the whole schema is made anew, every
 * row is copied. So a migrated file and a new one have the same schema to the letter. */
#include "store_internal.h"

extern const char assay_schema_sql[]; /* schema.sql, compiled in by the build */

/* The tables of older versions, with the first version that had them, in the order in which their
 * rows are copied: what is referred to comes first, and verdicts and ends of runs come last, since
 * what they close takes nothing more. */
#define OLD_TABLES                                                                                 \
    "WITH old (place, name, since) AS (VALUES (1, 'build', 1), (2, 'device', 1), "                 \
    "(3, 'device_state', 1), (4, 'run', 1), (5, 'case_version', 1), (6, 'config', 1), "            \
    "(7, 'axis_value', 1), (8, 'point', 1), (9, 'expected_verdict', 1), "                          \
    "(10, 'check_result', 1), (11, 'policy', 2), (12, 'ceiling', 2), (13, 'measurement', 1), "     \
    "(14, 'sample_block', 1), (15, 'comparison', 2), (16, 'launch', 2), (17, 'section', 2), "      \
    "(18, 'metric', 2), (19, 'tuning_trial', 2), (20, 'verdict', 1), (21, 'run_end', 1), "         \
    "(22, 'annotation', 3), (23, 'accepted_baseline', 3), (24, 'calibration', 3), "                \
    "(25, 'change', 3)) "
#define OLD_VIEWS                                                                                  \
    "('verdicts', 'latest', 'worst_error_by_output', 'worst_error', 'timed', 'deciding', "         \
    "'compared', 'speedup', 'history', 'counted', 'block_lists', 'code', 'ceilings', "             \
    "'measured_series', 'trend', 'calibrated', 'baselines')"

/* Each of these makes the text that does it; ?1 is the version of the file. Names are those of the
 * list above, and of columns that both versions have: no text of a row goes into a statement. */
static const char drop_sql[] = OLD_TABLES
    "SELECT group_concat(printf('DROP %s \"%w\";', type, name), '') FROM sqlite_schema WHERE (type "
    "= 'view' AND name IN " OLD_VIEWS ") OR (type IN ('trigger', 'index') AND sql IS NOT NULL AND "
    "tbl_name IN (SELECT name FROM old WHERE since <= ?1))";
static const char aside_sql[] =
    OLD_TABLES "SELECT group_concat(printf('ALTER TABLE \"%w\" RENAME TO \"%w_old\";', name, "
               "name), '') FROM old WHERE since <= ?1";
static const char copy_sql[] = OLD_TABLES
    "SELECT group_concat(printf('INSERT INTO \"%w\" (%s) SELECT %s FROM \"%w_old\";', name, "
    "columns, columns, name), '') FROM (SELECT o.name, (SELECT group_concat(printf('\"%w\"', "
    "a.name), ', ') FROM pragma_table_info(o.name || '_old') AS a JOIN pragma_table_info(o.name) "
    "AS b ON b.name = a.name) AS columns FROM old AS o WHERE o.since <= ?1 ORDER BY o.place)";
static const char remove_sql[] = OLD_TABLES
    "SELECT group_concat(printf('DROP TABLE \"%w_old\";', name), '') FROM (SELECT name FROM old "
    "WHERE since <= ?1 ORDER BY place DESC)";

/* What a person added and the copying would lose: columns, shown or generated, but not those that
 * version 1 had and policies have now; and references, which would go to tables that are gone. */
static const char own_columns_sql[] = OLD_TABLES
    "SELECT group_concat(o.name || '.' || a.name, ', ') FROM old AS o JOIN "
    "pragma_table_xinfo(o.name || '_old') AS a WHERE o.since <= ?1 AND NOT EXISTS (SELECT 1 FROM "
    "pragma_table_xinfo(o.name) AS b WHERE b.name = a.name) AND NOT (?1 = 1 AND "
    "o.name = 'measurement' AND a.name IN ('budget_s', 'target_relative_error', 'min_samples', "
    "'max_samples'))";
static const char own_tables_sql[] = OLD_TABLES
    "SELECT group_concat(DISTINCT t.name || ' (to ' || o.name || ')') FROM sqlite_schema AS t JOIN "
    "pragma_foreign_key_list(t.name) AS k JOIN old AS o ON o.name = k.\"table\" COLLATE NOCASE AND "
    "o.since <= ?1 WHERE t.type = 'table' AND t.name NOT IN (SELECT name FROM old WHERE since <= "
    "?1)";

static const char loose_sql[] = "SELECT count(*) FROM pragma_foreign_key_check";

/* Version 1 kept four thresholds with each measurement, before there were policies. */
static const char policies_of_1[] =
    "INSERT INTO policy (budget_s, target_relative_error, min_samples, max_samples) SELECT "
    "DISTINCT budget_s, target_relative_error, min_samples, max_samples FROM measurement_old;"
    "ALTER TABLE measurement_old ADD COLUMN policy_id INTEGER;"
    "UPDATE measurement_old AS m SET policy_id = (SELECT l.policy_id FROM policy AS l WHERE "
    "l.budget_s IS m.budget_s AND l.target_relative_error IS m.target_relative_error AND "
    "l.min_samples IS m.min_samples AND l.max_samples IS m.max_samples);";

/* Runs the statements that the query `sql` makes. */
static assay_status exec_made(assay_store *store, const char *sql, int version)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK && sqlite3_bind_parameter_count(stmt) > 0)
        rc = sqlite3_bind_int(stmt, 1, version);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc != SQLITE_ROW) {
        st = assay_store_fail(store->db, store->path, rc);
    } else if (sqlite3_column_type(stmt, 0) != SQLITE_NULL) {
        char *made = sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0));

        (void)sqlite3_reset(stmt); /* the schema may not change under a statement at work */
        st = made ? assay_store_exec(store->db, store->path, made)
                  : assay_store_fail(store->db, store->path, SQLITE_NOMEM);
        sqlite3_free(made);
    }
    (void)sqlite3_finalize(stmt);
    return st;
}

/* Fails with `why` if the query `sql` names anything. */
static assay_status require_none(assay_store *store, const char *sql, int version, const char *why)
{
    sqlite3_stmt *stmt  = NULL;
    const char   *found = NULL;
    assay_status  st    = ASSAY_OK;
    int           rc    = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_int(stmt, 1, version);
    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        found = (const char *)sqlite3_column_text(stmt, 0);
    if (rc != SQLITE_ROW)
        st = assay_store_fail(store->db, store->path, rc);
    else if (found)
        st = ASSAY_FAIL(ASSAY_E_DATABASE,
                        "%s is of an older schema, and cannot be brought up to date: %s: %s; take "
                        "that out of the file, which is left as it is",
                        store->path, why, found);
    (void)sqlite3_finalize(stmt);
    return st;
}

/* References in views of a user's own stay as they are written (legacy_alter_table). */
static assay_status set_aside(assay_store *store, int version)
{
    assay_status st;

    ASSAY_CHECK(require_none(store, own_tables_sql, version,
                             "a table that is not of this schema refers to one that is"));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA legacy_alter_table = ON"));
    ASSAY_CHECK(exec_made(store, drop_sql, version));
    ASSAY_CHECK(exec_made(store, aside_sql, version));
out:
    return st;
}

/* The triggers of the schema hold, so rows that break a rule of it are refused here, too. */
static assay_status take_over(assay_store *store, int version)
{
    int          n_loose = 0;
    assay_status st;

    ASSAY_CHECK(assay_store_exec(store->db, store->path, "PRAGMA legacy_alter_table = OFF"));
    ASSAY_CHECK(require_none(store, own_columns_sql, version,
                             "columns that are not of this schema would be lost"));
    if (version == 1)
        ASSAY_CHECK(assay_store_exec(store->db, store->path, policies_of_1));
    ASSAY_CHECK(exec_made(store, copy_sql, version));
    ASSAY_CHECK(exec_made(store, remove_sql, version));
    /* Removing the old tables takes back what SQLite noted of references that lead nowhere. */
    ASSAY_CHECK(assay_store_read_integer(store->db, store->path, loose_sql, &n_loose));
    ASSAY_REQUIRE(n_loose == 0, ASSAY_E_DATABASE,
                  "%s: %d rows refer to rows that are not there, numbers without a PASS among "
                  "them: the file was changed by another program, and is left as it is",
                  store->path, n_loose);
out:
    return st;
}

/* A new file is version 0. */
static assay_status run_migration(assay_store *store, int version)
{
    const bool   is_older = version > 0;
    assay_status st       = ASSAY_OK;

    ASSAY_REQUIRE(version >= 0, ASSAY_E_DATABASE, "%s: no way from schema version %d to %d",
                  store->path, version, ASSAY_SCHEMA_VERSION);
    if (is_older)
        ASSAY_CHECK(set_aside(store, version));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, assay_schema_sql));
    if (is_older)
        ASSAY_CHECK(take_over(store, version));
out:
    return st;
}

/* The file is judged again under the lock: another process may have created or migrated it since.
 */
assay_status assay_store_migrate(assay_store *store)
{
    assay_store_identity found = { 0 };
    assay_status         st;

    ASSAY_CHECK(assay_store_begin(store));
    ASSAY_CHECK(assay_store_read_identity(store->db, store->path, &found));
    ASSAY_CHECK(assay_store_judge_identity(store->path, &found));
    if (found.version != ASSAY_SCHEMA_VERSION)
        ASSAY_CHECK(run_migration(store, found.version));
    ASSAY_CHECK(assay_store_commit(store));
out:
    assay_store_rollback(store);
    return st;
}
