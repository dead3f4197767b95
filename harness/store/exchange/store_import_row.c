/* Binds the cells of one line to the parameters of one statement. */
#include "store_import_internal.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- columns ---- */

static int find_column(const char *name)
{
    for (int c = 0; c < assay_csv_n_columns; c++)
        if (strcmp(assay_csv_columns[c].name, name) == 0)
            return c;
    return -1;
}

/* The cell of a CSV column in the current row; NULL: the file has no such column. */
static const assay_csv_cell *cell_of(const assay_importer *im, const char *column)
{
    const int c = find_column(column);

    ASSAY_ASSERT(c >= 0);
    return im->place[c] < 0 ? NULL : assay_csv_at(im->csv, im->row, im->place[c]);
}

const char *assay_import_text(const assay_importer *im, const char *column)
{
    const assay_csv_cell *cell = cell_of(im, column);

    return cell ? cell->text : NULL;
}

bool assay_import_is_given(const assay_importer *im, const char *column)
{
    const char *text = assay_import_text(im, column);

    return text && text[0];
}

assay_status assay_import_fail(const assay_importer *im, const char *column, const char *format,
                               ...)
{
    const assay_csv_cell *cell = column ? cell_of(im, column) : NULL;
    char                  what[400];
    va_list               list;

    if (!cell)
        cell = assay_csv_at(im->csv, im->row, 0);
    va_start(list, format);
    (void)vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return ASSAY_FAIL(ASSAY_E_USAGE, "%s:%lld:%lld: %s%s%s", im->csv->path, (long long)cell->line,
                      (long long)cell->column, column ? column : "", column ? ": " : "", what);
}

/* ---- values ---- */

bool assay_import_integer(const char *text, int64_t *value)
{
    char *end = NULL;

    if (strspn(text, "-0123456789") != strlen(text) || !text[0])
        return false;
    errno  = 0;
    *value = strtoll(text, &end, 10);
    return !errno && *end == '\0';
}

bool assay_import_real(const char *text, double *value)
{
    const bool is_infinite = strcmp(text, "inf") == 0 || strcmp(text, "-inf") == 0;
    char      *end         = NULL;

    if (!text[0] || (!is_infinite && strspn(text, "+-.0123456789eE") != strlen(text)))
        return false;
    errno  = 0;
    *value = strtod(text, &end);
    return *end == '\0' && (is_infinite || isfinite(*value));
}

bool assay_import_seed(const char *text, uint64_t *value)
{
    char *end = NULL;

    if (!text[0] || strspn(text, "0123456789") != strlen(text))
        return false;
    errno  = 0;
    *value = strtoull(text, &end, 10);
    return !errno && *end == '\0';
}

/* Returns false if the text is not such a value. An empty cell is NULL, or an empty text. */
static bool bind_text(sqlite3_stmt *stmt, int at, assay_csv_kind kind, const char *text, int *rc)
{
    int64_t      integer;
    double       real;
    uint64_t     seed;
    assay_regime regime;
    assay_clock  clock;

    if (kind == ASSAY_CSV_TEXT || (kind == ASSAY_CSV_REGIME && assay_regime_find(text, &regime)) ||
        (kind == ASSAY_CSV_CLOCK && assay_clock_find(text, &clock)))
        *rc = sqlite3_bind_text(stmt, at, text, -1, SQLITE_TRANSIENT);
    else if (!text[0])
        *rc = sqlite3_bind_null(stmt, at);
    else if (kind == ASSAY_CSV_INTEGER && assay_import_integer(text, &integer))
        *rc = sqlite3_bind_int64(stmt, at, integer);
    else if (kind == ASSAY_CSV_REAL && assay_import_real(text, &real))
        *rc = sqlite3_bind_double(stmt, at, real);
    else if (kind == ASSAY_CSV_SEED && assay_import_seed(text, &seed))
        *rc = sqlite3_bind_int64(stmt, at, assay_seed_to_sql(seed));
    else
        return false;
    return true;
}

/* ---- statements ---- */

static const assay_import_item *find_item(const assay_import_item *items, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(items[i].name, name) == 0)
            return &items[i];
    return NULL;
}

