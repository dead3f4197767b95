/* check_definition: a sound case passes; each broken field is refused by case and field. */
#include "testing.h"

#include "check.h"

#include <math.h>
#include <string.h>

static void sound_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    (void)input;
    s->buf[0] =
        (assay_buffer) { "x", ASSAY_IN, ASSAY_F32, axis[0].i[0], { .kind = ASSAY_FILL_NONE } };
    s->buf[1] = (assay_buffer) { "y", ASSAY_OUT, ASSAY_F32, axis[0].i[0], { 0 } };
    if (axis[1].i[0] == 1) /* "wide" has one output more */
        s->buf[2] = (assay_buffer) { "z", ASSAY_INOUT, ASSAY_F64, 5, { 0 } };
}

static void nameless_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    if (axis[0].i[0] == 7)
        s->buf[1].name = NULL;
}

static void negative_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->buf[0].count = input == ASSAY_INPUT_EXACT ? -1 : 1;
}

static void twin_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->buf[1].name = "x";
}

static void outputless_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->buf[1].role = ASSAY_WORK;
}

static void reference(const assay_reference_args *args) { (void)args; }

static int cpu(const assay_args *args, assay_stream stream)
{
    (void)args;
    (void)stream;
    return 0;
}

static assay_invariant_result measure(const assay_evidence *evidence)
{
    (void)evidence;
    return (assay_invariant_result) { 0 };
}

static assay_verdict compare(const assay_evidence *evidence, char *reason, size_t size)
{
    (void)evidence;
    (void)reason;
    (void)size;
    return ASSAY_PASS;
}

static const char *seven_is_excluded(const assay_value *axis)
{
    return axis[0].i[0] == 7 ? "seven" : NULL;
}

static const assay_tolerance bound = {
    .rule = ASSAY_RULE_BOUND, .c = 4, .u_out = 0x1p-24, .why = "w"
};
static const assay_tolerance ulp   = { .rule = ASSAY_RULE_ULP, .max_ulp = 2, .why = "w" };
static const assay_tolerance exact = { .rule = ASSAY_RULE_EXACT, .why = "w" };
static const assay_tolerance own   = { .rule = ASSAY_RULE_OWN, .why = "w" };

static const assay_case sound = {
    .name        = "sound",
    .group       = "made_up",
    .what        = "nothing",
    .version     = 1,
    .axes        = { ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(7), ASSAY_F(1 << 20)),
                     ASSAY_AXIS("kind", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "narrow"), ASSAY_WORD(1, "wide")),
                     ASSAY_AXIS("grid", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 2, 3), ASSAY_QGRID(3, 2, 1)) },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = sound_shape,
    .reference   = reference,
    .tol         = { .rule = ASSAY_RULE_BOUND, .c = 2, .u_out = 0x1p-24, .why = "rounding" },
    .tol_for     = { { "z", { .rule = ASSAY_RULE_ULP, .max_ulp = 4, .why = "rounding" } } },
    .invariants  = { { "mass", "nothing is lost", measure, NULL } },
    .variants    = { { .name = "naive", .launch = "naive" },
                     { .name = "cpu", .cpu = cpu, .baseline = "naive" } },
};

static void expect_refused(const assay_case *c, const char *words)
{
    assay_status_reset();
    assert_failed_with(assay_check_definition(c), ASSAY_E_CASE, words);
}

/* Refused for `field = value`, in words that name the case and the field. */
#define REFUSED(words, field, ...)                                                                 \
    do {                                                                                           \
        assay_case c_ = sound;                                                                     \
        c_.field      = __VA_ARGS__;                                                               \
        expect_refused(&c_, words);                                                                \
        if (c_.name == sound.name)                                                                 \
            expect_refused(&c_, "'sound'");                                                        \
    } while (0)

#define ACCEPTED(field, ...)                                                                       \
    do {                                                                                           \
        assay_case c_ = sound;                                                                     \
        c_.field      = __VA_ARGS__;                                                               \
        if (assay_check_definition(&c_) != ASSAY_OK)                                               \
            fail_msg("%s", assay_status_message());                                                \
    } while (0)

static void test_sound_case(void **state)
{
    (void)state;
    assay_status_reset();
    ACCEPTED(name, sound.name);
    ACCEPTED(group, NULL);
    ACCEPTED(tol, ulp);
    ACCEPTED(tol, exact);
    ACCEPTED(compare, compare);
    assert_string_equal(assay_status_message(), "");
    expect_refused(NULL, "no case");
}

