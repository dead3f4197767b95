/* Reads sections of an ELF64 file in memory, just enough to find machine code. Every number is
 * checked against the size of the file before it is used. */
#include "cupti_code.h"

#include <stdbool.h>
#include <string.h>

enum {
    HEADER_SIZE  = 64,
    SECTION_SIZE = 64,
    TYPE_NOBITS  = 8,
    LONG_INDEX   = 0xffff, /* the actual number is in section 0 */
};

typedef struct elf {
    const unsigned char *bytes;
    uint64_t             size;
    uint64_t             table, n_sections; /* offset of the section headers */
    uint64_t             names, names_size; /* offset of the names of sections */
} elf;

typedef struct section {
    uint64_t name, type, offset, size, link;
} section;

uint64_t assay_code_hash(const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t             hash = 0xcbf29ce484222325u;

    for (size_t i = 0; i < size; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

/* Reads a little-endian number of `width` bytes; the caller knows that it is inside the file. */
static uint64_t number(const elf *file, uint64_t offset, int width)
{
    uint64_t value = 0;

    for (int i = width - 1; i >= 0; i--)
        value = value << 8 | file->bytes[offset + (uint64_t)i];
    return value;
}

static bool is_inside(const elf *file, uint64_t offset, uint64_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

static section read_section(const elf *file, uint64_t i)
{
    const uint64_t at = file->table + i * SECTION_SIZE;

    return (section) {
        .name   = number(file, at, 4),
        .type   = number(file, at + 4, 4),
        .offset = number(file, at + 24, 8),
        .size   = number(file, at + 32, 8),
        .link   = number(file, at + 40, 4),
    };
}

/* Finds the table of sections and their names. */
static bool open_elf(elf *file, const void *bytes, size_t size)
{
    static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F', 2 /* 64 bits */, 1 /* little */ };

    *file = (elf) { .bytes = bytes, .size = size };
    if (!bytes || size < HEADER_SIZE || memcmp(bytes, magic, sizeof magic) != 0)
        return false;
    file->table            = number(file, 40, 8);
    file->n_sections       = number(file, 60, 2);
    uint64_t   names       = number(file, 62, 2);
    const bool has_section = is_inside(file, file->table, SECTION_SIZE);

    if (number(file, 58, 2) != SECTION_SIZE || !has_section)
        return false;
    if (file->n_sections == 0)
        file->n_sections = read_section(file, 0).size;
    if (names == LONG_INDEX)
        names = read_section(file, 0).link;
    if (file->n_sections > (file->size - file->table) / SECTION_SIZE || names >= file->n_sections)
        return false;
    const section strings = read_section(file, names);

    file->names      = strings.offset;
    file->names_size = strings.size;
    return strings.type != TYPE_NOBITS && is_inside(file, strings.offset, strings.size);
}

/* Name of a section; NULL if it does not end inside the table of names. */
static const char *name_of(const elf *file, const section *s)
{
    if (s->name >= file->names_size)
        return NULL;
    const char *name = (const char *)file->bytes + file->names + s->name;

    return memchr(name, '\0', (size_t)(file->names_size - s->name)) ? name : NULL;
}

/* The name of the function whose code is in the section; NULL for any other section. */
static const char *function_of(const elf *file, const section *s)
{
    static const char prefix[] = ".text.";
    const char       *name     = s->type != TYPE_NOBITS ? name_of(file, s) : NULL;

    if (!name || strncmp(name, prefix, sizeof prefix - 1) != 0 || !name[sizeof prefix - 1])
        return NULL;
    return name + sizeof prefix - 1;
}

/* Is every function's code inside the file, and is all code together no larger than the file?
 * Overlapping code could make hashing take forever. */
static bool has_sane_code(const elf *file)
{
    uint64_t total = 0;

    for (uint64_t i = 0; i < file->n_sections; i++) {
        const section s = read_section(file, i);

        if (!function_of(file, &s))
            continue;
        if (!is_inside(file, s.offset, s.size) || s.size > file->size - total)
            return false;
        total += s.size;
    }
    return true;
}

int assay_code_visit(const void *cubin, size_t                                            size,
                     void (*visit)(void *context, const char *name, uint64_t hash), void *context)
{
    elf file;
    int n = 0;

    if (!open_elf(&file, cubin, size) || !has_sane_code(&file))
        return -1;
    for (uint64_t i = 0; i < file.n_sections; i++) {
        const section s    = read_section(&file, i);
        const char   *name = function_of(&file, &s);

        if (!name)
            continue;
        visit(context, name, assay_code_hash(file.bytes + s.offset, (size_t)s.size));
        n++;
    }
    return n;
}
