/* Names that the case, its reference and its launchers share: places in the lists of the shape. */
#ifndef REDUCTION_CASE_H
#define REDUCTION_CASE_H

/* Buffers. */
enum {
    REDUCTION_X,
    REDUCTION_SUM
};

/* Parameters: an assay_type. */
enum {
    REDUCTION_TYPE
};

#endif
