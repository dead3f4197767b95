/* The stored options of a run: what resume needs of a request, one --name=value per line. */
#ifndef ASSAY_RUN_OPTIONS_H
#define ASSAY_RUN_OPTIONS_H

#include "run_request.h"

/* Memory that a restored request borrows, and options that cannot be restored. */
typedef struct assay_run_options {
    char device[ASSAY_NAME_SIZE], kernels[1024], metrics[1024], script[1024];
    char script_digest[ASSAY_NAME_SIZE], flush[ASSAY_NAME_SIZE], replay[ASSAY_NAME_SIZE];
    int  n_benchmark_flags; /* how many there were; they name files and formats of another command
                               line */
} assay_run_options;

/* Writes the options of a request on its device. ASSAY_E_USAGE for a text that is too long, or
 * would read back as two lines. */
assay_status assay_run_options_write(const assay_run_request *request, const assay_target *target,
                                     char *text, size_t size);

/* Sets the options of a request of the run's kind. `options` must outlive the request. */
void assay_run_options_read(const char *text, assay_run_options *options,
                            assay_run_request *request);

#endif
