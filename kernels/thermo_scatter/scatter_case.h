/* How the case thermo_scatter numbers its buffers, parameters and scalars. The case, the reference
 * and the launchers share it, so that the numbers stand in one place. */
#ifndef ASSAY_SCATTER_CASE_H
#define ASSAY_SCATTER_CASE_H

enum {
    SCATTER_BUF_POS,
    SCATTER_BUF_VEL,
    SCATTER_BUF_MASS,
    SCATTER_BUF_HEAT,
    SCATTER_BUF_ENERGY, /* of the particle's oscillator: sorted with it, never added to the grid */
    SCATTER_BUF_RHO,
    SCATTER_BUF_MOM,
    SCATTER_BUF_E_INT,
    SCATTER_BUF_ERRORS, /* particles rejected */
    /* The stages; no elements unless the axis `outputs` asks for them. Bin `cells` is for rejected
     * particles: they have its number, and come after all others when sorted. */
    SCATTER_BUF_CELL_ID,
    SCATTER_BUF_COUNT, /* [cells + 1] */
    SCATTER_BUF_START, /* [cells + 1], exclusive sums of the counts */
    SCATTER_BUF_SORTED_INDEX,
    SCATTER_BUF_SORTED_POS,
    SCATTER_BUF_SORTED_VEL,
    SCATTER_BUF_SORTED_MASS,
    SCATTER_BUF_SORTED_HEAT,
    SCATTER_BUF_SORTED_ENERGY,
    SCATTER_N_BUFS
};

enum {
    SCATTER_PARAM_GX,
    SCATTER_PARAM_GY,
    SCATTER_PARAM_GZ,
    SCATTER_PARAM_DISTRIBUTION,
    SCATTER_PARAM_OUTPUTS
};

enum {
    SCATTER_SCALAR_DX /* a float */
};

/* Places of the words of the axis `distribution`. */
enum {
    SCATTER_UNIFORM,
    SCATTER_CLUSTERED, /* every second particle in a box of 1 % of the volume */
    SCATTER_ONE_CELL,
    SCATTER_ONE_FACE /* x is 0 or the length of the domain, which is the same face */
};

/* Places of the words of the axis `outputs`. */
enum {
    SCATTER_FIELDS,
    SCATTER_STAGES
};

#endif
