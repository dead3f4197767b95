/* Parity of two results of one physics loss problem, as the acceptance states it. */
#ifndef ASSAY_PHYS_PARITY_H
#define ASSAY_PHYS_PARITY_H

#include "phys_run.h"

typedef struct phys_parity {
    const phys_problem *problem;
    phys_result         expected; /* the reference's on creation */
    phys_result         got;
} phys_parity;

/* Computes the reference; false after a failed check. Caller frees. */
bool phys_parity_create(phys_parity *parity, const phys_problem *problem);
void phys_parity_free(phys_parity *parity);

/* Puts residuals where a backward pass finds them. */
void phys_parity_give_residuals(phys_parity *parity, const phys_result *from);

/* Are `got` and `expected` equal in what the pass writes? Exact fields: every bit. Others: relative
 * L2 below 1e-6, and maximum error below 1e-6 of the larger of 1 and the largest residual, or of
 * the largest gradient. Gradients at levels that were not asked for must be untouched. */
void phys_parity_check(const phys_parity *parity, const char *what, phys_pass pass);

/* Do all results on the device still hold the NaN they were given? */
bool phys_is_untouched(const phys_on_device *on, phys_result *result);

/* Are invalid arguments refused by number, and is nothing written? `fusion` may be out of range. */
void phys_check_refusals(int fusion);

#endif
