/* SQL made from the tables of columns.h: statements that add rows, lists of columns in other
 * statements, binding and reading. */
#include "store_internal.h"

#include <stdio.h>
#include <string.h>

/* ---- texts ---- */

static assay_status finish(sqlite3_str *text, char **sql)
{
    *sql = sqlite3_str_finish(text);
    return *sql ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for a statement");
}

/* Adds a name to a list, or to a condition in which NULL equals NULL. */
static void add_name(sqlite3_str *text, const assay_insert *insert, int *n, const char *name)
{
    if (++*n > 1)
        sqlite3_str_appendall(text, insert->is_sought ? " AND " : ", ");
    sqlite3_str_appendall(text, name);
    if (insert->is_sought)
        sqlite3_str_appendf(text, " IS ?%d", *n);
}

static int add_names(sqlite3_str *text, const assay_insert *insert)
{
    int n = 0;

    for (const char *const *name = insert->first; *name; name++)
        add_name(text, insert, &n, *name);
    for (int r = 0; r < insert->n_rows; r++) {
        const assay_row_table *row = &assay_row_tables[insert->rows[r]];

        for (int c = 0; c < row->n; c++)
            add_name(text, insert, &n, row->columns[c].name);
    }
    for (const char *const *name = insert->last; *name; name++)
        add_name(text, insert, &n, *name);
    return n;
}

/* ---- lists of columns in texts ---- */

/* The parts of "{, x.measurement.last}". */
typedef struct mark {
    bool                   follows;    /* a comma before the first one as well */
    char                   before[16]; /* each name: "x.", ":" or "" */
    const assay_row_table *table;
    char                   group[16];  /* "": all */
    char                   prefix[16]; /* of the name that each gets */
} mark;

static const assay_row_table *find_table(const char *name)
{
    for (int t = 0; t < ASSAY_N_TABLES; t++)
        if (strcmp(assay_row_tables[t].name, name) == 0)
            return &assay_row_tables[t];
    return NULL;
}

static bool read_mark(const char *at, size_t length, mark *m)
{
    char        text[80], *name = text, *dot, *as;
    const char *group = "", *prefix = "";

    if (length >= sizeof text)
        return false;
    memcpy(text, at, length);
    text[length] = '\0';
    *m           = (mark) { .follows = strncmp(text, ", ", 2) == 0 };
    name += m->follows ? 2 : 0;
    as  = strstr(name, " AS ");
    dot = strchr(name, '.');
    if (as) {
        *as    = '\0';
        prefix = as + 4;
    }
    if (*name == ':') {
        (void)snprintf(m->before, sizeof m->before, ":");
        name++;
    } else if (dot) {
        (void)snprintf(m->before, sizeof m->before, "%.*s.", (int)(dot - name), name);
        name = dot + 1;
        dot  = strchr(name, '.');
    }
    if (dot) {
        *dot  = '\0';
        group = dot + 1;
    }
    (void)snprintf(m->group, sizeof m->group, "%s", group);
    (void)snprintf(m->prefix, sizeof m->prefix, "%s", prefix);
    m->table = find_table(name);
    return m->table != NULL;
}

/* A seed is printed as an unsigned number. A flush kind that a file does not have is NULL, not ''.
 */
static void add_column(sqlite3_str *text, const mark *m, const assay_column *column)
{
    const char *name = column->name;

    if (m->before[0] == ':')
        sqlite3_str_appendf(text,
                            column->kind == ASSAY_COLUMN_FLUSH ? "nullif(:%s%s, '')" : ":%s%s",
                            m->prefix, name);
    else if (column->kind == ASSAY_COLUMN_SEED && m->before[0])
        sqlite3_str_appendf(text, "printf('%%u', %s%s) AS %s%s", m->before, name, m->prefix, name);
    else if (m->prefix[0])
        sqlite3_str_appendf(text, "%s%s AS %s%s", m->before, name, m->prefix, name);
    else
        sqlite3_str_appendf(text, "%s%s", m->before, name);
}

