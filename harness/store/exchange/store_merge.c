/* Bringing files together: what a source has and this file lacks is added, by uuid; what the two
 * tell differently is a conflict, and then nothing of the source is taken. */
#include "store_merge.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* ---- texts: see store_merge.h ---- */

/* merged: how ids of the source read here. done: points finished in both files. fresh: points whose
 * rows are to be taken. */
static const char make_room[] =
    "DROP TABLE IF EXISTS temp.merged;DROP TABLE IF EXISTS temp.done;DROP TABLE IF EXISTS "
    "temp.fresh;DROP TABLE IF EXISTS temp.ended;DROP TABLE IF EXISTS temp.conflict;"
    "CREATE TEMP TABLE merged (tab TEXT, old INTEGER, new INTEGER, PRIMARY KEY (tab, old)) "
    "WITHOUT ROWID;"
    "CREATE TEMP TABLE done (old INTEGER PRIMARY KEY, new INTEGER);"
    "CREATE TEMP TABLE fresh (old INTEGER PRIMARY KEY, new INTEGER);"
    "CREATE TEMP TABLE ended (old INTEGER PRIMARY KEY, new INTEGER);"
    "CREATE TEMP TABLE conflict (uuid TEXT, tab TEXT);";

static const char share[] =
    "INSERT INTO main.{T} ({names}) SELECT DISTINCT {values} FROM src.{T} AS s WHERE NOT EXISTS "
    "(SELECT 1 FROM main.{T} AS d WHERE {same});"
    "INSERT INTO temp.merged SELECT '{T}', s.{own}, min(d.{own}) FROM src.{T} AS s JOIN main.{T} "
    "AS d ON {same} GROUP BY s.{own};";
/* Rows of a kind that may grow, or that are named by a uuid. */
static const char add_missing[] =
    "INSERT INTO main.{T} ({names}) SELECT {values} FROM src.{T} AS s WHERE NOT EXISTS (SELECT 1 "
    "FROM main.{T} AS d WHERE {same});";
static const char copy[] = "INSERT INTO main.{T} ({names}) SELECT {values} FROM src.{T} AS s WHERE "
                           "s.{link} IN (SELECT old FROM {set}) ORDER BY s.{own};";
static const char copy_plain[] = "INSERT INTO main.{T} ({names}) SELECT {values} FROM src.{T} AS s "
                                 "WHERE s.{link} IN (SELECT old FROM {set});";

static const char find_common[] =
    "INSERT INTO temp.merged SELECT 'run', s.run_id, d.run_id FROM src.run AS s JOIN main.run AS d "
    "ON d.uuid = s.uuid;"
    "INSERT INTO temp.merged SELECT 'point', s.point_id, d.point_id FROM src.point AS s JOIN "
    "temp.merged AS i ON i.tab = 'run' AND i.old = s.run_id JOIN main.point AS d ON d.run_id = "
    "i.new AND d.ordinal = s.ordinal;"
    "INSERT INTO temp.done SELECT i.old, i.new FROM temp.merged AS i JOIN src.verdict AS a ON "
    "a.point_id = i.old JOIN main.verdict AS b ON b.point_id = i.new WHERE i.tab = 'point';"
    "INSERT INTO temp.merged SELECT 'measurement', s.measurement_id, d.measurement_id FROM "
    "temp.done AS o JOIN src.measurement AS s ON s.point_id = o.old JOIN main.measurement AS d ON "
    "d.point_id = o.new AND d.regime = s.regime AND d.clock = s.clock;"
    "INSERT INTO temp.ended SELECT i.old, i.new FROM temp.merged AS i JOIN src.run_end AS a ON "
    "a.run_id = i.old JOIN main.run_end AS b ON b.run_id = i.new WHERE i.tab = 'run';"
    "INSERT INTO temp.fresh SELECT i.old, i.new FROM temp.merged AS i JOIN src.verdict AS a ON "
    "a.point_id = i.old WHERE i.tab = 'point' AND i.old NOT IN (SELECT old FROM temp.done);";

/* Rows that the two files tell differently, of what both have. */
static const char compare_rows[] =
    "INSERT INTO temp.conflict SELECT DISTINCT {uuid}, '{T}' FROM (SELECT * FROM (SELECT {values} "
    "FROM src.{T} AS s WHERE s.{link} IN (SELECT old FROM {set}) EXCEPT SELECT {names} FROM "
    "main.{T} AS d WHERE d.{link} IN (SELECT new FROM {set})) UNION ALL SELECT * FROM (SELECT "
    "{names} FROM main.{T} AS d WHERE d.{link} IN (SELECT new FROM {set}) EXCEPT SELECT {values} "
    "FROM src.{T} AS s WHERE s.{link} IN (SELECT old FROM {set}))) AS x;";
