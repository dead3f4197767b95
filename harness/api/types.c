/* Element types: a table, and the floating-point types of 8 and 16 bits by their fields. */
#include "types.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* Sign, exponent, fraction from the highest bit down; 0 bits of exponent: no such type. */
static const struct {
    size_t      size;
    const char *text;
    int         exponent_bits, fraction_bits;
    bool        has_infinity;
    int         digits;
} types[ASSAY_N_TYPES] = {
    [ASSAY_F32]    = { 4, "f32", 8, 23, true, 9 },
    [ASSAY_F64]    = { 8, "f64", 11, 52, true, 17 },
    [ASSAY_F16]    = { 2, "f16", 5, 10, true, 5 },
    [ASSAY_BF16]   = { 2, "bf16", 8, 7, true, 4 },
    [ASSAY_F8E4M3] = { 1, "f8e4m3", 4, 3, false, 3 },
    [ASSAY_F8E5M2] = { 1, "f8e5m2", 5, 2, true, 3 },
    [ASSAY_I32]    = { 4, "i32", 0, 0, false, 0 },
    [ASSAY_U32]    = { 4, "u32", 0, 0, false, 0 },
    [ASSAY_I64]    = { 8, "i64", 0, 0, false, 0 },
    [ASSAY_U64]    = { 8, "u64", 0, 0, false, 0 },
    [ASSAY_U8]     = { 1, "u8", 0, 0, false, 0 },
    [ASSAY_I8]     = { 1, "i8", 0, 0, false, 0 },
    [ASSAY_I16]    = { 2, "i16", 0, 0, false, 0 },
    [ASSAY_U16]    = { 2, "u16", 0, 0, false, 0 },
};

static bool is_type(assay_type type) { return (size_t)type < ASSAY_N_TYPES; }

size_t assay_type_size(assay_type type) { return is_type(type) ? types[type].size : 0; }

const char *assay_type_text(assay_type type)
{
    return is_type(type) ? types[type].text : "unknown";
}

bool assay_type_is_float(assay_type type) { return is_type(type) && types[type].exponent_bits > 0; }

int assay_type_digits(assay_type type) { return is_type(type) ? types[type].digits : 0; }

double assay_type_roundoff(assay_type type)
{
    return assay_type_is_float(type) ? ldexp(1, -types[type].fraction_bits - 1) : 0;
}

/* ---- 8 and 16 bits ---- */

enum {
    DOUBLE_BIAS = 1023
};

static int bias_of(assay_type type) { return (1 << (types[type].exponent_bits - 1)) - 1; }

/* Patterns without the sign. */
static uint32_t sign_of(assay_type type)
{
    return UINT32_C(1) << (types[type].exponent_bits + types[type].fraction_bits);
}

/* The first pattern that is no finite number: infinity, or E4M3's NaN. */
static uint32_t end_of(assay_type type)
{
    return types[type].has_infinity ? sign_of(type) - (UINT32_C(1) << types[type].fraction_bits)
                                    : sign_of(type) - 1;
}

