/* The GPUs of this host, in the format of CTest. */
#ifndef ASSAY_RESOURCE_SPEC_H
#define ASSAY_RESOURCE_SPEC_H

#include "device/module.h"

#include <stdio.h>

enum {
    ASSAY_RESOURCE_ID_SIZE = 80
};

/* Writes the id of a GPU. Ids of CTest have only a-z, 0-9 and _, and CUDA takes a GPU by uuid:
 * "GPU-12ab-..." becomes "gpu_12ab_...", which can be converted back. Another uuid, or none, gives
 * "index_0" with its index. */
char *assay_resource_id(const char *uuid, int index, char id[ASSAY_RESOURCE_ID_SIZE]);

/* Writes the JSON of `ctest --resource-spec-file` to `path`: every GPU that the module finds, with
 * one slot, so that one test at a time runs on each. n: how many; if 0, nothing is written and
 * `why` has the reason. */
assay_status assay_resource_spec_write(const assay_module *module, const char *path, int *n,
                                       char *why, size_t size);

#endif
