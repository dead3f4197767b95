/* Symmetric matrices, made from random numbers. */
#ifndef ASSAY_EIGEN_INPUTS_H
#define ASSAY_EIGEN_INPUTS_H

#include "case.h"

#include "../../kernels/eigen/eigen_case.h"

assay_prepare_fn eigen_prepare;

#endif
