/* What is known of a kernel module from its file, before any of its code runs. */
#include "module_internal.h"

#include "base/sanitizer.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct image {
    const char *path;
    const char *bytes;
    size_t      size;
} image;

/* `n` items of `size` bytes from `offset` on; NULL if the file does not hold them, or if they are
 * not aligned. */
static const void *part_of(const image *i, uint64_t offset, uint64_t n, uint64_t size)
{
    const bool fits = offset <= i->size && (size == 0 || n <= (i->size - offset) / size) &&
                      offset % sizeof(ElfW(Addr)) == 0;

    return fits ? i->bytes + offset : NULL;
}

static assay_status cut_off(const image *i)
{
    return ASSAY_FAIL(ASSAY_E_IO,
                      "%s is damaged: the file ends after %zu bytes, and more belongs to it: build "
                      "or copy it again",
                      i->path, i->size);
}

/* Otherwise the first access to a missing part would end in SIGBUS. */
static assay_status require_segments(const image *i, const ElfW(Ehdr) * head)
{
    const ElfW(Phdr) *segments = part_of(i, head->e_phoff, head->e_phnum, sizeof *segments);

    if (!segments)
        return cut_off(i);
    for (int k = 0; k < head->e_phnum; k++)
        if (segments[k].p_filesz > i->size || segments[k].p_offset > i->size - segments[k].p_filesz)
            return cut_off(i);
    return ASSAY_OK;
}

/* ---- which sanitizer it calls ---- */

static const struct {
    const char *symbol, *sanitizer;
} runtimes[] = {
    { "__asan_init", "address" },
    { "__tsan_init", "thread" },
};

static const char *find_runtime(const image *i, const ElfW(Shdr) * sections,
                                const ElfW(Shdr) * dynamic, int n_sections)
{
    const ElfW(Shdr) *names =
        dynamic->sh_link < (unsigned)n_sections ? &sections[dynamic->sh_link] : NULL;
    const size_t n           = dynamic->sh_size / sizeof(ElfW(Sym));
    const ElfW(Sym) *symbols = part_of(i, dynamic->sh_offset, n, sizeof *symbols);

    if (!symbols || !names || names->sh_offset > i->size ||
        names->sh_size > i->size - names->sh_offset)
        return "";
    for (size_t k = 0; k < n; k++) {
        const char  *name = i->bytes + names->sh_offset + symbols[k].st_name;
        const size_t room =
            symbols[k].st_name < names->sh_size ? names->sh_size - symbols[k].st_name : 0;

        for (size_t r = 0; r < sizeof runtimes / sizeof runtimes[0]; r++)
            if (room > strlen(runtimes[r].symbol) && strcmp(name, runtimes[r].symbol) == 0)
                return runtimes[r].sanitizer;
    }
    return "";
}

static assay_status judge_sections(const image *i, const ElfW(Ehdr) * head)
{
    const ElfW(Shdr) *sections = part_of(i, head->e_shoff, head->e_shnum, sizeof *sections);

    if (!sections)
        return cut_off(i);
    for (int k = 0; k < head->e_shnum; k++)
        if (sections[k].sh_type == SHT_DYNSYM)
            return assay_module_judge_sanitizer(
                i->path, find_runtime(i, sections, &sections[k], head->e_shnum));
    return ASSAY_OK; /* without sections, this is found out after the module is open */
}

static assay_status judge_image(const image *i)
{
    const ElfW(Ehdr) *head = part_of(i, 0, 1, sizeof *head);
    assay_status st        = ASSAY_OK;

    ASSAY_REQUIRE(head && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_type == ET_DYN &&
                      head->e_ident[EI_CLASS] == (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
                      head->e_phentsize == sizeof(ElfW(Phdr)),
                  ASSAY_E_IO,
                  "%s is not a kernel module: it is not a shared object for this machine", i->path);
    ASSAY_CHECK(require_segments(i, head));
    if (head->e_shoff > 0 && head->e_shentsize == sizeof(ElfW(Shdr)))
        ASSAY_CHECK(judge_sections(i, head));
out:
    return st;
}

static const char *name_of(const char *sanitizer)
{
    if (strcmp(sanitizer, "address") == 0)
        return "with AddressSanitizer";
    return strcmp(sanitizer, "thread") == 0 ? "with ThreadSanitizer" : "without a sanitizer";
}

assay_status assay_module_judge_sanitizer(const char *path, const char *sanitizer)
{
    const char *ours = assay_sanitizer_here();

    if (strcmp(sanitizer, ours) == 0)
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE,
                      "%s was built %s, and this program %s: verdicts of one would be stored as "
                      "those of the other; build both alike (ASSAY_SANITIZE)",
                      path, name_of(sanitizer), name_of(ours));
}

assay_status assay_module_judge_file(const char *path)
{
    assay_status st    = ASSAY_OK;
    const int    fd    = open(path, O_RDONLY | O_CLOEXEC);
    image        i     = { .path = path };
    void        *bytes = MAP_FAILED;
    struct stat  about;

    ASSAY_REQUIRE(fd >= 0 && fstat(fd, &about) == 0, ASSAY_E_IO,
                  "cannot read the kernel module %s: %s", path, strerror(errno));
    ASSAY_REQUIRE(S_ISREG(about.st_mode) && about.st_size > 0, ASSAY_E_IO,
                  "%s is not a kernel module: it is empty or not a file", path);
    i.size = (size_t)about.st_size;
    bytes  = mmap(NULL, i.size, PROT_READ, MAP_PRIVATE, fd, 0);
    ASSAY_REQUIRE(bytes != MAP_FAILED, ASSAY_E_IO, "cannot read the kernel module %s: %s", path,
                  strerror(errno));
    i.bytes = bytes;
    ASSAY_CHECK(judge_image(&i));
out:
    if (bytes != MAP_FAILED)
        (void)munmap(bytes, i.size);
    if (fd >= 0)
        (void)close(fd);
    return st;
}
