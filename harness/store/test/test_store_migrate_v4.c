/* A file of schema version 4 is brought up to date: every value of every table is still there, and
 * what its points did not record is NULL. */
#include "migrate_fixture.h"
#include "store_v3.h"

/* Of a case, and of one of its points. */
static const char calibration_v4[] =
    "INSERT INTO calibration VALUES (3, 'cal-1', 'axpy', 1, 'cold', 'record', 'cuda', 'Test GPU "
    "80GB', NULL, NULL, 18, 0.0, 0.0, 0.25, 0.0425, NULL, NULL, 'm', 'run-a run-b', "
    "'2026-01-05T00:00:00.000Z');"
    "INSERT INTO calibration VALUES (4, 'cal-2', 'axpy', 1, 'cold', 'record', 'cuda', 'Test GPU "
    "80GB', 'axpy/naive/n=64', '', 9, 0.0, 0.0, 0.0, 0.02, 0.001, 8, 'm', '', "
    "'2026-01-06T00:00:00.000Z');";

static void write_v4(fixture *f) { write_by_schema(f, "data/schema_v4.sql", calibration_v4); }

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_v4(f);
    copy_old(f, old);
    open_store(f);
    assert_keeps(f->path, old, tables_v3, N_TABLES_V3);
    assert_string_equal(ask(old, "PRAGMA user_version"), "4");
}

static void test_schema_is_new(void **state)
{
    fixture *f = *state;

    write_v4(f);
    assert_schema_is_new(f);
}

/* Reports read it as it is. Its rates are cells over time. */
static void test_reads_without_writing(void **state)
{
    fixture *f = *state;

    write_v4(f);
    assert_reads_without_writing(f, "4");
    open_store(f);
    assert_string_equal(ask(f->path, "SELECT count(*) FROM timed WHERE giga_per_s = cells / "
                                     "median_ns"),
                        ask(f->path, "SELECT count(*) FROM measurement WHERE median_ns > 0"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_everything),
        TEST(schema_is_new),
        TEST(reads_without_writing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
