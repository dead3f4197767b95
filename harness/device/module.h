/* A kernel module: a shared object with one device implementation and the launchers built for it.
 */
#ifndef ASSAY_MODULE_H
#define ASSAY_MODULE_H

#include "base/float_mode.h"
#include "device.h"
#include "plan/registry.h"

typedef struct assay_module {
    void                   *handle;
    const assay_device_api *api;
    char                    path[1024];
    char                    build_id[80]; /* "" if it was linked without one */
    /* "", or how loading it changed the floating-point mode, which was reset. */
    char float_mode[ASSAY_FLOAT_MODE_SIZE];
} assay_module;

/* Loads the module at `path`; "" is this program itself. Fails with a sentence if the file is
 * missing, truncated, not a kernel module, of another ABI, or built with another sanitizer than
 * this program. Its constructors run, so the parent of a run opens modules in a child
 * (process/in_child.h). The caller closes. */
assay_status assay_module_open(const char *path, assay_module *module);
void         assay_module_close(assay_module *module); /* accepts NULL and a zeroed one */

/* Finds the module for a device kind ("cuda", "host") that came with this program (base/places.h).
 * False if there is none. */
bool assay_module_locate(const char *kind, char *path, size_t size);
/* Writes why there is none; returns `why`. */
const char *assay_module_explain(const char *kind, char *why, size_t size);

/* The symbols of one variant in the module; those that it does not use are NULL. */
typedef struct assay_launcher {
    assay_launch_fn    *launch;
    assay_workspace_fn *workspace;
    assay_setup_fn     *setup;
    assay_teardown_fn  *teardown;
} assay_launcher;

/* Resolves a variant's symbols (a CPU variant has its own function). ASSAY_E_CASE names a symbol
 * that the module lacks. */
assay_status assay_module_resolve(const assay_module *module, const assay_variant *variant,
                                  assay_launcher *launcher);

#endif
