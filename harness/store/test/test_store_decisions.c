/* Annotations, accepted baselines, calibrations and changes: written once, each under its uuid. */
#include "testing/store_raw.h"

static void test_annotation(void **state)
{
    assay_annotation_row row = { .series = "'axpy'",
                                 .text   = "driver '580' \"came\"\n; DROP TABLE x",
                                 .who    = "Ada" };
    fixture             *f   = *state;
    char                 first[40];

    open_store(f);
    assert_ok(assay_store_annotate(f->store, &row));
    assert_int_equal(strlen(row.uuid), 36);
    (void)snprintf(first, sizeof first, "%s", row.uuid);
    assert_ok(assay_store_annotate(f->store, &row));
    assert_string_not_equal(row.uuid, first);
    assert_string_equal(ask(f->path, "SELECT text || who || run_uuid FROM annotation"),
                        "driver '580' \"came\"\n; DROP TABLE xAda");
    assert_int_equal(run_sql(f->path, "UPDATE annotation SET who = 'Eve'"), SQLITE_CONSTRAINT);
    assert_int_equal(run_sql(f->path, "DELETE FROM annotation"), SQLITE_CONSTRAINT);
    row.text[0] = '\0';
    assert_fails(assay_store_annotate(f->store, &row), ASSAY_E_USAGE, "no words");
    row = (assay_annotation_row) { .text = "of what?" };
    assert_fails(assay_store_annotate(f->store, &row), ASSAY_E_USAGE, "neither a series nor a run");
}

/* The newest row of a name counts, and the older ones stay. */
static void test_accepted(void **state)
{
    assay_accepted_row row = { .name = "main", .run_uuid = "run-1", .why = "first" };
    fixture           *f   = *state;

    open_store(f);
    (void)begin_run(f, "run-1");
    (void)begin_run(f, "run-2");
    assert_ok(assay_store_accept(f->store, &row));
    (void)snprintf(row.run_uuid, sizeof row.run_uuid, "run-2");
    assert_ok(assay_store_accept(f->store, &row));
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(name || ' ' || run_uuid || ' ' || run_id) "
                            "FROM baselines"),
                        "main run-2 2");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM accepted_baseline"), "2");
    (void)snprintf(row.run_uuid, sizeof row.run_uuid, "run-3");
    assert_fails(assay_store_accept(f->store, &row), ASSAY_E_USAGE, "holds no run 'run-3'");
    row.name[0] = '\0';
    assert_fails(assay_store_accept(f->store, &row), ASSAY_E_USAGE, "no name");
}

#define set_text(array, text) ((void)snprintf((array), sizeof(array), "%s", (text)))

static void test_calibration(void **state)
{
    assay_calibration_row row = { .case_name     = "axpy",
                                  .case_version  = 1,
                                  .regime        = ASSAY_REGIME_COLD,
                                  .clock         = ASSAY_CLOCK_RECORD,
                                  .device_kind   = "cuda",
                                  .device_name   = "Test GPU",
                                  .n_comparisons = 40,
                                  .false_slower  = 0.025,
                                  .cannot_tell   = 0.1,
                                  .band          = 0.01,
                                  .process_sd    = 0.003,
                                  .process_df    = 12,
                                  .method        = "quantile",
                                  .runs          = "run-1 run-2" };
    fixture              *f   = *state;

    open_store(f);
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    row.band = 0.02;
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    assert_string_equal(ask(f->path, "SELECT group_concat(band) FROM calibrated"), "0.02");
    assert_string_equal(ask(f->path,
                            "SELECT device_kind || ' ' || device_name || ' ' || process_sd "
                            "|| ' ' || process_df FROM calibrated"),
                        "cuda Test GPU 0.003 12");
    row.process_df = 0; /* a spread with unknown degrees of freedom counts as unknown */
    row.band       = 0.03;
    set_text(row.device_name, "Other GPU");
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    row.process_df = 12;
    row.process_sd = NAN;
    row.band       = 0.04;
    set_text(row.device_kind, "host");
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    assert_string_equal(
        ask(f->path, "SELECT group_concat(band || ' ' || (process_sd IS NULL AND process_df IS "
                     "NULL), ', ') FROM (SELECT * FROM calibrated ORDER BY band)"),
        "0.02 0, 0.03 1, 0.04 1");
    set_text(
        row.key,
        "axpy/naive/n=64"); /* a point beside its case, and the same point with another tuning */
    set_text(row.tuning, "block=64");
    row.process_sd = 0.003;
    row.band       = (double)NAN; /* too few comparisons */
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    row.band = 0.05;
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    set_text(row.tuning, "");
    assert_ok(assay_store_write_calibrations(f->store, &row, 1));
    assert_string_equal(
        ask(f->path, "SELECT group_concat(key || ' ' || tuning || ' ' || band, ', ') FROM (SELECT "
                     "* FROM calibrated WHERE key IS NOT NULL ORDER BY tuning)"),
        "axpy/naive/n=64  0.05, axpy/naive/n=64 block=64 0.05");
    row.key[0] = '\0';
    row.band   = (double)NAN; /* a case without a band has no information */
    assert_fails(assay_store_write_calibrations(f->store, &row, 1), ASSAY_E_INTERNAL, "refused");
    row.band       = 0.01;
    row.process_sd = -0.001;
    assert_fails(assay_store_write_calibrations(f->store, &row, 1), ASSAY_E_INTERNAL, "refused");
    row.process_sd     = 0.001;
    row.device_kind[0] = '\0';
    assert_fails(assay_store_write_calibrations(f->store, &row, 1), ASSAY_E_USAGE, "no device");
    set_text(row.device_kind, "cuda");
    row.false_slower = 1.5; /* not a share */
    assert_fails(assay_store_write_calibrations(f->store, &row, 1), ASSAY_E_INTERNAL, "refused");
    row.n_comparisons = 0;
    assert_fails(assay_store_write_calibrations(f->store, &row, 1), ASSAY_E_USAGE, "no comparison");
}