static assay_status bind_item(assay_importer *im, sqlite3_stmt *stmt, int at,
                              const assay_import_item *item)
{
    int rc = SQLITE_OK;

    if (!item->text)
        rc = sqlite3_bind_int64(stmt, at, item->integer);
    else if (!bind_text(stmt, at, item->kind, item->text, &rc))
        return assay_import_fail(im, NULL, "'%.80s' is not a number", item->text);
    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(im->store->db, im->store->path, rc);
}

static assay_status bind_cell(assay_importer *im, sqlite3_stmt *stmt, int at, const char *column)
{
    static const char *const words[] = { [ASSAY_CSV_TEXT]    = "text",
                                         [ASSAY_CSV_INTEGER] = "whole number",
                                         [ASSAY_CSV_REAL]    = "number",
                                         [ASSAY_CSV_SEED]    = "whole number from 0",
                                         [ASSAY_CSV_REGIME]  = "regime of this release",
                                         [ASSAY_CSV_CLOCK]   = "clock of this release" };
    const int                c       = find_column(column);
    const char              *text    = assay_import_text(im, column);
    int                      rc      = SQLITE_OK;

    if (!text)
        rc = sqlite3_bind_null(stmt, at);
    else if (!bind_text(stmt, at, assay_csv_columns[c].kind, text, &rc))
        return assay_import_fail(im, column, "'%.80s' is not a %s", text,
                                 words[assay_csv_columns[c].kind]);
    return rc == SQLITE_OK ? ASSAY_OK : assay_store_fail(im->store->db, im->store->path, rc);
}

static assay_status bind_all(assay_importer *im, sqlite3_stmt *stmt, const assay_import_item *items,
                             int n_items)
{
    assay_status st = ASSAY_OK;

    for (int i = 1; i <= sqlite3_bind_parameter_count(stmt); i++) {
        const char              *name = sqlite3_bind_parameter_name(stmt, i) + 1;
        const assay_import_item *item = find_item(items, n_items, name);

        ASSAY_CHECK(item ? bind_item(im, stmt, i, item) : bind_cell(im, stmt, i, name));
    }
out:
    return st;
}

/* If a constraint or a trigger of the schema refuses a row, the file is wrong. */
static assay_status step(assay_importer *im, sqlite3_stmt *stmt)
{
    const int    rc = sqlite3_step(stmt);
    assay_status st = ASSAY_OK;

    if ((rc & 0xff) == SQLITE_CONSTRAINT)
        st = assay_import_fail(im, NULL, "the store refuses this line: %s",
                               sqlite3_errmsg(im->store->db));
    else if (rc != SQLITE_DONE)
        st = assay_store_fail(im->store->db, im->store->path, rc);
    (void)sqlite3_reset(stmt);
    (void)sqlite3_clear_bindings(stmt);
    return st;
}

static const char *const texts[ASSAY_N_IMPORTS] = {
#define ENTRY(NAME, name) [ASSAY_##NAME] = assay_sql_##name,
    ASSAY_SQL_IMPORT(ENTRY)
#undef ENTRY
};

static assay_status prepare(assay_importer *im, const char *sql, sqlite3_stmt **stmt)
{
    char        *text = NULL;
    int          rc   = SQLITE_OK;
    assay_status st;

    ASSAY_CHECK(assay_sql_expand(sql, &text));
    rc = sqlite3_prepare_v2(im->store->db, text, -1, stmt, NULL);
    if (rc != SQLITE_OK)
        st = assay_store_fail(im->store->db, im->store->path, rc);
out:
    sqlite3_free(text);
    return st;
}

assay_status assay_import_run(assay_importer *im, assay_import_statement which,
                              const assay_import_item *items, int n_items, int *n_changed)
{
    sqlite3_stmt **stmt   = &im->statements[which];
    const int      before = sqlite3_total_changes(im->store->db);
    assay_status   st     = ASSAY_OK;

    if (!*stmt)
        ASSAY_CHECK(prepare(im, texts[which], stmt));
    ASSAY_CHECK(bind_all(im, *stmt, items, n_items));
    ASSAY_CHECK(step(im, *stmt));
    if (n_changed)
        *n_changed = sqlite3_total_changes(im->store->db) - before;
out:
    return st;
}
