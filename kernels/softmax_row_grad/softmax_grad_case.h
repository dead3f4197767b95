/* Names that softmax_row_grad, its reference and its launchers share: places in the list of
 * buffers. The parameters are softmax_row's. */
#ifndef SOFTMAX_GRAD_CASE_H
#define SOFTMAX_GRAD_CASE_H

#include "../softmax_row/softmax_case.h"

enum {
    GRAD_X,
    GRAD_DY,
    GRAD_DX
};

#endif