static assay_change_row a_change(const char *verdict, double effect)
{
    assay_change_row row = { .from_run      = "run-1",
                             .to_run        = "run-2",
                             .from_key      = "axpy/naive/n=64",
                             .to_key        = "axpy/naive/n=64",
                             .regime        = ASSAY_REGIME_COLD,
                             .clock         = ASSAY_CLOCK_RECORD,
                             .effect        = effect,
                             .lo            = effect - 0.01,
                             .hi            = effect + 0.01,
                             .p             = 0.001,
                             .p_corrected   = 0.01,
                             .cycles_effect = (double)NAN,
                             .threshold     = 0.01,
                             .band          = (double)NAN };

    (void)snprintf(row.verdict, sizeof row.verdict, "%s", verdict);
    return row;
}

/* All rows of a table are written, or none. */
static void test_changes(void **state)
{
    fixture         *f       = *state;
    assay_change_row rows[2] = { a_change("SLOWER", 0.1), a_change("CANNOT_TELL", (double)NAN) };

    open_store(f);
    assert_ok(assay_store_write_changes(f->store, rows, 2));
    assert_string_equal(ask(f->path,
                            "SELECT group_concat(verdict || ' ' || coalesce(effect, '-') || "
                            "' ' || coalesce(band, '-'), '; ') FROM change"),
                        "SLOWER 0.1 -; CANNOT_TELL - -");
    rows[1] = a_change("WORSE", 0.1);
    assert_fails(assay_store_write_changes(f->store, rows, 2), ASSAY_E_INTERNAL, "refused");
    rows[1] = a_change("SAME", (double)NAN); /* a verdict without an effect */
    assert_fails(assay_store_write_changes(f->store, rows, 2), ASSAY_E_INTERNAL, "refused");
    assert_string_equal(ask(f->path, "SELECT count(*) FROM change"), "2");
    assert_ok(assay_store_write_changes(f->store, NULL, 0));
}

static void test_not_beside_a_point(void **state)
{
    assay_annotation_row  row = { .series = "s", .text = "t" };
    fixture              *f   = *state;
    const int64_t         run = (open_store(f), begin_run(f, "run-1"));
    const assay_point_row p   = a_point("axpy", "naive", "", 64);

    assert_ok(assay_store_begin_point(f->store, plan_point(f, run, &p)));
    assert_fails(assay_store_annotate(f->store, &row), ASSAY_E_INTERNAL, "is open");
    assert_fails(assay_store_write_changes(f->store, NULL, 0), ASSAY_E_INTERNAL, "is open");
    assert_fails(assay_store_write_calibrations(f->store, NULL, 0), ASSAY_E_INTERNAL, "is open");
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(annotation), TEST(accepted),           TEST(calibration),
        TEST(changes),    TEST(not_beside_a_point),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
