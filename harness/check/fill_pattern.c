/* The bit patterns of poison and guard zones. */
#include "fill.h"

#include <string.h>

/* ---- numbers ---- */

enum {
    N_LAUNCHES = 8 /* launches that have a number of their own */
};

int assay_fill_number(int launch, assay_input input, int buffer)
{
    ASSAY_ASSERT(launch >= 0 && launch < N_LAUNCHES);
    ASSAY_ASSERT(buffer >= 0 && buffer <= ASSAY_MAX_BUFFERS);
    return launch + N_LAUNCHES * ((int)input + ASSAY_N_INPUTS * buffer);
}

static int launch_of(int number) { return number % N_LAUNCHES; }
static int input_of(int number) { return number / N_LAUNCHES % ASSAY_N_INPUTS; }
static int buffer_of(int number) { return number / N_LAUNCHES / ASSAY_N_INPUTS; }

/* ---- kinds ---- */

/* Kinds of values that a kernel may take for data. Each is missed by some mistake: a maximum
 * ignores NaN, a minimum ignores large values, and a test for a sane range ignores all three. */
typedef enum kind {
    A_NAN, /* for integers: a pattern */
    LARGEST,
    SMALLEST,
    PLAUSIBLE
} kind;

/* Three launches of one class use both ends; two classes together use every kind. So do two
 * launches of two classes, except the last kind. */
static kind kind_of(int number)
{
    static const kind orders[2][4] = { { A_NAN, LARGEST, SMALLEST, PLAUSIBLE },
                                       { LARGEST, SMALLEST, PLAUSIBLE, A_NAN } };

    return orders[input_of(number) % 2][launch_of(number) % 4];
}

/* ---- patterns ---- */

/* The payload of a pattern has 22 bits: what it is, the position in the zone, and its number. It
 * fits below the bit that makes an fp32 NaN quiet, so that arithmetic keeps it. */
enum {
    IS_GUARD  = 1,
    IS_POISON = 2,

    NUMBER_BITS = 10,
    PLACE_BITS  = 10, /* ASSAY_GUARD_BYTES of the smallest type that has a payload */
    WIDE_SHIFT  = 29, /* an fp64 has the payload where a converted fp32 has it */
};
_Static_assert(N_LAUNCHES *(int)ASSAY_N_INPUTS *(ASSAY_MAX_BUFFERS + 1) < 1 << NUMBER_BITS,
               "numbers of fills do not fit into a payload");
_Static_assert(ASSAY_GUARD_BYTES / 4 <= 1 << PLACE_BITS, "places do not fit into a payload");

static uint64_t payload_of(int what, size_t place, int number)
{
    return (uint64_t)what << (PLACE_BITS + NUMBER_BITS) | (uint64_t)place << NUMBER_BITS |
           (uint64_t)number;
}

static uint64_t float_bits(kind k, uint64_t payload)
{
    switch (k) {
    case A_NAN:
        return 0x7F800000u | payload; /* signalling: arithmetic never returns it */
    case LARGEST:
        return 0x7F7FFFFFu - payload;
    case SMALLEST:
        return 0xFF7FFFFFu - payload;
    case PLAUSIBLE:
        break;
    }
    return 0x3F000000u | payload; /* 0.5 and a little more */
}

static uint64_t double_bits(kind k, uint64_t payload)
{
    const uint64_t wide = payload << WIDE_SHIFT;

    switch (k) {
    case A_NAN:
        return 0x7FF0000000000000u | wide;
    case LARGEST:
        return 0x7FEFFFFFFFFFFFFFu - wide;
    case SMALLEST:
        return 0xFFEFFFFFFFFFFFFFu - wide;
    case PLAUSIBLE:
        break;
    }
    return 0x3FE0000000000000u | wide;
}

/* For a type with these limits. An unsigned type has nothing below 0, so its smallest value tells
 * only launches apart; other launches tell buffers apart. */
static uint64_t integer_bits(kind k, uint64_t payload, uint64_t least, uint64_t most, int launch)
{
    switch (k) {
    case A_NAN:
        return (0xA5A5A5A5A5A5A5A5u & ~(uint64_t)0x3FFFFF) | payload;
    case LARGEST:
        return most - payload;
    case SMALLEST:
        return least == 0 ? (uint64_t)(launch / 4) : least + payload;
    case PLAUSIBLE:
        break;
    }
    return 3 + payload % 97;
}

/* 32 values have to be enough for all positions and buffers. */
static int mix_byte(size_t place, int number)
{
    return ((int)(7 * place) + buffer_of(number) + launch_of(number)) % 32;
}

