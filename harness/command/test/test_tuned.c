/* The values that --tuned takes from a file: those of the newest search for the same point on the
 * same device. */
#include "command/tuned.h"
#include "cupti/cupti_code.h"
#include "testing/made_cubin.h"
#include "testing/timed_fixture.h"

#include <inttypes.h>

/* ---- a case with tuning axes, and searches of its points ---- */

static void shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->buf[0] =
        (assay_buffer) { .name = "y", .role = ASSAY_OUT, .type = ASSAY_F32, .count = axis[0].i[0] };
}

static const assay_case axpy = {
    .name     = "axpy",
    .what     = "y[i] += a * x[i]",
    .version  = 2,
    .axes     = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1000), ASSAY_Q(2000)) },
    .shape    = shape,
    .variants = { { .name   = "naive",
                    .launch = "naive",
                    .tuning = { ASSAY_TUNING("block", 256, 64, 128) } },
                  { .name = "plain", .launch = "plain" } },
};
static const assay_case *const cases[] = { &axpy, NULL };

/* A search of axpy/naive at n. */
typedef struct searched {
    const char   *uuid, *utc, *tuning, *kernels_id, *card;
    int64_t       n;
    int           version;
    const char   *end_of_key;
    assay_verdict verdict; /* of the point */
} searched;

static searched a_search(const char *uuid, const char *utc, const char *tuning)
{
    return (searched) { .uuid       = uuid,
                        .utc        = utc,
                        .tuning     = tuning,
                        .kernels_id = "00ee",
                        .card       = "Test GPU 80GB",
                        .n          = 1000,
                        .version    = 2,
                        .end_of_key = "",
                        .verdict    = ASSAY_PASS };
}

static int64_t begin(fixture *f, const searched *s)
{
    assay_run_row     run    = a_run(s->uuid);
    assay_device_info device = a_device();
    int64_t           id     = 0;

    (void)snprintf(run.kernels_id, sizeof run.kernels_id, "%s", s->kernels_id);
    (void)snprintf(device.name, sizeof device.name, "%s", s->card);
    assert_ok(assay_store_begin_run(f->store, &run, &device, &id));
    return id;
}

static int64_t put_search(fixture *f, const searched *s)
{
    const int64_t   run    = begin(f, s);
    const bool      passed = s->verdict == ASSAY_PASS;
    assay_point_row point  = a_point("axpy", "naive", "", s->n);
    assay_trial_row trial  = { .verdict   = ASSAY_PASS,
                               .regime    = ASSAY_REGIME_COLD,
                               .clock     = ASSAY_CLOCK_EVENT,
                               .n_samples = passed ? 5 : 0,
                               .median_ns = passed ? 1000 : (double)NAN,
                               .is_chosen = true };
    int64_t         id     = 0;

    (void)strcat(point.key, s->end_of_key);
    (void)snprintf(trial.tuning, sizeof trial.tuning, "%s", s->tuning);
    assert_ok(assay_store_plan(f->store, run, axpy.what, s->version, &point, 1, &id));
    if (passed) {
        begin_checked(f, id);
        assert_ok(assay_store_put_trial(f->store, id, &trial));
        put_measurement(f, id, ASSAY_REGIME_COLD, 1000);
        finish_passed(f, id);
    } else {
        const assay_verdict_row verdict = a_verdict(s->verdict, "off");

        assert_ok(assay_store_begin_point(f->store, id));
        assert_ok(assay_store_put_trial(f->store, id, &trial));
        assert_ok(assay_store_finish_point(f->store, id, &verdict));
    }
    assert_ok(assay_store_end_run(f->store, run, 0));
    set_start(f, s->uuid, s->utc);
    return run;
}

/* ---- points that ask ---- */

enum {
    N_POINTS = 4
};
typedef struct asked {
    assay_point points[N_POINTS];
    assay_tuned tuned;
} asked;

static const char *const keys[N_POINTS] = { "axpy/naive/n=2000", "axpy/naive/n=1000",
                                            "axpy/plain/n=1000", "axpy/naive/n=1000/block=64" };

