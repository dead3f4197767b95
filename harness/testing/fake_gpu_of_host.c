/* The host module of a suite under the name of a GPU, so that what is done only for GPUs can be
 * tested without one. It is linked to the host module, and finds the launchers through it. */
#include "device.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

static const assay_device_api *host(void)
{
    static const char    name[]  = "assay_module_api";
    assay_module_api_fn *found   = NULL;
    void                *address = dlsym(RTLD_NEXT, name);

    memcpy(&found, &address, sizeof found);
    return found();
}

static assay_status open_it(int index, assay_device **device, assay_device_info *info)
{
    const assay_status st = host()->open(index, device, info);

    (void)snprintf(info->kind, sizeof info->kind, "cuda");
    (void)snprintf(info->name, sizeof info->name, "Imaginary GPU");
    return st;
}

const assay_device_api *assay_module_api(void)
{
    static assay_device_api api;

    api      = *host();
    api.kind = "cuda";
    api.open = open_it;
    return &api;
}
