/* One point, from inputs to verdict, and only on PASS to times. Runs inside a worker. */
#ifndef ASSAY_RUN_H
#define ASSAY_RUN_H

#include "buffers.h"
#include "module.h"
#include "timer.h"

/* Where a point's rows go, in order: any number of checks and measurements, then one verdict.
 * `note` says, before each piece of work, what it is and how long it may take. */
typedef struct assay_sink {
    void *context;
    assay_status (*note)(void *context, const char *what, double limit_s);
    assay_status (*check)(void *context, const assay_check_row *row);
    assay_status (*measurement)(void *context, const assay_measurement_row *row,
                                const assay_samples *samples);
    assay_status (*verdict)(void *context, const assay_verdict_row *row);
} assay_sink;

typedef struct assay_runner {
    assay_module       module;
    assay_device      *device; /* NULL until opened */
    assay_device_info  info;
    assay_lane         lane;
    assay_timer_policy policy;
    assay_inputs inputs[ASSAY_N_INPUTS]; /* kept for the next variant at the same axis values */
    bool         is_spent;               /* a fault left the device unusable: end this process */
} assay_runner;

/* Opens device `index` of the module. Caller closes. */
assay_status assay_runner_open(assay_runner *runner, const char *module_path, int index);
void         assay_runner_close(assay_runner *runner); /* accepts NULL and a zeroed one */

/* Checks a point, times it if it asks for that and passed, and hands everything to the sink. Fails
 * only when the harness itself does. */
assay_status assay_run_point(assay_runner *runner, const assay_point *point,
                             const assay_sink *sink);

/* The lane this binary's kernels run in on a device of `kind`: the sanitizer it was built with, if
 * any. */
assay_lane assay_lane_of(const char *kind);

/* Number of launches compared in one check. */
int assay_run_count(const assay_point *point, assay_lane lane);

#endif