static void parse(asked *a)
{
    for (int i = 0; i < N_POINTS; i++)
        assert_ok(assay_point_parse(cases, keys[i], &a->points[i]));
}

static void take(fixture *f, int64_t run, const assay_tuned_code *now, asked *a)
{
    parse(a);
    assert_ok(assay_tuned_take(f->store, run, now, a->points, N_POINTS, &a->tuned));
}

/* Asserts on the point at n=1000, the only one that is searched unless a test says otherwise. */
static void assert_taken(const asked *a, const char *tuning, const char *by)
{
    const assay_point run = assay_point_as_run(&a->points[1]);
    char              text[ASSAY_TUNING_SIZE];

    assert_string_equal(assay_point_tuning_text(&run, text, sizeof text), tuning);
    assert_int_equal(a->tuned.n_asked, 2);
    assert_int_equal(a->tuned.n_taken, by ? 1 : 0);
    for (int i = 0; i < N_POINTS; i++) {
        assert_int_equal(a->points[i].is_tuned, by && i == 1);
        if (i != 1)
            assert_null(a->tuned.by[i]);
    }
    if (by)
        assert_string_equal(a->tuned.by[1], by);
}

static void assert_says(const asked *a, const char *words)
{
    char  *text = NULL;
    size_t size = 0;
    FILE  *out  = open_memstream(&text, &size);

    assert_non_null(out);
    assay_tuned_say(&a->tuned, "some.db", out);
    assert_int_equal(fclose(out), 0);
    if (!strstr(text, words))
        fail_msg("'%s' has no '%s'", text, words);
    free(text);
}

static void take_and_compare(fixture *f, int64_t run, const assay_tuned_code *now,
                             const char *tuning, const char *by, const char *words)
{
    asked a;

    take(f, run, now, &a);
    assert_taken(&a, tuning, by);
    assert_says(&a, words);
    assay_tuned_free(&a.tuned);
}

/* ---- tests ---- */

static void nothing_is_taken_of_an_empty_file(void **state)
{
    fixture *f = *state;
    asked    a;

    open_store(f);
    take_and_compare(f, 0, NULL, "block=256", NULL, "some.db holds no search of these points");
    take(f, 0, NULL, &a);
    assay_tuned_free(&a.tuned);
    assay_tuned_free(&a.tuned);
    assay_tuned_free(NULL);
    assert_ok(assay_tuned_take(f->store, 0, NULL, &a.points[2], 2, &a.tuned));
    assert_says(&a, "no point here has tuning axes that were not given values");
    assay_tuned_free(&a.tuned);
}

/* The newest search is the one that began last, whatever its place in the file. */
static void the_newest_search_counts(void **state)
{
    fixture *f      = *state;
    searched newest = a_search("22222222-new", "2026-03-02T00:00:00.000Z", "block=128");
    searched older  = a_search("11111111-old", "2026-03-01T00:00:00.000Z", "block=64");

    open_store(f);
    (void)put_search(f, &newest);
    (void)put_search(f, &older);
    take_and_compare(f, 0, NULL, "block=128", "tuned by run 22222222 of 2026-03-02",
                     "points with what a search on Test GPU 80GB has chosen: 1 of 2; without a "
                     "search, so with default values: 1\n");
}

/* Thus a run that is resumed, or confirms another, has the same values. */
static void only_what_was_there_before_the_run_counts(void **state)
{
    fixture       *f     = *state;
    searched       first = a_search("11111111-", "2026-03-01T00:00:00.000Z", "block=64");
    searched       later = a_search("22222222-", "2026-03-03T00:00:00.000Z", "block=128");
    const searched self  = a_search("33333333-", "", "");
    int64_t        run;

    open_store(f);
    (void)put_search(f, &first);
    run = begin(f, &self);
    (void)put_search(f, &later);
    take_and_compare(f, run, NULL, "block=64", "tuned by run 11111111 of 2026-03-01", "1 of 2");
}

