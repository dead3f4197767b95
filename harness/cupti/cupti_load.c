/* Finds and loads the module assay_cupti.so. Only this file makes a sentence of a missing CUPTI. */
#include "cupti.h"

#include "base/places.h"
#include "base/text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char module_name[] = "assay_cupti.so";

/* If the module was not built, the build defines this as the reason. */
#ifndef ASSAY_NO_CUPTI
#define ASSAY_NO_CUPTI ""
#endif

static void explain_absence(char *why, size_t why_size)
{
    static const char not_built[] = ASSAY_NO_CUPTI;

    if (not_built[0])
        (void)assay_text_set(why, why_size, "there is no CUPTI module (%s): %s", module_name,
                             not_built);
    else
        (void)assay_text_set(why, why_size,
                             "the CUPTI module (%s) that was built with this program's harness is "
                             "not here; looked for %s",
                             module_name, assay_places_text(ASSAY_FILE_CUPTI));
}

/* Where toolkits have libcupti, relative to their folders. */
static const char *const library_folders[] = { "lib64", "extras/CUPTI/lib64",
                                               "targets/x86_64-linux/lib" };

typedef struct toolkit {
    const char *name, *folder; /* NULL: not set */
} toolkit;

enum {
    N_TOOLKITS = 3
};

static void find_toolkits(toolkit *toolkits)
{
    toolkits[0] = (toolkit) { "CUDA_HOME", getenv("CUDA_HOME") };
    toolkits[1] = (toolkit) { "CUDA_PATH", getenv("CUDA_PATH") };
    toolkits[2] = (toolkit) { "/usr/local/cuda", "/usr/local/cuda" };
}

/* Finds the libcupti that the loader's error is about: missing ("libcupti.so.13: cannot open ...")
 * or broken ("/usr/lib/libcupti.so.13: file too short"). False if it is about another file. */
static bool find_library(const char *error, char *name, size_t size)
{
    const size_t length = strcspn(error, ":");
    size_t       first  = length;

    while (first > 0 && error[first - 1] != '/')
        first--;
    (void)assay_text_set(name, size, "%.*s", (int)(length - first), error + first);
    return assay_text_after(name, "libcupti") != NULL;
}

/* Loads it from a toolkit's folder. It stays loaded, so that the module finds it by its name. */
static bool load_library(const char *name)
{
    toolkit toolkits[N_TOOLKITS];
    char    path[1024];

    find_toolkits(toolkits);
    for (size_t i = 0; i < N_TOOLKITS; i++) {
        for (size_t j = 0;
             toolkits[i].folder && j < sizeof library_folders / sizeof library_folders[0]; j++) {
            const int written = snprintf(path, sizeof path, "%s/%s/%s", toolkits[i].folder,
                                         library_folders[j], name);

            if (written > 0 && (size_t)written < sizeof path && dlopen(path, RTLD_NOW | RTLD_LOCAL))
                return true;
        }
    }
    return false;
}

/* Says what is wrong, where it was looked for, and what to do. */
static void explain_library(const char *name, const char *error, char *why, size_t why_size)
{
    toolkit toolkits[N_TOOLKITS];

    find_toolkits(toolkits);
    (void)assay_text_set(
        why, why_size,
        "%s is missing or broken (%s); looked for where the loader looks, and in lib64, "
        "extras/CUPTI/lib64 and targets/x86_64-linux/lib of CUDA_HOME (%s), CUDA_PATH (%s) and "
        "/usr/local/cuda: install CUPTI of the CUDA toolkit that this was built with (NVIDIA's "
        "package cuda-cupti), or name that toolkit's folder in CUDA_HOME",
        name, error, toolkits[0].folder ? toolkits[0].folder : "not set",
        toolkits[1].folder ? toolkits[1].folder : "not set");
}

/* Opens the module; NULL with a sentence. */
static void *open_module(const char *path, char *why, size_t why_size)
{
    char        error[512], library[128];
    void       *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const char *first  = module ? NULL : dlerror();

    if (module)
        return module;
    (void)assay_text_set(error, sizeof error, "%s", first ? first : "no reason given");
    if (find_library(error, library, sizeof library)) {
        if (load_library(library))
            module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (!module)
            explain_library(library, error, why, why_size);
        return module;
    }
    (void)assay_text_set(why, why_size, "the CUPTI module cannot be loaded (%s)%s", error,
                         strstr(error, "undefined symbol: cupti")
                             ? ": this libcupti is older than the one that this was built with; "
                               "install the same CUDA toolkit's, or build again"
                             : "");
    return NULL;
}

static const assay_cupti_api *api_of(void *module, const char *path, char *why, size_t why_size)
{
    assay_cupti_api_fn *table   = NULL;
    void               *address = dlsym(module, "assay_cupti_api_table");

    /* ISO C has no cast from an object pointer to a function pointer; POSIX guarantees that the
     * bits are the same. */
    memcpy(&table, &address, sizeof table);
    const assay_cupti_api *api = table ? table() : NULL;

    if (!api || api->abi != ASSAY_CUPTI_ABI) {
        (void)assay_text_set(why, why_size, "%s does not belong to this program: rebuild it", path);
        return NULL;
    }
    return api;
}

const assay_cupti_api *assay_cupti_load(char *why, size_t why_size)
{
    static const assay_cupti_api *loaded;
    char                          path[2048];

    if (why_size > 0)
        why[0] = '\0';
    if (loaded)
        return loaded;
    if (!assay_places_find(ASSAY_FILE_CUPTI, module_name, path, sizeof path)) {
        explain_absence(why, why_size);
        return NULL;
    }
    void *module = open_module(path, why, why_size);

    if (module)
        loaded = api_of(module, path, why, why_size);
    return loaded;
}
