/* qr: A = Q R, for batches of small matrices. docs/linear_solve.md has the definition and the
 * tolerance. */
#include "../ops.h"
#include "qr_inputs.h"
#include "qr_judge.h"

assay_reference_fn qr_reference; /* reference/qr/qr.c */

enum {
    AXIS_SIZE,
    AXIS_BATCH,
    AXIS_TYPE
};

/* ---- shape ---- */

static void qr_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    rows = axis[AXIS_SIZE].i[0], columns = axis[AXIS_SIZE].i[1];
    const int64_t    batch = axis[AXIS_BATCH].i[0];
    const assay_type type  = ops_type(&axis[AXIS_TYPE]);
    const int64_t    size  = (int64_t)assay_type_size(type);
    const int64_t    n_a = batch * rows * columns, n_r = batch * columns * columns;

    s->param[QR_PARAM_ROWS]    = rows;
    s->param[QR_PARAM_COLUMNS] = columns;
    s->param[QR_PARAM_BATCH]   = batch;
    s->param[QR_PARAM_TYPE]    = type;
    s->param[QR_PARAM_INPUT]   = input;
    s->buf[QR_BUF_A]           = (assay_buffer) { "a", ASSAY_IN, type, n_a, ASSAY_UNIFORM(-1, 1) };
    s->buf[QR_BUF_Q]           = (assay_buffer) { .name = "q", ASSAY_OUT, type, .count = n_a };
    s->buf[QR_BUF_R]           = (assay_buffer) { .name = "r", ASSAY_OUT, type, .count = n_r };
    s->cells                   = batch;
    /* For R, and the same again for Q. */
    s->flops = 2 * (double)batch * (double)(columns * columns) *
               (2 * (double)rows - 2 * (double)columns / 3);
    s->bytes_read    = n_a * size;
    s->bytes_written = (n_a + n_r) * size;
}

static const char *qr_excluded(const assay_value *axis)
{
    const int64_t   *size     = axis[AXIS_SIZE].i;
    const assay_type type     = ops_type(&axis[AXIS_TYPE]);
    const bool       is_quick = axis[AXIS_BATCH].tier == ASSAY_QUICK;

    if (size[1] < 1 || size[1] > size[0] || size[0] > QR_MAX_ROWS || size[2] > 1)
        return "matrices have 1 to 128 rows, and not more columns";
    if (is_quick ? axis[AXIS_SIZE].tier == ASSAY_FULL : size[0] % 8 != 0)
        return "edge sizes go with small batches";
    if (axis[AXIS_BATCH].i[0] * size[0] * size[1] > (int64_t)1 << 27)
        return "more than 128 Mi numbers";
    if (axis[AXIS_BATCH].i[0] == 0 && size[0] != 8)
        return "an empty batch is checked with 8 rows only";
    if (is_quick && (axis[AXIS_BATCH].i[0] == 1) != (size[0] == QR_MAX_ROWS))
        return "a batch of one is checked with the largest matrices, and they with it";
    if (is_quick && axis[AXIS_BATCH].i[0] == 33 && (size[1] != 32 || type != ASSAY_F32))
        return "the batch that 16 bits cannot count is checked once";
    if (is_quick && type != ASSAY_F32 && size[0] != 8 && size[0] != 33)
        return "types differ only in loading and storing: not each edge size is checked for each "
               "type";
    return NULL;
}

/* ---- variants ---- */

static const char *above_64(const assay_shape *s)
{
    return s->param[QR_PARAM_ROWS] > 64 ? "a column in the registers of a lane: up to 64 rows"
                                        : NULL;
}

static const char *not_scaled(const assay_shape *s)
{
    const int64_t batch = s->param[QR_PARAM_BATCH];

    return batch > 2 && batch <= QR_SCALED_BATCH && s->param[QR_PARAM_TYPE] != ASSAY_F16
               ? "geqrfBatched does not scale columns: numbers of 2^80 become infinite or NaN"
               : NULL;
}

