/* Merges files. What a source has and this file lacks is added, by uuid. If the two contradict each
 * other, that is a conflict, and nothing of the source is taken. */
#include "store_merge.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

/* One statement for one table. */
typedef struct step {
    const char       *text;
    assay_merge_table table;
    bool              without_blobs;
} step;

#define SQL(name) assay_sql_merge_##name
static const step steps[] = {
    { SQL(share), { "build", "build_id", NULL, NULL, NULL }, false },
    { SQL(share), { "device", "device_id", NULL, NULL, NULL }, false },
    { SQL(share), { "device_state", "device_state_id", NULL, NULL, NULL }, false },
    { SQL(share), { "case_version", "case_version_id", " name version ", NULL, NULL }, false },
    { SQL(share), { "config", "config_id", NULL, NULL, NULL }, false },
    { SQL(share), { "policy", "policy_id", NULL, NULL, NULL }, false },
    { SQL(add_missing), { "axis_value", "", " config_id position ", NULL, NULL }, false },
    { SQL(find_common), { "run", "run_id", NULL, NULL, NULL }, false },
    { SQL(compare_rows), { "axis_value", "", NULL, "config_id", "temp.configs" }, false },
    { SQL(compare_named), { "run", "run_id", NULL, NULL, NULL }, false },
    { SQL(compare_rows), { "point", "point_id", NULL, "run_id", "temp.runs" }, false },
    { SQL(compare_rows), { "expected_verdict", "", NULL, "point_id", "temp.points" }, false },
    { SQL(compare_rows), { "check_result", "check_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows),
      { "measurement", "measurement_id", NULL, "point_id", "temp.done" },
      false },
    { SQL(compare_rows),
      { "sample_block", "", NULL, "measurement_id", "temp.measurements" },
      true },
    { SQL(compare_rows), { "comparison", "comparison_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "launch", "launch_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "section", "section_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "metric", "metric_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "tuning_trial", "trial_id", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "verdict", "", NULL, "point_id", "temp.done" }, false },
    { SQL(compare_rows), { "run_end", "", NULL, "run_id", "temp.ended" }, false },
    { SQL(compare_ended), { "ceiling", "ceiling_id", NULL, NULL, NULL }, false },
    { SQL(compare_named), { "annotation", "annotation_id", NULL, NULL, NULL }, false },
    { SQL(compare_named), { "accepted_baseline", "accepted_id", NULL, NULL, NULL }, false },
    { SQL(compare_named), { "calibration", "calibration_id", NULL, NULL, NULL }, false },
    { SQL(compare_named), { "change", "change_id", NULL, NULL, NULL }, false },
};

/* These run only without conflicts. Verdicts and ends come last, since nothing can be added to what
 * they close. */
static const step takes[] = {
    { SQL(add_runs), { "run", "run_id", NULL, NULL, NULL }, false },
    { SQL(add_missing), { "ceiling", "ceiling_id", NULL, NULL, NULL }, false },
    { SQL(copy), { "point", "point_id", NULL, "run_id", "temp.new_runs" }, false },
    { SQL(find_points), { "point", "point_id", NULL, NULL, NULL }, false },
    { SQL(copy_plain), { "expected_verdict", "", NULL, "point_id", "temp.new_points" }, false },
    { SQL(copy), { "check_result", "check_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy), { "measurement", "measurement_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(find_measurements), { "measurement", "measurement_id", NULL, NULL, NULL }, false },
    { SQL(copy_plain),
      { "sample_block", "", NULL, "measurement_id", "temp.new_measurements" },
      false },
    { SQL(copy), { "comparison", "comparison_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy), { "launch", "launch_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy), { "section", "section_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy), { "metric", "metric_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy_missing), { "tuning_trial", "trial_id", NULL, "point_id", "temp.fresh" }, false },
    { SQL(copy_plain), { "verdict", "", NULL, "point_id", "temp.fresh" }, false },
    { SQL(add_missing), { "run_end", "", " run_id ", NULL, NULL }, false },
    { SQL(add_missing), { "annotation", "annotation_id", " uuid ", NULL, NULL }, false },
    { SQL(add_missing), { "accepted_baseline", "accepted_id", " uuid ", NULL, NULL }, false },
    { SQL(add_missing), { "calibration", "calibration_id", " uuid ", NULL, NULL }, false },
    { SQL(add_missing), { "change", "change_id", " uuid ", NULL, NULL }, false },
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

/* Damaged data would stay here for good, since nothing is ever deleted. The transaction holds the
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

/* Makes a private copy of the source beside this file. It is read at one moment, even if another
 * process writes to the source meanwhile; an older one is migrated on the way. */
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

/* Reads the first column of the only row, truncated to `size`; '' for NULL. */
static assay_status read_text(assay_store *store, const char *sql, char *to, int size)
{
    sqlite3_stmt *stmt = NULL;
    const char   *text = NULL;
    int           rc   = sqlite3_prepare_v2(store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_step(stmt);
    if (rc == SQLITE_ROW && assay_store_take_text_at(stmt, 0, &text) != SQLITE_OK)
        rc = SQLITE_NOMEM;
    (void)sqlite3_snprintf(size, to, "%s", text ? text : "");
    (void)sqlite3_finalize(stmt);
    return rc == SQLITE_ROW ? ASSAY_OK : assay_store_fail(store->db, store->path, rc);
}

static assay_status take_source(assay_store *store, assay_merge *merge)
{
    static const step room = { SQL(make_room), { "run", "", NULL, NULL, NULL }, false };
    assay_status      st;

    ASSAY_CHECK(run_steps(store, &room, 1));
    ASSAY_CHECK(run_steps(store, steps, sizeof steps / sizeof steps[0]));
    ASSAY_CHECK(count(store, assay_sql_merge_n_conflicts, &merge->n_conflicts));
    if (merge->n_conflicts > 0) {
        st = read_text(store, assay_sql_merge_conflicts, merge->conflicts, sizeof merge->conflicts);
        goto out;
    }
    ASSAY_CHECK(read_text(store, assay_sql_merge_other_words, merge->other_words,
                          sizeof merge->other_words));
    ASSAY_CHECK(run_steps(store, takes, sizeof takes / sizeof takes[0]));
    ASSAY_CHECK(count(store, assay_sql_merge_n_runs, &merge->n_runs));
    ASSAY_CHECK(count(store, assay_sql_merge_n_points, &merge->n_points));
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
    assay_store_rollback(store); /* after a conflict or a failure, nothing stays */
    (void)sqlite3_exec(store->db, "DETACH src", NULL, NULL, NULL);
out:
    return st;
}
