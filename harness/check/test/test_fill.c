/* fill: known answers of the generator, ranges, types, threads. */
#include "testing/testing.h"

#include "base/parallel.h"
#include "check/fill.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const assay_type all_types[] = { ASSAY_F32,  ASSAY_F64,    ASSAY_I32,    ASSAY_U32,
                                        ASSAY_I64,  ASSAY_U64,    ASSAY_U8,     ASSAY_F16,
                                        ASSAY_BF16, ASSAY_F8E4M3, ASSAY_F8E5M2, ASSAY_I8,
                                        ASSAY_I16,  ASSAY_U16 };
enum {
    N_TYPES = sizeof all_types / sizeof *all_types
};

static assay_shape shape_of(assay_type type, int64_t count, assay_fill fill)
{
    assay_shape s = { 0 };

    s.buf[0] = (assay_buffer) { "x", ASSAY_IN, type, count, fill };
    s.buf[1] = (assay_buffer) { "y", ASSAY_IN, type, count, fill };
    return s;
}

/* Buffer b of the shape, filled; the caller frees. */
static void *filled(const assay_shape *s, int b, uint64_t seed)
{
    const size_t bytes = (size_t)s->buf[b].count * assay_type_size(s->buf[b].type);
    void        *to    = malloc(bytes + 1);

    assert_non_null(to);
    memset(to, 0x77, bytes + 1);
    assert_int_equal(assay_fill_buffer(s, b, seed, to), ASSAY_OK);
    assert_int_equal(((uint8_t *)to)[bytes], 0x77); /* nothing past the end */
    return to;
}

/* ---- generator ---- */

/* The three published vectors of Random123 for ten rounds. */
static void test_philox_known_answers(void **state)
{
    static const struct {
        uint32_t counter[4], key[2], block[4];
    } known[] = {
        { { 0 }, { 0 }, { 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8 } },
        { { 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff },
          { 0xffffffff, 0xffffffff },
          { 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd } },
        { { 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344 },
          { 0xa4093822, 0x299f31d0 },
          { 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1 } },
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        uint32_t block[4];

        assay_random_block(known[k].counter, known[k].key, block);
        assert_memory_equal(block, known[k].block, sizeof block);
    }
    /* The counter is (index, stream) and the key the seed; the result is the first half of the
     * block. */
    assert_true(assay_random(0x299f31d0a4093822u, 0x0370734413198a2eu, 0x85a308d3243f6a88u) ==
                0x94fdccebd16cfe09u);
}

static void test_streams_and_seeds_differ(void **state)
{
    const assay_shape s = shape_of(ASSAY_F64, 1000, (assay_fill)ASSAY_UNIFORM(0, 1));
    double           *x = filled(&s, 0, 7), *y = filled(&s, 1, 7), *z = filled(&s, 0, 8);
    double           *again = filled(&s, 0, 7);
    double            xy = 0, xz = 0;

    (void)state;
    assert_memory_equal(x, again, 1000 * sizeof *x);
    for (int i = 0; i < 1000; i++) {
        assert_true(x[i] != y[i] && x[i] != z[i]);
        xy += (x[i] - 0.5) * (y[i] - 0.5);
        xz += (x[i] - 0.5) * (z[i] - 0.5);
    }
    /* For 1000 independent pairs the correlation has a standard deviation of 0.032. */
    assert_true(fabs(xy / 1000 * 12) < 0.16 && fabs(xz / 1000 * 12) < 0.16);
    free(x);
    free(y);
    free(z);
    free(again);
}

/* ---- values ---- */

/* Rounding to fp32 may give hi, or a value below a lo that fp32 does not have. Neither may be
 * stored. */
static void test_uniform_stays_in_range(void **state)
{
    static const double ranges[][2] = { { -1, 1 },         { 0, 1 },
                                        { 0.1, 0.7 },      { 1, 0x1.000006p0 },
                                        { -1e-40, 1e-40 }, { 1e30, 1.0000002e30 } };

    (void)state;
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        const double      lo = ranges[k][0], hi = ranges[k][1];
        const assay_shape s = shape_of(ASSAY_F32, 20000, (assay_fill)ASSAY_UNIFORM(lo, hi));
        float            *x = filled(&s, 0, k);

        for (int i = 0; i < 20000; i++)
            assert_true((double)x[i] >= lo && (double)x[i] < hi);
        free(x);
    }
}

