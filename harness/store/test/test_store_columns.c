/* The tables of columns (rows/columns.h), compared with the schema, the reports and the import.
 * A column that is missing on one side is found, whatever its name is. */
#include "rows/columns.h"
#include "store/exchange/store_import.h"
#include "store/store_internal.h"
#include "testing/store_raw.h"

/* ---- tables and structures ---- */

static size_t size_of_kind(const assay_column *column)
{
    static const size_t sizes[] = {
        [ASSAY_COLUMN_INT]     = sizeof(int),
        [ASSAY_COLUMN_COUNT]   = sizeof(int),
        [ASSAY_COLUMN_INT64]   = sizeof(int64_t),
        [ASSAY_COLUMN_COUNT64] = sizeof(int64_t),
        [ASSAY_COLUMN_REAL]    = sizeof(double),
        [ASSAY_COLUMN_TRUTH]   = sizeof(bool),
        [ASSAY_COLUMN_SEED]    = sizeof(uint64_t),
        [ASSAY_COLUMN_REGIME]  = sizeof(assay_regime),
        [ASSAY_COLUMN_CLOCK]   = sizeof(assay_clock),
        [ASSAY_COLUMN_VERDICT] = sizeof(assay_verdict),
        [ASSAY_COLUMN_INPUT]   = sizeof(assay_input),
        [ASSAY_COLUMN_RULE]    = sizeof(assay_rule),
        [ASSAY_COLUMN_GROWTH]  = sizeof(assay_growth),
        [ASSAY_COLUMN_FLUSH]   = sizeof(int),
    };

    return column->kind == ASSAY_COLUMN_TEXT ? column->size : sizes[column->kind];
}

static void columns_are_members(void **state)
{
    static unsigned char taken[32768];

    (void)state;
    for (int t = 0; t < ASSAY_N_TABLES; t++) {
        const assay_row_table *table = &assay_row_tables[t];

        assert_true(table->row_size <= sizeof taken);
        memset(taken, 0, sizeof taken);
        for (int c = 0; c < table->n; c++) {
            const assay_column *column = &table->columns[c];

            if (column->size != size_of_kind(column))
                fail_msg("%s.%s is not of its kind's size", table->name, column->name);
            for (size_t i = column->offset; i < column->offset + column->size; i++)
                if (taken[i]++)
                    fail_msg("%s.%s: its member has two columns", table->name, column->name);
        }
    }
}

/* Members and columns are the lines of the map. All other bytes of the structure are padding,
 * except the policy, which has a table of its own. */
static void each_member_of_a_measurement_has_one_column(void **state)
{
    static const char *const members[] = {
#define X(kind, name, size, rule) #name,
        ASSAY_MEASUREMENT_MAP(X)
#undef X
    };
    static unsigned char   taken[sizeof(assay_measurement_row)];
    const assay_row_table *table = &assay_row_tables[ASSAY_TABLE_MEASUREMENT];
    size_t                 gap   = 0;

    (void)state;
    assert_int_equal(table->n, sizeof members / sizeof members[0]);
    for (int c = 0; c < table->n; c++) {
        assert_string_equal(table->columns[c].name, members[c]);
        memset(taken + table->columns[c].offset, 1, table->columns[c].size);
    }
    memset(taken + offsetof(assay_measurement_row, policy), 1, sizeof(assay_policy));
    for (size_t i = 0; i < sizeof taken; i++) {
        gap = taken[i] ? 0 : gap + 1;
        assert_true(gap < _Alignof(assay_measurement_row));
    }
}

/* ---- tables and the schema ---- */

