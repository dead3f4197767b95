/* The stored options of a run: what resume needs of a request, one --name=value a line. */
#ifndef ASSAY_RUN_OPTIONS_H
#define ASSAY_RUN_OPTIONS_H

#include "run_request.h"

/* What a request that comes from the store borrows, and what it cannot give again. */
typedef struct assay_run_options {
    char device[ASSAY_NAME_SIZE], kernels[1024], metrics[1024], script[1024];
    char script_digest[ASSAY_NAME_SIZE], flush[ASSAY_NAME_SIZE], replay[ASSAY_NAME_SIZE];
    int  n_benchmark_flags; /* they name files and formats of another command line */
} assay_run_options;

/* The options of a request on the device that was chosen for it. ASSAY_E_USAGE for what does not
 * fit, or would read as two lines: it must not come back as something else. */
assay_status assay_run_options_write(const assay_run_request *request, const assay_target *target,
                                     char *text, size_t size);

/* Puts into a request of the run's kind what its options say. `options` must outlive the request.
 */
void assay_run_options_read(const char *text, assay_run_options *options,
                            assay_run_request *request);

#endif
