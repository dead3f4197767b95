/* Loads kernel modules and resolves launchers. */
#include "declared.h"
#include "module_internal.h"

#include "base/build_id.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ISO C has no cast from an object pointer to a function pointer; POSIX promises that the bits do.
 */
static void resolve(void *handle, const char *symbol, void *function)
{
    void *address = symbol ? dlsym(handle, symbol) : NULL;

    memcpy(function, &address, sizeof address);
}

assay_status assay_module_open(const char *path, assay_module *module)
{
    assay_status         st  = ASSAY_OK;
    assay_module_api_fn *api = NULL;
    fenv_t               mode;

    memset(module, 0, sizeof *module);
    (void)snprintf(module->path, sizeof module->path, "%s", path);
    if (path[0]) /* otherwise this program itself: dlopen(NULL) */
        ASSAY_CHECK(assay_module_judge_file(path));
    /* Code that -ffast-math links in sets the mode of the whole process when it is loaded. */
    assay_float_mode_enter(&mode);
    /* Lazily: functions of a library that a user's file calls outside its kernels (cuBLAS in a
     * `main`) may be missing. If a kernel's launcher does call one, its worker ends and names the
     * symbol. */
    module->handle = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    (void)assay_float_mode_leave(&mode, module->float_mode);
    ASSAY_REQUIRE(module->handle, ASSAY_E_IO, "cannot load the kernel module: %s", dlerror());
    resolve(module->handle, "assay_module_api", &api);
    ASSAY_REQUIRE(api, ASSAY_E_IO, "%s is not a kernel module (it exports no assay_module_api)",
                  path);
    module->api = api();
    assay_build_id(module->api, module->build_id, sizeof module->build_id);
    ASSAY_REQUIRE(module->api->abi == ASSAY_DEVICE_ABI, ASSAY_E_IO,
                  "%s was built for interface %d, this program wants %d: rebuild it", path,
                  module->api->abi, ASSAY_DEVICE_ABI);
    ASSAY_CHECK(assay_module_judge_sanitizer(path, module->api->sanitizer));
out:
    if (st != ASSAY_OK)
        assay_module_close(module);
    return st;
}

void assay_module_close(assay_module *module)
{
    if (!module || !module->handle)
        return;
    /* The module stays loaded: fibers, CUDA's own threads and sanitizers may still refer to its
     * code. */
    memset(module, 0, sizeof *module);
}

assay_status assay_module_resolve(const assay_module *module, const assay_variant *variant,
                                  assay_launcher *launcher)
{
    memset(launcher, 0, sizeof *launcher);
    launcher->launch = variant->cpu; /* NULL for a peer, which is asked and not launched */
    if (!assay_variant_is_launched(variant))
        return ASSAY_OK;
    if (variant->kernels) {
        launcher->launch = module->api->launch_plan;
        return assay_declared_find(module, variant);
    }
    const struct {
        const char *symbol;
        void       *function;
    } wanted[] = {
        { variant->launch, &launcher->launch },
        { variant->workspace, &launcher->workspace },
        { variant->setup, &launcher->setup },
        { variant->teardown, &launcher->teardown },
    };

    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        void *found = NULL;

        resolve(module->handle, wanted[i].symbol, wanted[i].function);
        memcpy(&found, wanted[i].function, sizeof found);
        if (wanted[i].symbol && !found)
            return ASSAY_FAIL(ASSAY_E_CASE, "%s has no symbol %s (variant '%s')", module->path,
                              wanted[i].symbol, variant->name);
    }
    return ASSAY_OK;
}
