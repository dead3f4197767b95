/* The record clock: from activity records to the time of each sample, and to the kernels of one
 * call. Pure functions of records, and the recorder that feeds the timer. */
#ifndef ASSAY_RECORDER_H
#define ASSAY_RECORDER_H

#include "cupti/cupti.h"
#include "rows/rows.h"
#include "timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is this one of the harness's own kernels (gate, flush, clock)? */
bool assay_record_is_own(const assay_activity *record);

/* n samples in records sorted by start: each lies between a gate and the clock reading behind it.
 * Its time goes from the start of its first kernel, copy or fill to the end of its last; NaN where
 * a record is missing, for all n if the number of gates is not n or records were lost. */
void assay_record_times(const assay_activity *records, int64_t n_records, int64_t n_dropped,
                        double *time_ns, int64_t n);

enum {
    ASSAY_MAX_LAUNCHES = 4096 /* of one call that are kept one by one */
};

/* The kernels, copies and fills of the calls between gates and clock readings, in the order of one
 * call; time_ns is the median over calls. *rows is the caller's to free. None, with a sentence in
 * `why`, if there are no calls, if they differ or if they are too long to be kept. */
assay_status assay_record_launches(const assay_activity *records, int64_t n_records,
                                   assay_launch_row **rows, int *n_rows, char *why,
                                   size_t why_size);

/* The same records as they are, of all calls alike or not, without the harness's own: *work is the
 * caller's to free. */
assay_status assay_record_work(const assay_activity *records, int64_t n_records,
                               assay_activity **work, int64_t *n_work, int64_t *n_calls);

/* A recorder over the CUPTI module: collects after each round, keeps the launches of the last one.
 */
typedef struct assay_record_source {
    const assay_cupti_api *cupti;
    assay_launch_row      *launches; /* of the last round; owned */
    int                    n_launches;
    bool                   has_said; /* once a process: why launches are not kept */
} assay_record_source;
assay_status assay_record_collect(void *source, double *time_ns, int64_t n);
void         assay_record_source_free(assay_record_source *source); /* accepts NULL */

#ifdef __cplusplus
}
#endif
#endif
