/* Symmetric matrices, made from random numbers. */
#ifndef ASSAY_CHOLESKY_INPUTS_H
#define ASSAY_CHOLESKY_INPUTS_H

#include "case.h"

#include "../../kernels/cholesky/cholesky_case.h"

assay_prepare_fn cholesky_prepare;

#endif
