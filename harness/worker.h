/* The child: opens a device, answers requests until its input ends or a kernel has ruined the
 * device. */
#ifndef ASSAY_WORKER_H
#define ASSAY_WORKER_H

#include "registry.h"
#include "timer.h"

enum {
    ASSAY_WORKER_REPLY_FD = 3
};

typedef struct assay_worker_options {
    const char        *module_path;
    int                device_index;
    assay_timer_policy policy;
} assay_worker_options;

/* Requests come on standard input, messages go to ASSAY_WORKER_REPLY_FD. Returns when the input
 * ends. */
assay_status assay_worker_main(assay_case_table cases, const assay_worker_options *options);

#endif