static void another_card_or_version_says_nothing(void **state)
{
    fixture *f     = *state;
    searched mine  = a_search("11111111-", "2026-03-01T00:00:00.000Z", "block=64");
    searched other = a_search("22222222-", "2026-03-02T00:00:00.000Z", "block=128");
    searched past  = a_search("33333333-", "2026-03-03T00:00:00.000Z", "block=128");
    int64_t  run;

    open_store(f);
    other.card   = "Another GPU";
    past.version = 1;
    (void)put_search(f, &mine);
    (void)put_search(f, &other);
    take_and_compare(f, 0, NULL, "block=128", "tuned by run 22222222 of 2026-03-02", "Another GPU");
    run = put_search(f, &past);
    take_and_compare(f, run, NULL, "block=64", "tuned by run 11111111 of 2026-03-01", "Test GPU");
}

/* A search also counts if its key names values, but not if its choice failed. */
static void a_choice_that_failed_is_none(void **state)
{
    fixture *f      = *state;
    searched passed = a_search("11111111-", "2026-03-01T00:00:00.000Z", "block=64");
    searched failed = a_search("22222222-", "2026-03-02T00:00:00.000Z", "block=128");

    open_store(f);
    passed.end_of_key = "/block=128";
    failed.verdict    = ASSAY_LAUNCH_FAILED;
    (void)put_search(f, &passed);
    (void)put_search(f, &failed);
    take_and_compare(f, 0, NULL, "block=64", "tuned by run 11111111 of 2026-03-01", "1 of 2");
}

/* A point that took its values from a search is not a search itself. */
static void a_taken_choice_is_no_search(void **state)
{
    const assay_point_row point = a_point("axpy", "naive", "", 1000);
    const searched        self  = a_search("33333333-", "", "");
    fixture              *f     = *state;
    int64_t               run, id = 0;

    open_store(f);
    assert_int_equal(assay_store_plan_tuning(f->store, 1, "block=64", "x"), ASSAY_E_INTERNAL);
    assert_ok(assay_store_begin_plan(f->store));
    run = begin(f, &self);
    assert_ok(assay_store_plan(f->store, run, axpy.what, 2, &point, 1, &id));
    assert_ok(assay_store_plan_tuning(f->store, id, "block=64", "tuned by run 1"));
    assert_ok(assay_store_end_plan(f->store, true));
    pass_point(f, id, 0.5, 1000);
    take_and_compare(f, 0, NULL, "block=256", NULL, "no search of these points");
}

static void values_that_are_gone_are_not_taken(void **state)
{
    fixture *f    = *state;
    searched gone = a_search("11111111-", "2026-03-01T00:00:00.000Z", "block=96");

    open_store(f);
    (void)put_search(f, &gone);
    take_and_compare(
        f, 0, NULL, "block=256", NULL,
        "has chosen: 0 of 2; without a search, so with default values: 1; with default "
        "values, as their variant does not have what was chosen any more: 1 "
        "(axpy/naive/n=1000: block=96)\n");
}

/* A file can come from anybody; nothing that a terminal obeys is shown. */
static void hostile_text_is_shown_safely(void **state)
{
    fixture *f = *state;
    searched s = a_search("\033[2J1111-", "2026-03-01T00:00:00.000Z", "block=64");
    asked    a;

    open_store(f);
    s.card = "\033]0;card";
    (void)put_search(f, &s);
    take(f, 0, NULL, &a);
    assert_int_equal(a.tuned.n_taken, 1);
    assert_null(strchr(a.tuned.by[1], '\033'));
    assert_null(strchr(a.tuned.device, '\033'));
    assay_tuned_free(&a.tuned);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER tuning_trial_kept; UPDATE tuning_trial SET "
                                      "tuning = 'block=64' || char(27) || "
                                      "hex(randomblob(400))"),
                     SQLITE_OK);
    take(f, 0, NULL, &a);
    assert_int_equal(a.tuned.n_gone, 1);
    assert_null(strchr(a.tuned.gone, '\033'));
    assay_tuned_free(&a.tuned);
}

