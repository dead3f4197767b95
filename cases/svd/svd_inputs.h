/* Matrices to be decomposed, made from random numbers. */
#ifndef ASSAY_SVD_INPUTS_H
#define ASSAY_SVD_INPUTS_H

#include "case.h"

#include "../../kernels/svd/svd_case.h"

assay_prepare_fn svd_prepare;

#endif
