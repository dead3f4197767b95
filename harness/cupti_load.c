/* Finds and loads the module assay_cupti.so. Here, and in no other file of the program, a missing
 * CUPTI is a sentence. */
#include "cupti.h"

#include "text.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char module_name[] = "assay_cupti.so";

/* Folder of this program, without a slash at its end; "" if it cannot be told. */
static void program_folder(char *folder, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", folder, size - 1);

    folder[n > 0 ? n : 0] = '\0';
    char *slash           = strrchr(folder, '/');

    *(slash ? slash : folder) = '\0';
}

static bool locate(char *path, size_t size)
{
    static const char *const folders[] = { "", "../lib/assay/" };
    char                     program[1024];

    program_folder(program, sizeof program);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const int length = snprintf(path, size, "%s/%s%s", program, folders[i], module_name);

        if (length > 0 && (size_t)length < size && access(path, R_OK) == 0)
            return true;
    }
    return false;
}

/* Loads the libcupti that the module asked for in vain from where toolkits put it. `error` is the
 * loader's: "libcupti.so.13: cannot open shared object file: ...". */
static bool load_libcupti(const char *error)
{
    static const char *const folders[] = { "lib64", "extras/CUPTI/lib64",
                                           "targets/x86_64-linux/lib" };
    const char *const roots[] = { getenv("CUDA_HOME"), getenv("CUDA_PATH"), "/usr/local/cuda" };
    const int         length  = (int)strcspn(error, ":");
    char              path[1024];

    if (!assay_text_after(error, "libcupti"))
        return false;
    for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
        for (size_t j = 0; roots[i] && j < sizeof folders / sizeof folders[0]; j++) {
            const int written =
                snprintf(path, sizeof path, "%s/%s/%.*s", roots[i], folders[j], length, error);

            if (written > 0 && (size_t)written < sizeof path && dlopen(path, RTLD_NOW | RTLD_LOCAL))
                return true;
        }
    }
    return false;
}

/* Opens the module; NULL with a sentence. */
static void *open_module(const char *path, char *why, size_t why_size)
{
    char  error[512];
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);

    if (module)
        return module;
    const char *first = dlerror();

    (void)assay_text_set(error, sizeof error, "%s", first ? first : "no reason given");
    if (load_libcupti(error))
        module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module)
        (void)assay_text_set(why, why_size, "the CUPTI module cannot be loaded (%s)%s", error,
                             assay_text_after(error, "libcupti")
                                 ? ": install the CUDA toolkit's CUPTI, or name the toolkit's "
                                   "folder in CUDA_HOME"
                                 : "");
    return module;
}

static const assay_cupti_api *api_of(void *module, const char *path, char *why, size_t why_size)
{
    assay_cupti_api_fn *table   = NULL;
    void               *address = dlsym(module, "assay_cupti_api_table");

    /* ISO C has no cast from an object pointer to a function pointer; POSIX promises the bits. */
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
    if (!locate(path, sizeof path)) {
        (void)assay_text_set(why, why_size,
                             "this build has no CUPTI module (%s, beside the program or in "
                             "../lib/assay): build where the CUDA toolkit's CUPTI is found, and "
                             "without a sanitizer",
                             module_name);
        return NULL;
    }
    void *module = open_module(path, why, why_size);

    if (module)
        loaded = api_of(module, path, why, why_size);
    return loaded;
}
