/* Matrices to be factored, made from random numbers. */
#ifndef ASSAY_QR_INPUTS_H
#define ASSAY_QR_INPUTS_H

#include "case.h"

#include "../../kernels/qr/qr_case.h"

assay_prepare_fn qr_prepare;

#endif
