/* A library of CUDA's as a baseline. It is loaded when a variant is set up, and called through
 * prototypes of the case's own: neither the build nor the module needs it. */
#ifndef ASSAY_OPS_LIBRARY_CUH
#define ASSAY_OPS_LIBRARY_CUH

#include "kernel.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPS_LIBRARY_CALLS     = 8,
    OPS_LIBRARY_WORKSPACE = 32 << 20 /* what cuBLAS wants on Hopper */
};

/* What is looked for. `variable` is an environment variable: it may name a file other than the one
 * that the loader would find. The functions that create, destroy and set the stream of a handle
 * have the same form in all libraries. */
struct ops_library_names {
    const char *what, *variable;
    const char *files[2];
    const char *create, *destroy, *set_stream;
    const char *set_workspace;            /* NULL: the library takes no workspace */
    const char *calls[OPS_LIBRARY_CALLS]; /* NULL: no more */
};

struct ops_library {
    void *library, *handle;
    int (*create)(void **handle);
    int (*destroy)(void *handle);
    int (*set_stream)(void *handle, assay_stream stream);
    int (*set_workspace)(void *handle, void *memory, size_t bytes);
    void *calls[OPS_LIBRARY_CALLS];
};

static inline void *ops_library_open(const ops_library_names &names)
{
    const char *const given   = getenv(names.variable);
    void             *library = NULL;

    if (given != NULL && given[0] != '\0')
        return dlopen(given, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; i < sizeof names.files / sizeof names.files[0] && library == NULL; i++)
        library = dlopen(names.files[i], RTLD_NOW | RTLD_LOCAL);
    return library;
}

/* True if the symbol was found, or none is wanted. POSIX promises that a function's address keeps
 * its bits when it is copied this way. */
static inline bool ops_library_find(const ops_library *l, const char *symbol, void *member)
{
    void *const address = symbol != NULL ? dlsym(l->library, symbol) : NULL;

    memcpy(member, &address, sizeof address);
    return symbol == NULL || address != NULL;
}

/* NULL, or the name that is missing. */
static inline const char *ops_library_resolve(ops_library *l, const ops_library_names &names)
{
    const struct {
        void       *member;
        const char *symbol;
    } wanted[] = {
        { &l->create, names.create },
        { &l->destroy, names.destroy },
        { &l->set_stream, names.set_stream },
        { &l->set_workspace, names.set_workspace },
    };

    for (const auto &one : wanted)
        if (!ops_library_find(l, one.symbol, one.member))
            return one.symbol;
    for (int i = 0; i < OPS_LIBRARY_CALLS; i++)
        if (!ops_library_find(l, names.calls[i], &l->calls[i]))
            return names.calls[i];
    return NULL;
}

static inline bool ops_library_start(ops_library *l, const ops_library_names &names, char *why,
                                     size_t size)
{
    const char *reason;
    int         error;

    l->library = ops_library_open(names);
    if (l->library == NULL) {
        reason = dlerror();
        (void)snprintf(why, size, "needs %s: %s", names.what, reason ? reason : "it does not load");
        return false;
    }
    reason = ops_library_resolve(l, names);
    if (reason != NULL) {
        (void)snprintf(why, size, "needs %s: the library here has no %s", names.what, reason);
        return false;
    }
    error = l->create(&l->handle);
    if (error != 0)
        (void)snprintf(why, size, "needs %s: it does not start (status %d)", names.what, error);
    return error == 0;
}

/* For a variant's teardown. The library stays loaded: its threads and the driver may still refer to
 * it. */
static inline void ops_library_teardown(void *state)
{
    ops_library *const l = static_cast<ops_library *>(state);

    if (l != NULL && l->handle != NULL)
        (void)l->destroy(l->handle);
    free(l);
}

/* For a variant's setup; returns what that has to return. */
static inline int ops_library_setup(const ops_library_names &names, void **state)
{
    static char  why[256] = "out of memory";
    ops_library *l        = static_cast<ops_library *>(calloc(1, sizeof *l));

    *state = l;
    if (l != NULL && ops_library_start(l, names, why, sizeof why))
        return 0;
    if (l != NULL)
        l->handle = NULL;
    ops_library_teardown(l);
    *state = why;
    return ASSAY_NOT_HERE;
}

/* Setup and teardown of a variant: VARIANT_setup, VARIANT_teardown. */
#define OPS_LIBRARY_VARIANT(variant, names)                                                        \
    ASSAY_EXPORT int variant##_setup(const assay_args *, void **state)                             \
    {                                                                                              \
        return ops_library_setup(names, state);                                                    \
    }                                                                                              \
    ASSAY_EXPORT void variant##_teardown(void *state) { ops_library_teardown(state); }

/* How many matrices, from `first` on, one call of a library gets. At most as many as every axis of
 * a grid may have, since the libraries do not say which axis they use. */
static inline int ops_library_batch(int64_t batch, int64_t first)
{
    const int64_t most = 32768;

    return static_cast<int>(batch - first < most ? batch - first : most);
}

/* Call number i as a function of type F. */
template <typename F> static inline F ops_library_call(const ops_library *l, int i)
{
    F function;

    memcpy(&function, &l->calls[i], sizeof function);
    return function;
}

/* Hands out parts of a workspace, one after the other, each aligned to 256 bytes. With memory NULL
 * the parts are only counted. */
struct ops_parts {
    unsigned char *memory;
    size_t         used;
};

template <typename T> static inline T *ops_part(ops_parts *parts, int64_t count)
{
    T *const at = parts->memory ? reinterpret_cast<T *>(parts->memory + parts->used) : NULL;

    parts->used += (static_cast<size_t>(count) * sizeof(T) + 255) / 256 * 256;
    return at;
}

/* Gives the library the last part of the workspace: without one it would allocate on the stream.
 * Must come before the library's calls, since setting a stream takes the workspace away. */
static inline bool ops_library_direct(const ops_library *l, assay_stream stream, ops_parts *parts)
{
    unsigned char *const own = ops_part<unsigned char>(parts, OPS_LIBRARY_WORKSPACE);

    return l->set_stream(l->handle, stream) == 0 &&
           l->set_workspace(l->handle, own, OPS_LIBRARY_WORKSPACE) == 0;
}

#endif
