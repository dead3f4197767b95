/* How the case thermo_gas numbers its buffers and parameters, and the layout of its debug log. The
 * case, the reference and the kernels share it, so that the numbers stand in one place. No
 * arithmetic. */
#ifndef ASSAY_GAS_CASE_H
#define ASSAY_GAS_CASE_H

enum {
    GAS_BUF_RHO, /* U0, given */
    GAS_BUF_MOM,
    GAS_BUF_E,
    GAS_BUF_RHO_1, /* U1: an output if the axis `output` says stages, else scratch */
    GAS_BUF_MOM_1,
    GAS_BUF_E_1,
    GAS_BUF_RHO_2, /* U2, the result of the step */
    GAS_BUF_MOM_2,
    GAS_BUF_E_2,
    GAS_BUF_LOG_COUNT, /* without the log: no elements; so is the next one */
    GAS_BUF_LOG,
    GAS_N_BUFS
};

enum {
    GAS_PARAM_GX,
    GAS_PARAM_GY,
    GAS_PARAM_GZ,
    GAS_PARAM_OUTPUT,
    GAS_PARAM_POISON, /* what is wrong with the one inadmissible cell */
    GAS_PARAM_INPUT,  /* class of input, which the fills need */
    GAS_N_PARAMS
};

enum {
    GAS_SCALAR_DT
};

/* Places of the words of the axis `output`. */
enum {
    GAS_OUTPUT_STEP,  /* only U2 */
    GAS_OUTPUT_STAGES /* also U1 */
};

/* Words of the axis `poison`, by place: what is wrong with the one inadmissible cell. */
enum {
    GAS_POISON_NONE,
    GAS_POISON_NAN,
    GAS_POISON_INFINITE,
    GAS_POISON_NEGATIVE_DENSITY,
    GAS_POISON_NEGATIVE_ENERGY,
    GAS_POISON_ENVELOPE_MOMENTUM,
    GAS_POISON_ENVELOPE_HOT,
    GAS_POISON_ENVELOPE_COLD,
    GAS_POISON_OVERSTEPPED, /* admissible, until a stage takes more from it than it has */
    GAS_N_POISONS
};

/* The debug log: a ring buffer of entries of GAS_LOG_WORDS 32-bit words. Source number n (from 0)
 * goes to entry n % capacity, so that the latest ones are kept. LOG_COUNT says how many there
 * were. */
enum {
    GAS_LOG_CAPACITY = 16,

    GAS_LOG_CELL = 0,
    GAS_LOG_STAGE, /* 0: the input cell was like that; 1 or 2: it became so in that stage */
    GAS_LOG_REASON,
    GAS_LOG_STATE,                  /* bits of rho, mom, e */
    GAS_LOG_DT = GAS_LOG_STATE + 5, /* bits of dt: which attempt it was, if there are several */
    GAS_LOG_TURN,                   /* how often the entry was written */
    GAS_LOG_WORDS
};

/* Why a cell is inadmissible: the first reason that holds. */
enum {
    GAS_NOT_FINITE = 1,
    GAS_NEGATIVE_DENSITY,  /* below -rho_min */
    GAS_NEGATIVE_ENERGY,   /* only normal cells */
    GAS_ENVELOPE_MOMENTUM, /* only low-density cells: |mom| above rho_min */
    GAS_ENVELOPE_ENERGY    /* only low-density cells: e outside its limits */
};

#endif
