/* svd: A = U diag(s) V', for batches of small matrices, thin. docs/linear_solve.md has the
 * definition and the tolerance. */
#include "../ops.h"
#include "svd_inputs.h"
#include "svd_judge.h"

assay_reference_fn svd_reference; /* reference/svd/svd.c */

enum {
    AXIS_SIZE,
    AXIS_BATCH,
    AXIS_TYPE
};

/* ---- shape ---- */

static void svd_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    rows = axis[AXIS_SIZE].i[0], columns = axis[AXIS_SIZE].i[1];
    const int64_t    batch = axis[AXIS_BATCH].i[0];
    const assay_type type  = ops_type(&axis[AXIS_TYPE]);
    const int64_t    size  = (int64_t)assay_type_size(type);
    const int64_t    n_a = batch * rows * columns, n_s = batch * columns, n_v = n_s * columns;

    s->param[SVD_PARAM_ROWS]    = rows;
    s->param[SVD_PARAM_COLUMNS] = columns;
    s->param[SVD_PARAM_BATCH]   = batch;
    s->param[SVD_PARAM_TYPE]    = type;
    s->param[SVD_PARAM_INPUT]   = input;
    s->buf[SVD_BUF_A]           = (assay_buffer) { "a", ASSAY_IN, type, n_a, ASSAY_UNIFORM(-1, 1) };
    s->buf[SVD_BUF_S]           = (assay_buffer) { .name = "s", ASSAY_OUT, type, .count = n_s };
    s->buf[SVD_BUF_U]           = (assay_buffer) { .name = "u", ASSAY_OUT, type, .count = n_a };
    s->buf[SVD_BUF_V]           = (assay_buffer) { .name = "v", ASSAY_OUT, type, .count = n_v };
    s->cells                    = batch;
    /* By reflections and QR steps: Golub and Van Loan count 14 m n^2 + 8 n^3 for all three
     * factors. */
    s->flops         = (double)n_s * (double)columns * (14 * (double)rows + 8 * (double)columns);
    s->bytes_read    = n_a * size;
    s->bytes_written = (n_s + n_a + n_v) * size;
}

static const char *svd_excluded(const assay_value *axis)
{
    const int64_t   *size     = axis[AXIS_SIZE].i;
    const assay_type type     = ops_type(&axis[AXIS_TYPE]);
    const bool       is_quick = axis[AXIS_BATCH].tier == ASSAY_QUICK;

    if (size[1] < 1 || size[1] > size[0] || size[0] > SVD_MAX_ROWS || size[2] > 1)
        return "matrices have 1 to 32 rows, and not more columns";
    if (is_quick ? axis[AXIS_SIZE].tier == ASSAY_FULL : size[1] % 16 != 0)
        return "edge sizes go with small batches";
    if (axis[AXIS_BATCH].i[0] * size[0] * size[0] > (int64_t)1 << 27)
        return "more than 128 Mi numbers";
    if (axis[AXIS_BATCH].i[0] == 0 && size[0] != 8)
        return "an empty batch is checked with 8 rows only";
    if (is_quick && axis[AXIS_BATCH].i[0] == 1 && size[1] != SVD_MAX_ROWS)
        return "a batch of one is checked with the largest matrices, and they with it";
    if (is_quick && axis[AXIS_BATCH].i[0] == 33 && (size[1] != 32 || type != ASSAY_F32))
        return "the batch that 16 bits cannot count is checked once";
    if (is_quick && type != ASSAY_F32 && size[0] != 8 && size[1] != 32)
        return "types differ only in loading and storing: not each edge size is checked for each "
               "type";
    return NULL;
}

/* ---- variants ---- */

/* Faults need each kind of matrix, and more than a few rows, to show. */
static const char *harmless(const assay_shape *s)
{
    return s->param[SVD_PARAM_BATCH] < 11 || s->param[SVD_PARAM_ROWS] != 8
               ? "the mistake is shown by eleven or more matrices of 8 rows"
               : NULL;
}

static const char *harmless_or_half(const assay_shape *s)
{
    return s->param[SVD_PARAM_TYPE] == ASSAY_F16
               ? "single precision can hold the squares of all fp16 numbers"
           : s->param[SVD_PARAM_BATCH] > SVD_SCALED_BATCH
               ? "larger batches contain no scaled matrix"
               : harmless(s);
}

#define WRONG (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))

const assay_case assay_case_svd = {
    .name        = "svd",
    .group       = "ops",
    .what        = "batched A = U diag(s) V' of small matrices, thin",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1), ASSAY_QGRID(2, 1, 1),
                   ASSAY_QGRID(3, 3, 1), ASSAY_QGRID(8, 8, 1), ASSAY_QGRID(32, 5, 1),
                   ASSAY_QGRID(32, 32, 1), ASSAY_FGRID(16, 16, 1), ASSAY_FGRID(32, 16, 1)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(11), ASSAY_Q(33),
                   ASSAY_F(1000), ASSAY_F(16384)),
        OPS_TYPE_AXIS,
    },
    .inputs      = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = svd_shape,
    .reference   = svd_reference,
    .prepare     = svd_prepare,
    .compare     = svd_compare,
    .invariants  = {
        { "values",
          "|s - s of the reference| <= half a step of s + 48 rows 2^-24 |A|: A is changed by "
          "16 rows rotations, each of at most 3 roundings, and no singular value moves further than "
          "A (Weyl)",
          svd_values, NULL },
        { "residual",
          "of each pair |A v - s u| <= half a step of u, v and s + 48 rows 2^-24 |A|: as above",
          svd_residual, NULL },
        { "orthogonality of U",
          "|U'U - 1| <= half a step of both columns + 48 rows 2^-24, also where s is 0",
          svd_orthogonality_u, NULL },
        { "orthogonality of V",
          "|V'V - 1| <= half a step of both columns + 48 rows 2^-24: what rotations round",
          svd_orthogonality_v, NULL },
    },
    .excluded    = svd_excluded,
    .variants    = {
        { .name   = "jacobi",
          .what   = "one-sided Jacobi rotations in shared memory, a warp a matrix, a pair of columns a lane",
          .launch = "svd_jacobi",
          .flags  = ASSAY_DETERMINISTIC },
        { .name      = "cusolver",
          .what      = "cuSOLVER's gesvdjBatched, between kernels that scale and convert",
          .launch    = "svd_cusolver",
          .workspace = "svd_cusolver_workspace",
          .setup     = "svd_cusolver_setup",
          .teardown  = "svd_cusolver_teardown",
          .baseline  = "jacobi",
          .gpu_only  = "needs cuSOLVER, which has no host device" },
        { .name = "torch_eager", .peer = { "svd.py", "eager" }, .baseline = "jacobi" },
        { .name = "torch_compile", .peer = { "svd.py", "compile" }, .baseline = "jacobi" },
        { .name        = "of_square",
          .what        = "wrong: roots of the eigenvalues of A'A, in which small singular values are lost",
          .launch      = "svd_of_square",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "few_sweeps",
          .what        = "wrong: two sweeps, however far from orthogonal columns are",
          .launch      = "svd_few_sweeps",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "unscaled",
          .what        = "wrong: squares numbers as they are, and loses small and large ones",
          .launch      = "svd_unscaled",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "zero_vectors",
          .what        = "wrong: leaves u as it is where s is 0, so that U is not orthogonal",
          .launch      = "svd_zero_vectors",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
    },
};
