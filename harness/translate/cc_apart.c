/* Symbols of objects that are linked into one module. */
#include "cc_internal.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

typedef struct object {
    const char *bytes;
    size_t      size;
} object;

static assay_status open_object(const char *path, object *o)
{
    assay_status st   = ASSAY_OK;
    const int    file = open(path, O_RDONLY | O_CLOEXEC);
    void        *bytes;
    struct stat  about;

    *o = (object) { .bytes = NULL };
    ASSAY_REQUIRE(file >= 0 && fstat(file, &about) == 0 &&
                      about.st_size >= (off_t)sizeof(Elf64_Ehdr),
                  ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    ASSAY_REQUIRE(bytes != MAP_FAILED, ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    *o = (object) { .bytes = bytes, .size = (size_t)about.st_size };
    ASSAY_REQUIRE(memcmp(o->bytes, ELFMAG, SELFMAG) == 0 && o->bytes[EI_CLASS] == ELFCLASS64,
                  ASSAY_E_IO, "%s is not an object file for this machine", path);
out:
    if (file >= 0)
        (void)close(file);
    return st;
}

static void close_object(object *o)
{
    if (o->bytes)
        (void)munmap((void *)(uintptr_t)o->bytes, o->size);
    *o = (object) { .bytes = NULL };
}

typedef void symbol_fn(void *context, const char *name);

/* Calls fn for each hidden symbol that is defined and has this binding. */
static void each_symbol(const object *o, unsigned binding, symbol_fn *fn, void *context)
{
    const Elf64_Ehdr *head     = (const void *)o->bytes;
    const Elf64_Shdr *sections = (const void *)(o->bytes + head->e_shoff);

    for (int k = 0; k < head->e_shnum; k++) {
        const Elf64_Shdr *table   = &sections[k];
        const Elf64_Sym  *symbols = (const void *)(o->bytes + table->sh_offset);
        const char       *names   = o->bytes + sections[table->sh_link].sh_offset;

        for (size_t i = 0; table->sh_type == SHT_SYMTAB && i < table->sh_size / sizeof *symbols;
             i++)
            if (ELF64_ST_BIND(symbols[i].st_info) == binding &&
                ELF64_ST_VISIBILITY(symbols[i].st_other) == STV_HIDDEN &&
                symbols[i].st_shndx != SHN_UNDEF)
                fn(context, names + symbols[i].st_name);
    }
}

/* ---- changing ---- */

/* A path beside the object; caller frees. NULL: no memory. */
static char *beside(const char *object_path, const char *suffix)
{
    char *name = NULL;

    return asprintf(&name, "%s.%s", object_path, suffix) < 0 ? NULL : name;
}

/* Makes the symbols that the file `list` names local to the object. */
static assay_status localize(const char *object_path, const char *list)
{
    assay_status st    = ASSAY_OK;
    char        *whole = beside(object_path, "one"), *option = NULL;

    ASSAY_REQUIRE(whole && asprintf(&option, "--localize-symbols=%s", list) > 0, ASSAY_E_MEMORY,
                  "no memory for the name of a file");
    /* Templates and inline functions are in groups, and a module would keep only one of each group:
     * they are taken out of the groups first. */
    const char *const link[]  = { "ld",  "-r", "--force-group-allocation", object_path, "-o",
                                  whole, NULL };
    const char *const local[] = { "objcopy", option, whole, object_path, NULL };

    ASSAY_CHECK(cc_spawn((char *const *)(uintptr_t)link, -1));
    ASSAY_CHECK(cc_spawn((char *const *)(uintptr_t)local, -1));
out:
    if (whole)
        (void)unlink(whole);
    free(whole);
    free(option);
    return st;
}

/* ---- weak symbols ---- */

typedef struct written {
    FILE *file;
    int   n;
} written;

static void write_name(void *context, const char *name)
{
    written *w = context;

    w->n++;
    (void)fprintf(w->file, "%s\n", name);
}

assay_status cc_keep_weak(const char *path)
{
    assay_status st   = ASSAY_OK;
    char        *list = beside(path, "weak");
    object       o    = { .bytes = NULL };
    written      w    = { .file = list ? fopen(list, "w") : NULL };

    ASSAY_REQUIRE(w.file, ASSAY_E_IO, "cannot write %s: %s", list ? list : path, strerror(errno));
    ASSAY_CHECK(open_object(path, &o));
    each_symbol(&o, STB_WEAK, write_name, &w);
    ASSAY_REQUIRE(fclose(w.file) == 0, ASSAY_E_IO, "cannot write %s", list);
    w.file = NULL;
    if (w.n > 0)
        ASSAY_CHECK(localize(path, list));
out:
    if (w.file)
        (void)fclose(w.file);
    if (list)
        (void)unlink(list);
    free(list);
    close_object(&o);
    return st;
}

/* ---- names that several objects have ---- */

typedef struct names {
    const char **name;
    size_t       n, room;
    bool         is_hit; /* when collecting: out of memory; when searching: found */
} names;

static void keep_name(void *context, const char *name)
{
    names *all = context;

    if (all->n == all->room) {
        const size_t room = all->room ? 2 * all->room : 1024;
        const char **more = realloc(all->name, room * sizeof *more);

        if (!more) {
            all->is_hit = true;
            return;
        }
        all->name = more;
        all->room = room;
    }
    all->name[all->n++] = name;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Keeps each name that occurs more than once, and keeps it once; removes all others. */
static void keep_doubles(names *all)
{
    size_t kept = 0;

    if (all->n > 0)
        qsort(all->name, all->n, sizeof *all->name, by_name);
    for (size_t i = 0, next; i < all->n; i = next) {
        for (next = i + 1; next < all->n && strcmp(all->name[i], all->name[next]) == 0; next++)
            ;
        if (next > i + 1)
            all->name[kept++] = all->name[i];
    }
    all->n = kept;
}

static assay_status write_doubles(const char *path, const names *all, char **list)
{
    FILE *file;

    *list = beside(path, "doubles");
    file  = *list ? fopen(*list, "w") : NULL;
    if (!file)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot write beside %s: %s", path, strerror(errno));
    for (size_t i = 0; i < all->n; i++)
        (void)fprintf(file, "%s\n", all->name[i]);
    return fclose(file) == 0 ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_IO, "cannot write %s", *list);
}

static void is_double(void *context, const char *name)
{
    names *all = context;

    if (all->n > 0 && bsearch(&name, all->name, all->n, sizeof *all->name, by_name))
        all->is_hit = true;
}

assay_status cc_keep_doubles(int n, char **paths)
{
    assay_status st   = ASSAY_OK;
    object      *o    = calloc((size_t)n + 1, sizeof *o);
    names        all  = { .n = 0 };
    char        *list = NULL;

    ASSAY_REQUIRE(o, ASSAY_E_MEMORY, "no memory for %d objects", n);
    for (int i = 0; i < n; i++) {
        ASSAY_CHECK(open_object(paths[i], &o[i]));
        each_symbol(&o[i], STB_GLOBAL, keep_name, &all);
    }
    ASSAY_REQUIRE(!all.is_hit, ASSAY_E_MEMORY, "no memory for the symbols of %d objects", n);
    keep_doubles(&all);
    if (all.n == 0)
        goto out;
    ASSAY_CHECK(write_doubles(paths[0], &all, &list));
    for (int i = 0; i < n; i++) {
        all.is_hit = false; /* set if this object has one of the names */
        each_symbol(&o[i], STB_GLOBAL, is_double, &all);
        if (all.is_hit)
            ASSAY_CHECK(localize(paths[i], list));
    }
out:
    for (int i = 0; o && i < n; i++)
        close_object(&o[i]);
    if (list)
        (void)unlink(list);
    free(list);
    free(all.name);
    free(o);
    return st;
}
