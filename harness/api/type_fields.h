/* Element types: a table of their fields, and conversions of floating-point types of 8 and 16 bits.
 * They are inline, since a check calls them several times for each element. If the type is a
 * constant, so is all that depends on it. */
#ifndef ASSAY_TYPE_FIELDS_H
#define ASSAY_TYPE_FIELDS_H

#include "types.h"

#include <math.h>
#include <string.h>

/* From the highest bit down: sign, exponent, fraction. An integer type has 0 bits of exponent. */
static const struct {
    size_t      size;
    const char *text;
    int         exponent_bits, fraction_bits;
    bool        has_infinity;
    int         digits;
} assay_type_fields[ASSAY_N_TYPES] = {
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

/* Is it a floating-point type of 8 or 16 bits? The functions below are for these alone. */
static inline bool assay_type_is_narrow(assay_type type)
{
    return assay_type_fields[type].exponent_bits > 0 && assay_type_fields[type].size <= 2;
}

/* ---- 8 and 16 bits ---- */

enum {
    ASSAY_DOUBLE_BIAS = 1023
};

static inline int assay_narrow_bias(assay_type type)
{
    return (1 << (assay_type_fields[type].exponent_bits - 1)) - 1;
}

/* The sign bit. Bit patterns below it are magnitudes. */
static inline uint32_t assay_narrow_sign(assay_type type)
{
    return UINT32_C(1) << (assay_type_fields[type].exponent_bits +
                           assay_type_fields[type].fraction_bits);
}

/* The first magnitude that is not a finite number: infinity, or E4M3's NaN. */
static inline uint32_t assay_narrow_end(assay_type type)
{
    return assay_type_fields[type].has_infinity
               ? assay_narrow_sign(type) - (UINT32_C(1) << assay_type_fields[type].fraction_bits)
               : assay_narrow_sign(type) - 1;
}

/* Makes a double of its fields: `field` is the stored exponent, `rest` the 52 bits of the fraction.
 */
static inline double assay_narrow_double(uint64_t field, uint64_t rest)
{
    const uint64_t bits = field << 52 | rest;
    double         value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double assay_narrow_value(assay_type type, uint32_t bits)
{
    const uint32_t magnitude     = bits & (assay_narrow_sign(type) - 1);
    const int      fraction_bits = assay_type_fields[type].fraction_bits;
    const uint32_t field         = magnitude >> fraction_bits;
    const uint32_t fraction      = magnitude & ((UINT32_C(1) << fraction_bits) - 1);
    double         value;

    if (magnitude >= assay_narrow_end(type))
        value = magnitude == assay_narrow_end(type) && assay_type_fields[type].has_infinity
                    ? (double)INFINITY
                    : (double)NAN;
    else if (field > 0)
        value = assay_narrow_double((uint64_t)(ASSAY_DOUBLE_BIAS - assay_narrow_bias(type)) + field,
                                    (uint64_t)fraction << (52 - fraction_bits));
    else
        value = (double)fraction *
                assay_narrow_double(
                    (uint64_t)(ASSAY_DOUBLE_BIAS + 1 - assay_narrow_bias(type) - fraction_bits), 0);
    return bits & assay_narrow_sign(type) ? -value : value;
}

/* whole >> shift, rounded to nearest, ties to even; shift > 0. */
static inline uint64_t assay_narrow_shifted(uint64_t whole, int shift)
{
    const uint64_t below = whole >> shift, rest = whole - (below << shift);
    const uint64_t half = UINT64_C(1) << (shift - 1);

    return below + (rest > half || (rest == half && (below & 1) != 0));
}

/* Rounds in integer arithmetic: the processor's rounding mode does not matter, and it is fast,
 * since a check does this for each element. */
static inline uint32_t assay_narrow_bits(assay_type type, double value)
{
    const uint32_t sign          = signbit(value) ? assay_narrow_sign(type) : 0;
    const int      fraction_bits = assay_type_fields[type].fraction_bits,
              least              = 1 - assay_narrow_bias(type);
    uint64_t wide, bits;
    int      exponent, below;

    memcpy(&wide, &value, sizeof wide);
    wide &= UINT64_MAX >> 1;
    exponent = (int)(wide >> 52) - ASSAY_DOUBLE_BIAS;
    if (isnan(value))
        return sign | (assay_narrow_sign(type) - 1); /* all bits set: a quiet NaN of every type */
    if (exponent > assay_narrow_bias(type) + 1)
        return sign | assay_narrow_end(type);
    if (exponent < -ASSAY_DOUBLE_BIAS + 1) /* denormal doubles: far below half the smallest value */
        return sign;
    below    = exponent < least ? least - exponent : 0;
    exponent = exponent < least ? least : exponent;
    below =
        below > fraction_bits + 2 ? fraction_bits + 2 : below; /* a larger shift rounds to 0 too */
    wide = (wide & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    /* Rounding up to the next power of two carries into the exponent. */
    bits = ((uint64_t)(exponent - least) << fraction_bits) +
           assay_narrow_shifted(wide, 52 - fraction_bits + below);
    return sign | (bits < assay_narrow_end(type) ? (uint32_t)bits : assay_narrow_end(type));
}

/* As assay_type_place. */
static inline int64_t assay_narrow_place(assay_type type, double value)
{
    const int64_t place = assay_narrow_bits(type, value) & (assay_narrow_sign(type) - 1);

    return signbit(value) ? -place : place;
}

#endif
