/* The GPUs of this host as CTest wants to be told of them. */
#ifndef ASSAY_RESOURCE_SPEC_H
#define ASSAY_RESOURCE_SPEC_H

#include "device/module.h"

#include <stdio.h>

enum {
    ASSAY_RESOURCE_ID_SIZE = 80
};

/* CTest's ids are of a-z, 0-9 and _, and CUDA takes a GPU by its uuid: "GPU-12ab-..." becomes
 * "gpu_12ab_...", which can be turned back. Another uuid, or none: "index_0", the place. */
char *assay_resource_id(const char *uuid, int index, char id[ASSAY_RESOURCE_ID_SIZE]);

/* Writes the JSON of `ctest --resource-spec-file` to `path`: every GPU that the module finds, with
 * one slot, so that one thing at a time runs on each. n: how many; with none nothing is written and
 * `why` says why there is none. */
assay_status assay_resource_spec_write(const assay_module *module, const char *path, int *n,
                                       char *why, size_t size);

#endif
