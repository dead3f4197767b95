/* What a file knows of the points of a plan: the newest run that has each point, on one device. */
#include "command/known_times.h"
#include "cupti/cupti_code.h"
#include "testing/made_cubin.h"
#include "testing/timed_fixture.h"

#include <inttypes.h>
#include <math.h>

/* ---- a case with the points of the fixture's runs ---- */

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->buf[0] =
        (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = axis[0].i[0] };
}

static const assay_case axpy = {
    .name     = "axpy",
    .what     = "y[i] += a * x[i]",
    .version  = 1,
    .axes     = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1000), ASSAY_Q(2000)) },
    .shape    = shape,
    .variants = { { .name = "naive", .launch = "naive" }, { .name = "vec4", .launch = "vec4" } },
};
static const assay_case *const cases[] = { &axpy, NULL };

enum {
    N_POINTS = 3
};

/* The runs of the fixture have vec4 at 1000 and naive at 2000; they lack the third point. */
static assay_known_times read_times_with(fixture *f, int64_t run, const assay_module_code *code)
{
    static const char *const keys[N_POINTS] = { "axpy/naive/n=2000", "axpy/vec4/n=2000",
                                                "axpy/vec4/n=1000" };
    assay_point              points[N_POINTS];
    assay_known_times        times;

    for (int i = 0; i < N_POINTS; i++)
        assert_ok(assay_point_parse(cases, keys[i], &points[i]));
    assert_ok(assay_known_times_read(f->store, run, points, N_POINTS, code, &times));
    return times;
}

static assay_known_times read_times(fixture *f, int64_t run)
{
    return read_times_with(f, run, NULL);
}

static void assert_known(const assay_known_times *times, const char *which)
{
    int64_t n = 0;

    for (int i = 0; i < N_POINTS; i++) {
        assert_int_equal(which[i] == '1', isfinite(times->wall_s[i]));
        assert_int_equal(which[i] == '1', isfinite(times->doubt[i]));
        n += which[i] == '1';
    }
    assert_int_equal(times->n_known, n);
}

static void set_interval(const fixture *f, const char *lo, const char *hi)
{
    char sql[256];

    (void)snprintf(sql, sizeof sql,
                   "DROP TRIGGER IF EXISTS measurement_kept; UPDATE measurement SET median_lo_ns = "
                   "%s, median_hi_ns = %s",
                   lo, hi);
    assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
}

/* ---- tests ---- */

static void nothing_is_known_of_an_empty_file(void **state)
{
    fixture          *f = *state;
    assay_known_times times;

    open_store(f);
    times = read_times(f, 0);
    assert_known(&times, "000");
    assay_known_times_free(&times);
    assay_known_times_free(&times);
    assay_known_times_free(NULL);
}

static void the_newest_run_counts(void **state)
{
    fixture          *f     = *state;
    timed             first = a_timed("run-1", 1000), second = a_timed("run-2", 1000);
    assay_known_times times;

    open_store(f);
    (void)put_run(f, &first);
    times = read_times(f, 0);
    assert_known(&times, "101");
    assert_string_equal(times.device, "Test GPU 80GB");
    assay_known_times_free(&times);
    set_interval(f, "0.98 * median_ns", "1.04 * median_ns");
    times = read_times(f, 0);
    assert_true(fabs(times.doubt[0] - 0.03) < 1e-12);
    assay_known_times_free(&times);
    second.n_points = 1; /* vec4 alone, so naive is in the run before */
    (void)put_run(f, &second);
    times = read_times(f, 0);
    assert_known(&times, "101");
    assert_true(fabs(times.doubt[0] - 0.06) < 1e-12);
    assert_true(times.doubt[2] == 0); /* an interval without width */
    assay_known_times_free(&times);
    set_interval(f, "NULL", "NULL"); /* too few samples for an interval */
    times = read_times(f, 0);
    assert_true(times.doubt[0] == 2 && times.doubt[2] == 1);
    assay_known_times_free(&times);
}