static bool has_name(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* How often an insert names a column. */
static int count_name(const assay_insert *insert, const char *name)
{
    int n = has_name(insert->first, name) + has_name(insert->last, name) +
            (insert->now && strcmp(insert->now, name) == 0);

    for (int r = 0; r < insert->n_rows; r++) {
        const assay_row_table *table = &assay_row_tables[insert->rows[r]];

        for (int c = 0; c < table->n; c++)
            n += strcmp(table->columns[c].name, name) == 0;
    }
    return n;
}

/* Every column of the file is written, except row ids, generated columns and those with a
 * default. */
static void judge_insert(sqlite3 *db, const assay_insert *insert)
{
    sqlite3_stmt *stmt = NULL;
    char         *sql  = sqlite3_mprintf("SELECT name, pk AND type = 'INTEGER' AND NOT \"notnull\" "
                                                  "OR hidden OR dflt_value IS NOT NULL OR name "
                                                  "IN ('check_id', 'point_id') FROM "
                                                  "pragma_table_xinfo('%q')",
                                         insert->table);

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    while (sqlite3_step(stmt) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(stmt, 0);
        const int   n    = count_name(insert, name);

        if (n > 1 || (n == 0 && !sqlite3_column_int(stmt, 1)))
            fail_msg("%s.%s: %d columns bound", insert->table, name, n);
    }
    (void)sqlite3_finalize(stmt);
    sqlite3_free(sql);
}

static void every_statement_has_one_text(void **state)
{
    fixture     *f = *state;
    assay_binder b;

    open_store(f);
    for (int s = 0; s < ASSAY_N_STATEMENTS; s++) {
        const bool adds = assay_inserts[s].table != NULL;

        assert_true(adds == (assay_statement_sql[s] == NULL));
        assert_ok(assay_store_prepare(f->store, (assay_statement)s, &b));
        if (adds)
            judge_insert(f->store->db, &assay_inserts[s]);
    }
}

/* ---- what is written and read ---- */

/* Gives each column a value of its own, so that a column in the wrong place or of the wrong kind
 * shows. */
static void fill_row(const assay_row_table *table, void *row)
{
    for (int c = 0; c < table->n; c++) {
        const assay_column *column = &table->columns[c];
        char               *member = (char *)row + column->offset;

        if (column->kind == ASSAY_COLUMN_TEXT)
            (void)snprintf(member, column->size, "t%d", c);
        else if (column->kind == ASSAY_COLUMN_REAL)
            *(double *)(void *)member = 1000.5 + c;
        else if (column->kind == ASSAY_COLUMN_TRUTH)
            *(bool *)(void *)member = true;
        else if (column->kind == ASSAY_COLUMN_INT)
            *(int *)(void *)member = 100 + c;
        else if (column->kind == ASSAY_COLUMN_INT64 || column->kind == ASSAY_COLUMN_COUNT64)
            *(int64_t *)(void *)member = 100 + c;
    }
}

static void assert_stored(const fixture *f, const assay_row_table *table)
{
    for (int c = 0; c < table->n; c++) {
        const assay_column *column = &table->columns[c];
        char                sql[128], want[32] = "";

        (void)snprintf(sql, sizeof sql, "SELECT %s FROM %s", column->name, table->name);
        if (column->kind == ASSAY_COLUMN_TEXT)
            (void)snprintf(want, sizeof want, "t%d", c);
        else if (column->kind == ASSAY_COLUMN_REAL)
            (void)snprintf(want, sizeof want, "%.1f", 1000.5 + c);
        else if (column->kind == ASSAY_COLUMN_TRUTH)
            (void)snprintf(want, sizeof want, "1");
        else if (strcmp(column->name, "n_samples") != 0 && strcmp(column->name, "n_blocks") != 0 &&
                 (column->kind == ASSAY_COLUMN_INT || column->kind == ASSAY_COLUMN_INT64 ||
                  column->kind == ASSAY_COLUMN_COUNT64))
            (void)snprintf(want, sizeof want, "%d", 100 + c);
        if (want[0] && strcmp(ask(f->path, sql), want) != 0)
            fail_msg("%s.%s: '%s', not '%s'", table->name, column->name, ask(f->path, sql), want);
    }
}

static void each_column_is_written(void **state)
{
    const assay_row_table *table     = &assay_row_tables[ASSAY_TABLE_MEASUREMENT];
    fixture               *f         = *state;
    const double           samples[] = { 1, 2, 3, 4 };
    const assay_block      blocks[]  = { a_block(2, 0), a_block(2, 1) };
    assay_measurement_row  row       = { .policy = a_policy() };
    const assay_point_row  point     = a_point("axpy", "naive", "", 64);
    int64_t                id;

    open_store(f);
    id = plan_point(f, begin_run(f, "run"), &point);
    fill_row(table, &row);
    row.regime    = ASSAY_REGIME_HOT;
    row.clock     = ASSAY_CLOCK_PEER;
    row.n_samples = 4;
    row.n_blocks  = 2;
    begin_checked(f, id);
    assert_ok(assay_store_put_measurement(f->store, id, &row, samples, NULL, blocks));
    finish_passed(f, id);
    assert_stored(f, table);
    assert_string_equal(ask(f->path, "SELECT regime || ' ' || clock FROM measurement"), "hot peer");
}

/* ---- reports and import ---- */

static int count_column(const assay_cursor *row, const char *name)
{
    int n = 0;

    for (int c = 0; c < assay_cursor_columns(row); c++)
        n += strcmp(assay_cursor_name(row, c), name) == 0;
    return n;
}

static int count_import(const char *name)
{
    int n = 0;

    for (int c = 0; c < assay_csv_n_columns; c++)
        n += strcmp(assay_csv_columns[c].name, name) == 0 && assay_csv_columns[c].is_number;
    return n;
}

static void reports_and_import_have_each_column(void **state)
{
    const assay_row_table *table = &assay_row_tables[ASSAY_TABLE_MEASUREMENT];
    fixture               *f     = *state;
    assay_cursor          *csv = NULL, *json = NULL;

    open_store(f);
    assert_ok(assay_store_query(f->store, "csv", 1, &csv));
    assert_ok(assay_store_query(f->store, "json_measurements", 1, &json));
    assert_int_equal(assay_cursor_columns(csv), assay_csv_n_columns);
    for (int c = 0; c < assay_csv_n_columns; c++)
        assert_string_equal(assay_cursor_name(csv, c), assay_csv_columns[c].name);
    for (int c = 0; c < table->n; c++) {
        const char *name    = table->columns[c].name;
        const bool  is_more = strcmp(table->columns[c].group, "more") == 0;

        assert_int_equal(count_column(csv, name), 1);
        assert_int_equal(count_import(name), 1);
        if (!is_more && count_column(json, name) != 1)
            fail_msg("JSON has not %s once", name);
    }
    assay_cursor_close(csv);
    assay_cursor_close(json);
}

/* The other kinds of rows that the JSON report has with all columns. */
static void json_has_each_column_of_other_rows(void **state)
{
    static const struct {
        const char    *query;
        assay_table_id table;
    } rows[] = {
        { "json_checks", ASSAY_TABLE_CHECK },
        { "json_launches", ASSAY_TABLE_LAUNCH },
        { "json_sections", ASSAY_TABLE_SECTION },
        { "json_ceilings", ASSAY_TABLE_CEILING },
    };
    fixture *f = *state;

    open_store(f);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const assay_row_table *table = &assay_row_tables[rows[i].table];
        assay_cursor          *json  = NULL;

        assert_ok(assay_store_query(f->store, rows[i].query, 1, &json));
        for (int c = 0; c < table->n; c++)
            if (count_column(json, table->columns[c].name) != 1)
                fail_msg("%s has not %s once", rows[i].query, table->columns[c].name);
        assay_cursor_close(json);
    }
}

