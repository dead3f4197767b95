/* The statements of a merge, made from the columns of the tables, so that a new column of the
 * schema is merged without further code. */
#include "store_merge.h"

#include <stdlib.h>
#include <string.h>

/* Is it a reference to a row by an id that is local to a file? */
static bool is_reference(const char *column)
{
    static const char *const ids[] = { "build_id", "device_id",       "device_state_id",
                                       "run_id",   "case_version_id", "config_id",
                                       "point_id", "policy_id",       "measurement_id" };

    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++)
        if (strcmp(ids[i], column) == 0)
            return true;
    return false;
}

static void append_value(sqlite3_str *to, const char *column)
{
    if (is_reference(column))
        sqlite3_str_appendf(to,
                            "(SELECT i.new FROM temp.merged AS i WHERE i.tab = '%.*s' AND i.old = "
                            "s.%s)",
                            (int)(strlen(column) - strlen("_id")), column, column);
    else
        sqlite3_str_appendf(to, "s.\"%w\"", column);
}

typedef enum column_list {
    NAMES,
    VALUES,
    SAME,
    EQUAL
} column_list;

/* Does not build a text to search for: if memory ran out, a column would be left out, and rows that
 * differ in it would count as equal. */
static bool is_in_key(const assay_merge_table *table, const char *column)
{
    const size_t n     = strlen(column);
    bool         found = !table->key;

    for (const char *at = table->key; at && !found; at = strchr(at + 1, ' '))
        found = strncmp(at + 1, column, n) == 0 && at[n + 1] == ' ';
    return found;
}

static void append_column(sqlite3_str *to, const char *column, column_list kind)
{
    static const char *const between[] = { ", ", ", ", " AND ", " AND " };

    if (sqlite3_str_length(to) > 0)
        sqlite3_str_appendall(to, between[kind]);
    if (kind == NAMES) {
        sqlite3_str_appendf(to, "\"%w\"", column);
        return;
    }
    if (kind != VALUES)
        sqlite3_str_appendf(to, "d.\"%w\" IS ", column);
    append_value(to, column);
    if (kind == VALUES)
        sqlite3_str_appendf(to, " AS \"%w\"", column);
}

/* Caller frees with sqlite3_free; NULL with a failure. */
static char *list_columns(assay_store *store, const assay_merge_table *table, column_list kind,
                          bool with_blobs)
{
    sqlite3_str  *list = sqlite3_str_new(store->db);
    sqlite3_stmt *stmt = NULL;
    int           rc   = sqlite3_prepare_v2(store->db, assay_sql_merge_columns, -1, &stmt, NULL);

    if (rc == SQLITE_OK)
        rc = sqlite3_bind_text(stmt, 1, table->name, -1, SQLITE_STATIC);
    while (rc == SQLITE_OK || rc == SQLITE_ROW) {
        const char *name, *type;

        rc = sqlite3_step(stmt);
        if (rc != SQLITE_ROW)
            break;
        if (assay_store_take_text_at(stmt, 0, &name) != SQLITE_OK ||
            assay_store_take_text_at(stmt, 1, &type) != SQLITE_OK)
            rc = SQLITE_NOMEM;
        else if (name && type && strcmp(name, table->own) != 0 &&
                 (with_blobs || strcmp(type, "BLOB") != 0) &&
                 (kind != SAME || is_in_key(table, name)))
            append_column(list, name, kind);
    }
    (void)sqlite3_finalize(stmt);
    if (rc == SQLITE_DONE)
        return sqlite3_str_finish(list);
    sqlite3_free(sqlite3_str_finish(list));
    return NULL;
}

static assay_status append_word(assay_store *store, sqlite3_str *to, const char *word, size_t n,
                                const assay_merge_table *table, bool with_blobs)
{
    static const char *const lists[] = {
        [NAMES] = "names", [VALUES] = "values", [SAME] = "same", [EQUAL] = "equal"
    };
    const struct {
        const char *word, *text;
    } plain[] = {
        { "T", table->name }, { "own", table->own }, { "link", table->link }, { "set", table->set }
    };
    assay_status st = ASSAY_OK;

    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (strlen(plain[i].word) == n && strncmp(plain[i].word, word, n) == 0)
            sqlite3_str_appendall(to, plain[i].text);
    for (int k = NAMES; k <= EQUAL; k++) {
        char *list;

        if (strlen(lists[k]) != n || strncmp(lists[k], word, n) != 0)
            continue;
        list = list_columns(store, table, (column_list)k, with_blobs);
        ASSAY_REQUIRE(list, ASSAY_E_DATABASE, "%s: the columns of %s cannot be read", store->path,
                      table->name);
        sqlite3_str_appendall(to, list);
        sqlite3_free(list);
    }
out:
    return st;
}

assay_status assay_merge_exec(assay_store *store, const char *text, const assay_merge_table *table,
                              bool with_blobs)
{
    sqlite3_str *made = sqlite3_str_new(store->db);
    char        *sql  = NULL;
    assay_status st   = ASSAY_OK;

    while (*text) {
        const size_t plain = strcspn(text, "{");
        const char  *end;

        sqlite3_str_append(made, text, (int)plain);
        text += plain;
        if (!*text)
            break;
        end = strchr(text, '}');
        ASSAY_ASSERT(end);
        ASSAY_CHECK(
            append_word(store, made, text + 1, (size_t)(end - text) - 1, table, with_blobs));
        text = end + 1;
    }
out:
    sql = sqlite3_str_finish(made);
    if (st == ASSAY_OK)
        st = sql ? assay_store_exec(store->db, store->path, sql)
                 : ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the statements of a merge");
    sqlite3_free(sql);
    return st;
}
