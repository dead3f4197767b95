/* Rows wait for their verdict and go into the store together. */
#include "record.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct fixture {
    char         path[64];
    assay_store *store;
    int64_t      point_id;
    assay_record record;
} fixture;

static int open_store(void **state)
{
    static fixture    f;
    assay_run_row     run    = { .uuid = "u", .verb = "bench", .lane = "host" };
    assay_device_info device = { .kind = "host", .name = "toy" };
    assay_point_row   point  = { .key       = "c/v/n=1",
                                 .case_name = "c",
                                 .variant   = "v",
                                 .expect    = ASSAY_BIT(PASS),
                                 .is_timed  = true };
    int64_t           run_id = 0;

    memset(&f, 0, sizeof f);
    (void)strcpy(f.path, "/tmp/assay-record-XXXXXX");
    const int fd = mkstemp(f.path);

    assert_true(fd >= 0);
    (void)close(fd);
    assay_status_reset();
    assert_int_equal(assay_store_open(f.path, ASSAY_STORE_WRITE, &f.store), ASSAY_OK);
    assert_int_equal(assay_store_begin_run(f.store, &run, &device, &run_id), ASSAY_OK);
    assert_int_equal(assay_store_plan(f.store, run_id, "what", 1, &point, 1, &f.point_id),
                     ASSAY_OK);
    *state = &f;
    return 0;
}

static int close_store(void **state)
{
    fixture *f = *state;
    char     path[80];

    assay_record_clear(&f->record);
    assay_store_close(f->store);
    (void)unlink(f->path);
    (void)unlink(strcat(strcpy(path, f->path), "-wal"));
    (void)unlink(strcat(strcpy(path, f->path), "-shm"));
    return 0;
}

static void put_rows(fixture *f)
{
    const assay_check_row check   = { .output          = "y",
                                      .verdict         = ASSAY_PASS,
                                      .rule            = ASSAY_RULE_EXACT,
                                      .why             = "test",
                                      .n_runs          = 1,
                                      .count           = 1,
                                      .terms           = 1,
                                      .first_bad_index = -1 };
    double                times[] = { 3, 1, 2, 5 };
    int64_t               ends[]  = { 2, 4 };
    const assay_samples   samples = { .time_ns = times, .n = 4, .block_end = ends, .n_blocks = 2 };
    assay_measurement_row row     = { .regime              = "cold",
                                      .clock               = "event",
                                      .n_samples           = 4,
                                      .n_blocks            = 2,
                                      .launches_per_sample = 1,
                                      .median_ns           = 2.5,
                                      .stop_reason         = "samples",
                                      .bytes_moved         = -1 };

    assert_int_equal(assay_record_check(&f->record, &check), ASSAY_OK);
    assert_int_equal(assay_record_measure(&f->record, &row, &samples), ASSAY_OK);
    times[0] = -1; /* the record holds copies */
}

static int count_rows(fixture *f, const char *query)
{
    assay_cursor *cursor = NULL;
    assay_status  st     = ASSAY_OK;
    int           n      = 0;

    assert_int_equal(assay_store_query(f->store, query, 1, &cursor), ASSAY_OK);
    while (assay_cursor_next(cursor, &st))
        n++;
    assay_cursor_close(cursor);
    assert_int_equal(st, ASSAY_OK);
    return n;
}

static void a_pass_keeps_its_numbers(void **state)
{
    fixture                *f       = *state;
    const assay_verdict_row verdict = { .verdict = ASSAY_PASS, .launches = 1 };

    put_rows(f);
    assert_int_equal(count_rows(f, "timings"), 0);
    assert_int_equal(assay_record_store(&f->record, f->store, f->point_id, &verdict), ASSAY_OK);
    assert_int_equal(count_rows(f, "timings"), 1);
    assert_int_equal(f->record.n_checks + f->record.n_measurements, 0);
}

static void no_pass_no_number(void **state)
{
    fixture                *f       = *state;
    const assay_verdict_row verdict = { .verdict  = ASSAY_SUSPECT,
                                        .reason   = "the clocks disagree",
                                        .launches = 1 };

    put_rows(f);
    assert_int_equal(assay_record_store(&f->record, f->store, f->point_id, &verdict), ASSAY_OK);
    assert_int_equal(count_rows(f, "timings"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_pass_keeps_its_numbers, open_store, close_store),
        cmocka_unit_test_setup_teardown(no_pass_no_number, open_store, close_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
