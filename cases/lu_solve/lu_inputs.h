/* Systems to be solved, made from random numbers. */
#ifndef ASSAY_LU_INPUTS_H
#define ASSAY_LU_INPUTS_H

#include "case.h"

#include "../../kernels/lu_solve/lu_case.h"

assay_prepare_fn lu_solve_prepare;

#endif
