/* Types of 8 and 16 bits, compared with their definition for every bit pattern; the order of
 * values; loading and storing every type. */
#include "testing/testing.h"

#include "types.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the definition, written out: value = (-1)^sign * 2^(e - bias) * (1 + fraction), or with e =
 * 0 2^(1 - bias) * fraction ---- */

typedef struct format {
    assay_type type;
    int        exponent_bits, fraction_bits, bias;
    double     largest, smallest;
} format;

static const format formats[] = {
    { ASSAY_F16, 5, 10, 15, 65504, 0x1p-24 },
    { ASSAY_BF16, 8, 7, 127, 0x1.FEp127, 0x1p-133 },
    { ASSAY_F8E4M3, 4, 3, 7, 448, 0x1p-9 },
    { ASSAY_F8E5M2, 5, 2, 15, 57344, 0x1p-16 },
};
enum {
    N_FORMATS = sizeof formats / sizeof *formats
};

static unsigned n_patterns(const format *f) { return 2u << (f->exponent_bits + f->fraction_bits); }

static double defined(const format *f, unsigned bits)
{
    const unsigned sign     = bits >> (f->exponent_bits + f->fraction_bits);
    const unsigned e        = bits >> f->fraction_bits & ((1u << f->exponent_bits) - 1);
    double         fraction = 0, value;

    for (int k = 1; k <= f->fraction_bits; k++)
        if (bits >> (f->fraction_bits - k) & 1)
            fraction += pow(2, -k);
    if (f->type == ASSAY_F8E4M3 && (bits & 0x7F) == 0x7F)
        return (double)NAN;
    if (f->type != ASSAY_F8E4M3 && e == (1u << f->exponent_bits) - 1)
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    else
        value =
            e > 0 ? pow(2, (double)e - f->bias) * (1 + fraction) : pow(2, 1 - f->bias) * fraction;
    return sign ? -value : value;
}

static double load(const format *f, unsigned bits)
{
    const uint8_t  byte = (uint8_t)bits;
    const uint16_t half = (uint16_t)bits;

    return assay_type_load(f->type, n_patterns(f) > 256 ? (const void *)&half : &byte, 0);
}

static unsigned store(const format *f, double value)
{
    uint8_t  byte = 0;
    uint16_t half = 0;

    if (n_patterns(f) > 256)
        assay_type_store(f->type, &half, 0, value);
    else
        assay_type_store(f->type, &byte, 0, value);
    return n_patterns(f) > 256 ? half : byte;
}

static bool is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* ---- tests ---- */

static void every_pattern_is_as_defined(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++)
        for (unsigned bits = 0; bits < n_patterns(&formats[k]); bits++) {
            const double value = defined(&formats[k], bits);

            assert_true(is_same(load(&formats[k], bits), value));
            if (!isnan(value)) {
                assert_int_equal(store(&formats[k], value), bits);
                assert_true(is_same(assay_type_round(formats[k].type, value), value));
            } else {
                assert_true(isnan(load(&formats[k], store(&formats[k], value))));
            }
        }
}

/* For each two neighbours: a value below, at and above their middle. The middle rounds to the
 * even one. */
static void what_lies_between_goes_to_the_nearest(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        const format *f = &formats[k];

        for (unsigned bits = 0; isfinite(defined(f, bits + 1)); bits++) {
            const double   low = defined(f, bits), high = defined(f, bits + 1);
            const double   middle = low + (high - low) / 2;
            const unsigned sign = n_patterns(f) / 2, even = bits % 2 == 0 ? bits : bits + 1;

            assert_int_equal(store(f, nextafter(middle, 0)), bits);
            assert_int_equal(store(f, middle), even);
            assert_int_equal(store(f, nextafter(middle, INFINITY)), bits + 1);
            assert_int_equal(store(f, -nextafter(middle, 0)), bits + sign);
            assert_int_equal(store(f, -middle), even + sign);
            assert_int_equal(store(f, -nextafter(middle, INFINITY)), bits + 1 + sign);
        }
    }
}

/* As in CUDA's conversions and IEEE 754, half a step beyond the largest value is too much. */
static void the_ends(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        const format *f      = &formats[k];
        const bool    is_inf = f->type != ASSAY_F8E4M3;
        const double  step =
            f->largest - assay_type_at(f->type, assay_type_place(f->type, f->largest) - 1);
        const double limit    = f->largest + step / 2;
        const double beyond[] = { limit, f->largest + step, 2 * f->largest,
                                  1e300, DBL_MAX,           (double)INFINITY };

        /* 464 is a tie between 448, which is even, and 480, which the type does not have. */
        assert_true(assay_type_round(f->type, nextafter(limit, 0)) == f->largest);
        for (size_t i = is_inf ? 0 : 1; i < sizeof beyond / sizeof *beyond; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                const double got = assay_type_round(f->type, sign * beyond[i]);

                assert_true(is_inf ? got == sign * (double)INFINITY : isnan(got));
            }
        assert_true(assay_type_smallest(f->type) == f->smallest);
        assert_true(assay_type_round(f->type, f->smallest / 2) == 0);
        assert_true(assay_type_round(f->type, nextafter(f->smallest / 2, 1)) == f->smallest);
        assert_true(is_same(assay_type_round(f->type, -0x1p-1074), -0.0));
    }
    assert_true(assay_type_round(ASSAY_F8E4M3, 464) == 448);
    assert_true(isnan(assay_type_round(ASSAY_F8E4M3, nextafter(464, 500))));
}

