/* Chooses a device: the kernel module, and the device behind it. */
#ifndef ASSAY_SELECT_H
#define ASSAY_SELECT_H

#include "device/module.h"
#include "findings.h"
#include "rows/rows.h"

/* The device that a person selects. */
typedef struct assay_target_words {
    const char *device;  /* cuda, host, auto */
    int         gpu;     /* -1: not given (the first) */
    const char *kernels; /* a module of the user's own, or NULL */
} assay_target_words;

/* The device of a run. */
typedef struct assay_target {
    char              module_path[1024]; /* absolute */
    int               device_index;
    assay_device_info info;
    assay_lane        lane;
    char              kernels_id[80]; /* build id of the module */
} assay_target;

/* Resolves --device, --gpu (0 if not given) and --kernels. 'auto' takes CUDA if its module is built
 * and finds a GPU. If cuda is named and there is none, it fails with the reason. */
assay_status assay_target_choose(const assay_target_words *words, assay_target *target);

/* Writes one line about device `index` of a kind: what it is, or why there is no such kind. If only
 * that index is missing, it fails with the reason, and is_usable is false. For doctor. */
assay_status assay_target_describe(const char *kind, int index, char *text, size_t size,
                                   bool *is_usable);
/* Adds that line as a finding. Can the device be used? */
bool assay_target_find(const char *kind, int index, assay_findings *findings);

#endif
