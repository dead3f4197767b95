/* Names that the case, its reference and its launchers share: places in the lists of the shape. */
#ifndef EMBEDDING_BAG_CASE_H
#define EMBEDDING_BAG_CASE_H

/* Buffers. */
enum {
    BAG_TABLE, /* rows, forward */
    BAG_D_Y,   /* one row a bag, backward */
    BAG_INDICES,
    BAG_OFFSETS, /* where each bag's indices begin, and where the last bag's end */
    BAG_OUT      /* y, one row a bag; backward: the gradient of the table, in fp32 */
};

/* Parameters. */
enum {
    BAG_TYPE, /* an assay_type: of table, y and d_y */
    BAG_IS_BACKWARD,
    BAG_IS_MEAN,
    BAG_BAGS,
    BAG_ROWS,
    BAG_DIM /* numbers of a row */
};

#endif