static void the_mode_of_the_processor_is_not_asked(void **state)
{
    static const int modes[] = { FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

    (void)state;
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        assert_int_equal(fesetround(modes[m]), 0);
        for (int k = 0; k < N_FORMATS; k++) {
            assert_true(assay_type_round(formats[k].type, 1.0 + 0x1p-20) == 1);
            assert_true(assay_type_round(formats[k].type, -1.0 - 0x1p-20) == -1);
        }
        assert_int_equal(fesetround(FE_TONEAREST), 0);
    }
}

static void places_are_in_order(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        const format *f = &formats[k];

        for (unsigned bits = 0; bits < n_patterns(f) / 2 && !isnan(defined(f, bits)); bits++) {
            const double value = defined(f, bits);

            assert_int_equal(assay_type_place(f->type, value), bits);
            assert_int_equal(assay_type_place(f->type, -value), -(int64_t)bits);
            assert_true(assay_type_at(f->type, bits) == value);
            assert_true(assay_type_at(f->type, -(int64_t)bits) == -value);
        }
    }
}

static void places_of_wide_types(void **state)
{
    static const double values[] = { 0, 1, 0x1p-149, 0x1p-126, 1.5, 3e38 };

    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        for (int wide = 0; wide < 2; wide++) {
            const assay_type type  = wide ? ASSAY_F64 : ASSAY_F32;
            const double     value = assay_type_round(type, values[i]);
            const int64_t    place = assay_type_place(type, value);
            const double     next =
                wide ? nextafter(value, INFINITY) : (double)nextafterf((float)value, INFINITY);

            assert_true(assay_type_at(type, place) == value &&
                        assay_type_at(type, place + 1) == next);
            assert_int_equal(assay_type_place(type, -value), -place);
        }
    assert_true(assay_type_smallest(ASSAY_F32) == 0x1p-149);
    assert_true(assay_type_smallest(ASSAY_F64) == 0x1p-1074);
    assert_true(assay_type_smallest(ASSAY_I32) == 0);
}

static void integers_and_wide_types(void **state)
{
    static const struct {
        assay_type type;
        double     values[3];
    } table[] = {
        { ASSAY_I8, { -128, 127, 0 } },
        { ASSAY_U8, { 0, 255, 7 } },
        { ASSAY_I16, { -32768, 32767, 0 } },
        { ASSAY_U16, { 0, 65535, 7 } },
        { ASSAY_I32, { -0x1p31, 0x1p31 - 1, 0 } },
        { ASSAY_U32, { 0, 0x1p32 - 1, 7 } },
        { ASSAY_I64, { -0x1p63, 0x1p62, 0 } },
        { ASSAY_U64, { 0, 0x1p63, 7 } },
        { ASSAY_F32, { 0.5, -3e38, 0x1p-149 } },
        { ASSAY_F64, { 0.1, -1e308, 0x1p-1074 } },
    };
    unsigned char memory[3 * 8];

    (void)state;
    for (size_t t = 0; t < sizeof table / sizeof *table; t++) {
        for (int i = 0; i < 3; i++)
            assay_type_store(table[t].type, memory, i, table[t].values[i]);
        for (int i = 0; i < 3; i++)
            assert_true(assay_type_load(table[t].type, memory, i) ==
                        assay_type_round(table[t].type, table[t].values[i]));
    }
    assert_true(isnan(assay_type_load(ASSAY_N_TYPES, memory, 0)));
}

/* This number of digits tells all values apart; one digit less does not. */
static void digits_tell_values_apart(void **state)
{
    (void)state;
    for (int k = 0; k < N_FORMATS; k++) {
        const format *f = &formats[k];
        char          text[2][32];

        for (unsigned bits = 0; isfinite(defined(f, bits + 1)); bits++) {
            for (int i = 0; i < 2; i++)
                (void)snprintf(text[i], sizeof text[i], "%.*g", assay_type_digits(f->type),
                               defined(f, bits + (unsigned)i));
            assert_string_not_equal(text[0], text[1]);
        }
    }
}

static void roundoffs(void **state)
{
    (void)state;
    assert_true(assay_type_roundoff(ASSAY_F32) == 0x1p-24);
    assert_true(assay_type_roundoff(ASSAY_F64) == 0x1p-53);
    assert_true(assay_type_roundoff(ASSAY_F16) == ASSAY_F16_ROUNDOFF);
    assert_true(assay_type_roundoff(ASSAY_BF16) == ASSAY_BF16_ROUNDOFF);
    assert_true(assay_type_roundoff(ASSAY_F8E4M3) == ASSAY_F8E4M3_ROUNDOFF);
    assert_true(assay_type_roundoff(ASSAY_F8E5M2) == ASSAY_F8E5M2_ROUNDOFF);
    assert_true(assay_type_roundoff(ASSAY_I32) == 0 && assay_type_roundoff(ASSAY_N_TYPES) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(roundoffs),
        cmocka_unit_test(every_pattern_is_as_defined),
        cmocka_unit_test(what_lies_between_goes_to_the_nearest),
        cmocka_unit_test(the_ends),
        cmocka_unit_test(the_mode_of_the_processor_is_not_asked),
        cmocka_unit_test(places_are_in_order),
        cmocka_unit_test(places_of_wide_types),
        cmocka_unit_test(integers_and_wide_types),
        cmocka_unit_test(digits_tell_values_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