/* A double by its fields: `field` is the exponent as stored, `rest` the 52 bits below. */
static double double_of(uint64_t field, uint64_t rest)
{
    const uint64_t bits = field << 52 | rest;
    double         value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static double value_of(assay_type type, uint32_t bits)
{
    const uint32_t magnitude     = bits & (sign_of(type) - 1);
    const int      fraction_bits = types[type].fraction_bits;
    const uint32_t field         = magnitude >> fraction_bits;
    const uint32_t fraction      = magnitude & ((UINT32_C(1) << fraction_bits) - 1);
    double         value;

    if (magnitude >= end_of(type))
        value =
            magnitude == end_of(type) && types[type].has_infinity ? (double)INFINITY : (double)NAN;
    else if (field > 0)
        value = double_of((uint64_t)(DOUBLE_BIAS - bias_of(type)) + field,
                          (uint64_t)fraction << (52 - fraction_bits));
    else
        value = (double)fraction *
                double_of((uint64_t)(DOUBLE_BIAS + 1 - bias_of(type) - fraction_bits), 0);
    return bits & sign_of(type) ? -value : value;
}

/* whole >> shift, to the even one of the two nearest. */
static uint64_t shifted_even(uint64_t whole, int shift)
{
    const uint64_t below = whole >> shift, rest = whole - (below << shift);
    const uint64_t half = UINT64_C(1) << (shift - 1);

    return below + (rest > half || (rest == half && (below & 1) != 0));
}

/* By hand and in integers: the rounding mode of the processor is not asked, and a check does this
 * for each element. */
static uint32_t bits_of(assay_type type, double value)
{
    const uint32_t sign          = signbit(value) ? sign_of(type) : 0;
    const int      fraction_bits = types[type].fraction_bits, least = 1 - bias_of(type);
    uint64_t       wide, bits;
    int            exponent, below;

    memcpy(&wide, &value, sizeof wide);
    wide &= UINT64_MAX >> 1;
    exponent = (int)(wide >> 52) - DOUBLE_BIAS;
    if (isnan(value))
        return sign | (sign_of(type) - 1); /* all bits set: a quiet NaN of every type */
    if (exponent > bias_of(type) + 1)
        return sign | end_of(type);
    if (exponent < -DOUBLE_BIAS + 1) /* a double's own denormals: far below half of anything */
        return sign;
    below    = exponent < least ? least - exponent : 0;
    exponent = exponent < least ? least : exponent;
    below    = below > fraction_bits + 2 ? fraction_bits + 2 : below; /* rounds to 0 alike */
    wide     = (wide & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    /* What is rounded up to the next power of two carries into the exponent. */
    bits = ((uint64_t)(exponent - least) << fraction_bits) +
           shifted_even(wide, 52 - fraction_bits + below);
    return sign | (bits < end_of(type) ? (uint32_t)bits : end_of(type));
}

static bool is_narrow(assay_type type)
{
    return assay_type_is_float(type) && types[type].size <= 2;
}

/* ---- any type ---- */

double assay_type_load(assay_type type, const void *from, int64_t i)
{
    switch (type) {
    case ASSAY_F32:
        return (double)((const float *)from)[i];
    case ASSAY_F64:
        return ((const double *)from)[i];
    case ASSAY_I32:
        return ((const int32_t *)from)[i];
    case ASSAY_U32:
        return ((const uint32_t *)from)[i];
    case ASSAY_I64:
        return (double)((const int64_t *)from)[i];
    case ASSAY_U64:
        return (double)((const uint64_t *)from)[i];
    case ASSAY_I8:
        return ((const int8_t *)from)[i];
    case ASSAY_U8:
        return ((const uint8_t *)from)[i];
    case ASSAY_I16:
        return ((const int16_t *)from)[i];
    case ASSAY_U16:
        return ((const uint16_t *)from)[i];
    case ASSAY_F16:
    case ASSAY_BF16:
        return value_of(type, ((const uint16_t *)from)[i]);
    case ASSAY_F8E4M3:
    case ASSAY_F8E5M2:
        return value_of(type, ((const uint8_t *)from)[i]);
    case ASSAY_N_TYPES:
        break;
    }
    return NAN;
}

double assay_type_round(assay_type type, double value)
{
    if (type == ASSAY_F32)
        return (double)(float)value;
    return is_narrow(type) ? value_of(type, bits_of(type, value)) : value;
}

void assay_type_store(assay_type type, void *to, int64_t i, double value)
{
    switch (type) {
    case ASSAY_F32:
        ((float *)to)[i] = (float)value;
        break;
    case ASSAY_F64:
        ((double *)to)[i] = value;
        break;
    case ASSAY_I32:
        ((int32_t *)to)[i] = (int32_t)value;
        break;
    case ASSAY_U32:
        ((uint32_t *)to)[i] = (uint32_t)value;
        break;
    case ASSAY_I64:
        ((int64_t *)to)[i] = (int64_t)value;
        break;
    case ASSAY_U64:
        ((uint64_t *)to)[i] = (uint64_t)value;
        break;
    case ASSAY_I8:
        ((int8_t *)to)[i] = (int8_t)value;
        break;
    case ASSAY_U8:
        ((uint8_t *)to)[i] = (uint8_t)value;
        break;
    case ASSAY_I16:
        ((int16_t *)to)[i] = (int16_t)value;
        break;
    case ASSAY_U16:
        ((uint16_t *)to)[i] = (uint16_t)value;
        break;
    case ASSAY_F16:
    case ASSAY_BF16:
        ((uint16_t *)to)[i] = (uint16_t)bits_of(type, value);
        break;
    case ASSAY_F8E4M3:
    case ASSAY_F8E5M2:
        ((uint8_t *)to)[i] = (uint8_t)bits_of(type, value);
        break;
    case ASSAY_N_TYPES:
        break;
    }
}

/* ---- order ---- */

int64_t assay_type_narrow_place(assay_type type, double value)
{
    const int64_t place = bits_of(type, value) & (sign_of(type) - 1);

    return signbit(value) ? -place : place;
}

double assay_type_at(assay_type type, int64_t place)
{
    if (type == ASSAY_F64) {
        const int64_t bits = place >= 0 ? place : INT64_MIN - place;
        double        value;

        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (type == ASSAY_F32) {
        const int32_t bits = (int32_t)(place >= 0 ? place : INT32_MIN - place);
        float         value;

        memcpy(&value, &bits, sizeof value);
        return (double)value;
    }
    return value_of(type, (uint32_t)(place < 0 ? -place : place) | (place < 0 ? sign_of(type) : 0));
}

double assay_type_smallest(assay_type type)
{
    return assay_type_is_float(type) ? assay_type_at(type, 1) : 0;
}