static void test_head(void **state)
{
    (void)state;
    REFUSED("name", name, NULL);
    REFUSED("name", name, "");
    REFUSED("name", name, "a/b");
    REFUSED("name", name, "a=b");
    REFUSED("name", name, "0123456789012345678901234567890123456789012345678901234567890123");
    REFUSED("group", group, "a b");
    REFUSED("what", what, NULL);
    REFUSED("version", version, 0);
    REFUSED("shape", shape, NULL);
    REFUSED("reference", reference, NULL);
    REFUSED("inputs", inputs, 0);
    REFUSED("inputs", inputs, 1u << ASSAY_N_INPUTS);
    REFUSED("timed_input", timed_input, ASSAY_INPUT_SMOOTH);
    REFUSED("timed_input", timed_input, (assay_input)99);
}

static void test_axes(void **state)
{
    (void)state;
    REFUSED("axes: there must be", axes[0].name, NULL);
    REFUSED("axes", axes[0].name, "a=b");
    REFUSED("no values", axes[1].n_values, 0);
    REFUSED("no values", axes[1].values, NULL);
    REFUSED("another axis", axes[1].name, "n");
    REFUSED("known kind", axes[1].kind, (assay_axis_kind)9);
    REFUSED("twice", axes[0],
            (assay_axis)ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(2), ASSAY_F(1)));
    REFUSED(
        "twice", axes[2],
        (assay_axis)ASSAY_AXIS("g", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 2, 3), ASSAY_FGRID(1, 2, 3)));
    REFUSED("twice", axes[1],
            (assay_axis)ASSAY_AXIS("k", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "a"), ASSAY_WORD(1, "a")));
    REFUSED("place", axes[1],
            (assay_axis)ASSAY_AXIS("k", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "a"), ASSAY_WORD(0, "b")));
    REFUSED("no name", axes[1], (assay_axis)ASSAY_AXIS("k", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "a,b")));
    REFUSED("below 0", axes[2],
            (assay_axis)ASSAY_AXIS("g", ASSAY_AXIS_GRID, ASSAY_QGRID(1, -2, 3)));
}

static void test_tolerances(void **state)
{
    assay_tolerance t = bound;

    (void)state;
    t.why = NULL;
    REFUSED("tol.why", tol, t);
    t.why = "";
    REFUSED("tol.why", tol, t);
    REFUSED("tol_for 'z': why", tol_for[0].tol.why, NULL);
    REFUSED("tol.c", tol.c, 0);
    REFUSED("tol.c", tol.c, 4.001);
    REFUSED("tol.c", tol.c, -1);
    REFUSED("tol.c", tol.c, NAN);
    REFUSED("tol.u_out", tol.u_out, 0);
    REFUSED("tol.u_out", tol.u_out, 0.5);
    REFUSED("tol.u_out", tol.u_acc, NAN);
    REFUSED("tol.growth", tol.growth, (assay_growth)9);
    REFUSED("tol.max_ulp", tol.max_ulp, 3);
    REFUSED("tol.rule", tol.rule, (assay_rule)9);
    REFUSED("tol.inexact_why", tol.inexact_why, "");
    REFUSED("'z': max_ulp", tol_for[0].tol.max_ulp, 0);
    REFUSED("'z': max_ulp", tol_for[0].tol.max_ulp, 1 << 20);
    REFUSED("'z': c, u_out", tol_for[0].tol.c, 1);
    t         = exact;
    t.max_ulp = 1;
    REFUSED("tol.c, u_out", tol, t);
    t             = exact;
    t.inexact_why = "but";
    REFUSED("tol.inexact_why", tol, t);
}

static void test_tolerances_of_outputs(void **state)
{
    assay_tolerance t;

    (void)state;
    REFUSED("'w' is no output", tol_for[1], (assay_output_tolerance) { "w", bound });
    REFUSED("'x' is no output", tol_for[1], (assay_output_tolerance) { "x", bound });
    REFUSED("'z' is listed twice", tol_for[1], (assay_output_tolerance) { "z", bound });
    REFUSED("output 'y' has no tolerance", tol, (assay_tolerance) { 0 });
    REFUSED("OWN without a comparer", tol_for[0].tol, own);
    REFUSED("tol.rule: OWN is for outputs", tol, own);
    t   = own;
    t.c = 1;
    REFUSED("'z': c, u_out", tol_for[0].tol, t);
}

