/* Element types of buffers, and functions that read and write elements of any type as double. */
#ifndef ASSAY_TYPES_H
#define ASSAY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_type {
    ASSAY_F32,
    ASSAY_F64,
    ASSAY_I32,
    ASSAY_U32,
    ASSAY_I64,
    ASSAY_U64,
    ASSAY_U8,
    ASSAY_F16,    /* IEEE 754 binary16: CUDA's __half */
    ASSAY_BF16,   /* the upper half of an fp32: CUDA's __nv_bfloat16 */
    ASSAY_F8E4M3, /* 4 bits of exponent, up to 448, one NaN and no infinity: CUDA's __nv_fp8_e4m3 */
    ASSAY_F8E5M2, /* 5 bits of exponent, with infinities: CUDA's __nv_fp8_e5m2 */
    ASSAY_I8,
    ASSAY_I16,
    ASSAY_U16,
    ASSAY_N_TYPES
} assay_type;
/* Bytes of an element, the type's name ("f32"), and whether it is a floating-point type. */ size_t
            assay_type_size(assay_type type);
const char *assay_type_text(assay_type type);
bool        assay_type_is_float(assay_type type);

/* Unit roundoff: half the distance from 1 to the next value. */
#define ASSAY_F16_ROUNDOFF    0x1p-11
#define ASSAY_BF16_ROUNDOFF   0x1p-8
#define ASSAY_F8E4M3_ROUNDOFF 0x1p-4
#define ASSAY_F8E5M2_ROUNDOFF 0x1p-3
/* The unit roundoff of a type; 0 for integer types. */
double assay_type_roundoff(assay_type type);

/* Returns element i as double. Integers beyond 2^53 are rounded; all else is exact. */
double assay_type_load(assay_type type, const void *from, int64_t i);

/* Rounds to the nearest value of a floating-point type, ties to even, in every rounding mode. A
 * value that exceeds the largest one by half a step or more becomes an infinity, or NaN in a type
 * without infinities (E4M3). For integer types it returns the value itself. */
double assay_type_round(assay_type type, double value);

/* Rounds the value so and stores it as element i. An integer type must be able to hold the value.
 */
void assay_type_store(assay_type type, void *to, int64_t i, double value);

/* Numbers the values of a floating-point type in their order: neighbours differ by one, both zeros
 * have 0, an infinity follows the largest value. The difference of two numbers is their distance in
 * ULPs. `value` must be a value of the type and not NaN. assay_type_at is the inverse. */
static inline int64_t assay_type_place(assay_type type, double value);
double                assay_type_at(assay_type type, int64_t place);

/* The smallest value above 0 of a floating-point type; 0 for integer types. */
double assay_type_smallest(assay_type type);
/* The decimal digits that tell all values of the type apart; 0 for integer types. */
int assay_type_digits(assay_type type);

/* assay_type_place for a type of 8 or 16 bits. */
int64_t assay_type_narrow_place(assay_type type, double value);

/* Inline, since a check calls it twice for each element. */
static inline int64_t assay_type_place(assay_type type, double value)
{
    const float narrow = (float)value;
    int64_t     wide_bits;
    int32_t     bits;

    if (type == ASSAY_F64) {
        memcpy(&wide_bits, &value, sizeof wide_bits);
        return wide_bits >= 0 ? wide_bits : INT64_MIN - wide_bits;
    }
    if (type != ASSAY_F32)
        return assay_type_narrow_place(type, value);
    memcpy(&bits, &narrow, sizeof bits);
    return bits >= 0 ? bits : (int64_t)INT32_MIN - bits;
}

#ifdef __cplusplus
}
#endif
#endif
