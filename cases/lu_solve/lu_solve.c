/* lu_solve: batched A x = b of small matrices, by elimination with partial pivoting.
 * docs/linear_solve.md has the definition and the tolerance. */
#include "../ops.h"
#include "lu_inputs.h"
#include "lu_judge.h"

assay_reference_fn lu_solve_reference; /* reference/lu_solve/lu_solve.c */

enum {
    AXIS_N,
    AXIS_BATCH,
    AXIS_TYPE
};

enum {
    MANY = 37
};

/* ---- shape ---- */

static void lu_solve_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n = axis[AXIS_N].i[0], batch = axis[AXIS_BATCH].i[0];
    const assay_type type = ops_type(&axis[AXIS_TYPE]);
    const int64_t    size = (int64_t)assay_type_size(type);
    const assay_fill fill = ASSAY_UNIFORM(-1, 1); /* lu_solve_prepare makes systems from this */

    s->param[LU_PARAM_N]     = n;
    s->param[LU_PARAM_BATCH] = batch;
    s->param[LU_PARAM_TYPE]  = type;
    s->param[LU_PARAM_INPUT] = input;
    s->buf[LU_BUF_A]         = (assay_buffer) { "a", ASSAY_IN, type, batch * n * n, fill };
    s->buf[LU_BUF_B]         = (assay_buffer) { "b", ASSAY_IN, type, batch * n, fill };
    s->buf[LU_BUF_X]         = (assay_buffer) { .name = "x", ASSAY_OUT, type, .count = batch * n };
    s->buf[LU_BUF_INFO] = (assay_buffer) { .name = "info", ASSAY_OUT, ASSAY_I32, .count = batch };
    s->cells            = batch;
    s->flops            = (double)batch * (double)(2 * n * n * n / 3 + 2 * n * n);
    s->bytes_read       = batch * (n * n + n) * size;
    s->bytes_written    = batch * (n * size + 4);
}

static const char *lu_solve_excluded(const assay_value *axis)
{
    const int64_t n = axis[AXIS_N].i[0], batch = axis[AXIS_BATCH].i[0];

    if (n < 1 || n > LU_MAX_N)
        return "matrices have 1 to 128 rows";
    if (axis[AXIS_BATCH].tier == ASSAY_FULL ? n % 8 != 0 : axis[AXIS_N].tier == ASSAY_FULL)
        return "edge sizes go with small batches";
    if (batch * n * n > (int64_t)1 << 27)
        return "more than 128 Mi numbers";
    if (batch == 0 && n != 8)
        return "an empty batch is checked with 8 rows only";
    if (batch == MANY && n != 33)
        return "37 matrices are of 33 rows: 16 bits do not count their numbers";
    if (axis[AXIS_BATCH].tier == ASSAY_QUICK && (batch == 1) != (n >= 64))
        return "a batch of one is checked with the largest matrices, and they with it";
    if (axis[AXIS_BATCH].tier == ASSAY_QUICK && ops_type(&axis[AXIS_TYPE]) != ASSAY_F32 && n != 1 &&
        n != 8 && n != 33)
        return "types differ only in loading and storing: not each edge size is checked for each "
               "type";
    return NULL;
}

/* ---- variants ---- */

static const char *above_32(const assay_shape *s)
{
    return s->param[LU_PARAM_N] > 32 ? "a row a lane: up to 32 rows" : NULL;
}

static const char *above_64(const assay_shape *s)
{
    return s->param[LU_PARAM_N] > 64 ? "two rows a lane: up to 64 rows" : NULL;
}

static const char *many_or_large(const assay_shape *s)
{
    return s->param[LU_PARAM_BATCH] > LU_MAX_SINGLE || s->param[LU_PARAM_N] > 32
               ? "a launch a matrix: up to 1024 of up to 32 rows"
               : NULL;
}

/* Faults need each kind of system, and more than a few rows, to show. */
static const char *harmless(const assay_shape *s)
{
    return s->param[LU_PARAM_BATCH] < 11 || s->param[LU_PARAM_N] != 8
               ? "the mistake is shown by eleven or more systems of 8 rows"
               : NULL;
}

