/* Every text of the .sql files is SQL that is valid for this schema. */
#include "testing/store_raw.h"

/* What a merge puts in place of a word in braces: here, the table of runs. NULL if no merge has
 * the word. */
static const char *value_of(const char *word)
{
    static const struct {
        const char *word, *value;
    } values[] = {
        { "{T}", "run" },
        { "{own}", "run_id" },
        { "{link}", "run_id" },
        { "{set}", "temp.runs" },
        { "{names}", "run_id" },
        { "{values}", "s.run_id" },
        { "{same}", "d.run_id IS s.run_id" },
        { "{equal}", "d.run_id IS s.run_id" },
    };

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (strncmp(values[i].word, word, strlen(values[i].word)) == 0)
            return values[i].value;
    return NULL;
}

/* The columns of a table, or the word of a merge. */
static void add_value(sqlite3_str *filled, const char *word)
{
    const char *value = value_of(word);
    char        columns[64], *expanded = NULL;

    if (value) {
        sqlite3_str_appendall(filled, value);
        return;
    }
    (void)snprintf(columns, sizeof columns, "%.*s", (int)(strcspn(word, "}") + 1), word);
    assert_int_equal(assay_sql_expand(columns, &expanded), ASSAY_OK);
    sqlite3_str_appendall(filled, expanded);
    sqlite3_free(expanded);
}

/* Caller frees with sqlite3_free. */
static char *fill_in(const char *text)
{
    sqlite3_str *filled = sqlite3_str_new(NULL);
    char        *sql;

    while (*text) {
        const size_t n = strcspn(text, "{");

        sqlite3_str_append(filled, text, (int)n);
        text += n;
        if (!*text)
            break;
        add_value(filled, text);
        text = strchr(text, '}') + 1;
    }
    sql = sqlite3_str_finish(filled);
    assert_non_null(sql);
    return sql;
}

/* Prepares each statement of a text. Returns SQLite's message, or NULL if all are valid.
 * Statements are also run, since later ones may need the tables of earlier ones; whether they
 * find a row is not tested here. */
static const char *fault_of(sqlite3 *db, const char *text)
{
    static char fault[256];
    char       *sql  = fill_in(text);
    const char *rest = sql;
    bool        good = true;

    while (good && *rest) {
        sqlite3_stmt *stmt = NULL;

        good = sqlite3_prepare_v2(db, rest, -1, &stmt, &rest) == SQLITE_OK && stmt;
        if (!good)
            (void)snprintf(fault, sizeof fault, "%s", sqlite3_errmsg(db));
        else if (*rest)
            (void)sqlite3_step(stmt);
        (void)sqlite3_finalize(stmt);
    }
    sqlite3_free(sql);
    return good ? NULL : fault;
}

static void test_every_text_prepares(void **state)
{
    static const struct {
        const char *name, *text;
    } texts[] = {
#define ENTRY(NAME, name) { #name, assay_sql_##name },
        ASSAY_SQL_ALL(ENTRY)
#undef ENTRY
    };
    /* The tables that a merge has, and those that a migration of a file of version 1 has. */
    static const char beside[] =
        "ATTACH '' AS src; CREATE TABLE src.run AS SELECT * FROM main.run;"
        "CREATE TABLE src.run_end AS SELECT * FROM main.run_end;"
        "CREATE TABLE src.case_version AS SELECT * FROM main.case_version;"
        "CREATE TABLE src.point AS SELECT * FROM main.point;"
        "CREATE TABLE src.verdict AS SELECT * FROM main.verdict;"
        "CREATE TABLE src.measurement AS SELECT * FROM main.measurement;"
        "CREATE TABLE measurement_old (budget_s, target_relative_error, min_samples, max_samples)";
    fixture *f        = *state;
    sqlite3 *db       = (open_store(f), open_raw(f->path));
    int      n_broken = 0;

    assert_ok(assay_store_add_functions(db, f->path));
    assert_int_equal(sqlite3_exec(db, beside, NULL, NULL, NULL), SQLITE_OK);
    assert_null(fault_of(db, assay_sql_merge_make_room));
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        /* The file has the schema already. */
        const char *fault = texts[i].text == assay_sql_schema ? NULL : fault_of(db, texts[i].text);

        if (fault)
            print_error("%s: %s\n", texts[i].name, fault);
        n_broken += fault != NULL;
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_int_equal(n_broken, 0);
}

static void test_a_broken_text_is_found(void **state)
{
    fixture *f  = *state;
    sqlite3 *db = (open_store(f), open_raw(f->path));

    assert_null(fault_of(db, "-- a word\nSELECT run_id FROM {T};"));
    assert_string_equal(fault_of(db, "SELECT nought FROM run;"), "no such column: nought");
    assert_string_equal(fault_of(db, "SELECT run_id FROM run; SELECT run_id FROM nowhere;"),
                        "no such table: nowhere");
    assert_non_null(fault_of(db, "SELECT run_id FROM run WHERE;"));
    assert_non_null(fault_of(db, "-- nothing but a comment"));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A report finds each query by its name, and all names differ. */
static void test_names(void **state)
{
    (void)state;
#define ENTRY(NAME, name) assert_ptr_equal(assay_store_query_text(#name), assay_sql_##name);
    ASSAY_SQL_ALL(ENTRY)
#undef ENTRY
    assert_null(assay_store_query_text("no such"));
    assert_null(assay_store_query_text(""));
    for (int i = 0; i < ASSAY_N_STATEMENTS; i++)
        assert_true((assay_statement_sql[i] != NULL) != (assay_inserts[i].table != NULL));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_text_prepares),
        TEST(a_broken_text_is_found),
        TEST(names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
