/* The test program as a kernel module for its own workers, with the device of plain memory. */
#ifndef ASSAY_TEST_TOY_MODULE_H
#define ASSAY_TEST_TOY_MODULE_H

#include "toy_device.h"

#include <string.h>

static inline assay_status open_device(int index, assay_device **d, assay_device_info *info)
{
    (void)index;
    memset(info, 0, sizeof *info);
    (void)strcpy(info->kind, "host");
    (void)strcpy(info->name, "plain memory");
    info->can_time = true;
    *d             = (assay_device *)(void *)&toy_gpu;
    return ASSAY_OK;
}

static inline void close_device(assay_device *d) { (void)d; }

const assay_device_api *assay_module_api(void)
{
    static assay_device_api api;

    api       = memory_api;
    api.open  = open_device;
    api.close = close_device;
    return &api;
}

#endif
