/* Searches the folders that places.h lists. */
#include "places.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    MOST_FOLDERS = 2
};

/* Folders relative to the program, and to a folder of the loader; NULL ends the list. */
static const struct {
    const char *from_program[MOST_FOLDERS], *from_loader[MOST_FOLDERS];
    const char *text;
} places[] = {
    [ASSAY_FILE_KERNELS] = { { "", "../lib/assay/" },
                             { NULL, NULL },
                             "beside the program and in ../lib/assay" },
    [ASSAY_FILE_CUPTI]   = { { "", "../lib/assay/" },
                             { "", NULL },
                             "beside the program, in ../lib/assay, and where the loader looks for "
                               "the program's libraries" },
    [ASSAY_FILE_PEERS]   = { { "peers/", "../share/assay/peers/" },
                             { "peers/", "../../share/assay/peers/" },
                             "in peers and ../share/assay/peers beside the program, and in peers "
                               "and "
                               "../../share/assay/peers of where the loader looks for the program's "
                               "libraries" },
};

const char *assay_places_text(assay_file_kind kind) { return places[kind].text; }

bool assay_places_self(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);

    /* A path that fills the buffer was truncated. */
    path[n > 0 && (size_t)n < size - 1 ? n : 0] = '\0';
    return path[0] != '\0';
}

const char *assay_places_program(char *folder, size_t size)
{
    char *slash = assay_places_self(folder, size) ? strrchr(folder, '/') : NULL;

    if (!slash)
        return NULL;
    *slash = '\0';
    return slash + 1;
}

static bool find_below(const char *folder, const char *const *below, const char *name, char *path,
                       size_t size)
{
    for (int i = 0; i < MOST_FOLDERS && below[i]; i++) {
        const int length = snprintf(path, size, "%s/%s%s", folder, below[i], name);

        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* The folders in which the loader searches for this program's libraries; NULL if it does not tell.
 * The caller frees. */
static Dl_serinfo *ask_loader(void)
{
    void       *program = dlopen(NULL, RTLD_NOW);
    Dl_serinfo  length  = { .dls_cnt = 0 };
    Dl_serinfo *folders = NULL;

    if (!program)
        return NULL;
    if (dlinfo(program, RTLD_DI_SERINFOSIZE, &length) == 0)
        folders = calloc(1, length.dls_size);
    if (folders) {
        folders->dls_size = length.dls_size;
        folders->dls_cnt  = length.dls_cnt;
        if (dlinfo(program, RTLD_DI_SERINFO, folders) != 0)
            folders->dls_cnt = 0;
    }
    (void)dlclose(program);
    return folders;
}

static bool find_by_loader(assay_file_kind kind, const char *name, char *path, size_t size)
{
    Dl_serinfo *folders  = ask_loader();
    bool        is_found = false;

    for (unsigned i = 0; folders && !is_found && i < folders->dls_cnt; i++)
        is_found = find_below(folders->dls_serpath[i].dls_name, places[kind].from_loader, name,
                              path, size);
    free(folders);
    return is_found;
}

bool assay_places_find(assay_file_kind kind, const char *name, char *path, size_t size)
{
    char folder[1024];

    if (assay_places_program(folder, sizeof folder) &&
        find_below(folder, places[kind].from_program, name, path, size))
        return true;
    return find_by_loader(kind, name, path, size);
}
