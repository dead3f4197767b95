/* Reads: interrupted runs, points left to do, and the cursor over named queries. */
#include "store_internal.h"

#include <stdlib.h>
#include <string.h>

/* ---- runs and their points ---- */

assay_status assay_store_latest_run(assay_store *store, int64_t *run_id, bool *found)
{
    assay_binder b;
    assay_status st;

    *found = false;
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_LATEST_RUN, &b));
    ASSAY_CHECK(assay_store_find(&b, run_id, found));
out:
    return st;
}

/* Reads the columns of ASSAY_SQL_FIND_INTERRUPTED. If a text were truncated, another run than the
 * interrupted one would be resumed. */
static assay_status read_run(const assay_store *store, sqlite3_stmt *stmt, int64_t *run_id,
                             assay_run_row *run)
{
    int          at = 0;
    assay_status st;

    *run_id = assay_store_int_at(stmt, at++);
    ASSAY_CHECK(assay_store_copy_text_at(store->path, stmt, at++, run->device_uuid,
                                         sizeof run->device_uuid));
    ASSAY_CHECK(assay_store_read_row(store, stmt, &at, ASSAY_TABLE_RUN, "begun", run));
    ASSAY_CHECK(assay_store_read_row(store, stmt, &at, ASSAY_TABLE_BUILD, "begun", run));
out:
    return st;
}

assay_status assay_store_find_interrupted(assay_store *store, const char *program, int64_t wanted,
                                          int64_t *run_id, assay_run_row *run, bool *found)
{
    assay_binder b;
    assay_status st;

    *found = false;
    memset(run, 0, sizeof *run);
    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_FIND_INTERRUPTED, &b));
    if (program)
        ASSAY_BIND_TEXT(&b, program);
    else
        assay_bind_null(&b);
    assay_bind_int(&b, wanted);
    ASSAY_CHECK(assay_store_step(&b, found));
    if (*found) {
        st = read_run(store, b.stmt, run_id, run);
        assay_store_reset(&b);
    }
out:
    *found = *found && st == ASSAY_OK;
    return st;
}

typedef struct {
    int64_t  ordinal, point_id;
    uint64_t seed;
    char     key[ASSAY_KEY_SIZE];
} ready_point;

/* Reads the next ready point after ready->ordinal. No statement stays open, so that the visitor may
 * write. */
static assay_status next_ready(assay_store *store, int64_t run_id, ready_point *ready, bool *found)
{
    assay_binder b;
    assay_status st;

    ASSAY_CHECK(assay_store_prepare(store, ASSAY_SQL_EACH_READY, &b));
    assay_bind_int(&b, run_id);
    assay_bind_int(&b, ready->ordinal);
    ASSAY_CHECK(assay_store_step(&b, found));
    if (!*found)
        goto out;
    ready->ordinal  = assay_store_int_at(b.stmt, 0);
    ready->point_id = assay_store_int_at(b.stmt, 1);
    st = assay_store_copy_text_at(store->path, b.stmt, 2, ready->key, sizeof ready->key);
    if (st == ASSAY_OK)
        st = assay_store_seed_at(store->path, b.stmt, 3, &ready->seed);
    assay_store_reset(&b);
out:
    return st;
}

assay_status assay_store_each_ready(assay_store *store, int64_t run_id,
                                    assay_status (*visit)(void *context, int64_t point_id,
                                                          const char *key, uint64_t seed),
                                    void *context)
{
    ready_point  ready = { .ordinal = -1 };
    bool         found = false;
    assay_status st;

    for (;;) {
        ASSAY_CHECK(next_ready(store, run_id, &ready, &found));
        if (!found)
            break;
        ASSAY_CHECK(visit(context, ready.point_id, ready.key, ready.seed));
    }
out:
    return st;
}

/* ---- cursor ---- */

const char *assay_store_query_text(const char *name)
{
    static const struct {
        const char *name, *sql;
    } texts[] = {
#define ENTRY(NAME, name) { #name, assay_sql_##name },
        ASSAY_SQL_ALL(ENTRY)
#undef ENTRY
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(texts[i].name, name) == 0)
            return texts[i].sql;
    return NULL;
}

enum {
    NUMBER_SIZE = 32 /* of any number as text */
};

/* Numbers become text here. SQLite might have no memory for that, and would not report it; here
 * there is room for one number of each column. */
struct assay_cursor {
    assay_store  *store;
    sqlite3_stmt *stmt;
    char (*number)[NUMBER_SIZE];
    bool has_lost; /* a text was lost for lack of memory: the next row fails */
};