/* An 8-bit floating-point type has few NaN, and a kernel may write them. Small negative numbers
 * take their place. largest: the bits of the largest value. */
static uint64_t minifloat_bits(unsigned largest, unsigned half, kind k, size_t place, int number)
{
    const unsigned mixed = (unsigned)mix_byte(place, number);

    switch (k) {
    case A_NAN:
        return 0xA0u + mixed;
    case LARGEST:
        return largest - mixed;
    case SMALLEST:
        return 0x80u + largest - mixed;
    case PLAUSIBLE:
        break;
    }
    return half + mixed;
}

static uint64_t byte_bits(assay_type type, kind k, size_t place, int number)
{
    const int launch = launch_of(number), mixed = mix_byte(place, number);

    switch (k) {
    case A_NAN:
        return (uint64_t)(0xA0 + mixed);
    case LARGEST:
        return (uint64_t)((type == ASSAY_I8 ? 0x7F : 0xFF) - mixed);
    case SMALLEST:
        return (uint64_t)(type == ASSAY_I8 ? 0x80 + mixed : launch / 4 * 2);
    case PLAUSIBLE:
        break;
    }
    return (uint64_t)(launch / 4 * 2 + 1); /* a flag that is set */
}

/* For 16 bits: a number below n, which exceeds the number of buffers, made of position, buffer and
 * launch. It differs between buffers at the same position, and between neighbours in one buffer. */
static unsigned mix(size_t place, int number, unsigned n)
{
    return ((unsigned)(13 * place) + (unsigned)(buffer_of(number) + launch_of(number))) % n;
}

static uint64_t short_bits(assay_type type, kind k, size_t place, int number)
{
    const unsigned mixed = mix(place, number, 4096);

    switch (k) {
    case A_NAN:
        return 0xA000u + mixed;
    case LARGEST:
        return (type == ASSAY_I16 ? 0x7FFFu : 0xFFFFu) - mixed;
    case SMALLEST:
        return type == ASSAY_I16 ? 0x8000u + mixed : (uint64_t)(launch_of(number) / 4);
    case PLAUSIBLE:
        break;
    }
    return 3 + mix(place, number, 97);
}

/* infinity, half: bit patterns of the type. That many patterns above infinity are signalling NaN.
 */
static uint64_t half_bits(unsigned infinity, unsigned half, unsigned n_signalling, kind k,
                          size_t place, int number)
{
    const unsigned mixed = mix(place, number, n_signalling);

    switch (k) {
    case A_NAN:
        return infinity + 1 + mixed;
    case LARGEST:
        return infinity - 1 - mixed;
    case SMALLEST:
        return 0x8000u + infinity - 1 - mixed;
    case PLAUSIBLE:
        break;
    }
    return half + mixed;
}

static uint64_t bits_of(assay_type type, int what, size_t place, int number)
{
    const kind     k       = kind_of(number);
    const int      launch  = launch_of(number);
    const uint64_t payload = payload_of(what, place, number);

    ASSAY_ASSERT(number >= 0 && buffer_of(number) <= ASSAY_MAX_BUFFERS);
    switch (type) {
    case ASSAY_F32:
        return float_bits(k, payload);
    case ASSAY_F64:
        return double_bits(k, payload);
    case ASSAY_I32:
        return integer_bits(k, payload, 0x80000000u, INT32_MAX, launch);
    case ASSAY_U32:
        return integer_bits(k, payload, 0, UINT32_MAX, launch);
    case ASSAY_I64:
        return integer_bits(k, payload, 0x8000000000000000u, INT64_MAX, launch);
    case ASSAY_U64:
        return integer_bits(k, payload, 0, UINT64_MAX, launch);
    case ASSAY_I16:
    case ASSAY_U16:
        return short_bits(type, k, place, number);
    case ASSAY_F16:
        return half_bits(0x7C00, 0x3800, 511, k, place, number);
    case ASSAY_BF16:
        return half_bits(0x7F80, 0x3F00, 63, k, place, number);
    case ASSAY_F8E4M3:
        return minifloat_bits(0x7E, 0x30, k, place, number);
    case ASSAY_F8E5M2:
        return minifloat_bits(0x7B, 0x38, k, place, number);
    case ASSAY_U8:
    case ASSAY_I8:
    case ASSAY_N_TYPES:
        break;
    }
    return byte_bits(type, k, place, number);
}

/* ---- poison ---- */

