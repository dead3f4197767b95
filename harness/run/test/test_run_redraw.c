/* Launchers that save work while they are timed: because the answer is there already, because they
 * have kept it, or now and then. */
#include "run_time_fixture.h"

#include <time.h>

static const int64_t WORK_NS = 50000;

/* Does its work of 50 us only if the answer is not there yet. */
static bool is_answered(const assay_args *args)
{
    const float *x = args->buf[0], *y = args->buf[1];

    for (int64_t i = 0; i < args->param[0]; i++)
        if (y[i] != 2 * x[i])
            return false;
    return true;
}
ASSAY_LAUNCHER(looks_before_it_works)
{
    (void)stream;
    if (!is_answered(args))
        toy_gpu.clock_ns += 50000;
    compute(args);
    return 0;
}
/* The same, but every thirteenth call does the work. */
ASSAY_LAUNCHER(mostly_looks_before_it_works)
{
    (void)stream;
    if (n_calls % 13 == 0 || !is_answered(args))
        toy_gpu.clock_ns += 50000;
    compute(args);
    return 0;
}
static int looks_before_it_works_here(const assay_args *args, assay_stream stream)
{
    const struct timespec work = { .tv_nsec = 2000000 };

    (void)stream;
    if (!is_answered(args))
        (void)nanosleep(&work, NULL);
    compute(args);
    return 0;
}

/* ---- answers that are kept ---- */

/* An answer of an earlier call, found by the input's address or by its contents. */
typedef struct kept_answer {
    const void *address;
    float       x[N], y[N];
} kept_answer;

static kept_answer kept[256];
static int         n_kept;
static bool        keeps_by_address;

static const kept_answer *find_kept(const float *x)
{
    for (int k = 0; k < n_kept; k++)
        if (keeps_by_address ? kept[k].address == x : memcmp(kept[k].x, x, sizeof kept[k].x) == 0)
            return &kept[k];
    return NULL;
}

static void keep(const assay_args *args)
{
    kept_answer *k = &kept[n_kept++];

    assert_true(n_kept < (int)(sizeof kept / sizeof kept[0]));
    k->address = args->buf[0];
    memcpy(k->x, args->buf[0], sizeof k->x);
    memcpy(k->y, args->buf[1], sizeof k->y);
}

/* Computes, or takes a kept answer; true if it had to compute. */
static bool work_or_remember(const assay_args *args)
{
    const kept_answer *known = find_kept(args->buf[0]);

    compute(args); /* this also computes z */
    if (known)
        memcpy(args->buf[1], known->y, sizeof known->y);
    else
        keep(args);
    return !known;
}

ASSAY_LAUNCHER(keeps_its_answers)
{
    (void)stream;
    if (work_or_remember(args))
        toy_gpu.clock_ns += WORK_NS;
    return 0;
}

static int keeps_its_answers_here(const assay_args *args, assay_stream stream)
{
    const struct timespec work = { .tv_nsec = 2000000 };

    (void)stream;
    if (work_or_remember(args))
        (void)nanosleep(&work, NULL);
    return 0;
}

/* ---- calls that are left out ---- */

static int leaves_out; /* of eight calls */

ASSAY_LAUNCHER(leaves_calls_out)
{
    static int n;

    (void)stream;
    if (n++ % 8 >= leaves_out)
        compute(args);
    return 0;
}

/* ---- an input that is changed, and put back by the next call ---- */

static bool leaves_marks;

ASSAY_LAUNCHER(marks_its_input)
{
    const float mark = 1000; /* exact together with the integers in the buffer */
    float      *x    = args->buf[0];
    const bool  has  = x[5] > mark / 2;

    (void)stream;
    x[5] -= has ? mark : 0;
    compute(args);
    x[5] += leaves_marks && !has ? mark : 0;
    return 0;
}

/* ---- what the calls find ---- */

static float contents[256]; /* one element, each time that it differs */
static int   n_contents;
static void *address; /* of the buffer, while it stays the same */
static bool  has_moved;

static void note_contents(const assay_args *args)
{
    const float x = ((const float *)args->buf[0])[5];

    if (n_contents == 0 || contents[n_contents - 1] != x)
        contents[n_contents++] = x;
    has_moved = has_moved || (address && address != args->buf[0]);
    address   = args->buf[0];
}
LAUNCHER(notes_contents, note_contents(args))

static int start(void **state)
{
    n_kept           = 0;
    keeps_by_address = false;
    leaves_out       = 0;
    leaves_marks     = false;
    return begin(state);
}

