/* The store's statements: their texts, binding, stepping, transactions and the sentences of their
 * failures. */
#include "store_internal.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *const statement_sql[ASSAY_N_STATEMENTS] = {
    [ASSAY_SQL_BEGIN]    = "BEGIN IMMEDIATE",
    [ASSAY_SQL_COMMIT]   = "COMMIT",
    [ASSAY_SQL_ROLLBACK] = "ROLLBACK",
    [ASSAY_SQL_FIND_BUILD] =
        "SELECT build_id FROM build WHERE binary_id = ?1 AND assay_version = ?2 AND git_commit = "
        "?3 AND git_dirty = ?4 AND compiler = ?5 AND cuda_compiler = ?6 AND build_type = ?7 AND "
        "build_flags = ?8 AND kernels_id = ?9",
    [ASSAY_SQL_ADD_BUILD] =
        "INSERT INTO build (binary_id, assay_version, git_commit, git_dirty, compiler, "
        "cuda_compiler, build_type, build_flags, kernels_id) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, "
        "?8, "
        "?9)",
    [ASSAY_SQL_FIND_DEVICE] =
        "SELECT device_id FROM device WHERE kind = ?1 AND uuid = ?2 AND name = ?3",
    [ASSAY_SQL_ADD_DEVICE] = "INSERT INTO device (kind, uuid, name) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_FIND_DEVICE_STATE] =
        "SELECT device_state_id FROM device_state WHERE device_id = ?1 AND pci_bus_id = ?2 AND "
        "driver = ?3 AND driver_cuda_version = ?4 AND runtime_version = ?5 AND compute_capability "
        "= "
        "?6 AND sm_count = ?7 AND sm_clock_khz = ?8 AND memory_clock_khz = ?9 AND memory_bus_bits "
        "= "
        "?10 AND ecc = ?11 AND memory_bytes = ?12 AND l2_bytes = ?13 AND can_time = ?14",
    [ASSAY_SQL_ADD_DEVICE_STATE] =
        "INSERT INTO device_state (device_id, pci_bus_id, driver, driver_cuda_version, "
        "runtime_version, compute_capability, sm_count, sm_clock_khz, memory_clock_khz, "
        "memory_bus_bits, ecc, memory_bytes, l2_bytes, can_time) VALUES (?1, ?2, ?3, ?4, ?5, ?6, "
        "?7, "
        "?8, ?9, ?10, ?11, ?12, ?13, ?14)",
    [ASSAY_SQL_ADD_RUN] =
        "INSERT INTO run (uuid, verb, command, options, seed, lane, host, kernel_release, "
        "cpu_model, n_cpus, memory_free_bytes, build_id, device_state_id, started_utc) VALUES (?1, "
        "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, strftime('%Y-%m-%dT%H:%M:%fZ', "
        "'now'))",
    [ASSAY_SQL_ADD_RUN_END] =
        "INSERT INTO run_end (run_id, exit_status, ended_utc) VALUES (?1, ?2, "
        "strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))",
    [ASSAY_SQL_FIND_CASE] =
        "SELECT case_version_id FROM case_version WHERE name = ?1 AND version = ?2",
    [ASSAY_SQL_ADD_CASE] = "INSERT INTO case_version (name, version, what) VALUES (?1, ?2, ?3)",
    [ASSAY_SQL_FIND_CONFIG] =
        "SELECT config_id FROM config WHERE case_version_id = ?1 AND axes = ?2",
    [ASSAY_SQL_ADD_CONFIG]   = "INSERT INTO config (case_version_id, axes) VALUES (?1, ?2)",
    [ASSAY_SQL_ADD_AXIS]     = "INSERT INTO axis_value (config_id, position, name, kind, value_x, "
                               "value_y, value_z, text) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [ASSAY_SQL_NEXT_ORDINAL] = "SELECT coalesce(max(ordinal) + 1, 0) FROM point WHERE run_id = ?1",
    [ASSAY_SQL_ADD_POINT] =
        "INSERT INTO point (run_id, ordinal, config_id, variant, baseline, key, seed, "
        "is_reference, is_timed, cells) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [ASSAY_SQL_ADD_EXPECTED] = "INSERT INTO expected_verdict (point_id, verdict) VALUES (?1, ?2)",
    [ASSAY_SQL_POINT_STATE] =
        "SELECT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) FROM point AS p "
        "WHERE p.point_id = ?1",
    [ASSAY_SQL_ADD_CHECK] =
        "INSERT INTO check_result (point_id, input, output, is_invariant, verdict, reason, seed, "
        "n_runs, rule, c, u_out, u_acc, growth, terms, max_ulp, why, count, n_failed, first_bad, "
        "first_bad_value, first_bad_expected, worst_ratio, max_abs_error, max_abs_expected, "
        "max_ulp_error, relative_l2, n_exempt, exempt_share_predicted) VALUES (?1, ?2, ?3, ?4, ?5, "
        "?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
        "?24, "
        "?25, ?26, ?27, ?28)",
    [ASSAY_SQL_ADD_MEASUREMENT] =
        "INSERT INTO measurement (point_id, regime, clock, n_samples, n_blocks, "
        "launches_per_sample, median_ns, mean_ns, min_ns, max_ns, p05_ns, q1_ns, q3_ns, p95_ns, "
        "stdev_ns, stop_reason, target_relative_error, budget_s, flush_bytes, min_samples, "
        "max_samples, n_warmup, wall_s, bytes_declared, bytes_moved, flops) VALUES (?1, ?2, ?3, "
        "?4, "
        "?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, "
        "?24, ?25, ?26)",
    [ASSAY_SQL_ADD_BLOCK] =
        "INSERT INTO sample_block (measurement_id, block, n_samples, median_ns, "
        "crc32, time_ns) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
    [ASSAY_SQL_ADD_VERDICT] =
        "INSERT INTO verdict (point_id, verdict, reason, launches, workspace_bytes, device_bytes, "
        "wall_s, finished_utc) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, strftime('%Y-%m-%dT%H:%M:%fZ', "
        "'now'))",
    [ASSAY_SQL_FIND_INTERRUPTED] =
        "SELECT r.run_id, r.uuid, r.command, r.verb, r.options, r.seed, r.lane, r.host, "
        "r.kernel_release, r.cpu_model, r.n_cpus, b.assay_version, b.git_commit, b.git_dirty, "
        "b.compiler, b.cuda_compiler, b.build_type, b.build_flags, b.binary_id, b.kernels_id, "
        "d.uuid FROM run AS r JOIN device_state AS s ON s.device_state_id = r.device_state_id JOIN "
        "device AS d ON d.device_id = s.device_id "
        "JOIN build AS b ON b.build_id = r.build_id WHERE NOT EXISTS (SELECT 1 FROM run_end AS e "
        "WHERE e.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id DESC LIMIT 1",
    [ASSAY_SQL_LATEST_RUN] =
        "SELECT r.run_id FROM run AS r WHERE EXISTS (SELECT 1 FROM point AS p JOIN verdict AS v ON "
        "v.point_id = p.point_id WHERE p.run_id = r.run_id) ORDER BY r.started_utc DESC, r.run_id "
        "DESC LIMIT 1",
    [ASSAY_SQL_EACH_READY] =
        "SELECT p.ordinal, p.point_id, p.key, p.seed FROM point AS p WHERE p.run_id = ?1 AND "
        "p.ordinal > ?2 AND NOT EXISTS (SELECT 1 FROM verdict AS v WHERE v.point_id = p.point_id) "
        "ORDER BY p.ordinal LIMIT 1",
    [ASSAY_SQL_READ_BLOCKS] =
        "SELECT m.n_samples, m.n_blocks, b.block, b.n_samples, b.crc32, b.time_ns FROM measurement "
        "AS m LEFT JOIN sample_block AS b ON b.measurement_id = m.measurement_id WHERE "
        "m.measurement_id = ?1 ORDER BY b.block",
};

