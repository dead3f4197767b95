/* fill: poison and guard zones of every type. */
#include "testing/testing.h"

#include "check/fill.h"

#include <math.h>
#include <string.h>

static const assay_type all_types[] = { ASSAY_F32,  ASSAY_F64,    ASSAY_I32,    ASSAY_U32,
                                        ASSAY_I64,  ASSAY_U64,    ASSAY_U8,     ASSAY_F16,
                                        ASSAY_BF16, ASSAY_F8E4M3, ASSAY_F8E5M2, ASSAY_I8,
                                        ASSAY_I16,  ASSAY_U16 };
enum {
    N_TYPES = sizeof all_types / sizeof *all_types
};

enum {
    N_LAUNCHES = 8,
    N_BUFFERS  = ASSAY_MAX_BUFFERS + 1 /* and the workspace */
};

static void expect_poisons_of_a_buffer_to_differ(assay_type type, assay_input input, int buffer)
{
    const size_t size = assay_type_size(type);

    for (int a = 0; a < N_LAUNCHES; a++) {
        const int number = assay_fill_number(a, input, buffer);
        uint8_t   x[3 * 8];

        assay_fill_poison(x, type, 3, number);
        for (int b = 0; b < N_LAUNCHES; b++)
            for (int64_t i = 0; i < 3; i++)
                assert_int_equal(assay_is_poison(x, type, i, assay_fill_number(b, input, buffer)),
                                 a == b);
        x[size + size - 1] ^= 1; /* one bit of element 1 */
        assert_false(assay_is_poison(x, type, 1, number));
        assert_true(assay_is_poison(x, type, 0, number));
        assert_true(assay_is_poison(x, type, 2, number));
    }
}

static void test_poisons_differ_in_every_element(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++)
        for (int input = 0; input < ASSAY_N_INPUTS; input++)
            for (int buffer = 0; buffer < N_BUFFERS; buffer++)
                expect_poisons_of_a_buffer_to_differ(all_types[t], (assay_input)input, buffer);
}

static void test_numbers_are_all_different(void **state)
{
    bool is_taken[N_LAUNCHES * ASSAY_N_INPUTS * N_BUFFERS] = { false };

    (void)state;
    for (int launch = 0; launch < N_LAUNCHES; launch++)
        for (int input = 0; input < ASSAY_N_INPUTS; input++)
            for (int buffer = 0; buffer < N_BUFFERS; buffer++) {
                const int number = assay_fill_number(launch, (assay_input)input, buffer);

                assert_in_range(number, 0, sizeof is_taken / sizeof *is_taken - 1);
                assert_false(is_taken[number]);
                is_taken[number] = true;
            }
}

static void test_poison_is_nan_that_arithmetic_does_not_give_back(void **state)
{
    const int       first = assay_fill_number(0, ASSAY_INPUT_EXACT, 3);
    volatile float  f[2];
    volatile double d[2];

    (void)state;
    assay_fill_poison((void *)(uintptr_t)f, ASSAY_F32, 2, first);
    assay_fill_poison((void *)(uintptr_t)d, ASSAY_F64, 2, first);
    assert_true(isnan(f[0]) && isnan(d[0]));
    f[0] = f[0] + 1;
    d[0] = d[0] + 1;
    assert_true(isnan(f[0]) && isnan(d[0]));
    assert_false(assay_is_poison((const void *)(uintptr_t)f, ASSAY_F32, 0, first));
    assert_false(assay_is_poison((const void *)(uintptr_t)d, ASSAY_F64, 0, first));
    assert_true(assay_is_poison((const void *)(uintptr_t)f, ASSAY_F32, 1, first));
}

