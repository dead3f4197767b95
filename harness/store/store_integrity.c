/* Is a file whole, and does it keep its own rules? For who was given one, or fears for it. */
#include "store_internal.h"

#include "base/text.h"

#include <inttypes.h>

enum {
    SAMPLE_BYTES = 8
};

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

/* Each of these gives a row for each problem: its words. */
static const char *const questions[] = {
    assay_sql_integrity_pages,          assay_sql_integrity_references,
    assay_sql_integrity_measurement,    assay_sql_integrity_comparison,
    assay_sql_integrity_launch,         assay_sql_integrity_section,
    assay_sql_integrity_metric,         assay_sql_integrity_tuning_trial,
    assay_sql_integrity_pass_unchecked, assay_sql_integrity_pass_failed,
    assay_sql_integrity_blocks,
};

static assay_status ask(examination *e, const char *sql)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(e->store->db, sql, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        while ((rc = sqlite3_step(stmt)) == SQLITE_ROW)
            say(e, sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0)));
    if (rc != SQLITE_DONE)
        st = assay_store_fail(e->store->db, e->store->path, rc);
    (void)sqlite3_finalize(stmt);
    return st;
}

/* The packed values of one column against their count and their checksum; pruned ones are gone. */
static const char *judge_values(sqlite3_stmt *stmt, int column, int64_t n)
{
    const void *bytes = sqlite3_column_blob(stmt, column);
    const int   size  = sqlite3_column_bytes(stmt, column);

    if (sqlite3_column_type(stmt, column) == SQLITE_NULL)
        return NULL;
    if (size != n * SAMPLE_BYTES)
        return "their number is not the one that was written";
    if (assay_crc32(bytes, (size_t)size) != sqlite3_column_int64(stmt, column - 1))
        return "the checksum does not match";
    return NULL;
}

static assay_status examine_samples(examination *e)
{
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int rc = sqlite3_prepare_v2(e->store->db, assay_sql_integrity_samples, -1, &stmt, NULL);

    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        rc = sqlite3_step(stmt);
        for (int column = 4; rc == SQLITE_ROW && column <= 6; column += 2) {
            const char *what = judge_values(stmt, column, sqlite3_column_int64(stmt, 2));

            if (what)
                say(e, sqlite3_mprintf("%s of measurement %lld, block %lld: %s",
                                       column == 4 ? "samples" : "clocks",
                                       sqlite3_column_int64(stmt, 0), sqlite3_column_int64(stmt, 1),
                                       what));
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