static void lists_stand_where_they_are_named(void **state)
{
    char *text = NULL;

    (void)state;
    assert_ok(assay_sql_expand("a {x.measurement.work} b{, y.measurement.work}", &text));
    assert_string_equal(text, "a x.bytes_declared, x.bytes_moved, x.flops b, y.bytes_declared, "
                              "y.bytes_moved, y.flops");
    sqlite3_free(text);
    assert_ok(assay_sql_expand("({section}) ({:section})", &text));
    assert_string_equal(text, "(name, launches, time_ns, share) (:name, :launches, :time_ns, "
                              ":share)");
    sqlite3_free(text);
    assert_ok(assay_sql_expand("{x.section}, {s.section.time}", &text));
    assert_string_equal(text, "x.name, x.launches, x.time_ns, x.share, s.time_ns, s.share");
    sqlite3_free(text);
    assert_ok(assay_sql_expand("{p.point}", &text));
    assert_non_null(strstr(text, "p.key, printf('%u', p.seed) AS seed, p.is_reference"));
    sqlite3_free(text);
    assert_ok(assay_sql_expand("a{, x.section.none} b", &text));
    assert_string_equal(text, "a b");
    sqlite3_free(text);
    assert_ok(assay_sql_expand("{, s.section.time AS own_} ({:section.time AS own_})", &text));
    assert_string_equal(text, ", s.time_ns AS own_time_ns, s.share AS own_share (:own_time_ns, "
                              ":own_share)");
    sqlite3_free(text);
    assert_ok(assay_sql_expand("{r.run.begun AS their_}", &text));
    assert_non_null(strstr(text, "r.options AS their_options, printf('%u', r.seed) AS "
                                 "their_seed, r.lane AS their_lane"));
    sqlite3_free(text);
    assert_ok(assay_sql_expand("{:policy}", &text));
    assert_non_null(strstr(text, ":warm_share, nullif(:flush_kind, ''), :short_ns"));
    sqlite3_free(text);
    assert_ok(assay_sql_expand("", &text));
    assert_string_equal(text, "");
    sqlite3_free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_members),
        cmocka_unit_test(each_member_of_a_measurement_has_one_column),
        cmocka_unit_test_setup_teardown(every_statement_has_one_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(each_column_is_written, set_up, tear_down),
        cmocka_unit_test_setup_teardown(reports_and_import_have_each_column, set_up, tear_down),
        cmocka_unit_test_setup_teardown(json_has_each_column_of_other_rows, set_up, tear_down),
        cmocka_unit_test(lists_stand_where_they_are_named),
    };

    return cmocka_run_group_tests_name("store_columns", tests, NULL, NULL);
}