/* A NaN tells its launch, class and buffer, also after arithmetic and a conversion. */
static void test_a_nan_tells_where_it_is_from(void **state)
{
    const int        number = assay_fill_number(4, ASSAY_INPUT_INDEXED, ASSAY_MAX_BUFFERS);
    volatile float   f[2];
    volatile double  d;
    const void      *at = (const void *)(uintptr_t)f;
    assay_nan_origin o;

    (void)state;
    assay_fill_guard((void *)(uintptr_t)f, sizeof f, ASSAY_F32, number);
    for (int quiet = 0; quiet < 2; quiet++) {
        assert_true(assay_fill_nan_origin(at, ASSAY_F32, 1, &o));
        assert_true(o.is_guard && !o.is_shared && o.launch == 4);
        assert_true(o.input == ASSAY_INPUT_INDEXED && o.buffer == ASSAY_MAX_BUFFERS);
#if defined(__x86_64__)
        f[1] = f[1] + 1; /* this keeps the payload */
#endif
    }
    assay_fill_poison((void *)(uintptr_t)f, ASSAY_F32, 2,
                      assay_fill_number(0, ASSAY_INPUT_EXACT, 2));
    d = (double)f[0];
    assert_true(assay_fill_nan_origin((const void *)(uintptr_t)&d, ASSAY_F64, 0, &o));
    assert_true(!o.is_guard && o.launch == 0 && o.input == ASSAY_INPUT_EXACT && o.buffer == 2);
}

static void test_other_nans_tell_nothing(void **state)
{
    static const uint32_t others[] = { 0x7FC00000u, 0xFFC00000u, 0x7FFFFFFFu,
                                       0xFFFFFFFFu, 0x7F800000u, 0x3F800000u };
    static const uint32_t shared   = 0xFFF5FFF5u;
    assay_nan_origin      o;

    (void)state;
    for (int i = 0; i < 6; i++)
        assert_false(assay_fill_nan_origin(others, ASSAY_F32, i, &o));
    assert_false(assay_fill_nan_origin(others, ASSAY_I32, 0, &o));
    assert_true(assay_fill_nan_origin(&shared, ASSAY_F32, 0, &o));
    assert_true(o.is_shared);
}

static void test_poison_of_nothing_writes_nothing(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        uint8_t x = 0x11;

        assay_fill_poison(&x, all_types[t], 0, 0);
        assert_int_equal(x, 0x11);
    }
}

/* Is the guard zone of a launch of this kind of value? */
static bool guard_is(assay_type type, int number, bool (*is)(const void *element))
{
    const size_t size = assay_type_size(type);
    uint8_t      zone[ASSAY_GUARD_BYTES];

    assay_fill_guard(zone, sizeof zone, type, number);
    for (size_t i = 0; i < sizeof zone; i += size)
        if (!is(zone + i))
            return false;
    return true;
}

static float float_at(const void *element)
{
    float value;

    memcpy(&value, element, sizeof value);
    return value;
}
static double double_at(const void *element)
{
    double value;

    memcpy(&value, element, sizeof value);
    return value;
}
static int32_t integer_at(const void *element)
{
    int32_t value;

    memcpy(&value, element, sizeof value);
    return value;
}
static uint32_t unsigned_at(const void *element)
{
    uint32_t value;

    memcpy(&value, element, sizeof value);
    return value;
}
static uint8_t byte_at(const void *element) { return *(const uint8_t *)element; }