static const char compare_named[] =
    "INSERT INTO temp.conflict SELECT s.uuid, '{T}' FROM src.{T} AS s JOIN main.{T} AS d ON d.uuid "
    "= s.uuid WHERE NOT ({equal});";
/* A run that has ended here takes nothing more. */
static const char compare_ended[] =
    "INSERT INTO temp.conflict SELECT DISTINCT r.uuid, '{T}' FROM src.{T} AS s JOIN temp.merged AS "
    "m ON m.tab = 'run' AND m.old = s.run_id JOIN main.run_end AS e ON e.run_id = m.new JOIN "
    "main.run AS r ON r.run_id = m.new WHERE NOT EXISTS (SELECT 1 FROM main.{T} AS d WHERE "
    "{same});";

static const char add_runs[] =
    "INSERT INTO main.run ({names}) SELECT {values} FROM src.run AS s WHERE NOT EXISTS (SELECT 1 "
    "FROM main.run AS d WHERE d.uuid = s.uuid) ORDER BY s.run_id;"
    "INSERT INTO temp.merged SELECT 'new run', s.run_id, d.run_id FROM src.run AS s JOIN main.run "
    "AS d ON d.uuid = s.uuid WHERE s.run_id NOT IN (SELECT old FROM temp.merged WHERE tab = "
    "'run');"
    "INSERT INTO temp.merged SELECT 'run', old, new FROM temp.merged WHERE tab = 'new run';";
static const char find_points[] =
    "INSERT INTO temp.fresh SELECT s.point_id, d.point_id FROM temp.merged AS i JOIN src.point AS "
    "s ON s.run_id = i.old JOIN main.point AS d ON d.run_id = i.new AND d.ordinal = s.ordinal "
    "WHERE i.tab = 'new run';"
    "INSERT OR IGNORE INTO temp.merged SELECT 'point', old, new FROM temp.fresh;";
static const char find_measurements[] =
    "INSERT INTO temp.merged SELECT 'measurement', s.measurement_id, d.measurement_id FROM "
    "temp.fresh AS o JOIN src.measurement AS s ON s.point_id = o.old JOIN main.measurement AS d ON "
    "d.point_id = o.new AND d.regime = s.regime AND d.clock = s.clock;";

#define RUNS     "(SELECT old, new FROM temp.merged WHERE tab = 'run')"
#define NEW_RUNS "(SELECT old, new FROM temp.merged WHERE tab = 'new run')"
#define POINTS   "(SELECT old, new FROM temp.merged WHERE tab = 'point')"
/* Of points of new runs alone: others have theirs. */
#define NEW_POINTS                                                                                 \
    "(SELECT f.old, f.new FROM temp.fresh AS f JOIN src.point AS p ON p.point_id = f.old WHERE "   \
    "p.run_id IN (SELECT old FROM temp.merged WHERE tab = 'new run'))"
#define MEASUREMENTS "(SELECT old, new FROM temp.merged WHERE tab = 'measurement')"
#define FRESH_MEASUREMENTS                                                                         \
    "(SELECT i.old, i.new FROM temp.merged AS i JOIN src.measurement AS q ON q.measurement_id = "  \
    "i.old JOIN temp.fresh AS f ON f.old = q.point_id WHERE i.tab = 'measurement')"
#define CONFIGS "(SELECT old, new FROM temp.merged WHERE tab = 'config')"

/* One text on one table. */
typedef struct step {
    const char       *text;
    assay_merge_table table;
    bool              without_blobs;
} step;

static const step steps[] = {
    { share, { "build", "build_id", NULL, NULL, NULL }, false },
    { share, { "device", "device_id", NULL, NULL, NULL }, false },
    { share, { "device_state", "device_state_id", NULL, NULL, NULL }, false },
    { share, { "case_version", "case_version_id", " name version ", NULL, NULL }, false },
    { share, { "config", "config_id", NULL, NULL, NULL }, false },
    { share, { "policy", "policy_id", NULL, NULL, NULL }, false },
    { add_missing, { "axis_value", "", " config_id position ", NULL, NULL }, false },
    { find_common, { "run", "run_id", NULL, NULL, NULL }, false },
    { compare_rows, { "axis_value", "", NULL, "config_id", CONFIGS }, false },
    { compare_named, { "run", "run_id", NULL, NULL, NULL }, false },
    { compare_rows, { "point", "point_id", NULL, "run_id", RUNS }, false },
    { compare_rows, { "expected_verdict", "", NULL, "point_id", POINTS }, false },
    { compare_rows, { "check_result", "check_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "measurement", "measurement_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "sample_block", "", NULL, "measurement_id", MEASUREMENTS }, true },
    { compare_rows, { "comparison", "comparison_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "launch", "launch_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "section", "section_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "metric", "metric_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "tuning_trial", "trial_id", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "verdict", "", NULL, "point_id", "temp.done" }, false },
    { compare_rows, { "run_end", "", NULL, "run_id", "temp.ended" }, false },
    { compare_ended, { "ceiling", "ceiling_id", NULL, NULL, NULL }, false },
    { compare_named, { "annotation", "annotation_id", NULL, NULL, NULL }, false },
    { compare_named, { "accepted_baseline", "accepted_id", NULL, NULL, NULL }, false },
    { compare_named, { "calibration", "calibration_id", NULL, NULL, NULL }, false },
    { compare_named, { "change", "change_id", NULL, NULL, NULL }, false },
};

