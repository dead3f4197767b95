/* The worker: opens a device, then answers requests until its input ends or a kernel has ruined the
 * device. */
#ifndef ASSAY_WORKER_H
#define ASSAY_WORKER_H

#include "pipe.h"
#include "plan/registry.h"
#include "run/run.h"

enum {
    ASSAY_SANITIZER_EXIT = 66, /* exit status of a worker that a sanitizer ended with a report */
    /* Exit status of a worker that ends because it can no longer read or write. If a kernel's
     * exit() has it, that is no verdict, and no PASS either. */
    ASSAY_WORKER_EXIT = 67
};

typedef struct assay_worker_options {
    const char     *module_path;
    int             device_index;
    assay_cupti_use cupti_use;
    int             request_fd,
        reply_fd;  /* the worker's own ends of its pipes, at numbers that no other code uses */
    int shared_fd; /* inputs of all processes of a run (run/inputs_shared.h); 0: each makes its own
                    */
    bool times_nothing;       /* then no thread of OpenMP is to spin until there is work again */
    assay_gpu_tool tool;      /* of compute-sanitizer, that the worker runs under, or NONE */
    const char    *tool_path; /* of compute-sanitizer */
    int  parent_pid; /* of whoever waits for the worker; under a tool that is not its parent */
    bool counts_cpu; /* for its parent: its device opens on the CPU, so that its silence until
                        then is measured in CPU time (base/patience.h) */
} assay_worker_options;

/* Does what a request asks for with its points; rows go to the sink. */
assay_status assay_worker_answer(assay_case_table cases, assay_runner *runner,
                                 const assay_sink *sink, const assay_request *request,
                                 const assay_request_point *points);

/* Requests come on request_fd, messages go to reply_fd; neither is there in what a kernel's host
 * code starts. Returns when the requests end. */
assay_status assay_worker_main(assay_case_table cases, const assay_worker_options *options);

/* One message of this worker, to its parent. */
assay_status assay_worker_send(const assay_message *message);
/* Where they go; -1 in a process that is no worker. */
int assay_worker_reply_fd(void);

#endif