void assay_fill_poison(void *to, assay_type type, int64_t count, int number)
{
    const uint64_t bits = bits_of(type, IS_POISON, 0, number);
    const size_t   size = assay_type_size(type);

    if (size == 1 && count > 0)
        memset(to, (int)(bits & 0xFF), (size_t)count);
    else if (size == 2)
        for (int64_t i = 0; i < count; i++)
            memcpy((uint16_t *)to + i, &(uint16_t) { (uint16_t)bits }, sizeof(uint16_t));
    else if (size == 4)
        for (int64_t i = 0; i < count; i++)
            memcpy((uint32_t *)to + i, &(uint32_t) { (uint32_t)bits }, sizeof(uint32_t));
    else
        for (int64_t i = 0; i < count; i++)
            memcpy((uint64_t *)to + i, &bits, sizeof bits);
}

/* Compares the low `size` bytes of bits with element `index` in place. */
static bool holds_bits(const void *from, size_t size, int64_t index, uint64_t bits)
{
    const uint32_t half    = (uint32_t)bits;
    const uint16_t quarter = (uint16_t)bits;
    const uint8_t  byte    = (uint8_t)bits;
    const void    *want    = size == 8   ? (const void *)&bits
                             : size == 4 ? (const void *)&half
                             : size == 2 ? (const void *)&quarter
                                         : &byte;

    return memcmp((const char *)from + (size_t)index * size, want, size) == 0;
}

bool assay_is_poison(const void *from, assay_type type, int64_t index, int number)
{
    return holds_bits(from, assay_type_size(type), index, bits_of(type, IS_POISON, 0, number));
}

/* ---- guard zones ---- */

void assay_fill_guard(void *to, size_t bytes, assay_type type, int number)
{
    const size_t size = assay_type_size(type);

    for (size_t at = 0; at < bytes; at += size) {
        const size_t   place = at / size % (ASSAY_GUARD_BYTES / size);
        const uint64_t bits  = bits_of(type, IS_GUARD, place, number);

        if (size == 4 && bytes - at >= 4)
            memcpy((char *)to + at, &(uint32_t) { (uint32_t)bits }, sizeof(uint32_t));
        else if (size == 8 && bytes - at >= 8)
            memcpy((char *)to + at, &bits, sizeof bits);
        else
            for (size_t byte = 0; byte < size && at + byte < bytes; byte++)
                ((uint8_t *)to)[at + byte] = (uint8_t)(bits >> 8 * byte);
    }
}

/* ---- from a value back to its origin ---- */

/* Returns the 22 bits of a NaN that patterns use, and whether it is the NaN of shared memory. */
static bool read_payload(const void *from, assay_type type, int64_t index, uint64_t *payload,
                         bool *is_shared)
{
    const uint64_t shared = (uint64_t)ASSAY_SHARED_NAN << 16 | ASSAY_SHARED_NAN;
    uint32_t       half;
    uint64_t       bits;

    if (type == ASSAY_F32) {
        memcpy(&half, (const uint32_t *)from + index, sizeof half);
        *is_shared = half == shared;
        *payload   = half & 0x3FFFFF;
        return (half & 0x7F800000u) == 0x7F800000u && (half & 0x7FFFFFu) != 0;
    }
    if (type != ASSAY_F64)
        return false;
    memcpy(&bits, (const uint64_t *)from + index, sizeof bits);
    *is_shared = (bits & ~(UINT64_C(1) << 51)) == (shared << 32 | shared);
    *payload   = bits >> WIDE_SHIFT & 0x3FFFFF;
    return (bits & 0x7FF0000000000000u) == 0x7FF0000000000000u && (bits & 0xFFFFFFFFFFFFFu) != 0;
}

bool assay_fill_nan_origin(const void *from, assay_type type, int64_t index,
                           assay_nan_origin *origin)
{
    uint64_t payload = 0;
    int      what, number;

    *origin = (assay_nan_origin) { .is_shared = false };
    if (!read_payload(from, type, index, &payload, &origin->is_shared))
        return false;
    if (origin->is_shared)
        return true;
    number = (int)(payload & ((1 << NUMBER_BITS) - 1));
    what   = (int)(payload >> (NUMBER_BITS + PLACE_BITS));
    if ((what != IS_GUARD && what != IS_POISON) || buffer_of(number) > ASSAY_MAX_BUFFERS ||
        kind_of(number) != A_NAN)
        return false;
    origin->is_guard = what == IS_GUARD;
    origin->launch   = launch_of(number);
    origin->input    = (assay_input)input_of(number);
    origin->buffer   = buffer_of(number);
    return true;
}
