/* Agreement of two results of one physics loss problem, as the acceptance test defines it. */
#ifndef ASSAY_PHYS_PARITY_H
#define ASSAY_PHYS_PARITY_H

#include "phys_run.h"

typedef struct phys_parity {
    const phys_problem *problem;
    phys_result         expected; /* the reference's, from creation on */
    phys_result         got;
} phys_parity;

/* Computes the reference; false after a failed check. The caller frees. */
bool phys_parity_create(phys_parity *parity, const phys_problem *problem);
void phys_parity_free(phys_parity *parity);

/* Puts residuals where a backward pass reads them. */
void phys_parity_give_residuals(phys_parity *parity, const phys_result *from);

/* Do `got` and `expected` agree in what the pass writes? For exact fields in every bit. For others:
 * relative L2 below 1e-6, and maximum error below 1e-6 of the larger of 1 and the largest residual,
 * or of the largest gradient. Gradients at levels that were not asked for must be untouched. */
void phys_parity_check(const phys_parity *parity, const char *what, phys_pass pass);

/* Do all results on the device still hold the NaN that they were given? */
bool phys_is_untouched(const phys_on_device *on, phys_result *result);

/* Are invalid arguments refused with the right number, without writing anything? `fusion` may be
 * out of range. */
void phys_check_refusals(int fusion);

#endif
