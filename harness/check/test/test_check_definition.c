/* check_definition: a sound case passes; each broken field is refused with the names of case and
 * field. */
#include "definition_fixture.h"

#include <math.h>

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

static void hole_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->buf[5] = s->buf[1];
}

/* The names of a param and a scalar. */
static const char *param_name, *scalar_name;

static void named_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->param_name[3]  = param_name;
    s->scalar_name[0] = scalar_name;
}

static void outputless_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    sound_shape(axis, input, s);
    s->buf[1].role = ASSAY_WORK;
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
    REFUSED(
        "reference: is missing, and without one nothing can be judged: write sound_reference in "
        "sound.c and set .reference to it",
        reference, NULL);
    REFUSED("inputs", inputs, 0);
    REFUSED("inputs", inputs, 1u << ASSAY_N_INPUTS);
    REFUSED("timed_input", timed_input, ASSAY_INPUT_SMOOTH);
    REFUSED("timed_input", timed_input, (assay_input)99);
}

static void test_axes(void **state)
{
    assay_case none = sound;

    (void)state;
    REFUSED("axes: axis 0 is missing, but axis 1, 'kind', follows it", axes[0].name, NULL);
    REFUSED("axes: axis 1 is missing, but axis 2, 'grid', follows it", axes[1].name, NULL);
    memset(none.axes, 0, sizeof none.axes);
    expect_refused(&none, "axes: there must be 1 to 8");
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
    REFUSED("index", axes[1],
            (assay_axis)ASSAY_AXIS("k", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "a"), ASSAY_WORD(0, "b")));
    REFUSED("not a valid name", axes[1],
            (assay_axis)ASSAY_AXIS("k", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "a,b")));
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
    REFUSED("tol.u_out", tol.u_out, -0.5);
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
    REFUSED("'w' is not an output", tol_for[1], (assay_output_tolerance) { "w", bound });
    REFUSED("'x' is not an output", tol_for[1], (assay_output_tolerance) { "x", bound });
    REFUSED("'z' is listed twice", tol_for[1], (assay_output_tolerance) { "z", bound });
    REFUSED("output 'y' has no tolerance", tol, (assay_tolerance) { 0 });
    REFUSED("OWN without a comparer", tol_for[0].tol, own);
    REFUSED("tol.rule: OWN is for outputs", tol, own);
    t   = own;
    t.c = 1;
    REFUSED("'z': c, u_out", tol_for[0].tol, t);
}

/* The comparer judges one output; the other still needs a tolerance. */
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
    REFUSED("variant 'naive': launch, kernels, cpu", variants[0].launch, NULL);
    REFUSED("variant 'naive': launch, kernels, cpu", variants[0].launch, "");
    REFUSED("variant 'naive': launch, kernels, cpu", variants[0].cpu, cpu);
    ACCEPTED(variants[1], (assay_variant) { .name = "t", .peer = { "sound.py", "eager" } });
    REFUSED("variant 'cpu': launch, kernels, cpu", variants[1].peer.script, "sound.py");
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

static void test_names_of_numbers(void **state)
{
    static const struct {
        const char *param, *scalar, *words;
    } rows[] = {
        { "n", NULL, "the name 'n' of a param or scalar is an axis's too" },
        { NULL, "kind", "the name 'kind' of a param or scalar is an axis's too" },
        { NULL, "y", "the name 'y' of a param or scalar is a buffer's too" },
        { "alpha", "alpha", "the name 'alpha' of a param or scalar is given twice" },
        { "1st", NULL, "the name '1st' of a param or scalar must have only" },
        { NULL, "a-b", "the name 'a-b' of a param or scalar must have only" },
        { "", NULL, "the name '' of a param or scalar must have only" },
        { "block", NULL, "the name 'block' of a param or scalar is a tuning axis's too" },
    };
    assay_case c = sound;

    (void)state;
    c.shape                 = named_shape;
    c.variants[0].tuning[0] = (assay_tuning)ASSAY_TUNING("block", 64);
    param_name              = "stride";
    scalar_name             = "alpha";
    assert_int_equal(assay_check_definition(&c), ASSAY_OK);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        param_name  = rows[i].param;
        scalar_name = rows[i].scalar;
        expect_refused(&c, rows[i].words);
    }
}

static void test_shapes(void **state)
{
    assay_case c = sound;

    (void)state;
    REFUSED("shape: buffer 1", shape, nameless_shape);
    REFUSED("count below 0", shape, negative_shape);
    REFUSED("another buffer", shape, twin_shape);
    REFUSED("no output", shape, outputless_shape);
    REFUSED("shape: buffer 2 is missing, but buffer 5, 'y', follows it", shape, hole_shape);
    c.shape    = nameless_shape;
    c.excluded = seven_is_excluded; /* the only size at which it is wrong */
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
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_names_of_numbers),
        cmocka_unit_test(test_lists_must_end),
    };

    return cmocka_run_group_tests_name("check_definition", tests, NULL, NULL);
}