static const char *harmless_or_single(const assay_shape *s)
{
    return s->param[LU_PARAM_TYPE] == ASSAY_F32 ? "single precision is what mends it" : harmless(s);
}

static const char *harmless_or_half(const assay_shape *s)
{
    return s->param[LU_PARAM_TYPE] != ASSAY_F32 ? "the mistake is shown in single precision"
                                                : harmless(s);
}

#define WRONG (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))

const assay_case assay_case_lu_solve = {
    .name        = "lu_solve",
    .group       = "ops",
    .what        = "batched A x = b of small matrices, with partial pivoting",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(3), ASSAY_Q(8), ASSAY_Q(32),
                   ASSAY_Q(33), ASSAY_Q(64), ASSAY_Q(128), ASSAY_F(16),
                   ASSAY_F(48)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(11), ASSAY_Q(MANY), ASSAY_F(1000), ASSAY_F(16384),
                   ASSAY_F(65536)),
        OPS_TYPE_AXIS,
    },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = lu_solve_shape,
    .reference   = lu_solve_reference,
    .prepare     = lu_solve_prepare,
    .compare     = lu_solve_compare,
    .invariants  = {
        { "residual",
          "|b - A x| <= |A| half a step of x + 4 sqrt(n) 2^-24 |L| |U| |x|, row by row: the rounding "
          "of x, and 3 n independent roundings of elimination and substitution",
          lu_solve_residual, NULL },
    },
    .excluded    = lu_solve_excluded,
    .variants    = {
        { .name   = "block",
          .what   = "a block a matrix, in shared memory",
          .launch = "lu_solve_block",
          .tuning = { ASSAY_TUNING("threads", 64, 32, 128, 256, 512, 1024) },
          .flags  = ASSAY_DETERMINISTIC },
        { .name        = "warp_shuffle",
          .what        = "a warp a matrix, a row a lane, in registers; rows of pivots by shuffles",
          .launch      = "lu_solve_warp_shuffle",
          .baseline    = "block",
          .tuning      = { ASSAY_TUNING("warps", 4, 1, 2, 8) },
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = above_32 },
        { .name        = "warp",
          .what        = "a warp a matrix, one or two rows a lane; rows of pivots by shared memory",
          .launch      = "lu_solve_warp",
          .baseline    = "block",
          .tuning      = { ASSAY_TUNING("warps", 4, 1, 2, 8) },
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = above_64 },
        { .name        = "single",
          .what        = "the kernel of block, a launch a matrix",
          .launch      = "lu_solve_single",
          .baseline    = "block",
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = many_or_large },
        { .name      = "cublas",
          .what      = "getrfBatched and getrsBatched, and a look at the pivots",
          .launch    = "lu_solve_cublas",
          .workspace = "lu_solve_cublas_workspace",
          .setup     = "lu_solve_cublas_setup",
          .teardown  = "lu_solve_cublas_teardown",
          .baseline  = "block",
          .gpu_only  = "needs cuBLAS, which has no host device" },
        { .name = "torch_eager", .peer = { "lu_solve.py", "eager" }, .baseline = "block" },
        { .name = "torch_compile", .peer = { "lu_solve.py", "compile" }, .baseline = "block" },
        { .name        = "half_arithmetic",
          .what        = "wrong: computes in the type of its input, not in single precision",
          .launch      = "lu_solve_half_arithmetic",
          .unsupported = harmless_or_single,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "absolute_threshold",
          .what        = "wrong: a pivot is too small below 1e-10, whatever the matrix",
          .launch      = "lu_solve_absolute_threshold",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "silent_singular",
          .what        = "wrong: leaves out columns without a pivot, and reports nothing",
          .launch      = "lu_solve_silent_singular",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "no_pivoting",
          .what        = "wrong: takes what is on the diagonal",
          .launch      = "lu_solve_no_pivoting",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "forgets_b",
          .what        = "wrong: exchanges rows of A and not those of b",
          .launch      = "lu_solve_forgets_b",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
    },
};