static void set_launch(const fixture *f, const char *kernel, const char *code)
{
    char sql[512];

    (void)snprintf(sql, sizeof sql,
                   "DROP TRIGGER IF EXISTS launch_closed; DROP TRIGGER IF EXISTS launch_held; "
                   "DELETE FROM launch; INSERT INTO launch (point_id, ordinal, kernel, grid_x, "
                   "grid_y, grid_z, block_x, block_y, block_z, code_hash) VALUES (1, 0, '%s', 1, "
                   "1, 1, 1, 1, 1, '%016" PRIx64 "')",
                   kernel, assay_code_hash(code, strlen(code)));
    assert_int_equal(run_sql(f->path, sql), SQLITE_OK);
}

/* Values are used although the code has changed. */
static void changed_code_is_said(void **state)
{
    static const char      by[] = "tuned by run 11111111 of 2026-03-01";
    fixture               *f    = *state;
    searched               s    = a_search("11111111-", "2026-03-01T00:00:00.000Z", "block=64");
    assay_module_code     *code = read_made_cubin(f->path);
    const assay_tuned_code same = { .kernels_id = "00ee", .code = code };
    const assay_tuned_code now  = { .kernels_id = "00ff", .code = code };
    char                   words[128];

    open_store(f);
    (void)put_search(f, &s);
    take_and_compare(f, 0, &same, "block=64", by, "has chosen: 1 of 2; without a search");
    (void)snprintf(words, sizeof words, "%s; whether its code has changed since is not known", by);
    take_and_compare(f, 0, &now, "block=64", words,
                     "; by another kernel module, of whose code nothing is known: 1;");
    set_launch(f, "b", "code of b, longer");
    take_and_compare(f, 0, &now, "block=64", by, "has chosen: 1 of 2; without a search");
    set_launch(f, "b", "code of b");
    (void)snprintf(words, sizeof words, "%s; its code has changed since", by);
    take_and_compare(f, 0, &now, "block=64", words, "; by code that has changed since: 1;");
    assay_module_code_free(code);
}

/* The remaining points of a run keep the values that it was planned with, whatever later
 * searches found. */
static void a_resumed_run_has_the_same_values(void **state)
{
    const searched self  = a_search("11111111-", "", "");
    const searched later = a_search("22222222-", "2026-03-03T00:00:00.000Z", "block=128");
    fixture       *f     = *state;
    int64_t        run, ids[3] = { 0 };
    asked          a;

    open_store(f);
    parse(&a);
    assert_ok(assay_store_begin_plan(f->store));
    run = begin(f, &self);
    for (int i = 0; i < 3; i++) {
        assay_point_row row;

        assay_point_row_fill(&a.points[i], ASSAY_LANE_CUDA, &row);
        assert_ok(assay_store_plan(f->store, run, axpy.what, 2, &row, 1, &ids[i]));
    }
    for (int i = 0; i < 2; i++)
        assert_ok(assay_store_plan_tuning(f->store, ids[i], "block=64", "tuned by run 1"));
    assert_ok(assay_store_end_plan(f->store, true));
    pass_point(f, ids[0], 0.5, 1000);
    (void)put_search(f, &later);
    assert_ok(assay_tuned_resume(f->store, run, &a.points[1], &ids[1], 2));
    assert_true(a.points[1].is_tuned && a.points[1].tuned[0] == 64);
    assert_false(a.points[2].is_tuned);
    assert_ok(assay_tuned_resume(f->store, run, &a.points[2], &ids[2], 1)); /* the other is gone */
    assert_false(a.points[2].is_tuned);
    assert_int_equal(run_sql(f->path, "DROP TRIGGER tuning_trial_kept; UPDATE tuning_trial SET "
                                      "tuning = 'block=96' WHERE reason <> ''"),
                     SQLITE_OK);
    assert_int_equal(assay_tuned_resume(f->store, run, &a.points[1], &ids[1], 2), ASSAY_E_USAGE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(nothing_is_taken_of_an_empty_file),
        TEST(the_newest_search_counts),
        TEST(only_what_was_there_before_the_run_counts),
        TEST(another_card_or_version_says_nothing),
        TEST(a_choice_that_failed_is_none),
        TEST(a_taken_choice_is_no_search),
        TEST(values_that_are_gone_are_not_taken),
        TEST(hostile_text_is_shown_safely),
        TEST(changed_code_is_said),
        TEST(a_resumed_run_has_the_same_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