/* ---- failures ---- */

#define DISK_TEXT                                                                                  \
    "no space is left, a quota or a limit is reached, or the disk fails: make space, then run "    \
    "`assay resume`"
#define ACCESS_TEXT                                                                                \
    "the file or its directory is read-only or not accessible: change the permissions, or use "    \
    "another file (--db)"

/* Extended codes stand before the plain code that they belong to. */
static const struct {
    int         rc;
    const char *text;
} failure_text[] = {
    { SQLITE_BUSY, "another process keeps it locked: wait until that one has finished, or use "
                   "another file (--db)" },
    { SQLITE_READONLY, ACCESS_TEXT },
    { SQLITE_PERM, ACCESS_TEXT },
    { SQLITE_AUTH, ACCESS_TEXT },
    { SQLITE_FULL, DISK_TEXT },
    { SQLITE_IOERR_WRITE, DISK_TEXT },
    { SQLITE_IOERR_FSYNC, DISK_TEXT },
    { SQLITE_IOERR_DIR_FSYNC, DISK_TEXT },
    { SQLITE_IOERR_TRUNCATE, DISK_TEXT },
    { SQLITE_IOERR_SHMSIZE, DISK_TEXT },
    { SQLITE_NOTADB, "this is not a database: give another file (--db)" },
    { SQLITE_CORRUPT, "the database is damaged: restore a copy, or save what can be read with "
                      "`sqlite3 FILE .recover`" },
};

