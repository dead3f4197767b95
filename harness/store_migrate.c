/* From an older schema to this one. */
#include "store_internal.h"

extern const char assay_schema_sql[]; /* schema.sql, compiled in by the build */

/* Version 1: every table steps aside, the whole schema is made anew, every row is copied. So a
 * migrated file and a new one have the same schema to the letter. References in views of a user's
 * own stay as they are written (legacy_alter_table). */
#define PARENTS(X)                                                                                 \
    X("build")                                                                                     \
    X("device")                                                                                    \
    X("device_state")                                                                              \
    X("run")                                                                                       \
    X("run_end")                                                                                   \
    X("case_version")                                                                              \
    X("config")                                                                                    \
    X("axis_value")                                                                                \
    X("point")                                                                                     \
    X("expected_verdict")                                                                          \
    X("check_"                                                                                     \
      "result")
#define CHILDREN(X) X("verdict") X("measurement") X("sample_block")
#define BACKWARDS(X)                                                                               \
    X("sample_block")                                                                              \
    X("measurement")                                                                               \
    X("verdict")                                                                                   \
    X("check_result")                                                                              \
    X("expected_verdict")                                                                          \
    X("point")                                                                                     \
    X("axis_value")                                                                                \
    X("config") X("case_version") X("run_end") X("run") X("device_state") X("device") X("build")
#define BARE(table)   "DROP TRIGGER IF EXISTS " table "_kept;DROP TRIGGER IF EXISTS " table "_held;"
#define ASIDE(table)  "ALTER TABLE " table " RENAME TO " table "_v1;"
#define COPY(table)   "INSERT INTO " table " SELECT * FROM " table "_v1;"
#define REMOVE(table) "DROP TABLE " table "_v1;"

#define SAME_POLICY                                                                                \
    "l.budget_s IS m.budget_s AND l.target_relative_error IS m.target_relative_error AND "         \
    "l.min_samples IS m.min_samples AND l.max_samples IS m.max_samples"
#define MEASURED                                                                                   \
    "measurement_id, point_id, verdict, regime, clock, n_samples, n_blocks, launches_per_sample, " \
    "median_ns, mean_ns, min_ns, max_ns, p05_ns, q1_ns, q3_ns, p95_ns, stdev_ns, stop_reason, "    \
    "flush_bytes, n_warmup, wall_s, bytes_declared, bytes_moved, flops"
#define SAMPLED "measurement_id, block, n_samples, median_ns, crc32, time_ns"
#define JUDGED                                                                                     \
    "point_id, verdict, reason, launches, workspace_bytes, device_bytes, wall_s, finished_utc"

static const char before_v1[] =
    "PRAGMA legacy_alter_table = ON;"
    "DROP VIEW IF EXISTS history;DROP VIEW IF EXISTS speedup;DROP VIEW IF EXISTS worst_error;"
    "DROP VIEW IF EXISTS worst_error_by_output;DROP VIEW IF EXISTS latest;"
    "DROP VIEW IF EXISTS verdicts;"
    "DROP TRIGGER IF EXISTS verdict_once;DROP TRIGGER IF EXISTS run_end_once;"
    "DROP TRIGGER IF EXISTS check_result_closed;DROP TRIGGER IF EXISTS measurement_closed;"
    "DROP TRIGGER IF EXISTS verdict_founded;DROP TRIGGER IF EXISTS verdict_consistent;"
    "DROP INDEX IF EXISTS run_by_device;DROP INDEX IF EXISTS point_by_config;"
    "DROP INDEX IF EXISTS point_by_key;DROP INDEX IF EXISTS check_by_point;" //
    PARENTS(BARE) CHILDREN(BARE) PARENTS(ASIDE) CHILDREN(ASIDE);

/* Verdicts last: a finished point takes nothing more. The triggers of the schema hold, so rows that
 * break a rule of it are refused here too. */
static const char after_v1[] = "PRAGMA legacy_alter_table = OFF;" //
    PARENTS(COPY)                                                 //
    "INSERT INTO policy (budget_s, target_relative_error, min_samples, max_samples) SELECT "
    "DISTINCT budget_s, target_relative_error, min_samples, max_samples FROM measurement_v1;"
    "INSERT INTO measurement (" MEASURED ", policy_id) SELECT " MEASURED
    ", (SELECT l.policy_id FROM policy AS l WHERE " SAME_POLICY ") FROM measurement_v1 AS m;"
    "INSERT INTO sample_block (" SAMPLED ") SELECT " SAMPLED " FROM sample_block_v1;"
    "INSERT INTO verdict (" JUDGED ") SELECT " JUDGED " FROM verdict_v1;" //
    BACKWARDS(REMOVE);

/* `before`, the schema, `after`. A new file is version 0. */
static const struct {
    int         from;
    const char *before, *after;
} migration[] = {
    { 0, "", "" },
    { 1, before_v1, after_v1 },
};

static assay_status run_migration(assay_store *store, int version)
{
    assay_status st = ASSAY_OK;
    size_t       i  = 0;

    while (i < sizeof migration / sizeof migration[0] && migration[i].from != version)
        i++;
    if (i == sizeof migration / sizeof migration[0])
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: no way from schema version %d to %d", store->path,
                          version, ASSAY_SCHEMA_VERSION);
    ASSAY_CHECK(assay_store_exec(store->db, store->path, migration[i].before));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, assay_schema_sql));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, migration[i].after));
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
