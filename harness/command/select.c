/* Chooses a device. */
#include "select.h"

#include "base/text.h"
#include "process/in_child.h"
#include "run/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Opens device `index` for a moment to read what it is. A GPU's context is not kept: workers make
 * their own. */
static assay_status read_info(const assay_module *module, int index, assay_device_info *info)
{
    assay_status  st     = ASSAY_OK;
    assay_device *device = NULL;

    st = module->api->open(index, &device, info);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", module->api->message());
out:
    module->api->close(device);
    return st;
}

/* Finds the module of a kind if it is built and has a device; otherwise false, with the reason in
 * `why`. */
static bool find_device(const char *kind, assay_module *module, char *why, size_t size)
{
    char path[1024];

    memset(module, 0, sizeof *module);
    if (!assay_module_locate(kind, path, sizeof path)) {
        (void)assay_module_explain(kind, why, size);
        return false;
    }
    if (assay_module_open(path, module) != ASSAY_OK) {
        (void)assay_text_set(why, size, "%s", assay_status_message());
        assay_status_reset();
        return false;
    }
    return module->api->count(why, size) > 0;
}

static assay_status require_index(const assay_module *module, int index)
{
    char      why[ASSAY_REASON_SIZE] = "";
    const int count                  = module->api->count(why, sizeof why);

    if (count <= 0)
        return ASSAY_FAIL(ASSAY_E_DEVICE, "no %s device: %s", module->api->kind, why);
    if (index >= count)
        return ASSAY_FAIL(ASSAY_E_USAGE, "--gpu %d: there %s %d here (numbered from 0)", index,
                          count == 1 ? "is" : "are", count);
    return ASSAY_OK;
}

static assay_status open_by_kind(const assay_target_words *words, assay_module *module)
{
    const bool wants_auto = strcmp(words->device, "auto") == 0;
    char       why[ASSAY_REASON_SIZE];

    if (find_device(wants_auto ? "cuda" : words->device, module, why, sizeof why))
        return ASSAY_OK;
    if (wants_auto && find_device("host", module, why, sizeof why))
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_DEVICE, "%s", why);
}

/* Opens it by its absolute path: with a bare name the loader would search the folders of system
 * libraries instead. */
static assay_status open_own(const char *kernels, assay_module *module)
{
    assay_status st   = ASSAY_OK;
    char        *path = realpath(kernels, NULL);

    ASSAY_REQUIRE(path, ASSAY_E_USAGE, "cannot find the kernel module %s: %s", kernels,
                  strerror(errno));
    ASSAY_REQUIRE(strlen(path) < sizeof module->path, ASSAY_E_USAGE,
                  "the path of the kernel module is too long: %s", path);
    ASSAY_CHECK(assay_module_open(path, module));
out:
    free(path);
    return st;
}

static void name_fast_math(const assay_module *module)
{
    if (module->float_mode[0])
        (void)fprintf(stderr,
                      "assay: note: loading %s changes the floating-point mode (%s): it or one of "
                      "its libraries was linked with -ffast-math. The mode was reset, and its "
                      "kernels run without it\n",
                      module->path, module->float_mode);
}

static assay_status choose(const void *context, void *result)
{
    const assay_target_words *words  = context;
    assay_target             *target = result;
    assay_status              st     = ASSAY_OK;
    assay_module              module = { .handle = NULL };
    const int                 index  = words->gpu >= 0 ? words->gpu : 0;

    memset(target, 0, sizeof *target);
    if (words->kernels)
        ASSAY_CHECK(open_own(words->kernels, &module));
    else
        ASSAY_CHECK(open_by_kind(words, &module));
    ASSAY_REQUIRE(!words->kernels || strcmp(words->device, "auto") == 0 ||
                      strcmp(words->device, module.api->kind) == 0,
                  ASSAY_E_USAGE, "%s holds kernels for '%s', not for '%s'", words->kernels,
                  module.api->kind, words->device);
    name_fast_math(&module);
    ASSAY_CHECK(require_index(&module, index));
    ASSAY_CHECK(read_info(&module, index, &target->info));
    (void)assay_text_set(target->module_path, sizeof target->module_path, "%s", module.path);
    (void)assay_text_set(target->kernels_id, sizeof target->kernels_id, "%s", module.build_id);
    target->device_index = index;
    target->lane         = assay_lane_of(module.api->kind);
out:
    assay_module_close(&module);
    return st;
}

assay_status assay_target_choose(const assay_target_words *words, assay_target *target)
{
    return assay_in_child("opening the kernel module and its device", choose, words, target,
                          sizeof *target);
}

typedef struct description {
    const char *kind;
    int         index;
    bool        is_usable;
    char        text[ASSAY_REASON_SIZE];
} description;

static assay_status describe_here(const char *kind, int index, char *text, size_t size,
                                  bool *is_usable)
{
    assay_status      st = ASSAY_OK;
    assay_module      module;
    assay_device_info info;

    *is_usable = false;
    if (!find_device(kind, &module, text, size))
        goto out;
    ASSAY_CHECK(require_index(&module, index));
    ASSAY_CHECK(read_info(&module, index, &info));
    *is_usable = true;
    if (info.can_time)
        (void)assay_text_set(
            text, size, "%s, %d SMs, %.1f GB (%.1f GB free), driver %s, CUDA %d.%d", info.name,
            info.sm_count, (double)info.memory_bytes / 1e9, (double)info.memory_free_bytes / 1e9,
            info.driver, info.driver_cuda_version / 1000, info.driver_cuda_version % 1000 / 10);
    else
        (void)assay_text_set(text, size, "%s, checks kernels, never times them", info.name);
out:
    assay_module_close(&module);
    return st;
}

static assay_status describe(const void *context, void *result)
{
    const description *asked = context;
    description       *d     = result;

    return describe_here(asked->kind, asked->index, d->text, sizeof d->text, &d->is_usable);
}

assay_status assay_target_describe(const char *kind, int index, char *text, size_t size,
                                   bool *is_usable)
{
    description        d = { .kind = kind, .index = index };
    const assay_status st =
        assay_in_child("opening the kernel module and its device", describe, &d, &d, sizeof d);

    *is_usable = st == ASSAY_OK && d.is_usable;
    (void)assay_text_set(text, size, "%s", st == ASSAY_OK ? d.text : "");
    return st;
}

bool assay_target_find(const char *kind, int index, assay_findings *findings)
{
    char         text[1024];
    bool         is_usable = false;
    assay_status st        = assay_target_describe(kind, index, text, sizeof text, &is_usable);

    if (st != ASSAY_OK) {
        (void)assay_text_set(text, sizeof text, "%s", assay_status_message());
        assay_status_reset();
    }
    assay_finding_put(findings, kind, is_usable ? "ok" : "missing", "%s", text);
    return is_usable;
}