/* A point without a known time is estimated by the other points of its case. */
static void others_of_a_case_stand_in(void **state)
{
    static const char *const keys[] = { "axpy/naive/n=2000", "axpy/vec4/n=2000",
                                        "axpy/vec4/n=1000" };
    fixture                 *f      = *state;
    timed                    t      = a_timed("run-1", 1000);
    assay_known_times        times;
    assay_point              points[N_POINTS];

    for (int i = 0; i < N_POINTS; i++)
        assert_ok(assay_point_parse(cases, keys[i], &points[i]));
    open_store(f);
    times = read_times(f, 0);
    assay_known_times_spread(points, N_POINTS, &times);
    assert_known(&times, "000");
    assay_known_times_free(&times);
    (void)put_run(f, &t);
    times           = read_times(f, 0);
    times.wall_s[0] = 2;
    times.wall_s[2] = 6;
    assay_known_times_spread(points, N_POINTS, &times);
    assert_true(times.wall_s[0] == 2 && times.wall_s[1] == 4 && times.wall_s[2] == 6);
    assert_int_equal(times.n_known, 2);
    assay_known_times_free(&times);
}

/* A point that was wrong is known, and has no doubt. */
static void what_has_no_times_is_not_doubted(void **state)
{
    fixture          *f = *state;
    timed             t = a_timed("run-1", 1000);
    assay_known_times times;

    open_store(f);
    t.broken = 1;
    (void)put_run(f, &t);
    set_interval(f, "NULL", "NULL");
    times = read_times(f, 0);
    assert_known(&times, "101");
    assert_true(times.doubt[2] == 0 && times.doubt[0] == 1);
    assay_known_times_free(&times);
}

/* Times come from the device of the given run; without a run, from the device of the newest one. */
static void another_card_says_nothing(void **state)
{
    fixture          *f     = *state;
    timed             first = a_timed("run-1", 1000), other = a_timed("run-2", 1000);
    int64_t           run;
    assay_known_times times;

    open_store(f);
    run        = put_run(f, &first);
    other.card = "Another GPU", other.gpu = "GPU-5678";
    other.n_points = 1;
    (void)put_run(f, &other);
    times = read_times(f, 0);
    assert_known(&times, "001");
    assert_string_equal(times.device, "Another GPU");
    assay_known_times_free(&times);
    times = read_times(f, run);
    assert_known(&times, "101");
    assay_known_times_free(&times);
}

/* The points of the fixture get one kernel each. The module has both kernels, but the code of _Z1av
 * has changed. */
static void what_has_changed_is_doubted_most(void **state)
{
    static const char *const kernels[] = { "_Z1av", "b" }; /* of vec4, of naive */
    fixture                 *f         = *state;
    timed                    t         = a_timed("run-1", 1000);
    assay_module_code       *code      = read_made_cubin(f->path);
    assay_known_times        times;
    char                     sql[512];

    open_store(f);
    (void)put_run(f, &t);
    for (int i = 0; i < 2; i++) {
        (void)snprintf(
            sql, sizeof sql,
            "DROP TRIGGER IF EXISTS launch_closed; INSERT INTO launch (point_id, ordinal, kernel, "
            "grid_x, grid_y, grid_z, "
            "block_x, block_y, block_z, code_hash) SELECT point_id, 0, '%s', 1, 1, 1, 1, "
            "1, 1, '%016" PRIx64 "' FROM point WHERE variant = '%s'",
            kernels[i], assay_code_hash("code of b, longer", 17), i == 0 ? "vec4" : "naive");
        assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
    }
    times = read_times_with(f, 0, code);
    assert_int_equal(times.n_known, 2);
    assert_int_equal(times.n_changed, 1);
    assert_true(isinf(times.doubt[2]) && isfinite(times.doubt[0]));
    assay_known_times_free(&times);
    times = read_times(f, 0);
    assert_int_equal(times.n_changed, 0);
    assert_known(&times, "101");
    assay_known_times_free(&times);
    assay_module_code_free(code);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_known_of_an_empty_file), TEST(the_newest_run_counts),
        TEST(others_of_a_case_stand_in),         TEST(what_has_no_times_is_not_doubted),
        TEST(another_card_says_nothing),         TEST(what_has_changed_is_doubted_most),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
