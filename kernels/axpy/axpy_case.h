/* Names that the case, its reference and its launchers share: places in the lists of the shape. */
#ifndef AXPY_CASE_H
#define AXPY_CASE_H

/* Buffers. */
enum {
    X,
    Y
};

/* Scalars. */
enum {
    A
};

#endif
