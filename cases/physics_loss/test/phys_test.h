/* What the stand-alone physics loss programs share: problems on the host and comparisons. */
#ifndef ASSAY_PHYS_TEST_H
#define ASSAY_PHYS_TEST_H

#include "../../../kernels/physics_loss/phys_loss.h"

#include "../../testing/trial.h"

typedef enum phys_fields_kind {
    PHYS_FIELDS_EXACT, /* small integers, dyadic spacings, weights N and 2N: no rounding anywhere */
    PHYS_FIELDS_SMOOTH, /* asymmetric waves with div u != 0 */
    PHYS_FIELDS_RANDOM
} phys_fields_kind;

/* A problem on the host. field[level] is sigma, ux, uy, uz of that level, 4N elements. */
typedef struct phys_problem {
    phys_grid_spec   grid;
    phys_weights     weights;
    phys_fields_kind kind;
    int64_t          cells;
    float           *field[3];
} phys_problem;

/* False: out of memory. Spacings and weights follow from the kind. The caller frees. */
bool phys_problem_create(phys_problem *problem, phys_fields_kind kind, const int64_t n[3],
                         const int boundary[3], int time);
void phys_problem_free(phys_problem *problem);

/* Results on the host; r, and d of each level, are sigma, ux, uy, uz, 4N elements. */
typedef struct phys_result {
    float *r, *d[3];
    double loss[2];
} phys_result;
bool phys_result_create(phys_result *result, int64_t cells);
void phys_result_free(phys_result *result);

/* The C API's buffers over host memory. */
phys_buf phys_host_buf(const phys_problem *problem, phys_result *result);

/* Distance of two vectors; NaN anywhere makes all of it NaN. */
typedef struct phys_distance {
    double relative_l2, max_abs, max_reference;
} phys_distance;
phys_distance phys_compare(const float *got, const float *expected, int64_t count);

/* The name of a problem in messages: valid until the next call. */
const char *phys_describe(const phys_problem *problem);

/* The grids that every kernel is checked on: odd, thin, two cells, tile edges. */
typedef struct phys_extent {
    int64_t n[3];
} phys_extent;
extern const phys_extent phys_test_grids[];
extern const int         phys_n_test_grids;

/* Calls `check` for each test grid, each time scheme and mixtures of boundaries. These are all
 * eight if everything is exact and the grid is small. Otherwise they are both kinds on all axes and
 * one mixture: rounding does not depend on which cell is beside which, and large grids are there
 * for their tiles. */
typedef void phys_check_fn(const phys_problem *problem, void *context);
void         phys_for_each_problem(phys_fields_kind kind, phys_check_fn *check, void *context);

/* Calls `check` for the gradients of a problem: with respect to the residuals; with respect to the
 * fields, at t1 and, if everything is exact, at all levels. Not for inexact fields in which all
 * differences are zero: only rounding errors would be left of the gradient. */
void phys_for_each_gradient(const phys_problem *problem, phys_check_fn *check, void *context);

/* Arguments of which exactly one is invalid. */
typedef struct phys_invalid {
    const char           *what;
    const phys_grid_spec *grid;
    const phys_weights   *weights;
    const phys_buf       *buf;
} phys_invalid;
typedef void phys_invalid_fn(const phys_invalid *invalid, void *context);

/* Calls `check` with valid arguments that are spoiled in one place after another. Each is invalid
 * for every call of the API that starts from the fields. */
void phys_for_each_invalid(const phys_problem *problem, const phys_buf *buf, phys_invalid_fn *check,
                           void *context);

#endif