static bool f32_is_nan(const void *e) { return isnan(float_at(e)); }
static bool f32_is_large(const void *e) { return float_at(e) > 1e38f && isfinite(float_at(e)); }
static bool f32_is_small(const void *e) { return float_at(e) < -1e38f && isfinite(float_at(e)); }
static bool f32_is_sane(const void *e) { return float_at(e) >= 0.5f && float_at(e) < 1; }
static bool f64_is_nan(const void *e) { return isnan(double_at(e)); }
static bool f64_is_large(const void *e) { return double_at(e) > 1e307 && isfinite(double_at(e)); }
static bool f64_is_small(const void *e) { return double_at(e) < -1e307 && isfinite(double_at(e)); }
static bool f64_is_sane(const void *e) { return double_at(e) >= 0.5 && double_at(e) < 1; }
static bool i32_is_large(const void *e) { return integer_at(e) > INT32_MAX - (1 << 22); }
static bool i32_is_small(const void *e) { return integer_at(e) < INT32_MIN + (1 << 22); }
static bool i32_is_sane(const void *e) { return integer_at(e) > 0 && integer_at(e) <= 100; }
static bool u32_is_large(const void *e) { return unsigned_at(e) > UINT32_MAX - (1 << 22); }
static bool u32_is_small(const void *e) { return unsigned_at(e) == 0; }
static bool u8_is_large(const void *e) { return byte_at(e) >= 0xE0; }
static bool u8_is_small(const void *e) { return byte_at(e) == 0; }
static bool u8_is_sane(const void *e) { return byte_at(e) == 1; }
static bool f16_is_nan(const void *e) { return isnan(assay_type_load(ASSAY_F16, e, 0)); }
static bool f16_is_large(const void *e) { return assay_type_load(ASSAY_F16, e, 0) > 32768; }
static bool f16_is_small(const void *e) { return assay_type_load(ASSAY_F16, e, 0) < -32768; }
static bool f16_is_sane(const void *e)
{
    return fabs(assay_type_load(ASSAY_F16, e, 0) - 0.75) <= 0.25;
}
static bool bf16_is_nan(const void *e) { return isnan(assay_type_load(ASSAY_BF16, e, 0)); }
static bool bf16_is_large(const void *e) { return assay_type_load(ASSAY_BF16, e, 0) > 1e38; }
static bool bf16_is_small(const void *e) { return assay_type_load(ASSAY_BF16, e, 0) < -1e38; }
static bool bf16_is_sane(const void *e)
{
    return fabs(assay_type_load(ASSAY_BF16, e, 0) - 0.75) <= 0.25;
}
static bool i8_is_large(const void *e) { return assay_type_load(ASSAY_I8, e, 0) >= 96; }
static bool i8_is_small(const void *e) { return assay_type_load(ASSAY_I8, e, 0) < -96; }
static bool i16_is_large(const void *e) { return assay_type_load(ASSAY_I16, e, 0) > 28000; }
static bool i16_is_small(const void *e) { return assay_type_load(ASSAY_I16, e, 0) < -28000; }
static bool i16_is_sane(const void *e) { return fabs(assay_type_load(ASSAY_I16, e, 0) - 50) < 50; }
static bool u16_is_large(const void *e) { return assay_type_load(ASSAY_U16, e, 0) > 61000; }
static bool u16_is_small(const void *e) { return assay_type_load(ASSAY_U16, e, 0) == 0; }
static bool e4m3_is_large(const void *e) { return assay_type_load(ASSAY_F8E4M3, e, 0) >= 28; }
static bool e4m3_is_small(const void *e) { return assay_type_load(ASSAY_F8E4M3, e, 0) <= -28; }
static bool e4m3_is_sane(const void *e)
{
    return fabs(assay_type_load(ASSAY_F8E4M3, e, 0) - 4) <= 3.5;
}
static bool e5m2_is_large(const void *e) { return assay_type_load(ASSAY_F8E5M2, e, 0) >= 256; }
static bool e5m2_is_small(const void *e) { return assay_type_load(ASSAY_F8E5M2, e, 0) <= -256; }
static bool e5m2_is_sane(const void *e)
{
    return fabs(assay_type_load(ASSAY_F8E5M2, e, 0) - 60) < 60;
}

/* The kinds of values that three launches of one class must have shown; classes alternate. */
static const struct {
    assay_type type;
    bool (*is)(const void *element);
    unsigned classes; /* 1: even ones, 2: odd ones */
} shown[] = {
    { ASSAY_F32, f32_is_nan, 1 },       { ASSAY_F32, f32_is_large, 3 },
    { ASSAY_F32, f32_is_small, 3 },     { ASSAY_F32, f32_is_sane, 2 },
    { ASSAY_F64, f64_is_nan, 1 },       { ASSAY_F64, f64_is_large, 3 },
    { ASSAY_F64, f64_is_small, 3 },     { ASSAY_F64, f64_is_sane, 2 },
    { ASSAY_I32, i32_is_large, 3 },     { ASSAY_I32, i32_is_small, 3 },
    { ASSAY_I32, i32_is_sane, 2 },      { ASSAY_U32, u32_is_large, 3 },
    { ASSAY_U32, u32_is_small, 3 },     { ASSAY_U32, i32_is_sane, 2 },
    { ASSAY_U8, u8_is_large, 3 },       { ASSAY_U8, u8_is_small, 3 },
    { ASSAY_U8, u8_is_sane, 2 },        { ASSAY_F16, f16_is_nan, 1 },
    { ASSAY_F16, f16_is_large, 3 },     { ASSAY_F16, f16_is_small, 3 },
    { ASSAY_F16, f16_is_sane, 2 },      { ASSAY_BF16, bf16_is_nan, 1 },
    { ASSAY_BF16, bf16_is_large, 3 },   { ASSAY_BF16, bf16_is_small, 3 },
    { ASSAY_BF16, bf16_is_sane, 2 },    { ASSAY_I8, i8_is_large, 3 },
    { ASSAY_I8, i8_is_small, 3 },       { ASSAY_I8, u8_is_sane, 2 },
    { ASSAY_I16, i16_is_large, 3 },     { ASSAY_I16, i16_is_small, 3 },
    { ASSAY_I16, i16_is_sane, 2 },      { ASSAY_U16, u16_is_large, 3 },
    { ASSAY_U16, u16_is_small, 3 },     { ASSAY_U16, i16_is_sane, 2 },
    { ASSAY_F8E4M3, e4m3_is_large, 3 }, { ASSAY_F8E4M3, e4m3_is_small, 3 },
    { ASSAY_F8E4M3, e4m3_is_sane, 2 },  { ASSAY_F8E5M2, e5m2_is_large, 3 },
    { ASSAY_F8E5M2, e5m2_is_small, 3 }, { ASSAY_F8E5M2, e5m2_is_sane, 2 },
};

