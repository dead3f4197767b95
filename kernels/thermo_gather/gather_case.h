/* How the case thermo_gather numbers its buffers, parameters and scalars. The case, the reference
 * and the launchers share it, so that the numbers stand in one place. */
#ifndef ASSAY_GATHER_CASE_H
#define ASSAY_GATHER_CASE_H

enum {
    GATHER_BUF_POS,
    GATHER_BUF_MASS,
    GATHER_BUF_RHO,
    GATHER_BUF_MOM,
    GATHER_BUF_E_INT,
    GATHER_BUF_PHI,
    GATHER_BUF_ORDER, /* numbers of the particles in the order of their cells */
    GATHER_BUF_NEW_POS,
    GATHER_BUF_NEW_VEL,
    GATHER_BUF_NEW_HEAT,
    GATHER_N_BUFS
};

enum {
    GATHER_PARAM_GX,
    GATHER_PARAM_GY,
    GATHER_PARAM_GZ,
    GATHER_PARAM_NEGATIVE_RHO, /* as kernels/thermo/thermo.h numbers it */
    GATHER_PARAM_PARTICLES,
    GATHER_PARAM_IS_EXACT /* the input class is exact: no decision is ever close */
};

enum {
    GATHER_SCALAR_DX, /* a float */
    GATHER_SCALAR_DT  /* a float */
};

/* Places of the words of the axis `particles`: in what order they are in memory. */
enum {
    GATHER_RANDOM,
    GATHER_SORTED /* by cell */
};

#endif
