/* Is a file sound, and does it keep the rules of the store? For files of unknown origin, or after a
 * fault. */
#include "store_internal.h"

#include "base/text.h"

typedef struct examination {
    assay_store *store;
    void (*say)(void *context, const char *problem);
    void   *context;
    int64_t n_problems;
} examination;

static void say(examination *e, char *problem)
{
    e->n_problems++;
    if (e->say)
        e->say(e->context, problem ? assay_text_make_safe(problem)
                                   : "out of memory for the words of a problem");
    sqlite3_free(problem);
}

/* Each query returns a row for each problem: its sentence. */
static const char *const questions[] = {
    assay_sql_integrity_pages,          assay_sql_integrity_references,
    assay_sql_integrity_measurement,    assay_sql_integrity_comparison,
    assay_sql_integrity_launch,         assay_sql_integrity_section,
    assay_sql_integrity_metric,         assay_sql_integrity_tuning_trial,
    assay_sql_integrity_pass_unchecked, assay_sql_integrity_pass_failed,
    assay_sql_integrity_findings,       assay_sql_integrity_worst,
    assay_sql_integrity_open_points,    assay_sql_integrity_errors,
    assay_sql_integrity_blocks,
};

static assay_status ask(examination *e, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(e->store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
            say(e, sqlite3_mprintf("%s", assay_store_text_at(stmt, 0)));
    if (rc != SQLITE_DONE)
        st = assay_store_fail(e->store->db, e->store->path, rc);
    (void)sqlite3_finalize(stmt);
    return st;
}

static assay_status examine_samples(examination *e)
{
    sqlite3_stmt *stmt  = NULL;
    const void   *bytes = NULL;
    assay_status  st    = ASSAY_OK;
    int rc = sqlite3_prepare_v2(e->store->db, assay_sql_integrity_samples, -1, &stmt, NULL);

    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = sqlite3_step(stmt);
        for (int column = 4; rc == SQLITE_ROW && column <= 6; column += 2) {
            const char *what =
                assay_samples_fault(stmt, column, column - 1, assay_store_int_at(stmt, 2), &bytes);

            if (what)
                say(e, sqlite3_mprintf("%s of measurement %lld, block %lld: %s",
                                       column == 4 ? "samples" : "clocks",
                                       (long long)assay_store_int_at(stmt, 0),
                                       (long long)assay_store_int_at(stmt, 1), what));
        }
    }
    if (rc != SQLITE_DONE)
        st = assay_store_fail(e->store->db, e->store->path, rc);
    (void)sqlite3_finalize(stmt);
    return st;
}

assay_status assay_store_examine(assay_store *store,
                                 void (*visit)(void *context, const char *problem), void *context,
                                 int64_t *n_problems)
{
    examination  e  = { .store = store, .say = visit, .context = context };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        ASSAY_CHECK(ask(&e, questions[i]));
    ASSAY_CHECK(examine_samples(&e));
out:
    *n_problems = e.n_problems;
    return st;
}