static const char *find_failure_text(int rc)
{
    for (size_t i = 0; i < sizeof failure_text / sizeof failure_text[0]; i++)
        if (failure_text[i].rc == rc || failure_text[i].rc == (rc & 0xff))
            return failure_text[i].text;
    return NULL;
}

/* What the system said of a file that cannot be opened; SQLite does not keep it on every path. */
static int open_error(sqlite3 *db, int system_error)
{
    const int kept = db ? sqlite3_system_errno(db) : 0;

    return kept ? kept : system_error;
}

assay_status assay_store_fail(sqlite3 *db, const char *path, int rc)
{
    const int   error = open_error(db, errno);
    const int   code  = rc & 0xff;
    const char *text  = find_failure_text(rc);
    const char *said  = db ? sqlite3_errmsg(db) : sqlite3_errstr(rc);

    if (code == SQLITE_CANTOPEN && (error == EACCES || error == EPERM || error == EROFS))
        text = ACCESS_TEXT;
    if (text)
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s", path, text);
    if (code == SQLITE_NOMEM)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "%s: out of memory in the database", path);
    if (code == SQLITE_CONSTRAINT)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "%s: the database refused a row: %s", path, said);
    if (code == SQLITE_CANTOPEN && error)
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s (%s)", path, said, strerror(error));
    return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: %s", path, said);
}

/* ---- statements ---- */

assay_status assay_store_exec(sqlite3 *db, const char *path, const char *sql)
{
    const int rc = sqlite3_exec(db, sql, NULL, NULL, NULL);

    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(db, path, rc);
}

assay_status assay_store_prepare(assay_store *store, assay_statement which, assay_binder *binder)
{
    sqlite3_stmt **stmt = &store->statement[which];
    int            rc   = SQLITE_OK;

    if (!*stmt)
        rc = sqlite3_prepare_v3(store->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                                stmt, NULL);
    *binder = (assay_binder) { .store = store, .stmt = *stmt };
    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(store->db, store->path, rc);
}

static void note(assay_binder *b, int rc)
{
    if (b->rc == SQLITE_OK)
        b->rc = rc;
}

