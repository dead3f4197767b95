/* A file of schema version 5, with every check a row of its own, is brought up to date: every value
 * of every table is still there, and what the checks say is stored once. */
#include "migrate_fixture.h"
#include "store_v3.h"

/* Of a case, and of one of its points. */
static const char calibration_v5[] =
    "INSERT INTO calibration VALUES (3, 'cal-1', 'axpy', 1, 'cold', 'record', 'cuda', 'Test GPU "
    "80GB', NULL, NULL, 18, 0.0, 0.0, 0.25, 0.0425, NULL, NULL, 'm', 'run-a run-b', "
    "'2026-01-05T00:00:00.000Z');";

static void write_v5(fixture *f) { write_by_schema(f, "data/schema_v5.sql", calibration_v5); }

static void test_keeps_everything(void **state)
{
    fixture *f = *state;
    char     old[160];

    write_v5(f);
    copy_old(f, old);
    open_store(f);
    assert_keeps(f->path, old, tables_v3, N_TABLES_V3);
    assert_string_equal(ask(old, "PRAGMA user_version"), "5");
}

static void test_schema_is_new(void **state)
{
    fixture *f = *state;

    write_v5(f);
    assert_schema_is_new(f);
}

/* Reports read it as it is. */
static void test_reads_without_writing(void **state)
{
    fixture *f = *state;

    write_v5(f);
    assert_reads_without_writing(f, "5");
}

/* The errors of a run that had ended are kept; they are those of its checks. */
static void test_finds_errors_of_runs(void **state)
{
    static const char errors[] =
        "SELECT group_concat(t) FROM (SELECT variant || input || output || run_id || worst_ratio "
        "|| n_checks || n_failed AS t FROM trend ORDER BY t)";
    fixture *f = *state;
    char     old[160], *before;

    write_v5(f);
    copy_old(f, old);
    open_store(f);
    before = copy_text(ask(old, errors));
    assert_string_equal(ask(f->path, errors), before);
    assert_string_equal(ask(f->path, "SELECT count(*) > 0 FROM run_error"), "1");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM open_point"), "0");
    free(before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(keeps_everything),
        TEST(schema_is_new),
        TEST(reads_without_writing),
        TEST(finds_errors_of_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