/* Samples with the answer in place would make it look 50 times as fast as it is. */
static void who_skips_what_is_done_has_no_number(void **state)
{
    (void)state;
    variant(0, "v", "looks_before_it_works", 0);
    variant(1, "w", "right", 0);
    check(2);
    time_them(2, 0);
    assert_found(0, ASSAY_SUSPECT, "it takes 1 us if its outputs hold the answer already");
    assert_found(0, ASSAY_SUSPECT, "and 51 us if they do not (cold, event clock)");
    assert_found(1, ASSAY_PASS, "");
    variant(0, "v", "mostly_looks_before_it_works", 0);
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_SUSPECT, "hold the answer already");
    toy.variants[0] = (assay_variant) { .name = "v", .cpu = looks_before_it_works_here };
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_SUSPECT, "(e2e, host clock)");
}

/* One process is enough; the others save these calls. */
static void the_first_process_looks_for_it(void **state)
{
    (void)state;
    variant(0, "v", "looks_before_it_works", 0);
    check(1);
    time_them(1, 1);
    assert_found(0, ASSAY_PASS, "");
}

/* Its check finds it; if the check is passed, the second block does. */
static void who_keeps_answers_by_address_is_wrong(void **state)
{
    (void)state;
    keeps_by_address = true;
    variant(0, "v", "keeps_its_answers", 0);
    toy.inputs = ASSAY_INPUT_BIT(RANDOM);
    points[0]  = (assay_timed_point) { .point = point_of(0, N, true) };
    assert_int_equal(assay_run_point(&runner, &points[0].point, &sink), ASSAY_OK);
    assert_string_equal(assay_verdict_text(seen.verdict.verdict),
                        assay_verdict_text(ASSAY_WRONG_VALUE));
    assert_non_null(
        strstr(seen.verdict.reason, "called again with other inputs at the same addresses"));
    /* A launcher that only cheats while it is timed. */
    toy.variants[0].launch = "right";
    check(1);
    toy.variants[0].launch = "keeps_its_answers";
    time_them(1, 1);
    assert_found(0, ASSAY_WRONG_VALUE, "'y'");
}

static void who_keeps_answers_by_contents_has_no_number(void **state)
{
    (void)state;
    variant(0, "v", "keeps_its_answers", 0);
    variant(1, "w", "right", 0);
    check(2);
    time_them(2, 0);
    assert_found(0, ASSAY_SUSPECT, "it takes 1 us with the inputs of the call before");
    assert_found(0, ASSAY_SUSPECT, "and 51 us with new ones (cold, event clock)");
    assert_found(1, ASSAY_PASS, "");
    toy.variants[0] = (assay_variant) { .name = "v", .cpu = keeps_its_answers_here };
    n_kept          = 0;
    check(1);
    time_them(1, 0);
    assert_found(0, ASSAY_SUSPECT, "(e2e, host clock)");
}

/* Seven of eight calls do nothing, which is missed if only the eighth is judged. */
static void who_leaves_calls_out_is_wrong(void **state)
{
    (void)state;
    toy.inputs = ASSAY_INPUT_BIT(RANDOM);
    variant(0, "v", "leaves_calls_out", 0);
    check(1);
    leaves_out      = 7;
    policy.n_blocks = 32; /* one call is judged in each: it escapes one in eight */
    time_them(1, 0);
    assert_true(seen.has_verdict[0]);
    assert_true(seen.verdicts[0].verdict > ASSAY_PASS);
    assert_int_equal(seen.n_measurements, 0);
}

/* Its answers are right. It cannot know after which call the inputs are compared. */
static void who_changes_inputs_and_puts_them_back_is_found(void **state)
{
    (void)state;
    toy.inputs = ASSAY_INPUT_BIT(RANDOM);
    variant(0, "v", "marks_its_input", 0);
    check(1);
    leaves_marks    = true;
    policy.n_blocks = 32; /* inputs are compared after each: it escapes one in two */
    time_them(1, 0);
    assert_found(0, ASSAY_INPUT_CHANGED, "was changed while the point was timed");
}

static void contents_change_between_blocks(void **state)
{
    (void)state;
    variant(0, "v", "notes_contents", 0);
    check(1);
    n_contents = 0;
    address    = NULL;
    has_moved  = false;
    time_them(1, 1); /* not the first process, so there are no pairs with new contents */
    assert_found(0, ASSAY_PASS, "");
    assert_int_equal(n_contents, 3);
    assert_true(contents[0] != contents[1]);
    assert_true(contents[0] == contents[2]);
    assert_false(has_moved); /* graphs hold addresses */
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
    const struct CMUnitTest tests[] = {
        TEST(who_skips_what_is_done_has_no_number),
        TEST(the_first_process_looks_for_it),
        TEST(who_keeps_answers_by_address_is_wrong),
        TEST(who_keeps_answers_by_contents_has_no_number),
        TEST(who_leaves_calls_out_is_wrong),
        TEST(who_changes_inputs_and_puts_them_back_is_found),
        TEST(contents_change_between_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
