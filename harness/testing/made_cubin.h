/* A cubin of two kernels, _Z1av and b, made by hand. */
#ifndef ASSAY_MADE_CUBIN_H
#define ASSAY_MADE_CUBIN_H

#include "cupti/module_code.h"
#include "testing/testing.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum {
    HEADER       = 64,
    SECTION      = 64,
    MAX_SECTIONS = 8,
    MAX_CUBIN    = 2048,
};

typedef struct cubin {
    unsigned char bytes[MAX_CUBIN];
    size_t        size;
    size_t        n;                /* sections */
    size_t        at[MAX_SECTIONS]; /* offset of each section's header */
    size_t        code;             /* offset of the first kernel's code */
} cubin;

static inline void put(unsigned char *at, uint64_t value, int width)
{
    for (int i = 0; i < width; i++)
        at[i] = (unsigned char)(value >> (8 * i));
}

static inline size_t append(cubin *c, const void *bytes, size_t size)
{
    const size_t at = c->size;

    assert_true(at + size <= MAX_CUBIN);
    memcpy(c->bytes + at, bytes, size);
    c->size += size;
    return at;
}

static inline void describe(cubin *c, size_t i, size_t name, uint32_t type, size_t offset,
                            size_t size)
{
    unsigned char *section = c->bytes + c->at[i];

    put(section, name, 4);
    put(section + 4, type, 4);
    put(section + 24, offset, 8);
    put(section + 32, size, 8);
}

/* Two kernels, a table that is no code, and a section whose name is only the prefix. */
static inline cubin make_cubin(void)
{
    static const char          names[]  = "\0.shstrtab\0.text._Z1av\0.text.b\0.text.\0.nv.info.b";
    static const unsigned char head[]   = { 0x7f, 'E', 'L', 'F', 2, 1, 1 };
    static const char          code_a[] = "code of a", code_b[] = "code of b, longer";
    cubin                      c = { .size = HEADER, .n = 6 };

    memcpy(c.bytes, head, sizeof head);
    for (size_t i = 0; i < c.n; i++)
        c.at[i] = HEADER + i * SECTION;
    c.size += c.n * SECTION;
    put(c.bytes + 18, 190, 2); /* EM_CUDA */
    put(c.bytes + 40, HEADER, 8);
    put(c.bytes + 58, SECTION, 2);
    put(c.bytes + 60, c.n, 2);
    put(c.bytes + 62, 1, 2);
    describe(&c, 1, 1, 3, append(&c, names, sizeof names), sizeof names);
    c.code = append(&c, code_a, 9);
    describe(&c, 2, 11, 1, c.code, 9);
    describe(&c, 3, 23, 1, append(&c, code_b, 17), 17);
    describe(&c, 4, 31, 1, append(&c, "xyz", 3), 3);
    describe(&c, 5, 38, 1, append(&c, "info", 4), 4);
    return c;
}

/* Writes this cubin to a file beside `path`, and reads what the file says of its code; the caller
 * frees. */
static inline assay_module_code *read_made_cubin(const char *path)
{
    const cubin        c    = make_cubin();
    assay_module_code *code = NULL;
    char               module[256];
    FILE              *file;

    (void)snprintf(module, sizeof module, "%s.so", path);
    file = fopen(module, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(c.bytes, 1, c.size, file), c.size);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(assay_module_code_read(module, &code), ASSAY_OK);
    assert_int_equal(remove(module), 0);
    return code;
}

#endif