/* The comparer takes one output; the other still needs a tolerance. */
static void test_comparer_of_one_output(void **state)
{
    assay_case c = sound;

    (void)state;
    c.compare        = compare;
    c.tol_for[0].tol = own;
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    assert_true(assay_check_is_compared(&c, "z") && !assay_check_is_compared(&c, "y"));
    c.tol = (assay_tolerance) { 0 };
    expect_refused(&c, "output 'y' has no tolerance");
}

static void test_invariants(void **state)
{
    (void)state;
    REFUSED("invariants: 'mass'", invariants[0].why, NULL);
    REFUSED("invariants: 'mass'", invariants[0].measure, NULL);
    REFUSED("two are called 'mass'", invariants[1], sound.invariants[0]);
}

static void test_variants(void **state)
{
    char too_long[ASSAY_VARIANT_WHAT_SIZE + 1];

    (void)state;
    memset(too_long, 'x', ASSAY_VARIANT_WHAT_SIZE);
    too_long[ASSAY_VARIANT_WHAT_SIZE] = '\0';
    REFUSED("variants: there is none", variants[0].name, NULL);
    REFUSED("variant 'naive': launch, cpu", variants[0].launch, NULL);
    REFUSED("variant 'naive': launch, cpu", variants[0].launch, "");
    REFUSED("variant 'naive': launch, cpu", variants[0].cpu, cpu);
    ACCEPTED(variants[1], (assay_variant) { .name = "t", .peer = { "sound.py", "eager" } });
    REFUSED("variant 'cpu': launch, cpu", variants[1].peer.script, "sound.py");
    REFUSED("variant 't': peer", variants[1],
            (assay_variant) { .name = "t", .peer = { "../sound.py", "eager" } });
    REFUSED("variant 't': peer", variants[1],
            (assay_variant) { .name = "t", .peer = { "sound.sh", "eager" } });
    REFUSED("variant 't': peer", variants[1],
            (assay_variant) { .name = "t", .peer = { "sound.py", "two words" } });
    REFUSED("variant 't': peer", variants[1],
            (assay_variant) { .name = "t", .peer = { "sound.py", NULL } });
    REFUSED("variant 't': peer", variants[1],
            (assay_variant) { .name = "t", .peer = { "sound.py", "eager" }, .setup = "s" });
    REFUSED("variant 'naive': name: is another", variants[1].name, "naive");
    REFUSED("variant 'a/b': name", variants[1].name, "a/b");
    REFUSED("variant 'cpu': baseline: is no", variants[1].baseline, "fast");
    REFUSED("variant 'cpu': baseline: is the", variants[1].baseline, "cpu");
    REFUSED("variant 'cpu': gpu_only", variants[1].gpu_only, "");
    REFUSED("variant 'cpu': what", variants[1].what, "");
    REFUSED("variant 'cpu': what", variants[1].what, too_long);
    ACCEPTED(variants[1].what, too_long + 1);
    REFUSED("variant 'cpu': sections", variants[1].sections,
            ((const assay_section_name[]) { { "scale", NULL }, { NULL, NULL } }));
    REFUSED("variant 'cpu': time_limit_s", variants[1].time_limit_s, NAN);
    REFUSED("variant 'cpu': expect", variants[1].expect[ASSAY_LANE_ASAN], 1u << 31);
}

static void test_tuning(void **state)
{
    static const char name[] = "a23456789012345678901234567890123456789012345678901234567890";

    (void)state;
    ACCEPTED(variants[0].tuning[0],
             (assay_tuning)ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, INT64_MAX));
    REFUSED("variant 'naive': tuning 'block' has too many", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13));
    REFUSED("tuning '' has no proper name", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("", 1));
    REFUSED("tuning 'a/b' has no proper name", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("a/b", 1));
    REFUSED("tuning 'kind' has the name of an axis", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("kind", 1));
    REFUSED("tuning 'block' has no values", variants[0].tuning[0],
            (assay_tuning) { "block", NULL, 1 });
    REFUSED("tuning 'block' has no values", variants[0].tuning[0],
            (assay_tuning) { "block", &(const int64_t) { 1 }, 0 });
    REFUSED("tuning 'block' has a value that is not above 0", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 256, 0));
    REFUSED("tuning 'block' has a value that is not above 0", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", -1));
    REFUSED("tuning 'block' has the same value twice", variants[0].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 64, 128, 64));
    REFUSED("variant 'cpu': tuning: a variant that is not launched has none", variants[1].tuning[0],
            (assay_tuning)ASSAY_TUNING("block", 256));
    ACCEPTED(variants[0].tuning[0], (assay_tuning)ASSAY_TUNING(name, 1));
}

