/* How the case thermo_step numbers its buffers and parameters. The case, the reference and the
 * kernels share it. No arithmetic. */
#ifndef ASSAY_STEP_CASE_H
#define ASSAY_STEP_CASE_H

enum {
    STEP_BUF_POS, /* particles, given */
    STEP_BUF_VEL,
    STEP_BUF_MASS,
    STEP_BUF_HEAT,
    STEP_BUF_ENERGY, /* of the oscillator */
    STEP_BUF_OMEGA,
    STEP_BUF_RHO, /* what the particles deposit */
    STEP_BUF_MOM,
    STEP_BUF_E,
    STEP_BUF_PHI,   /* no elements without gravity */
    STEP_BUF_RHO_2, /* the gas after its step */
    STEP_BUF_MOM_2,
    STEP_BUF_E_2,
    STEP_BUF_NEW_POS,
    STEP_BUF_NEW_VEL,
    STEP_BUF_NEW_HEAT,
    STEP_BUF_NEW_ENERGY,
    STEP_BUF_DT,        /* the dt that was used, after halving */
    STEP_BUF_HALVINGS,  /* STEP_NO_DT: even the shortest dt failed */
    STEP_BUF_ERRORS,    /* particles that deposit nothing because they are not finite */
    STEP_BUF_LOG_COUNT, /* without the log: no elements, as the next one, which is thermo_gas's */
    STEP_BUF_LOG,
    STEP_N_BUFS
};

enum {
    STEP_PARAM_GX,
    STEP_PARAM_GY,
    STEP_PARAM_GZ,
    STEP_PARAM_GRAVITY, /* G, 0 or 1 */
    STEP_PARAM_RULE,
    STEP_PARAM_INPUT,
    STEP_PARAM_START,
    STEP_N_PARAMS
};

/* Places of the words of the axis `dt_rule`. */
enum {
    STEP_DT_METAL,
    STEP_DT_TRITON,
    STEP_DT_STABLE
};

enum {
    STEP_NO_DT = 11 /* one more than THERMO_MAX_HALVINGS */
};

#endif
