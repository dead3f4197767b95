/* Reads GNU build ids, of loaded objects and of files. */
#include "build_id.h"

#include "text.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Sizes come from the file, and may be anything. */
static void read_notes(const unsigned char *at, size_t size, search *s)
{
    ElfW(Nhdr) note;

    while (size >= sizeof note) {
        size_t name, step;

        memcpy(&note, at, sizeof note);
        name = sizeof note + padded(note.n_namesz);
        if (name > size || note.n_descsz > size - name)
            return;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof ELF_NOTE_GNU &&
            memcmp(at + sizeof note, ELF_NOTE_GNU, sizeof ELF_NOTE_GNU) == 0)
            write_hex(at + name, note.n_descsz, s);
        step = name + padded(note.n_descsz);
        if (step > size)
            return;
        at += step;
        size -= step;
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
            read_notes((const unsigned char *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr),
                       object->dlpi_phdr[i].p_memsz, s);
    return 1;
}

void assay_build_id(const void *address, char *id, size_t size)
{
    search s = { .address = (uintptr_t)address, .id = id, .size = size };

    id[0] = '\0';
    (void)dl_iterate_phdr(visit, &s);
}

/* ---- of a file ---- */

enum {
    MOST_SEGMENTS   = 4096,
    MOST_NOTE_BYTES = 1 << 20
};

static bool read_at(int fd, void *to, size_t size, uint64_t offset)
{
    return offset <= INT64_MAX && pread(fd, to, size, (off_t)offset) == (ssize_t)size;
}

/* Is it an object for this kind of machine, so that this program could load it? */
static bool is_object(int fd, ElfW(Ehdr) * header)
{
    ElfW(Ehdr) own = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3,
                                    sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32,
                                    __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
                                                                              : ELFDATA2MSB } };

    return read_at(fd, header, sizeof *header, 0) &&
           memcmp(header->e_ident, own.e_ident, EI_DATA + 1) == 0 &&
           header->e_phentsize == sizeof(ElfW(Phdr)) && header->e_phnum <= MOST_SEGMENTS;
}

static assay_status read_segment(int fd, const char *path, uint64_t offset, search *s)
{
    assay_status   st    = ASSAY_OK;
    unsigned char *notes = NULL;
    ElfW(Phdr) segment;

    ASSAY_REQUIRE(read_at(fd, &segment, sizeof segment, offset), ASSAY_E_IO,
                  "%s is truncated, or not a shared library", path);
    if (segment.p_type != PT_NOTE)
        goto out;
    ASSAY_REQUIRE(segment.p_filesz <= MOST_NOTE_BYTES, ASSAY_E_IO, "%s is not a shared library",
                  path);
    notes = malloc(segment.p_filesz + 1);
    ASSAY_REQUIRE(notes, ASSAY_E_MEMORY, "no memory for the notes of %s", path);
    ASSAY_REQUIRE(read_at(fd, notes, segment.p_filesz, segment.p_offset), ASSAY_E_IO,
                  "%s is truncated, or not a shared library", path);
    read_notes(notes, segment.p_filesz, s);
out:
    free(notes);
    return st;
}

assay_status assay_build_id_read(const char *path, char *id, size_t size)
{
    assay_status st = ASSAY_OK;
    const int    fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    search       s  = { .id = id, .size = size };
    struct stat  about;
    ElfW(Ehdr) header;

    id[0] = '\0';
    ASSAY_REQUIRE(fd >= 0 && fstat(fd, &about) == 0, ASSAY_E_IO, "cannot open %s: %s", path,
                  strerror(errno));
    ASSAY_REQUIRE(S_ISREG(about.st_mode) && is_object(fd, &header), ASSAY_E_IO,
                  "%s is not a shared library for this kind of machine", path);
    for (uint64_t i = 0; i < header.e_phnum && !id[0]; i++)
        ASSAY_CHECK(read_segment(fd, path, header.e_phoff + i * sizeof(ElfW(Phdr)), &s));
out:
    if (fd >= 0)
        (void)close(fd);
    return st;
}
