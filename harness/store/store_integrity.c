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

/* Each of these gives a row for each problem: its words. The trigger or constraint that forbids it
 * may have been away when the row was written. */
#define NUMBER_WITHOUT_PASS(table)                                                                 \
    "SELECT printf('" table " of point %d: a number without a PASS', n.point_id) FROM " table      \
    " AS n LEFT JOIN verdict AS v ON v.point_id = n.point_id WHERE v.verdict IS NOT 'PASS'"
static const char *const questions[] = {
    "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
    "SELECT printf('%s, row %s: it refers to a row of %s that is not there', \"table\", "
    "coalesce(rowid, '?'), parent) FROM pragma_foreign_key_check",
    NUMBER_WITHOUT_PASS("measurement"),
    NUMBER_WITHOUT_PASS("comparison"),
    NUMBER_WITHOUT_PASS("launch"),
    NUMBER_WITHOUT_PASS("section"),
    NUMBER_WITHOUT_PASS("metric"),
    NUMBER_WITHOUT_PASS("tuning_trial") " AND n.median_ns IS NOT NULL",
    "SELECT printf('point %d: a PASS without a check that passed', v.point_id) FROM verdict AS v "
    "JOIN point AS p ON p.point_id = v.point_id WHERE v.verdict = 'PASS' AND NOT p.is_reference "
    "AND NOT EXISTS (SELECT 1 FROM check_result AS k WHERE k.point_id = v.point_id AND k.verdict = "
    "'PASS')",
    "SELECT printf('point %d: a PASS beside a check that failed', v.point_id) FROM verdict AS v "
    "WHERE v.verdict = 'PASS' AND EXISTS (SELECT 1 FROM check_result AS k WHERE k.point_id = "
    "v.point_id AND k.verdict NOT IN ('PASS', 'SKIPPED', 'UNSUPPORTED', 'NOT_RUN'))",
    "SELECT printf('measurement %d: its blocks do not hold what it counts', m.measurement_id) FROM "
    "measurement AS m LEFT JOIN sample_block AS b ON b.measurement_id = m.measurement_id GROUP BY "
    "m.measurement_id HAVING count(b.block) <> m.n_blocks OR coalesce(sum(b.n_samples), 0) <> "
    "m.n_samples",
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
    static const char sql[] =
        "SELECT measurement_id, block, n_samples, crc32, time_ns, clock_crc32, "
        "clock_mhz FROM sample_block";
    sqlite3_stmt *stmt = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc   = sqlite3_prepare_v2(e->store->db, sql, -1, &stmt, NULL);

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
