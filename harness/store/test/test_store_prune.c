/* What pruning drops and keeps, and what an examination of a file finds. */
#include "testing/store_raw.h"

/* ---- pruning ---- */

/* Three runs with one time each; the first is half a year old. */
static void write_three(fixture *f)
{
    open_store(f);
    for (int i = 0; i < 3; i++) {
        const assay_point_row p = a_point("axpy", "naive", "", 64);
        char                  uuid[16];
        int64_t               run;

        (void)snprintf(uuid, sizeof uuid, "run-%d", i);
        run = begin_run(f, uuid);
        pass_point(f, plan_point(f, run, &p), 0.5, 1000);
    }
    assert_int_equal(run_sql(f->path, "DROP TRIGGER run_kept; UPDATE run SET started_utc = "
                                      "strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-180 days') WHERE "
                                      "run_id = 1"),
                     SQLITE_OK);
}

static const char *left(fixture *f)
{
    return ask(f->path, "SELECT group_concat(run_id) FROM (SELECT DISTINCT p.run_id FROM "
                        "sample_block AS b JOIN measurement AS m ON m.measurement_id = "
                        "b.measurement_id JOIN point AS p ON p.point_id = m.point_id WHERE "
                        "b.time_ns IS NOT NULL AND b.clock_mhz IS NOT NULL)");
}

static void test_by_age(void **state)
{
    fixture             *f    = *state;
    int64_t              n    = 0;
    assay_stored_samples read = { 0 };

    write_three(f);
    assert_ok(assay_store_prune(f->store, 86400.0 * 200, 0, &n));
    assert_int_equal(n, 0);
    assert_ok(assay_store_prune(f->store, 86400.0 * 90, 0, &n));
    assert_int_equal(n, 2); /* blocks */
    assert_string_equal(left(f), "2,3");
    /* Everything else is still there. */
    assert_string_equal(ask(f->path, "SELECT count(*) || ' ' || sum(n_samples) || ' ' || "
                                     "count(median_ns) || ' ' || count(crc32) FROM sample_block"),
                        "6 12 6 6");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM latest WHERE verdict = 'PASS'"), "1");
    assert_fails(assay_store_read_samples(f->store, 1, &read), ASSAY_E_DATABASE, "pruned");
    assert_ok(assay_store_prune(f->store, 86400.0 * 90, 0, &n));
    assert_int_equal(n, 0);
}

static void test_by_number(void **state)
{
    fixture *f = *state;
    int64_t  n = 0;

    write_three(f);
    assert_ok(assay_store_prune(f->store, (double)NAN, 1, &n));
    assert_int_equal(n, 4);
    assert_string_equal(left(f), "3");
}

/* Runs without times do not count, so checks every night do not cause samples to be dropped. */
static void test_counts_runs_with_times(void **state)
{
    const assay_point_row p = a_point("axpy", "naive", "", 64);
    fixture              *f = *state;
    int64_t               n = 0, run;

    write_three(f);
    for (int i = 0; i < 2; i++) {
        run = begin_run(f, i == 0 ? "check-0" : "check-1");
        pass_point(f, plan_point(f, run, &p), 0.5, 0);
    }
    assert_ok(assay_store_prune(f->store, (double)NAN, 2, &n));
    assert_int_equal(n, 2);
    assert_string_equal(left(f), "2,3");
}

static void test_keeps_baselines(void **state)
{
    assay_accepted_row row = { .name = "main", .run_uuid = "run-0" };
    fixture           *f   = *state;
    int64_t            n   = 0;

    write_three(f);
    assert_ok(assay_store_accept(f->store, &row));
    assert_ok(assay_store_prune(f->store, (double)NAN, 1, &n));
    assert_string_equal(left(f), "1,3");
}

static void test_refuses(void **state)
{
    fixture *f = *state;
    int64_t  n = 0;

    write_three(f);
    assert_fails(assay_store_prune(f->store, (double)NAN, 0, &n), ASSAY_E_USAGE, "which samples");
    assert_fails(assay_store_prune(f->store, 1, -1, &n), ASSAY_E_USAGE, "which samples");
    assert_string_equal(left(f), "1,2,3");
}

/* ---- examination ---- */

typedef struct findings {
    int  n;
    char text[1024];
} findings;

static void note(void *context, const char *problem)
{
    findings    *found = context;
    const size_t used  = strlen(found->text);

    found->n++;
    (void)snprintf(found->text + used, sizeof found->text - used, "%s\n", problem);
}

static findings examine(fixture *f)
{
    findings found = { 0 };
    int64_t  n     = 0;

    assert_ok(assay_store_examine(f->store, note, &found, &n));
    assert_int_equal(n, found.n);
    assert_ok(assay_store_examine(f->store, NULL, NULL, &n));
    assert_int_equal(n, found.n);
    return found;
}

/* Makes one change to a sound file, and expects one problem. */
static void assert_finds(fixture *f, const char *harm, const char *words)
{
    const assay_point_row p = a_point("axpy", "naive", "", 64);
    findings              found;
    int64_t               run;

    open_store(f);
    run = begin_run(f, "run-1");
    put_everything(f, run, plan_point(f, run, &p));
    found = examine(f);
    assert_string_equal(found.text, "");
    assert_int_equal(run_sql(f->path, harm), SQLITE_OK);
    found = examine(f);
    if (!strstr(found.text, words))
        print_error("'%s' not in:\n%s", words, found.text);
    assert_non_null(strstr(found.text, words));
}

