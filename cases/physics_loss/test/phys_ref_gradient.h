/* The gradient part of test_phys_cpu_ref. */
#ifndef ASSAY_PHYS_REF_GRADIENT_H
#define ASSAY_PHYS_REF_GRADIENT_H

/* Holds the reference's gradients with respect to the fields against derivatives by complex step,
 * and their transpose against the dot test. */
void phys_test_gradients(void);

#endif