/* Only if nothing is in conflict. Verdicts and ends last: what they close takes nothing more. */
static const step takes[] = {
    { add_runs, { "run", "run_id", NULL, NULL, NULL }, false },
    { add_missing, { "ceiling", "ceiling_id", NULL, NULL, NULL }, false },
    { copy, { "point", "point_id", NULL, "run_id", NEW_RUNS }, false },
    { find_points, { "point", "point_id", NULL, NULL, NULL }, false },
    { copy_plain, { "expected_verdict", "", NULL, "point_id", NEW_POINTS }, false },
    { copy, { "check_result", "check_id", NULL, "point_id", "temp.fresh" }, false },
    { copy, { "measurement", "measurement_id", NULL, "point_id", "temp.fresh" }, false },
    { find_measurements, { "measurement", "measurement_id", NULL, NULL, NULL }, false },
    { copy_plain, { "sample_block", "", NULL, "measurement_id", FRESH_MEASUREMENTS }, false },
    { copy, { "comparison", "comparison_id", NULL, "point_id", "temp.fresh" }, false },
    { copy, { "launch", "launch_id", NULL, "point_id", "temp.fresh" }, false },
    { copy, { "section", "section_id", NULL, "point_id", "temp.fresh" }, false },
    { copy, { "metric", "metric_id", NULL, "point_id", "temp.fresh" }, false },
    { copy, { "tuning_trial", "trial_id", NULL, "point_id", "temp.fresh" }, false },
    { copy_plain, { "verdict", "", NULL, "point_id", "temp.fresh" }, false },
    { add_missing, { "run_end", "", " run_id ", NULL, NULL }, false },
    { add_missing, { "annotation", "annotation_id", " uuid ", NULL, NULL }, false },
    { add_missing, { "accepted_baseline", "accepted_id", " uuid ", NULL, NULL }, false },
    { add_missing, { "calibration", "calibration_id", " uuid ", NULL, NULL }, false },
    { add_missing, { "change", "change_id", " uuid ", NULL, NULL }, false },
};

static assay_status run_steps(assay_store *store, const step *todo, size_t n)
{
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < n; i++)
        ASSAY_CHECK(assay_merge_exec(store, todo[i].text, &todo[i].table, !todo[i].without_blobs));
out:
    return st;
}

/* ---- the two files ---- */

typedef struct first_problem {
    char words[512];
} first_problem;

static void keep_first(void *context, const char *problem)
{
    first_problem *first = context;

    if (!first->words[0])
        (void)sqlite3_snprintf(sizeof first->words, first->words, "%s", problem);
}

/* What is damaged there would be here for good: nothing is ever deleted. The transaction holds the
 * source as it was examined until it is copied. */
static assay_status require_sound(assay_store *source)
{
    first_problem first      = { "" };
    int64_t       n_problems = 0;
    assay_status  st;

    ASSAY_CHECK(assay_store_exec(source->db, source->path, "BEGIN"));
    ASSAY_CHECK(assay_store_examine(source, keep_first, &first, &n_problems));
    ASSAY_REQUIRE(n_problems == 0, ASSAY_E_DATABASE,
                  "%s: nothing of it was taken, as it is damaged: %s; assay doctor --db names all "
                  "%" PRId64 " problems",
                  source->path, first.words, n_problems);
out:
    return st;
}

/* A private copy of the source beside this file: it is read in one go, as of one moment, whoever
 * writes to it meanwhile; an older one is brought up to date on the way. */
