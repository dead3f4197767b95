/* How the case physics_loss numbers its buffers, parameters and scalars. The case, the reference
 * and the launchers share it, so that the numbers stand in one place. */
#ifndef ASSAY_PHYS_CASE_H
#define ASSAY_PHYS_CASE_H

#include "phys_loss.h"

enum {
    PHYS_BUF_SIGMA_T0,
    PHYS_BUF_SIGMA_T1,
    PHYS_BUF_SIGMA_T2, /* no elements with PHYS_FIRST_ORDER */
    PHYS_BUF_U_T0,
    PHYS_BUF_U_T1,
    PHYS_BUF_U_T2,
    PHYS_BUF_R_SIGMA, /* forward: written; backward: given; both: no elements */
    PHYS_BUF_R_U,
    PHYS_BUF_D_SIGMA, /* at t1; no elements in forward */
    PHYS_BUF_D_U,
    PHYS_BUF_LOSS_SIGMA, /* no elements in backward */
    PHYS_BUF_LOSS_U,
    PHYS_BUF_D_SIGMA_T0, /* levels=all only */
    PHYS_BUF_D_U_T0,
    PHYS_BUF_D_SIGMA_T2, /* levels=all with central time only */
    PHYS_BUF_D_U_T2,
    PHYS_N_BUFS
};

/* Places of the words of the axis `pass`. */
enum {
    PHYS_PASS_FORWARD,
    PHYS_PASS_BACKWARD,
    PHYS_PASS_BOTH
};

enum {
    PHYS_PARAM_NX,
    PHYS_PARAM_NY,
    PHYS_PARAM_NZ,
    PHYS_PARAM_BOUNDARY_X,
    PHYS_PARAM_BOUNDARY_Y,
    PHYS_PARAM_BOUNDARY_Z,
    PHYS_PARAM_TIME,
    PHYS_PARAM_VJP,
    PHYS_PARAM_LEVELS,
    PHYS_PARAM_PASS
};

enum {
    PHYS_SCALAR_HX,
    PHYS_SCALAR_HY,
    PHYS_SCALAR_HZ,
    PHYS_SCALAR_DT,
    PHYS_SCALAR_W_SIGMA,
    PHYS_SCALAR_W_U
};

/* Numbers of terms in the sums of a residual: time, three u_d D_d s and three s D_d u_d; time and
 * three u_d D_d u_c. In those of a gradient with respect to the fields: time, three a D_d u_d and
 * twice three from D_d^T (a u_d); time, a D_d s, two from D_d^T (a s), three b_c D_d u_c and twice
 * three from D_e^T (b_d u_e). The factors c of the tolerances are derived in
 * cases/physics_loss/physics_loss.c; the reference needs that of the residuals for the bound of the
 * losses. */
#define PHYS_TERMS_SIGMA       7
#define PHYS_TERMS_U           4
#define PHYS_TERMS_FIELD_SIGMA 10
#define PHYS_TERMS_FIELD_U     13
#define PHYS_TOLERANCE_C       2.5
#define PHYS_GRADIENT_C        3.0

static inline phys_grid_spec phys_case_grid(const int64_t *param, const double *scalar)
{
    phys_grid_spec grid;

    grid.nx = param[PHYS_PARAM_NX];
    grid.ny = param[PHYS_PARAM_NY];
    grid.nz = param[PHYS_PARAM_NZ];
    grid.hx = scalar[PHYS_SCALAR_HX];
    grid.hy = scalar[PHYS_SCALAR_HY];
    grid.hz = scalar[PHYS_SCALAR_HZ];
    grid.dt = scalar[PHYS_SCALAR_DT];
    for (int axis = 0; axis < 3; axis++)
        grid.boundary[axis] = (int)param[PHYS_PARAM_BOUNDARY_X + axis];
    grid.time   = (int)param[PHYS_PARAM_TIME];
    grid.vjp    = (int)param[PHYS_PARAM_VJP];
    grid.levels = (int)param[PHYS_PARAM_LEVELS];
    return grid;
}

static inline phys_weights phys_case_weights(const double *scalar)
{
    phys_weights weights;

    weights.w_sigma = scalar[PHYS_SCALAR_W_SIGMA];
    weights.w_u     = scalar[PHYS_SCALAR_W_U];
    return weights;
}

/* The buffers as the API takes them; one without elements is NULL there. */
static inline phys_buf phys_case_buf(void *const *buf, const int64_t *count)
{
    void    *has[PHYS_N_BUFS];
    phys_buf b;

    for (int i = 0; i < PHYS_N_BUFS; i++)
        has[i] = count[i] > 0 ? buf[i] : NULL;
    b.sigma_t0   = (const float *)has[PHYS_BUF_SIGMA_T0];
    b.sigma_t1   = (const float *)has[PHYS_BUF_SIGMA_T1];
    b.sigma_t2   = (const float *)has[PHYS_BUF_SIGMA_T2];
    b.u_t0       = (const float *)has[PHYS_BUF_U_T0];
    b.u_t1       = (const float *)has[PHYS_BUF_U_T1];
    b.u_t2       = (const float *)has[PHYS_BUF_U_T2];
    b.d_sigma[0] = (float *)has[PHYS_BUF_D_SIGMA_T0];
    b.d_sigma[1] = (float *)has[PHYS_BUF_D_SIGMA];
    b.d_sigma[2] = (float *)has[PHYS_BUF_D_SIGMA_T2];
    b.d_u[0]     = (float *)has[PHYS_BUF_D_U_T0];
    b.d_u[1]     = (float *)has[PHYS_BUF_D_U];
    b.d_u[2]     = (float *)has[PHYS_BUF_D_U_T2];
    b.r_sigma    = (float *)has[PHYS_BUF_R_SIGMA];
    b.r_u        = (float *)has[PHYS_BUF_R_U];
    b.loss_sigma = (double *)has[PHYS_BUF_LOSS_SIGMA];
    b.loss_u     = (double *)has[PHYS_BUF_LOSS_U];
    b.scratch    = NULL;
    return b;
}

#endif