static void test_three_launches_show_both_ends(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof shown / sizeof *shown; s++)
        for (int input = 0; input < ASSAY_N_INPUTS; input++)
            for (int buffer = 0; buffer < N_BUFFERS; buffer++) {
                int n = 0;

                for (int launch = 0; launch < 3; launch++)
                    n += guard_is(shown[s].type,
                                  assay_fill_number(launch, (assay_input)input, buffer),
                                  shown[s].is);
                assert_int_equal(n, (shown[s].classes >> input % 2) & 1);
            }
}

/* The number of positions at which two guard zones have the same value. */
static int same_places(assay_type type, int a, int b)
{
    const size_t size = assay_type_size(type);
    uint8_t      x[ASSAY_GUARD_BYTES], y[ASSAY_GUARD_BYTES];
    int          n = 0;

    assay_fill_guard(x, sizeof x, type, a);
    assay_fill_guard(y, sizeof y, type, b);
    for (size_t i = 0; i < sizeof x; i += size)
        n += memcmp(x + i, y + i, size) == 0;
    return n;
}

static void test_guards_of_two_launches_differ_everywhere(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++)
        for (int input = 0; input < ASSAY_N_INPUTS; input++)
            for (int a = 0; a < N_LAUNCHES; a++)
                for (int b = 0; b < a; b++)
                    assert_int_equal(same_places(all_types[t],
                                                 assay_fill_number(a, (assay_input)input, 1),
                                                 assay_fill_number(b, (assay_input)input, 1)),
                                     0);
}

/* A copy from one zone to another shows in one of the first two launches, at every position. */
static void test_guards_of_two_buffers_differ_in_the_first_launch_or_the_second(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++)
        for (int input = 0; input < 2; input++)
            for (int a = 0; a < N_BUFFERS; a++)
                for (int b = 0; b < a; b++) {
                    int least = ASSAY_GUARD_BYTES;

                    for (int launch = 0; launch < 2; launch++) {
                        const int n = same_places(all_types[t],
                                                  assay_fill_number(launch, (assay_input)input, a),
                                                  assay_fill_number(launch, (assay_input)input, b));

                        least = n < least ? n : least;
                    }
                    assert_int_equal(least, 0);
                }
}

static void test_neighbours_in_a_guard_differ(void **state)
{
    uint8_t zone[ASSAY_GUARD_BYTES];

    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        const size_t size = assay_type_size(all_types[t]);

        assay_fill_guard(zone, sizeof zone, all_types[t], 0);
        assert_true(memcmp(zone, zone + size, size) != 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_poisons_differ_in_every_element),
        cmocka_unit_test(test_poison_is_nan_that_arithmetic_does_not_give_back),
        cmocka_unit_test(test_poison_of_nothing_writes_nothing),
        cmocka_unit_test(test_a_nan_tells_where_it_is_from),
        cmocka_unit_test(test_other_nans_tell_nothing),
        cmocka_unit_test(test_numbers_are_all_different),
        cmocka_unit_test(test_three_launches_show_both_ends),
        cmocka_unit_test(test_guards_of_two_launches_differ_everywhere),
        cmocka_unit_test(test_guards_of_two_buffers_differ_in_the_first_launch_or_the_second),
        cmocka_unit_test(test_neighbours_in_a_guard_differ),
    };

    return cmocka_run_group_tests_name("fill_pattern", tests, NULL, NULL);
}