static void test_uniform_fills_the_range(void **state)
{
    const assay_shape s        = shape_of(ASSAY_F64, 40000, (assay_fill)ASSAY_UNIFORM(-3, 5));
    double           *x        = filled(&s, 0, 1);
    int               n_in[16] = { 0 };

    (void)state;
    for (int i = 0; i < 40000; i++)
        n_in[(int)((x[i] + 3) * 2)]++;
    for (int bin = 0; bin < 16; bin++) /* 2500 expected, standard deviation 48 */
        assert_in_range(n_in[bin], 2260, 2740);
    free(x);
}

static void test_uniform_integers_round_down(void **state)
{
    const assay_shape s       = shape_of(ASSAY_I32, 3000, (assay_fill)ASSAY_UNIFORM(-2.5, 2.5));
    int32_t          *x       = filled(&s, 0, 3);
    bool              seen[5] = { false };

    (void)state;
    for (int i = 0; i < 3000; i++) {
        assert_true(x[i] >= -2 && x[i] <= 2);
        seen[x[i] + 2] = true;
    }
    for (int v = 0; v < 5; v++)
        assert_true(seen[v]);
    free(x);
}

static void test_integers_are_inclusive(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        const assay_shape s = shape_of(all_types[t], 4000, (assay_fill)ASSAY_INTEGERS(3, 6, 2));
        uint8_t          *x = filled(&s, 0, t);
        uint8_t           want[4][8];
        int               n[4] = { 0 };
        const size_t      size = assay_type_size(all_types[t]);

        for (int v = 0; v < 4; v++) {
            const assay_shape one =
                shape_of(all_types[t], 1, (assay_fill)ASSAY_INTEGERS(3 + v, 3 + v, 2));
            void *value = filled(&one, 0, 0);

            memcpy(want[v], value, size);
            free(value);
        }
        for (size_t i = 0; i < 4000; i++)
            for (int v = 0; v < 4; v++)
                n[v] += memcmp(x + i * size, want[v], size) == 0;
        assert_int_equal(n[0] + n[1] + n[2] + n[3], 4000);
        for (int v = 0; v < 4; v++) /* 1000 expected, standard deviation 27 */
            assert_in_range(n[v], 850, 1150);
        free(x);
    }
}

static void test_integer_values_by_type(void **state)
{
    const assay_shape f  = shape_of(ASSAY_F32, 1, (assay_fill)ASSAY_INTEGERS(-3, -3, 0.25));
    const assay_shape i  = shape_of(ASSAY_I64, 1, (assay_fill)ASSAY_INTEGERS(-0x1p53, -0x1p53, 1));
    const assay_shape u  = shape_of(ASSAY_U64, 1, (assay_fill)ASSAY_INTEGERS(1, 1, 0x1p63));
    const assay_shape b  = shape_of(ASSAY_U8, 1, (assay_fill)ASSAY_INTEGERS(255, 255, 1));
    float            *pf = filled(&f, 0, 1);
    int64_t          *pi = filled(&i, 0, 1);
    uint64_t         *pu = filled(&u, 0, 1);
    uint8_t          *pb = filled(&b, 0, 1);

    (void)state;
    assert_true(pf[0] == -0.75f);
    assert_true(pi[0] == -(INT64_C(1) << 53));
    assert_true(pu[0] == UINT64_C(1) << 63);
    assert_int_equal(pb[0], 255);
    free(pf);
    free(pi);
    free(pu);
    free(pb);
}

static void test_index(void **state)
{
    const assay_shape s = shape_of(ASSAY_F32, 1000, (assay_fill)ASSAY_INDEX(7, 0.5));
    float            *x = filled(&s, 0, 1), *other_seed = filled(&s, 0, 2);

    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_true(x[i] == (float)(i % 7) * 0.5f);
    assert_memory_equal(x, other_seed, 1000 * sizeof *x);
    free(x);
    free(other_seed);
}

static double shape_plus_index(uint64_t random, int64_t index, const assay_shape *shape)
{
    return random == assay_random(5, 0, (uint64_t)index) ? shape->scalar[0] + (double)index
                                                         : (double)NAN;
}

