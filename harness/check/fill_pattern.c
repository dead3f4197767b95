/* The bit patterns of poison and guard zones. */
#include "fill.h"

#include <string.h>

static uint64_t poison_bits(assay_type type, int which)
{
    const uint64_t number = (uint64_t)which;

    ASSAY_ASSERT(which >= 0 && which < 256);
    if (type == ASSAY_F32)
        return 0x7FA5A500u + number;
    if (type == ASSAY_F64)
        return 0x7FF5A55AA55AA500u + number;
    /* An odd factor: 256 different values in every byte. */
    return 0xA5A5A5A5A5A5A5A5u ^ 0x1D1D1D1D1D1D1D1Du * number;
}

void assay_fill_poison(void *to, assay_type type, int64_t count, int which)
{
    const uint64_t bits = poison_bits(type, which);
    const size_t   size = assay_type_size(type);

    if (size == 1 && count > 0)
        memset(to, (int)(bits & 0xFF), (size_t)count);
    else if (size == 4)
        for (int64_t i = 0; i < count; i++)
            memcpy((uint32_t *)to + i, &(uint32_t) { (uint32_t)bits }, sizeof(uint32_t));
    else
        for (int64_t i = 0; i < count; i++)
            memcpy((uint64_t *)to + i, &bits, sizeof bits);
}

/* The low `size` bytes of bits at element `index`, compared where they lie. */
static bool holds_bits(const void *from, size_t size, int64_t index, uint64_t bits)
{
    const uint32_t half = (uint32_t)bits;
    const uint8_t  byte = (uint8_t)bits;
    const void    *want = size == 8 ? (const void *)&bits : size == 4 ? (const void *)&half : &byte;

    return memcmp((const char *)from + (size_t)index * size, want, size) == 0;
}

bool assay_is_poison(const void *from, assay_type type, int64_t index, int which)
{
    return holds_bits(from, assay_type_size(type), index, poison_bits(type, which));
}

static uint64_t guard_bits(assay_type type, size_t place, int which)
{
    const uint64_t at     = place % (ASSAY_GUARD_BYTES / assay_type_size(type));
    const uint64_t number = (uint64_t)which;

    switch (type) {
    case ASSAY_F32:
        return 0x7FC00000u | at << 8 | number;
    case ASSAY_F64:
        return 0x7FFC5AA500000000u | at << 8 | number;
    case ASSAY_I32:
    case ASSAY_U32:
        return 0x7F400000u | at << 8 | number;
    case ASSAY_I64:
    case ASSAY_U64:
        return 0x7F5AA55A00000000u | at << 8 | number;
    case ASSAY_U8:
        break;
    }
    return 0xE0 | ((7 * at + number) & 0x1F);
}

void assay_fill_guard(void *to, size_t bytes, assay_type type, int which)
{
    const size_t size = assay_type_size(type);

    ASSAY_ASSERT(which >= 0 && which < 32);
    for (size_t at = 0; at < bytes; at++) {
        const uint64_t bits = guard_bits(type, at / size, which);

        ((uint8_t *)to)[at] = (uint8_t)(bits >> 8 * (at % size));
    }
}
