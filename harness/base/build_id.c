/* Reading GNU build ids of loaded objects. */
#include "build_id.h"

#include "text.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct search {
    uintptr_t address;
    char     *id;
    size_t    size;
} search;

static bool holds(const struct dl_phdr_info *object, uintptr_t address)
{
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;

        if (object->dlpi_phdr[i].p_type == PT_LOAD && address >= start &&
            address - start < object->dlpi_phdr[i].p_memsz)
            return true;
    }
    return false;
}

static void write_hex(const unsigned char *bytes, size_t n, search *s)
{
    for (size_t k = 0; k < n && 2 * k + 3 <= s->size; k++)
        (void)assay_text_set(s->id + 2 * k, 3, "%02x", bytes[k]);
}

static size_t padded(size_t size) { return (size + 3) / 4 * 4; }

static void read_notes(const char *at, size_t size, search *s)
{
    const char *end = at + size;

    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note     = (const void *)at;
        const unsigned char *bytes = (const unsigned char *)(note + 1) + padded(note->n_namesz);

        if (note->n_type == NT_GNU_BUILD_ID)
            write_hex(bytes, note->n_descsz, s);
        at = (const char *)bytes + padded(note->n_descsz);
    }
}

static int visit(struct dl_phdr_info *object, size_t size, void *context)
{
    search *s = context;

    (void)size;
    if (!holds(object, s->address))
        return 0;
    for (int i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes((const char *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr),
                       object->dlpi_phdr[i].p_memsz, s);
    return 1;
}

void assay_build_id(const void *address, char *id, size_t size)
{
    search s = { .address = (uintptr_t)address, .id = id, .size = size };

    id[0] = '\0';
    (void)dl_iterate_phdr(visit, &s);
}