static assay_status attach(assay_store *store, const char *path)
{
    assay_store    *source = NULL;
    sqlite3_backup *backup = NULL;
    assay_status    st;
    int             rc;

    ASSAY_CHECK(assay_store_open(path, ASSAY_STORE_READ, &source));
    ASSAY_CHECK(require_sound(source));
    ASSAY_CHECK(assay_store_exec(store->db, store->path, "ATTACH '' AS src"));
    backup = sqlite3_backup_init(store->db, "src", source->db, "main");
    rc     = backup ? sqlite3_backup_step(backup, -1) : sqlite3_errcode(store->db);
    (void)sqlite3_backup_finish(backup);
    if (rc != SQLITE_DONE) {
        st = assay_store_fail(NULL, path, rc);
        (void)sqlite3_exec(store->db, "DETACH src", NULL, NULL, NULL);
    }
out:
    assay_store_close(source);
    return st;
}

static assay_status require_two_files(const char *here, const char *path)
{
    struct stat a, b;

    if (stat(here, &a) == 0 && stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
        return ASSAY_FAIL(ASSAY_E_USAGE, "%s would be merged into itself", path);
    return ASSAY_OK;
}

static assay_status count(assay_store *store, const char *sql, int64_t *n)
{
    int                value = 0;
    const assay_status st    = assay_store_read_integer(store->db, store->path, sql, &value);

    *n = value;
    return st;
}

/* First column of the one row, cut to the room there is; '' for NULL. */
static assay_status read_text(assay_store *store, const char *sql, char *to, int size)
{
    sqlite3_stmt *stmt = NULL;
    const char   *text = NULL;
    int           rc   = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW)
        text = (const char *)sqlite3_column_text(stmt, 0);
    (void)sqlite3_snprintf(size, to, "%s", text ? text : "");
    (void)sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? ASSAY_OK : assay_store_fail(store->db, store->path, rc);
}

/* No conflict: numbers of one version are comparable by definition, and the words of this
 * file stay. */
static assay_status read_other_words(assay_store *store, assay_merge *merge)
{
    static const char sql[] =
        "SELECT group_concat(words, '; ') FROM (SELECT s.name || ', version ' || s.version AS "
        "words FROM src.case_version AS s JOIN main.case_version AS d ON d.name = s.name AND "
        "d.version = "
        "s.version WHERE d.what <> s.what ORDER BY s.name, s.version)";

    return read_text(store, sql, merge->other_words, sizeof merge->other_words);
}

/* "run 1234: check_result, verdict; ..." */
static assay_status read_conflicts(assay_store *store, assay_merge *merge)
{
    static const char sql[] =
        "SELECT group_concat(name || ': ' || tabs, '; ') FROM (SELECT coalesce(uuid, 'axes') AS "
        "name, group_concat(DISTINCT tab) AS tabs FROM temp.conflict GROUP BY uuid ORDER BY uuid)";

    return read_text(store, sql, merge->conflicts, sizeof merge->conflicts);
}

static assay_status take_source(assay_store *store, assay_merge *merge)
{
    static const step room = { make_room, { "run", "", NULL, NULL, NULL }, false };
    assay_status      st;

    ASSAY_CHECK(run_steps(store, &room, 1));
    ASSAY_CHECK(run_steps(store, steps, sizeof steps / sizeof steps[0]));
    ASSAY_CHECK(count(store, "SELECT count(DISTINCT coalesce(uuid, '')) FROM temp.conflict",
                      &merge->n_conflicts));
    if (merge->n_conflicts > 0) {
        st = read_conflicts(store, merge);
        goto out;
    }
    ASSAY_CHECK(read_other_words(store, merge));
    ASSAY_CHECK(run_steps(store, takes, sizeof takes / sizeof takes[0]));
    ASSAY_CHECK(
        count(store, "SELECT count(*) FROM temp.merged WHERE tab = 'new run'", &merge->n_runs));
    ASSAY_CHECK(count(store,
                      "SELECT count(*) FROM temp.fresh AS f JOIN main.verdict AS v ON v.point_id "
                      "= f.new",
                      &merge->n_points));
    ASSAY_CHECK(assay_store_commit(store));
out:
    return st;
}

assay_status assay_store_merge(assay_store *store, const char *path, assay_merge *merge)
{
    assay_status st;

    *merge = (assay_merge) { .n_runs = 0 };
    if (store->open_point || store->is_planning)
        return ASSAY_FAIL(ASSAY_E_INTERNAL, "a point or a plan is open: nothing can be merged");
    ASSAY_CHECK(require_two_files(store->path, path));
    ASSAY_CHECK(attach(store, path));
    st = assay_store_begin(store);
    if (st == ASSAY_OK)
        st = take_source(store, merge);
    assay_store_rollback(store); /* of a conflict or a failure nothing stays */
    (void)sqlite3_exec(store->db, "DETACH src", NULL, NULL, NULL);
out:
    return st;
}
