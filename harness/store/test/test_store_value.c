/* One column of a row: null, a value that fits the place, and one that does not. */
#include "store/store_value.h"
#include "testing/store_raw.h"

#include <limits.h>

/* Steps to the only row of a SELECT. */
static sqlite3_stmt *stand_on(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt = NULL;

    assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    return stmt;
}

static void test_null(void **state)
{
    sqlite3_stmt *stmt;
    size_t        size  = 1;
    int           small = 0;

    open_store(*state);
    stmt = stand_on(((fixture *)*state)->store->db, "SELECT NULL");
    assert_true(assay_store_is_at(stmt, 0, SQLITE_NULL));
    assert_int_equal(assay_store_int_at(stmt, 0), 0);
    assert_int_equal(assay_store_count_at(stmt, 0), -1);
    assert_true(isnan(assay_store_real_at(stmt, 0)));
    assert_null(assay_store_text_at(stmt, 0));
    assert_null(assay_store_blob_at(stmt, 0, &size));
    assert_int_equal(size, 0);
    assert_ok(assay_store_small_int_at("file", stmt, 0, -7, &small));
    assert_int_equal(small, -7);
    (void)sqlite3_finalize(stmt);
}

static void test_values(void **state)
{
    sqlite3_stmt *stmt;
    size_t        size  = 0;
    uint64_t      seed  = 0;
    int           small = 0;
    char          text[4];

    open_store(*state);
    stmt = stand_on(((fixture *)*state)->store->db,
                    "SELECT 9223372036854775807, 0, 2.5, 'abc', x'0102', -2147483648, "
                    "printf('%u', -1)");
    assert_true(assay_store_is_at(stmt, 2, SQLITE_FLOAT));
    assert_false(assay_store_is_at(stmt, 1, SQLITE_NULL));
    assert_true(assay_store_int_at(stmt, 0) == INT64_MAX);
    assert_true(assay_store_count_at(stmt, 0) == INT64_MAX);
    assert_int_equal(assay_store_count_at(stmt, 1), 0);
    assert_true(assay_store_real_at(stmt, 2) == 2.5);
    assert_ok(assay_store_copy_text_at("file", stmt, 3, text, sizeof text));
    assert_string_equal(text, "abc");
    assert_memory_equal(assay_store_blob_at(stmt, 4, &size), "\1\2", 2);
    assert_int_equal(size, 2);
    assert_ok(assay_store_small_int_at("file", stmt, 5, 0, &small));
    assert_int_equal(small, INT_MIN);
    assert_ok(assay_store_seed_at("file", stmt, 6, &seed));
    assert_true(seed == UINT64_MAX);
    (void)sqlite3_finalize(stmt);
}

static void test_misfits(void **state)
{
    sqlite3_stmt *stmt;
    uint64_t      seed  = 7;
    int           small = 7;
    char          text[4];

    open_store(*state);
    stmt = stand_on(((fixture *)*state)->store->db,
                    "SELECT 2147483648 AS large, -2147483649 AS low, 'abcd' AS word, NULL AS gone");
    assert_fails(assay_store_small_int_at("file", stmt, 0, 0, &small), ASSAY_E_DATABASE,
                 "file: the stored large cannot be read");
    assert_fails(assay_store_small_int_at("file", stmt, 1, 0, &small), ASSAY_E_DATABASE,
                 "file: the stored low cannot be read");
    assert_int_equal(small, 7);
    assert_fails(assay_store_copy_text_at("file", stmt, 2, text, sizeof text), ASSAY_E_DATABASE,
                 "file: the stored word cannot be read");
    assert_fails(assay_store_copy_text_at("file", stmt, 3, text, sizeof text), ASSAY_E_DATABASE,
                 "file: the stored gone cannot be read");
    assert_fails(assay_store_seed_at("file", stmt, 3, &seed), ASSAY_E_DATABASE,
                 "file: the stored gone cannot be read");
    assert_true(seed == 7);
    (void)sqlite3_finalize(stmt);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

/* 1658.1120691609499: SQLite's own CAST reads its 15 digits as this number, strtod does not. */
static void test_exact(void **state)
{
    static const struct {
        double      value;
        const char *text;
    } table[] = {
        { 1658.1120691609499, "1658.1120691609499" },
        { 1972.5125186007201, "1972.51251860072" },
        { 0.1, "0.1" },
        { 1965, "1965.0" },
        { 1e20, "1.0e+20" },
        { -2.5e-7, "-2.5e-07" },
        { -1e-7, "-1.0e-07" },
        { INFINITY, "inf" },
        { -INFINITY, "-inf" },
    };
    sqlite3_stmt *stmt = NULL;

    open_store(*state);
    assert_int_equal(sqlite3_prepare_v2(((fixture *)*state)->store->db,
                                        "SELECT assay_exact(?1), assay_exact(NULL)", -1, &stmt,
                                        NULL),
                     SQLITE_OK);
    for (size_t t = 0; t < sizeof table / sizeof table[0]; t++) {
        assert_int_equal(sqlite3_bind_double(stmt, 1, table[t].value), SQLITE_OK);
        assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
        assert_string_equal(assay_store_text_at(stmt, 0), table[t].text);
        assert_string_equal(assay_store_text_at(stmt, 1), "");
        assert_true(strtod(assay_store_text_at(stmt, 0), NULL) == table[t].value);
        (void)sqlite3_reset(stmt);
    }
    (void)sqlite3_finalize(stmt);
}

int main(void)
{
    const struct CMUnitTest tests[] = { TEST(null), TEST(values), TEST(misfits), TEST(exact) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
