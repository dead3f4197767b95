/* The record clock: computes the time of each sample, and the kernels of one call, from activity
 * records. Pure functions of records, and the recorder that feeds the timer. */
#ifndef ASSAY_RECORDER_H
#define ASSAY_RECORDER_H

#include "cupti/cupti.h"
#include "rows/rows.h"
#include "timer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is it one of the harness's own kernels (gate, flush, clock)? */
bool assay_record_is_own(const assay_activity *record);

/* Gives the times of n samples from records sorted by start. Each sample is between a gate and the
 * clock reading after it. Its time goes from the start of its first kernel, copy or fill to the end
 * of its last. NaN if a record is missing; NaN for all n if the number of gates is not n, or
 * records were lost. */
void assay_record_times(const assay_activity *records, int64_t n_records, int64_t n_dropped,
                        double *time_ns, int64_t n);

enum {
    ASSAY_MAX_LAUNCHES = 4096 /* of one call that are kept separately */
};

/* Gives the kernels, copies and fills of the calls between gates and clock readings, in the order
 * of one call; time_ns is the median over calls. The caller frees *rows. None, with a sentence in
 * `why`, if there are no calls, if the calls differ, or if they are too long to be kept. */
assay_status assay_record_launches(const assay_activity *records, int64_t n_records,
                                   assay_launch_row **rows, int *n_rows, char *why,
                                   size_t why_size);

/* Gives the same records unchanged, of all calls, without those of the harness. The caller frees
 * *work. */
assay_status assay_record_work(const assay_activity *records, int64_t n_records,
                               assay_activity **work, int64_t *n_work, int64_t *n_calls);

/* A recorder that uses the CUPTI module: it collects after each round, and keeps the launches of
 * the last one. */
typedef struct assay_record_source {
    const assay_cupti_api *cupti;
    assay_launch_row      *launches; /* of the last round; owned */
    int                    n_launches;
    bool                   has_said; /* it has said why launches are not kept; once per process */
} assay_record_source;
assay_status assay_record_collect(void *source, double *time_ns, int64_t n);
void         assay_record_source_free(assay_record_source *source); /* accepts NULL */

#ifdef __cplusplus
}
#endif
#endif