void assay_bind_text(assay_binder *b, const char *text, size_t size)
{
    const size_t n = strnlen(text, size);

    note(b, sqlite3_bind_text64(b->stmt, ++b->column, text, n, SQLITE_TRANSIENT, SQLITE_UTF8));
}

void assay_bind_int(assay_binder *b, int64_t value)
{
    note(b, sqlite3_bind_int64(b->stmt, ++b->column, value));
}

void assay_bind_count(assay_binder *b, int64_t value)
{
    if (value < 0)
        assay_bind_null(b);
    else
        assay_bind_int(b, value);
}

void assay_bind_real(assay_binder *b, double value)
{
    if (isnan(value))
        assay_bind_null(b);
    else
        note(b, sqlite3_bind_double(b->stmt, ++b->column, value));
}

void assay_bind_seed(assay_binder *b, uint64_t seed) { assay_bind_int(b, assay_seed_to_sql(seed)); }

void assay_bind_blob(assay_binder *b, const void *bytes, size_t size)
{
    /* A null pointer would bind NULL: a block without samples has an empty blob. */
    note(b, sqlite3_bind_blob64(b->stmt, ++b->column, size ? bytes : "", size, SQLITE_STATIC));
}

void assay_bind_null(assay_binder *b) { note(b, sqlite3_bind_null(b->stmt, ++b->column)); }

void assay_store_reset(assay_binder *b)
{
    /* Returns the step's failure again, which has been reported. */
    (void)sqlite3_reset(b->stmt);
    (void)sqlite3_clear_bindings(b->stmt);
}

assay_status assay_store_step(assay_binder *b, bool *row)
{
    assay_status st = ASSAY_OK;
    int          rc = b->rc;

    if (rc == SQLITE_OK)
        rc = sqlite3_step(b->stmt);
    *row = rc == SQLITE_ROW;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        st = assay_store_fail(b->store->db, b->store->path, rc);
    if (!*row)
        assay_store_reset(b);
    return st;
}

assay_status assay_store_run(assay_binder *b, int64_t *id)
{
    bool               row = false;
    const assay_status st  = assay_store_step(b, &row);

    if (row)
        assay_store_reset(b);
    if (id)
        *id = sqlite3_last_insert_rowid(b->store->db);
    return st;
}

assay_status assay_store_find(assay_binder *b, int64_t *value, bool *found)
{
    const assay_status st = assay_store_step(b, found);

    if (*found) {
        *value = sqlite3_column_int64(b->stmt, 0);
        assay_store_reset(b);
    }
    return st;
}

/* ---- transactions ---- */

static assay_status run_plain(assay_store *store, assay_statement which)
{
    assay_binder       b;
    const assay_status st = assay_store_prepare(store, which, &b);

    return st == ASSAY_OK ? assay_store_run(&b, NULL) : st;
}

/* While a plan is written, every step of it belongs to one transaction. */
assay_status assay_store_begin(assay_store *store)
{
    return store->is_planning ? ASSAY_OK : run_plain(store, ASSAY_SQL_BEGIN);
}

void assay_store_rollback(assay_store *store)
{
    /* After a full disk or a failed read SQLite has rolled back by itself. */
    if (!store->is_planning && !sqlite3_get_autocommit(store->db))
        (void)run_plain(store, ASSAY_SQL_ROLLBACK);
}

assay_status assay_store_commit(assay_store *store)
{
    const assay_status st = store->is_planning ? ASSAY_OK : run_plain(store, ASSAY_SQL_COMMIT);

    if (st != ASSAY_OK)
        assay_store_rollback(store);
    return st;
}

/* ---- seeds ---- */

int64_t assay_seed_to_sql(uint64_t seed)
{
    int64_t value;

    memcpy(&value, &seed, sizeof value);
    return value;
}

uint64_t assay_seed_from_sql(int64_t value)
{
    uint64_t seed;

    memcpy(&seed, &value, sizeof seed);
    return seed;
}