/* Rules on all axes of a variant together. */
static void test_tunings_together(void **state)
{
    const assay_tuning block = ASSAY_TUNING("block", 1, 2, 3, 4, 5, 6, 7, 8);
    const assay_tuning tile  = ASSAY_TUNING("tile", 1, 2, 3, 4, 5, 6, 7, 8);
    assay_case         c     = sound;

    (void)state;
    c.variants[0].tuning[0] = block;
    c.variants[0].tuning[1] = block;
    expect_refused(&c, "tuning 'block' is listed twice");
    c.variants[0].tuning[1] = tile;
    c.variants[0].tuning[2] = (assay_tuning)ASSAY_TUNING("warps", 1, 2, 3, 4);
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    c.variants[0].tuning[2] = (assay_tuning)ASSAY_TUNING("warps", 1, 2, 3, 4, 5);
    expect_refused(&c, "320 combinations are more than 256");
    for (int t = 0; t <= ASSAY_MAX_TUNING; t++)
        c.variants[0].tuning[t] = tile;
    expect_refused(&c, "tuning: more than 4 axes");
}

/* The text of a combination has 127 characters at most: "name=value,name=value". */
static void test_tuning_text(void **state)
{
    static const char first[]  = "a2345678901234567890123456789012345678901234567890123456789012";
    static const char second[] = "b234567890123456789012345678901234567890123456789012345678901";
    assay_case        c        = sound;

    (void)state;
    c.variants[0].tuning[0] = (assay_tuning)ASSAY_TUNING(first, 7);  /* 64 characters */
    c.variants[0].tuning[1] = (assay_tuning)ASSAY_TUNING(second, 1); /* the comma and 63 */
    expect_refused(&c, "names and values together are too long");
    c.variants[0].tuning[1].name = second + 1;
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    c.variants[0].tuning[1] = (assay_tuning)ASSAY_TUNING(second + 1, 1, 10);
    expect_refused(&c, "names and values together are too long");
}

static void test_shapes(void **state)
{
    assay_case c = sound;

    (void)state;
    REFUSED("shape: buffer 1", shape, nameless_shape);
    REFUSED("count below 0", shape, negative_shape);
    REFUSED("another buffer", shape, twin_shape);
    REFUSED("no output", shape, outputless_shape);
    c.shape    = nameless_shape;
    c.excluded = seven_is_excluded; /* the only place where it is wrong */
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
}

static void test_lists_must_end(void **state)
{
    assay_case c = sound;

    (void)state;
    for (int i = 0; i <= ASSAY_MAX_INVARIANTS; i++)
        c.invariants[i] = sound.invariants[0];
    expect_refused(&c, "invariants: more than");
    c = sound;
    for (int i = 0; i <= ASSAY_MAX_VARIANTS; i++)
        c.variants[i] = sound.variants[0];
    expect_refused(&c, "variants: more than");
    c = sound;
    for (int i = 0; i <= ASSAY_MAX_OUTPUTS; i++)
        c.tol_for[i] = sound.tol_for[0];
    expect_refused(&c, "tol_for: has more than");
    c = sound;
    for (int i = 0; i <= ASSAY_MAX_AXES; i++)
        c.axes[i] = sound.axes[0];
    expect_refused(&c, "axes: there must be");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound_case),
        cmocka_unit_test(test_head),
        cmocka_unit_test(test_axes),
        cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_tolerances_of_outputs),
        cmocka_unit_test(test_comparer_of_one_output),
        cmocka_unit_test(test_invariants),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_tuning),
        cmocka_unit_test(test_tunings_together),
        cmocka_unit_test(test_tuning_text),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_lists_must_end),
    };

    return cmocka_run_group_tests_name("check_definition", tests, NULL, NULL);
}
