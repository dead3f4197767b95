/* The kernel module that came with this program, and why there may be none. */
#include "module.h"

#include "base/places.h"
#include "base/text.h"

#include <string.h>

/* The reason, which the build sets if the harness was built without CUDA. */
#ifndef ASSAY_NO_CUDA
#define ASSAY_NO_CUDA ""
#endif

/* "assay_kernels_host.so", or "" if this program's name is unknown. */
static void name_module(const char *kind, char *name, size_t size)
{
    char        folder[1024];
    const char *program = assay_places_program(folder, sizeof folder);

    if (program)
        (void)assay_text_set(name, size, "%s_kernels_%s.so", program, kind);
    else
        name[0] = '\0';
}

bool assay_module_locate(const char *kind, char *path, size_t size)
{
    char name[512];

    name_module(kind, name, sizeof name);
    return name[0] && assay_places_find(ASSAY_FILE_KERNELS, name, path, size);
}

const char *assay_module_explain(const char *kind, char *why, size_t size)
{
    static const char no_cuda[] = ASSAY_NO_CUDA;
    char              name[512];

    name_module(kind, name, sizeof name);
    if (no_cuda[0] && strcmp(kind, "cuda") == 0)
        return assay_text_set(why, size, "there is no kernel module for 'cuda': %s", no_cuda);
    return assay_text_set(why, size,
                          "there is no kernel module for '%s': %s was not built, or is not here; "
                          "looked for %s",
                          kind, name, assay_places_text(ASSAY_FILE_KERNELS));
}
