/* What the thermo cases agree on: the layout of grids and particles, and the constants of the gas
 * in natural units (hbar = k_B = 1, c_v = 1). Plain C: cases, references and kernels include it. It
 * has no arithmetic beyond constants, so that a reference cannot share a mistake with a kernel.
 *
 * Grid: gx * gy * gz nodes at i * dx; node (i, j, k) has index (i * gy + j) * gz + k. dx = 1 /
 * max(g), rounded to float. Everything is periodic with length g * dx. rho and e_int are scalars of
 * a node; the three components of mom lie side by side, and so do those of pos and vel of a
 * particle. */
#ifndef ASSAY_THERMO_H
#define ASSAY_THERMO_H

#define THERMO_GAMMA        1.4
#define THERMO_C_V          1.0
#define THERMO_C_P          1.4 /* c_v + R */
#define THERMO_R            0.4
#define THERMO_MU           1e-4
#define THERMO_PRANDTL      0.71
#define THERMO_CONDUCTIVITY (THERMO_MU * THERMO_C_P / THERMO_PRANDTL)
#define THERMO_RHO_MIN      1e-3 /* at and below: the low-density envelope */
#define THERMO_CFL          0.4
#define THERMO_CFL_DIFF     0.15
#define THERMO_DT_MAX       0.015
#define THERMO_MAX_HALVINGS 10

/* Limits of the low-density envelope: e_int from -E_BELOW to E_ABOVE, |mom| up to rho_min. */
#define THERMO_E_BELOW (4 * THERMO_RHO_MIN * 0x1p-23)
#define THERMO_E_ABOVE (10 * THERMO_RHO_MIN)

/* The conserved values of a node. */
enum {
    THERMO_RHO,
    THERMO_MOM_X,
    THERMO_MOM_Y,
    THERMO_MOM_Z,
    THERMO_E_INT,
    THERMO_N_FIELDS
};

/* Places of the words of the axis `negative_rho`: what a gathered density below 0 means. */
enum {
    THERMO_NEGATIVE_RHO_ZERO,  /* a vacuum: velocity, temperature and heat are 0 */
    THERMO_NEGATIVE_RHO_POISON /* an error: NaN in everything the particle gets */
};

#endif