assay_status assay_store_query(assay_store *store, const char *query_name, int64_t run_id,
                               assay_cursor **cursor)
{
    const char   *sql  = assay_store_query_text(query_name);
    assay_cursor *c    = NULL;
    char         *text = NULL;
    assay_status  st   = ASSAY_OK;
    int           rc;

    *cursor = NULL;
    ASSAY_REQUIRE(sql, ASSAY_E_INTERNAL, "there is no query named '%s'", query_name);
    c = calloc(1, sizeof *c);
    ASSAY_REQUIRE(c, ASSAY_E_MEMORY, "out of memory for the query '%s'", query_name);
    c->store = store;
    ASSAY_CHECK(assay_sql_expand(sql, &text));
    rc = sqlite3_prepare_v2(store->db, text, -1, &c->stmt, NULL);
    if (rc == SQLITE_OK && sqlite3_bind_parameter_count(c->stmt) > 0)
        rc = sqlite3_bind_int64(c->stmt, 1, run_id);
    if (rc != SQLITE_OK) {
        st = assay_store_fail(store->db, store->path, rc);
        goto out;
    }
    c->number = calloc((size_t)sqlite3_column_count(c->stmt), sizeof *c->number);
    ASSAY_REQUIRE(c->number, ASSAY_E_MEMORY, "out of memory for the query '%s'", query_name);
    *cursor = c;
    c       = NULL;
out:
    sqlite3_free(text);
    assay_cursor_close(c);
    return st;
}

bool assay_cursor_next(assay_cursor *cursor, assay_status *st)
{
    const int rc = cursor->has_lost ? SQLITE_NOMEM : sqlite3_step(cursor->stmt);

    *st = ASSAY_OK;
    if (rc != SQLITE_ROW && rc != SQLITE_DONE)
        *st = assay_store_fail(cursor->store->db, cursor->store->path, rc);
    return rc == SQLITE_ROW;
}

int assay_cursor_columns(const assay_cursor *cursor) { return sqlite3_column_count(cursor->stmt); }

const char *assay_cursor_name(const assay_cursor *cursor, int column)
{
    const char *name = sqlite3_column_name(cursor->stmt, column);

    return name ? name : "";
}

int assay_cursor_find(const assay_cursor *cursor, const char *name)
{
    const int n = assay_cursor_columns(cursor);

    for (int i = 0; i < n; i++)
        if (strcmp(assay_cursor_name(cursor, i), name) == 0)
            return i;
    return -1;
}

const char *assay_cursor_text(assay_cursor *cursor, int column)
{
    char       *number = cursor->number[column];
    const char *text;

    switch (sqlite3_column_type(cursor->stmt, column)) {
    case SQLITE_NULL:
        return NULL;
    case SQLITE_INTEGER:
        return sqlite3_snprintf(NUMBER_SIZE, number, "%lld",
                                sqlite3_column_int64(cursor->stmt, column));
    case SQLITE_FLOAT:
        return sqlite3_snprintf(NUMBER_SIZE, number, "%!.15g",
                                sqlite3_column_double(cursor->stmt, column));
    default:
        text = assay_store_text_at(cursor->stmt, column);
        cursor->has_lost |= text == NULL;
        return text ? text : "";
    }
}

bool assay_cursor_number(assay_cursor *cursor, int column, double *number)
{
    if (assay_store_is_at(cursor->stmt, column, SQLITE_NULL))
        return false;
    *number = assay_store_real_at(cursor->stmt, column);
    return true;
}

bool assay_cursor_is_real(assay_cursor *cursor, int column)
{
    return assay_store_is_at(cursor->stmt, column, SQLITE_FLOAT);
}

bool assay_cursor_is_text(assay_cursor *cursor, int column)
{
    return assay_store_is_at(cursor->stmt, column, SQLITE_TEXT);
}

void assay_cursor_close(assay_cursor *cursor)
{
    if (!cursor)
        return;
    (void)sqlite3_finalize(cursor->stmt);
    free(cursor->number);
    free(cursor);
}

static int column_of(const assay_cursor *row, const char *name)
{
    const int column = assay_cursor_find(row, name);

    ASSAY_ASSERT(column >= 0);
    return column;
}

const char *assay_row_text(assay_cursor *row, const char *column)
{
    const char *text = assay_cursor_text(row, column_of(row, column));

    return text ? text : "";
}

double assay_row_number(assay_cursor *row, const char *column)
{
    return assay_store_real_at(row->stmt, column_of(row, column));
}

int64_t assay_row_count(assay_cursor *row, const char *column)
{
    return assay_store_int_at(row->stmt, column_of(row, column));
}