/* "": all of them. */
static bool is_in_group(const assay_column *column, const char *group)
{
    return !group[0] || strcmp(group, column->group) == 0;
}

static void add_list(sqlite3_str *text, const mark *m)
{
    int n = m->follows;

    for (int c = 0; c < m->table->n; c++) {
        const assay_column *column = &m->table->columns[c];

        if (!is_in_group(column, m->group))
            continue;
        sqlite3_str_appendall(text, n++ > 0 ? ", " : "");
        add_column(text, m, column);
    }
}

assay_status assay_sql_expand(const char *sql, char **expanded)
{
    sqlite3_str *text = sqlite3_str_new(NULL);
    const char  *begin, *end;
    mark         m;

    for (; (begin = strchr(sql, '{')) != NULL; sql = end + 1) {
        end = strchr(begin, '}');
        ASSAY_ASSERT(end && read_mark(begin + 1, (size_t)(end - begin - 1), &m));
        sqlite3_str_append(text, sql, (int)(begin - sql));
        add_list(text, &m);
    }
    sqlite3_str_appendall(text, sql);
    return finish(text, expanded);
}

/* ---- statements ---- */

static void add_insert(sqlite3_str *text, const assay_insert *insert)
{
    int n;

    sqlite3_str_appendf(text, "INSERT INTO %s (", insert->table);
    n = add_names(text, insert);
    if (insert->now)
        sqlite3_str_appendf(text, ", %s", insert->now);
    sqlite3_str_appendall(text, ") VALUES (");
    for (int i = 1; i <= n; i++)
        sqlite3_str_appendf(text, "%s?%d", i > 1 ? ", " : "", i);
    if (insert->now)
        sqlite3_str_appendall(text, ", strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
    sqlite3_str_appendall(text, ")");
}

assay_status assay_statement_text(assay_statement which, char **sql)
{
    const assay_insert *insert = &assay_inserts[which];
    sqlite3_str        *text;

    if (!insert->table)
        return assay_sql_expand(assay_statement_sql[which], sql);
    text = sqlite3_str_new(NULL);
    if (insert->is_sought) {
        sqlite3_str_appendf(text, "SELECT %s_id FROM %s WHERE ", insert->table, insert->table);
        (void)add_names(text, insert);
    } else {
        add_insert(text, insert);
    }
    return finish(text, sql);
}

/* ---- binding ---- */

/* The value of a member, of the type that its kind says. */
typedef union value {
    const char     *text;
    const int      *integer;
    const int64_t  *integer64;
    const double   *real;
    const bool     *truth;
    const uint64_t *seed;
    const void     *any;
} value;

static const char *flush_text(int kind)
{
    return kind == ASSAY_FLUSH_WRITE ? "write" : kind == ASSAY_FLUSH_READ ? "read" : "";
}

static const char *word_of(const assay_column *column, value v)
{
    switch (column->kind) {
    case ASSAY_COLUMN_REGIME:
        return assay_regime_text(*(const assay_regime *)v.any);
    case ASSAY_COLUMN_CLOCK:
        return assay_clock_text(*(const assay_clock *)v.any);
    case ASSAY_COLUMN_VERDICT:
        return assay_verdict_text(*(const assay_verdict *)v.any);
    case ASSAY_COLUMN_INPUT:
        return assay_input_text(*(const assay_input *)v.any);
    case ASSAY_COLUMN_RULE:
        return assay_rule_text(*(const assay_rule *)v.any);
    case ASSAY_COLUMN_GROWTH:
        return assay_growth_text(*(const assay_growth *)v.any);
    default:
        return flush_text(*v.integer);
    }
}

static void bind_column(assay_binder *b, const assay_column *column, const void *row)
{
    const value v = { .text = (const char *)row + column->offset };

    if (column->is_null && column->is_null(row)) {
        assay_bind_null(b);
        return;
    }
    switch (column->kind) {
    case ASSAY_COLUMN_TEXT:
        assay_bind_text(b, v.text, column->size);
        return;
    case ASSAY_COLUMN_INT:
        assay_bind_int(b, *v.integer);
        return;
    case ASSAY_COLUMN_COUNT:
        assay_bind_count(b, *v.integer);
        return;
    case ASSAY_COLUMN_INT64:
        assay_bind_int(b, *v.integer64);
        return;
    case ASSAY_COLUMN_COUNT64:
        assay_bind_count(b, *v.integer64);
        return;
    case ASSAY_COLUMN_REAL:
        assay_bind_real(b, *v.real);
        return;
    case ASSAY_COLUMN_TRUTH:
        assay_bind_int(b, *v.truth);
        return;
    case ASSAY_COLUMN_SEED:
        assay_bind_seed(b, *v.seed);
        return;
    default:
        ASSAY_BIND_TEXT(b, word_of(column, v));
    }
}

void assay_bind_row(assay_binder *b, assay_table_id table, const void *row)
{
    for (int c = 0; c < assay_row_tables[table].n; c++)
        bind_column(b, &assay_row_tables[table].columns[c], row);
}

/* ---- reading ---- */

assay_status assay_store_read_word(const assay_store *store, sqlite3_stmt *stmt, int at,
                                   assay_column_kind kind, void *member)
{
    const char *word     = assay_store_text_at(stmt, at);
    bool        is_known = false;

    if (word && kind == ASSAY_COLUMN_REGIME)
        is_known = assay_regime_find(word, member);
    else if (word && kind == ASSAY_COLUMN_CLOCK)
        is_known = assay_clock_find(word, member);
    if (!is_known)
        return ASSAY_FAIL(ASSAY_E_DATABASE, "%s: this release does not know the %s '%.20s'",
                          store->path, sqlite3_column_name(stmt, at), word ? word : "");
    return ASSAY_OK;
}

static assay_status read_column(const assay_store *store, sqlite3_stmt *stmt, int at,
                                const assay_column *column, void *row)
{
    void *member = (char *)row + column->offset;

    switch (column->kind) {
    case ASSAY_COLUMN_TEXT:
        return assay_store_copy_text_at(store->path, stmt, at, member, column->size);
    case ASSAY_COLUMN_INT:
        return assay_store_small_int_at(store->path, stmt, at, 0, member);
    case ASSAY_COLUMN_COUNT:
        return assay_store_small_int_at(store->path, stmt, at, -1, member);
    case ASSAY_COLUMN_INT64:
        *(int64_t *)member = assay_store_int_at(stmt, at);
        return ASSAY_OK;
    case ASSAY_COLUMN_COUNT64:
        *(int64_t *)member = assay_store_count_at(stmt, at);
        return ASSAY_OK;
    case ASSAY_COLUMN_REAL:
        *(double *)member = assay_store_real_at(stmt, at);
        return ASSAY_OK;
    case ASSAY_COLUMN_TRUTH:
        *(bool *)member = assay_store_int_at(stmt, at) != 0;
        return ASSAY_OK;
    case ASSAY_COLUMN_SEED:
        return assay_store_seed_at(store->path, stmt, at, member);
    default:
        return assay_store_read_word(store, stmt, at, column->kind, member);
    }
}

assay_status assay_store_read_row(const assay_store *store, sqlite3_stmt *stmt, int *at,
                                  assay_table_id table, const char *group, void *row)
{
    const assay_row_table *t  = &assay_row_tables[table];
    assay_status           st = ASSAY_OK;

    for (int c = 0; c < t->n; c++)
        if (is_in_group(&t->columns[c], group))
            ASSAY_CHECK(read_column(store, stmt, (*at)++, &t->columns[c], row));
out:
    return st;
}