#define FINDS(name, harm, words)                                                                   \
    static void test_##name(void **state) { assert_finds(*state, (harm), (words)); }

FINDS(number_without_pass,
      "PRAGMA foreign_keys = OFF; DROP TRIGGER verdict_kept; UPDATE verdict SET verdict = "
      "'WRONG_VALUE'",
      "measurement of point 1: a number without a PASS")
FINDS(number_without_verdict,
      "PRAGMA foreign_keys = OFF; DROP TRIGGER verdict_held; DELETE FROM verdict",
      "metric of point 1: a number without a PASS")
FINDS(pass_without_check, "DROP TRIGGER checked_point_held; DELETE FROM checked_point",
      "point 1: a PASS without a check that passed")
FINDS(pass_beside_failure,
      "DROP TRIGGER finding_detail_kept; UPDATE finding_detail SET verdict = 'WRONG_VALUE'",
      "point 1: a PASS beside a check that failed")
FINDS(loose_finding, "PRAGMA foreign_keys = OFF; DROP TRIGGER finding_held; DELETE FROM finding",
      "list 1 of findings: it refers to a finding that is not there")
FINDS(another_worst,
      "DROP TRIGGER finding_list_kept; INSERT INTO finding (finding_id, checked_output_id) VALUES "
      "(9, 1); UPDATE finding_list SET worst_id = 9",
      "list 1 of findings: its worst is not finding 9")
FINDS(open_point,
      "DROP TRIGGER open_point_closed; INSERT INTO open_point (point_id, findings, newest_id) "
      "VALUES (1, '', 1)",
      "point 1: checks that no verdict has closed")
FINDS(other_errors,
      "INSERT INTO run_end (run_id, ended_utc, exit_status) VALUES (1, '', 0); DROP TRIGGER "
      "run_error_kept; UPDATE run_error SET worst_ratio = 0.1",
      "run 1: its errors are not what its checks say")
FINDS(no_errors,
      "INSERT INTO run_end (run_id, ended_utc, exit_status) VALUES (1, '', 0); DROP TRIGGER "
      "run_error_held; DELETE FROM run_error",
      "run 1: its errors are not what its checks say")
FINDS(loose_reference, "PRAGMA foreign_keys = OFF; DROP TRIGGER device_held; DELETE FROM device",
      "device_state, row 1: it refers to a row of device that is not there")
FINDS(damaged_sample,
      "DROP TRIGGER sample_block_kept; UPDATE sample_block SET time_ns = zeroblob(16) WHERE block "
      "= 1",
      "samples of measurement 1, block 1: the checksum does not match")
FINDS(damaged_clock,
      "DROP TRIGGER sample_block_kept; UPDATE sample_block SET clock_crc32 = 1 WHERE block = 0",
      "clocks of measurement 1, block 0: the checksum does not match")
FINDS(missing_block, "DROP TRIGGER sample_block_held; DELETE FROM sample_block WHERE block = 1",
      "measurement 1: its blocks do not hold what it counts")

/* Pruned samples are no problem. */
static void test_pruned_is_sound(void **state)
{
    fixture *f = *state;
    int64_t  n = 0;
    findings found;

    write_three(f);
    assert_ok(assay_store_prune(f->store, (double)NAN, 1, &n));
    found = examine(f);
    assert_string_equal(found.text, "");
}

/* One page of the file is overwritten. */
static void test_damaged_file(void **state)
{
    fixture *f = *state;
    int64_t  n = 0;
    FILE    *file;
    char     noise[4096];

    write_three(f);
    assert_int_equal(run_sql(f->path, "PRAGMA wal_checkpoint(TRUNCATE)"), SQLITE_OK);
    n = strtol(ask(f->path, "SELECT rootpage FROM sqlite_schema WHERE name = 'finding_by_mark'"),
               NULL, 10);
    assay_store_close(f->store);
    f->store = NULL;
    memset(noise, 0x5A, sizeof noise);
    file = fopen(f->path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, (n - 1) * 4096, SEEK_SET), 0);
    assert_int_equal(fwrite(noise, 1, sizeof noise, file), sizeof noise);
    assert_int_equal(fclose(file), 0);
    assert_ok(assay_store_open(f->path, ASSAY_STORE_READ, &f->store));
    if (assay_store_examine(f->store, NULL, NULL, &n) == ASSAY_OK)
        assert_true(n > 0);
    else
        assert_non_null(strstr(assay_status_message(), "damaged"));
    assay_status_reset();
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(by_age),
        TEST(by_number),
        TEST(counts_runs_with_times),
        TEST(keeps_baselines),
        TEST(refuses),
        TEST(number_without_pass),
        TEST(number_without_verdict),
        TEST(pass_without_check),
        TEST(pass_beside_failure),
        TEST(loose_finding),
        TEST(another_worst),
        TEST(open_point),
        TEST(other_errors),
        TEST(no_errors),
        TEST(loose_reference),
        TEST(damaged_sample),
        TEST(damaged_clock),
        TEST(missing_block),
        TEST(pruned_is_sound),
        TEST(damaged_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
