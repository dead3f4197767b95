/* Finds cubins in a library. Each is an ELF file, uncompressed in the section of fat binaries. */
#include "module_code.h"

#include "base/build_id.h"
#include "cupti_code.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MACHINE_AT   = 18,
    MACHINE_CUDA = 190,
    LEAST_SIZE   = 64, /* of a file that is one */
};

typedef struct kernel_code {
    char    *name; /* owned */
    uint64_t hash;
} kernel_code;

struct assay_module_code {
    kernel_code *kernels; /* by name */
    size_t       n, room;
    bool         is_full; /* memory ran out for one of them */
    char         id[64];  /* of the module; "" if it has none */
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const kernel_code *)a)->name, ((const kernel_code *)b)->name);
}

static void add_kernel(void *context, const char *name, uint64_t hash)
{
    assay_module_code *code = context;

    if (code->n == code->room) {
        const size_t room  = code->room ? 2 * code->room : 64;
        kernel_code *grown = realloc(code->kernels, room * sizeof *grown);

        if (!grown) {
            code->is_full = true;
            return;
        }
        code->kernels = grown;
        code->room    = room;
    }
    code->kernels[code->n] = (kernel_code) { strdup(name), hash };
    if (code->kernels[code->n].name)
        code->n++;
    else
        code->is_full = true;
}

static void find_cubins(const unsigned char *bytes, size_t size, assay_module_code *code)
{
    static const unsigned char magic[] = { 0x7f, 'E', 'L', 'F', 2, 1 };
    const unsigned char       *end     = bytes + size;

    for (const unsigned char *at = bytes;
         (at = memmem(at, (size_t)(end - at), magic, sizeof magic)) != NULL; at += sizeof magic)
        if ((size_t)(end - at) >= LEAST_SIZE && at[MACHINE_AT] == MACHINE_CUDA &&
            at[MACHINE_AT + 1] == 0)
            (void)assay_code_visit(at, (size_t)(end - at), add_kernel, code);
}

assay_status assay_module_code_read(const char *path, assay_module_code **code)
{
    assay_status st    = ASSAY_OK;
    void        *bytes = MAP_FAILED;
    struct stat  about = { .st_size = 0 };
    const int    file  = open(path, O_RDONLY | O_CLOEXEC);

    *code = calloc(1, sizeof **code);
    ASSAY_REQUIRE(*code, ASSAY_E_MEMORY, "no memory for the code of %s", path);
    ASSAY_REQUIRE(file >= 0 && fstat(file, &about) == 0 && about.st_size > 0, ASSAY_E_IO,
                  "cannot read %s", path);
    bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    ASSAY_REQUIRE(bytes != MAP_FAILED, ASSAY_E_IO, "cannot read %s", path);
    find_cubins(bytes, (size_t)about.st_size, *code);
    ASSAY_REQUIRE(!(*code)->is_full, ASSAY_E_MEMORY, "no memory for the code of %s", path);
    if (assay_build_id_read(path, (*code)->id, sizeof(*code)->id) != ASSAY_OK)
        assay_status_reset(); /* one that the linker gave none */
    if ((*code)->n > 0)
        qsort((*code)->kernels, (*code)->n, sizeof *(*code)->kernels, by_name);
out:
    if (bytes != MAP_FAILED)
        (void)munmap(bytes, (size_t)about.st_size);
    if (file >= 0)
        (void)close(file);
    if (st != ASSAY_OK) {
        assay_module_code_free(*code);
        *code = NULL;
    }
    return st;
}

void assay_module_code_free(assay_module_code *code)
{
    if (!code)
        return;
    for (size_t i = 0; i < code->n; i++)
        free(code->kernels[i].name);
    free(code->kernels);
    free(code);
}

/* ---- what has changed ---- */

typedef enum standing {
    IS_ABSENT,
    IS_SAME,
    IS_OTHER,
} standing;

static int name_against(const char *name, size_t length, const char *other)
{
    const int order = strncmp(name, other, length);

    return order != 0 ? order : -(other[length] != '\0');
}

/* Returns the first kernel whose name is not before this one. */
static size_t first_of(const assay_module_code *code, const char *name, size_t length)
{
    size_t first = 0, end = code->n;

    while (first < end) {
        const size_t middle = first + (end - first) / 2;

        if (name_against(name, length, code->kernels[middle].name) > 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static standing look_up(const assay_module_code *code, const char *name, size_t length,
                        uint64_t hash)
{
    standing found = IS_ABSENT;

    for (size_t i = first_of(code, name, length);
         i < code->n && name_against(name, length, code->kernels[i].name) == 0; i++) {
        if (code->kernels[i].hash == hash)
            return IS_SAME;
        found = IS_OTHER;
    }
    return found;
}

bool assay_module_code_has_changed(const assay_module_code *code, const char *module_id,
                                   const char *launches)
{
    bool has_line = false, is_there = false;

    if (!code || code->n == 0 || (code->id[0] && strcmp(code->id, module_id) == 0))
        return false;
    while (*launches) {
        const size_t length = strcspn(launches, " \n");
        char        *end    = NULL;
        uint64_t     hash;

        if (launches[length] != ' ')
            return true; /* not a line of the store: nothing is known */
        hash = strtoull(launches + length + 1, &end, 16);
        switch (look_up(code, launches, length, hash)) {
        case IS_OTHER:
            return true;
        case IS_SAME:
            is_there = true;
            break;
        case IS_ABSENT:
            break;
        }
        has_line = true;
        launches = end + strcspn(end, "\n");
        launches += *launches == '\n';
    }
    return has_line && !is_there;
}