/* Faults need each kind of matrix, and more than a few columns, to show. */
static const char *harmless(const assay_shape *s)
{
    return s->param[QR_PARAM_BATCH] < 8 || s->param[QR_PARAM_ROWS] != 8
               ? "the mistake is shown by eight or more matrices of 8 rows"
               : NULL;
}

static const char *harmless_or_half(const assay_shape *s)
{
    return s->param[QR_PARAM_TYPE] == ASSAY_F16
               ? "single precision can hold the squares of all fp16 numbers"
           : s->param[QR_PARAM_BATCH] > QR_SCALED_BATCH ? "larger batches contain no scaled matrix"
                                                        : harmless(s);
}

static const char *harmless_or_not_single(const assay_shape *s)
{
    return s->param[QR_PARAM_TYPE] != ASSAY_F32 ? "the mistake is shown in single precision"
                                                : harmless(s);
}

#define WRONG (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))

const assay_case assay_case_qr = {
    .name        = "qr",
    .group       = "ops",
    .what        = "batched A = Q R of small matrices",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1), ASSAY_QGRID(2, 1, 1),
                   ASSAY_QGRID(3, 3, 1), ASSAY_QGRID(8, 8, 1), 
                   ASSAY_QGRID(32, 32, 1), ASSAY_QGRID(33, 33, 1), ASSAY_QGRID(64, 5, 1),
                   ASSAY_QGRID(128, 65, 1), ASSAY_FGRID(16, 16, 1), ASSAY_FGRID(64, 64, 1),
                   ASSAY_FGRID(64, 16, 1)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(8), ASSAY_Q(33), ASSAY_F(1000), ASSAY_F(16384),
                   ASSAY_F(65536)),
        OPS_TYPE_AXIS,
    },
    .inputs      = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = qr_shape,
    .reference   = qr_reference,
    .prepare     = qr_prepare,
    .compare     = qr_compare,
    .invariants  = {
        { "residual",
          "of each column |A - Q R| <= half a step of Q and of R + 4 sqrt(columns) (sqrt(rows) + 3) "
          "2^-24 |A|: as many reflections as columns, each a product of as many terms as rows",
          qr_residual, NULL },
        { "orthogonality",
          "|Q'Q - 1| <= half a step of both columns + 4 sqrt(columns) (sqrt(rows) + 3) 2^-24: what "
          "reflections round, Q loses, however A is conditioned",
          qr_orthogonality, NULL },
    },
    .excluded    = qr_excluded,
    .variants    = {
        { .name   = "block",
          .what   = "Householder's reflections, a block a matrix and a thread a column",
          .launch = "qr_block",
          .flags  = ASSAY_DETERMINISTIC },
        { .name        = "warp",
          .what        = "a warp a matrix, one or two columns a lane, reflectors by shared memory",
          .launch      = "qr_warp",
          .baseline    = "block",
          .tuning      = { ASSAY_TUNING("warps", 4, 1, 2, 8) },
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = above_64 },
        { .name      = "cublas",
          .what      = "geqrfBatched, and a kernel that makes Q of its reflectors",
          .launch    = "qr_cublas",
          .workspace = "qr_cublas_workspace",
          .setup     = "qr_cublas_setup",
          .teardown  = "qr_cublas_teardown",
          .baseline  = "block",
          .gpu_only  = "needs cuBLAS, which has no host device",
          .unsupported = not_scaled },
        { .name = "torch_eager", .peer = { "qr.py", "eager" }, .baseline = "block" },
        { .name = "torch_compile", .peer = { "qr.py", "compile" }, .baseline = "block" },
        { .name        = "gram_schmidt",
          .what        = "wrong: classical Gram-Schmidt, whose Q is not orthogonal",
          .launch      = "qr_gram_schmidt",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "unscaled",
          .what        = "wrong: squares numbers as they are, and loses small and large ones",
          .launch      = "qr_unscaled",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "cancelling",
          .what        = "wrong: reflects to the side that is near, where two like numbers cancel",
          .launch      = "qr_cancelling",
          .unsupported = harmless_or_not_single,
          .expect      = OPS_MUST_FAIL(WRONG) },
    },
};
