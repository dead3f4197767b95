/* Numbers that the cases, their references and their kernels share: buffers, parameters, scalars
 * and words. No arithmetic. */
#ifndef PHYSARUM_CASE_H
#define PHYSARUM_CASE_H

/* Positions are y, x pairs; y runs over the grid's rows. Only physarum_run has the last three. */
enum {
    PHYSARUM_BUF_POS,
    PHYSARUM_BUF_ANGLE,
    PHYSARUM_BUF_FIELD,
    PHYSARUM_BUF_NEW_POS,
    PHYSARUM_BUF_NEW_ANGLE,
    PHYSARUM_BUF_NEW_FIELD,
    PHYSARUM_BUF_BEFORE_POS, /* the state before the last step of the call */
    PHYSARUM_BUF_BEFORE_ANGLE,
    PHYSARUM_BUF_BEFORE_FIELD,
};

enum {
    PHYSARUM_PARAM_HEIGHT,
    PHYSARUM_PARAM_WIDTH,
    PHYSARUM_PARAM_AGENTS,
    PHYSARUM_PARAM_SEMANTICS,
    PHYSARUM_PARAM_BLUR,  /* width of the mean's square in cells: 3 or 5 */
    PHYSARUM_PARAM_START, /* steps by which the filled state is advanced before anything runs */
    PHYSARUM_PARAM_STEPS, /* steps of one call */
    PHYSARUM_PARAM_KEEPS_BEFORE, /* whether the call also stores the state before its last step */
};

enum {
    PHYSARUM_SCALAR_STEP,
    PHYSARUM_SCALAR_REACH,  /* distance of the sensors, cells */
    PHYSARUM_SCALAR_SPREAD, /* angle between sensors, and of a turn */
    PHYSARUM_SCALAR_BLEND,  /* weight of the mean in the new field */
    PHYSARUM_SCALAR_DECAY,
    PHYSARUM_SCALAR_DEPOSIT,
};

/* Three models; docs/physarum.md lists how they differ. */
enum {
    PHYSARUM_CANONICAL,
    PHYSARUM_TORCH,
    PHYSARUM_TRITON,
};

#endif
