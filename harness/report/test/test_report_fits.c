/* Growth along an axis in the reports: which times make a series, what a size means, and the
 * numbers of known curves. */
#include "testing/report_timed.h"

#include "testing/strict_json.h"

/* t = a x^b + c in ns, alternately a little more and a little less, so that an interval has a
 * width. */
static double time_at(double x, double a, double b, double c, int i)
{
    return (a * pow(x, b) + c) * (i % 2 ? 1.001 : 0.999);
}

/* A point of the case curves: n=N, grid=..., mode=M. */
static assay_point_row curve_point(const char *variant, int64_t n, const int64_t grid[3],
                                   const char *mode)
{
    assay_point_row p = a_point("curves", variant, "", n);

    p.n_axes = 3;
    (void)strcpy(p.axis[1].name, "grid");
    p.axis[1].kind = ASSAY_AXIS_GRID;
    for (int i = 0; i < 3; i++)
        p.axis[1].i[i] = grid[i];
    (void)snprintf(p.axis[1].text, sizeof p.axis[1].text, "%dx%dx%d", (int)grid[0], (int)grid[1],
                   (int)grid[2]);
    (void)strcpy(p.axis[2].name, "mode");
    p.axis[2].kind = ASSAY_AXIS_TEXT;
    (void)strcpy(p.axis[2].text, mode);
    (void)snprintf(p.key, sizeof p.key, "curves/%s/n=%d/grid=%s/mode=%s", variant, (int)n,
                   p.axis[1].text, mode);
    return p;
}

static void put_time(fixture *f, int64_t run, const assay_point_row *p, double ns, bool is_below)
{
    const int64_t         id     = plan_point(f, run, p);
    assay_measurement_row record = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, ns, true);
    assay_measurement_row event  = a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, ns + 2000, false);

    record.is_below_floor = is_below;
    begin_checked(f, id);
    put_row(f, id, &record);
    put_row(f, id, &event);
    finish_passed(f, id);
}

static int64_t begin_curves(fixture *f)
{
    open_store(f);
    return begin_run(f, "run-1");
}

enum {
    N_SIZES = 6
};

/* Writes times along n in two modes, and of another variant in one of them: three curves. */
static int64_t write_curves(fixture *f)
{
    static const int64_t grid[3] = { 8, 8, 1 };
    const int64_t        run     = begin_curves(f);

    for (int i = 0; i < N_SIZES; i++) {
        const int64_t         n = (int64_t)1000 << (2 * i);
        const assay_point_row a = curve_point("plain", n, grid, "left");
        const assay_point_row b = curve_point("plain", n, grid, "right");
        const assay_point_row c = curve_point("other", n, grid, "left");

        put_time(f, run, &a, time_at((double)n, 3, 1, 5000, i), false);
        put_time(f, run, &b, time_at((double)n, 0.5, 1.5, 20000, i), false);
        put_time(f, run, &c, time_at(1, 0, 0, 7000, i), i < 2);
    }
    assert_ok(assay_store_end_run(f->store, run, 0));
    return run;
}

static void test_text(void **state)
{
    fixture      *f     = *state;
    const int64_t run   = write_curves(f);
    char         *text  = report_of(f, run, "details");
    const char   *left  = strstr(text, "x: n; at grid=8x8x1;mode=left");
    const char   *right = strstr(text, "x: n; at grid=8x8x1;mode=right");

    assert_has(text, "growth along an axis");
    assert_true(left && right && left < right);
    assert_has(line_of(left, "plain cold"), "plain cold record 6 3.0");
    assert_has(line_of(left, "plain cold"), " ns x^");
    assert_has(line_of(left, "other cold"), "CANNOT_TELL: no growth: a constant fits as well");
    assert_has(line_of(right, "plain cold"), " us");
    assert_lacks(text, "x: grid");
    assert_lacks(text, "x: mode");
    free(text);
}

/* ---- JSON ---- */

/* The object of one series, copied from the report. Caller frees. */
static char *series_of(const char *json, const char *variant, const char *others)
{
    char        start[256], *found;
    const char *at = strstr(json, "\"fits\":["), *end;

    assert_non_null(at);
    for (at = strstr(at, "{\"case_name\""); at; at = strstr(end, "{\"case_name\"")) {
        end = strstr(at, "]}");
        assert_non_null(end);
        found = strndup(at, (size_t)(end - at) + 2);
        assert_non_null(found);
        (void)snprintf(start, sizeof start, "\"variant\":\"%s\"", variant);
        if (strstr(found, start) && strstr(found, others))
            return found;
        free(found);
    }
    fail_msg("no series of %s at %s", variant, others);
    return NULL;
}

static double number_of(const char *object, const char *name)
{
    char        start[64];
    const char *at;

    (void)snprintf(start, sizeof start, "\"%s\":", name);
    at = strstr(object, start);
    assert_non_null(at);
    return strtod(at + strlen(start), NULL);
}

static void expect_number(const char *object, const char *name, double value, double tolerance)
{
    const double got = number_of(object, name);

    if (!(fabs(got - value) <= tolerance * fabs(value)))
        fail_msg("%s is %.17g, expected %.17g", name, got, value);
}

