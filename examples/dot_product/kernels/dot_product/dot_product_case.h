/* Names that the case, its reference and its launchers share: places in the list of buffers. */
#ifndef DOT_PRODUCT_CASE_H
#define DOT_PRODUCT_CASE_H

enum {
    X,
    Y,
    DOT
};

#endif
