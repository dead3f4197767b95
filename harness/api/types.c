/* Element types, by the table of their fields. */
#include "type_fields.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static bool is_type(assay_type type) { return (size_t)type < ASSAY_N_TYPES; }

size_t assay_type_size(assay_type type) { return is_type(type) ? assay_type_fields[type].size : 0; }

const char *assay_type_text(assay_type type)
{
    return is_type(type) ? assay_type_fields[type].text : "unknown";
}

bool assay_type_is_float(assay_type type)
{
    return is_type(type) && assay_type_fields[type].exponent_bits > 0;
}

int assay_type_digits(assay_type type)
{
    return is_type(type) ? assay_type_fields[type].digits : 0;
}

double assay_type_roundoff(assay_type type)
{
    return assay_type_is_float(type) ? ldexp(1, -assay_type_fields[type].fraction_bits - 1) : 0;
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
        return assay_narrow_value(type, ((const uint16_t *)from)[i]);
    case ASSAY_F8E4M3:
    case ASSAY_F8E5M2:
        return assay_narrow_value(type, ((const uint8_t *)from)[i]);
    case ASSAY_N_TYPES:
        break;
    }
    return NAN;
}

double assay_type_round(assay_type type, double value)
{
    if (type == ASSAY_F32)
        return (double)(float)value;
    return assay_type_is_narrow(type) ? assay_narrow_value(type, assay_narrow_bits(type, value))
                                      : value;
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
        ((uint16_t *)to)[i] = (uint16_t)assay_narrow_bits(type, value);
        break;
    case ASSAY_F8E4M3:
    case ASSAY_F8E5M2:
        ((uint8_t *)to)[i] = (uint8_t)assay_narrow_bits(type, value);
        break;
    case ASSAY_N_TYPES:
        break;
    }
}

/* ---- order ---- */

int64_t assay_type_narrow_place(assay_type type, double value)
{
    return assay_narrow_place(type, value);
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
    return assay_narrow_value(type, (uint32_t)(place < 0 ? -place : place) |
                                        (place < 0 ? assay_narrow_sign(type) : 0));
}

double assay_type_smallest(assay_type type)
{
    return assay_type_is_float(type) ? assay_type_at(type, 1) : 0;
}