static void test_custom_gets_bits_index_and_shape(void **state)
{
    assay_shape s = shape_of(ASSAY_F64, 100, (assay_fill)ASSAY_CUSTOM(shape_plus_index));
    double     *x;

    (void)state;
    s.scalar[0] = 0.5;
    x           = filled(&s, 0, 5);
    for (int i = 0; i < 100; i++)
        assert_true(x[i] == 0.5 + i);
    free(x);
}

static double special(uint64_t random, int64_t index, const assay_shape *shape)
{
    static const double values[] = { INFINITY, -INFINITY, 0x1p-149, -0.0, 1e300 };

    (void)random;
    (void)shape;
    return index < 5 ? values[index] : (double)NAN;
}

static void test_custom_specials_reach_floats(void **state)
{
    const assay_shape s = shape_of(ASSAY_F32, 6, (assay_fill)ASSAY_CUSTOM(special));
    float            *x = filled(&s, 0, 1);

    (void)state;
    assert_true(x[0] == INFINITY && x[1] == -INFINITY && x[2] == 0x1p-149f);
    assert_true(x[3] == 0 && signbit(x[3]) && x[4] == INFINITY && isnan(x[5]));
    free(x);
}

static void test_no_fill_means_zeros(void **state)
{
    (void)state;
    for (size_t t = 0; t < N_TYPES; t++) {
        const assay_shape s        = shape_of(all_types[t], 9, (assay_fill) { 0 });
        uint8_t           zero[72] = { 0 };
        void             *x        = filled(&s, 0, 1);

        assert_memory_equal(x, zero, sizeof zero / 8 * assay_type_size(all_types[t]));
        free(x);
    }
}

static void test_no_elements(void **state)
{
    const assay_shape s = shape_of(ASSAY_F32, 0, (assay_fill)ASSAY_UNIFORM(0, 1));

    (void)state;
    free(filled(&s, 0, 1));
}

/* ---- threads ---- */

enum {
    LARGE = (1 << 22) + 12345
};

static void test_threads_do_not_change_values(void **state)
{
    const assay_shape s = shape_of(ASSAY_F32, LARGE, (assay_fill)ASSAY_UNIFORM(-1, 1));
    float            *one;

    (void)state;
    assay_parallel_limit(1, 0);
    one = filled(&s, 1, 99);
    for (int n = 2; n <= 7; n += 5) {
        float *many;

        assay_parallel_limit(n, 0);
        many = filled(&s, 1, 99);
        assert_memory_equal(one, many, LARGE * sizeof *one);
        free(many);
    }
    assay_parallel_limit(0, -1);
    free(one);
}

static double bad_from_two_million(uint64_t random, int64_t index, const assay_shape *shape)
{
    (void)random;
    (void)shape;
    return index == 1999999 || index == 3500000 ? -1 : 1;
}

static void test_first_bad_element_whatever_the_threads(void **state)
{
    const assay_shape s = shape_of(ASSAY_U8, LARGE, (assay_fill)ASSAY_CUSTOM(bad_from_two_million));
    void             *to = malloc(LARGE);

    (void)state;
    assert_non_null(to);
    assay_parallel_limit(4, 0);
    assert_int_equal(assay_fill_buffer(&s, 0, 1, to), ASSAY_E_CASE);
    assert_non_null(strstr(assay_status_message(), "element 1999999 "));
    assay_status_reset();
    assay_parallel_limit(0, -1);
    free(to);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_philox_known_answers),
        cmocka_unit_test(test_streams_and_seeds_differ),
        cmocka_unit_test(test_uniform_stays_in_range),
        cmocka_unit_test(test_uniform_fills_the_range),
        cmocka_unit_test(test_uniform_integers_round_down),
        cmocka_unit_test(test_integers_are_inclusive),
        cmocka_unit_test(test_integer_values_by_type),
        cmocka_unit_test(test_index),
        cmocka_unit_test(test_custom_gets_bits_index_and_shape),
        cmocka_unit_test(test_custom_specials_reach_floats),
        cmocka_unit_test(test_no_fill_means_zeros),
        cmocka_unit_test(test_no_elements),
        cmocka_unit_test(test_threads_do_not_change_values),
        cmocka_unit_test(test_first_bad_element_whatever_the_threads),
    };

    return cmocka_run_group_tests_name("fill", tests, NULL, NULL);
}
