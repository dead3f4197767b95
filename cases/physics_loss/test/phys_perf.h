/* The kernels that test_phys_perf times: what they move, whether they are right, and their
 * times. */
#ifndef ASSAY_PHYS_PERF_H
#define ASSAY_PHYS_PERF_H

#include "phys_run.h"

enum {
    PHYS_PERF_KERNELS = 5,
    PHYS_PERF_BATCHES = 21 /* the 2nd and the 20th of them are the 5 and the 95 % quantile */
};

typedef struct phys_perf_kernel {
    const char *name;
    int         fusion;
} phys_perf_kernel;
extern const phys_perf_kernel phys_perf_kernels[PHYS_PERF_KERNELS]; /* the first is non-fused */

bool phys_perf_is_supported(const phys_grid_spec *g, int fusion);
/* Bytes that a call moves when residuals are not outputs. */
int64_t phys_perf_bytes(const phys_grid_spec *g, int fusion);
/* The share of the copy's bandwidth that we want; 0: none. */
double phys_perf_goal(const phys_grid_spec *g, int fusion);

/* The distance of two answers over what is allowed: at most 1. NaN anywhere makes it NaN. */
typedef struct phys_perf_error {
    double residuals, gradient, far_gradients, losses;
} phys_perf_error;

/* For each kernel: the fused ones are compared with the non-fused one, and that one with the double
 * reference or, on large grids, with a fused one. False, and a failed check, if one does not run:
 * *ran tells which did. `expected` and `got` are used for all of them. */
bool phys_perf_check(const phys_problem *p, phys_result *expected, phys_result *got,
                     phys_perf_error error[PHYS_PERF_KERNELS], bool ran[PHYS_PERF_KERNELS]);
bool phys_perf_is_right(const phys_perf_error *error);

/* Milliseconds a call, for each batch. Kernels alternate; the first round warms up and is left out.
 * False, and a failed check, if one fails. */
typedef struct phys_perf_times {
    int    launches; /* of a batch */
    double ms[PHYS_PERF_KERNELS][PHYS_PERF_BATCHES];
} phys_perf_times;
bool phys_perf_time(const phys_problem *p, const bool is_wanted[PHYS_PERF_KERNELS],
                    phys_perf_times *times);

/* Over the batches of a kernel. */
typedef struct phys_perf_summary {
    double median, mean, p05, p95;
} phys_perf_summary;
phys_perf_summary phys_perf_summarize(const double ms[PHYS_PERF_BATCHES]);

/* GB/s at which the device copies; *ms is for 512 MiB; negative if it failed. */
double phys_perf_copy(double *ms);

#endif
