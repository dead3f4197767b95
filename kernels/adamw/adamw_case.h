/* Names that the case, its reference and its launchers share: places in the lists of the shape. */
#ifndef ADAMW_CASE_H
#define ADAMW_CASE_H

/* Buffers. Elements before the offset belong to another array. */
enum {
    ADAMW_P,
    ADAMW_G, /* one gradient a step */
    ADAMW_M,
    ADAMW_V,
    ADAMW_MASTER /* the parameters in fp32, if there are master weights */
};

/* Parameters. */
enum {
    ADAMW_TYPE, /* an assay_type: of parameters and gradients; moments are fp32 */
    ADAMW_HAS_MASTER,
    ADAMW_N,
    ADAMW_OFFSET,
    ADAMW_STEPS,
    ADAMW_FIRST_STEP, /* counted from 1 */
    ADAMW_STRIDE      /* elements from one step's gradient to the next one's */
};

/* Scalars. */
enum {
    ADAMW_LR,
    ADAMW_BETA1,
    ADAMW_BETA2,
    ADAMW_EPS,
    ADAMW_DECAY
};

#endif