static void test_json(void **state)
{
    fixture      *f     = *state;
    const int64_t run   = write_curves(f);
    char         *json  = report_of(f, run, "json");
    char         *left  = series_of(json, "plain", "mode=left");
    char         *right = series_of(json, "plain", "mode=right");
    char         *flat  = series_of(json, "other", "mode=left");

    assert_true(json_is_valid(json));
    expect_number(left, "a_ns", 3, 0.02);
    expect_number(left, "b", 1, 0.001);
    expect_number(left, "c_ns", 5000, 0.01);
    assert_true(number_of(left, "a_lo_ns") <= 3 && number_of(left, "a_hi_ns") >= 3);
    expect_number(right, "a_ns", 0.5, 0.02);
    expect_number(right, "b", 1.5, 0.001);
    expect_number(right, "c_ns", 20000, 0.02);
    assert_has(left, "\"clocks\":\"record\",\"axis\":\"n\",\"unit\":\"\",");
    assert_has(left, "\"x\":1000}");
    assert_has(left, "\"x\":1024000}]}");
    assert_has(flat,
               "\"is_known\":false,\"why\":\"no growth: a constant fits as well\",\"a_ns\":null");
    expect_number(flat, "n_times", 6, 0);
    expect_number(flat, "n_above_floor", 4, 0);
    assert_true(fabs(number_of(flat, "slope")) < 1e-3);
    free(flat);
    free(right);
    free(left);
    free(json);
}

/* ---- grids ---- */

static void put_grids(fixture *f, int64_t run, const int64_t (*grids)[3], const char *mode)
{
    for (int i = 0; i < 4; i++) {
        const assay_point_row p = curve_point("plain", 5, grids[i], mode);

        put_time(f, run, &p, time_at((double)grids[i][0], 40, 2, 900, i), false);
    }
}

/* Squares and cubes are known by their side, others by their cells. */
static void test_grids(void **state)
{
    static const int64_t squares[4][3] = {
        { 8, 8, 1 }, { 32, 32, 1 }, { 64, 64, 1 }, { 256, 256, 1 }
    };
    static const int64_t cubes[4][3] = {
        { 8, 8, 8 }, { 16, 16, 16 }, { 32, 32, 32 }, { 64, 64, 64 }
    };
    static const int64_t mixed[4][3] = {
        { 8, 8, 1 }, { 16, 16, 1 }, { 64, 64, 1 }, { 64, 64, 64 }
    };
    static const int64_t bars[4][3] = { { 8, 4, 2 }, { 16, 4, 2 }, { 64, 4, 2 }, { 96, 4, 2 } };
    fixture             *f          = *state;
    const int64_t        run        = begin_curves(f);
    char                *json;

    put_grids(f, run, squares, "squares");
    put_grids(f, run, cubes, "cubes");
    put_grids(f, run, mixed, "mixed");
    put_grids(f, run, bars, "bars");
    json = report_of(f, run, "json");
    {
        char *square = series_of(json, "plain", "mode=squares"),
             *cube   = series_of(json, "plain", "mode=cubes");
        char *both   = series_of(json, "plain", "mode=mixed"),
             *bar    = series_of(json, "plain", "mode=bars");

        assert_has(square, "\"axis\":\"grid\",\"unit\":\"side\",\"others\":\"n=5;mode=squares\"");
        expect_number(square, "b", 2, 0.01);
        assert_has(square, "\"x\":256}]}");
        assert_has(cube, "\"unit\":\"side\"");
        assert_has(both, "\"unit\":\"cells\"");
        assert_has(both, "\"x\":262144}]}");
        assert_has(bar, "\"unit\":\"cells\"");
        assert_has(bar, "\"x\":768}]}");
        free(bar);
        free(both);
        free(cube);
        free(square);
    }
    free(json);
}

/* ---- what is no series ---- */

/* A series of only two sizes, a third size at another value of another axis, and times that no
 * clock decides. */
static void test_no_series(void **state)
{
    static const int64_t grid[3] = { 8, 8, 1 }, other[3] = { 8, 9, 1 };
    fixture             *f   = *state;
    const int64_t        run = begin_curves(f);
    char                *text, *json;

    for (int i = 0; i < 3; i++) {
        const assay_point_row p = curve_point("plain", 100 + i, i < 2 ? grid : other, "left");

        put_time(f, run, &p, 1000 + i, false);
    }
    for (int i = 0; i < 4; i++) {
        const assay_point_row       p  = curve_point("undecided", 100 + i, grid, "left");
        const int64_t               id = plan_point(f, run, &p);
        const assay_measurement_row m =
            a_judged(ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, 1000 + i, false);

        begin_checked(f, id);
        put_row(f, id, &m);
        finish_passed(f, id);
    }
    text = report_of(f, run, "details");
    json = report_of(f, run, "json");
    assert_lacks(text, "growth along");
    assert_has(json, "\"fits\":[],");
    free(json);
    free(text);
}

/* Names that would give the same text if they were joined do not make one series of two. */
static void test_hostile_names(void **state)
{
    static const int64_t     grid[3] = { 8, 8, 1 };
    static const char *const words[] = { "a;mode=b", "a", "'", "\"</script>" };
    fixture                 *f       = *state;
    const int64_t            run     = begin_curves(f);
    char                    *json;

    for (int i = 0; i < 12; i++) {
        assay_point_row p = curve_point("plain", 100 << (i / 4), grid, words[i % 4]);

        put_time(f, run, &p, 1000 + 3.0 * (double)p.axis[0].i[0], false);
    }
    json = report_of(f, run, "json");
    assert_true(json_is_valid(json));
    for (int i = 0; i < 4; i++) {
        char  part[64];
        char *one;

        (void)snprintf(part, sizeof part, "mode=%s\"", i == 3 ? "\\\"\\u003c/script>" : words[i]);
        one = series_of(json, "plain", part);
        expect_number(one, "n_times", 3, 0);
        assert_has(one, "\"why\":\"fewer than 4 sizes\"");
        assert_true(number_of(one, "slope") > 0);
        free(one);
    }
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_grids, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_series, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_hostile_names, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
