/* The gradient part of test_phys_cpu_ref. */
#ifndef ASSAY_PHYS_REF_GRADIENT_H
#define ASSAY_PHYS_REF_GRADIENT_H

/* Compares the reference's gradients with respect to the fields with derivatives by complex step,
 * and tests their transpose by the dot test. */
void phys_test_gradients(void);

#endif
