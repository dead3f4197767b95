/* cholesky: L of A = L L', for batches of small symmetric matrices. docs/linear_solve.md has the
 * definition and the tolerance. */
#include "../ops.h"
#include "cholesky_inputs.h"
#include "cholesky_judge.h"

assay_reference_fn cholesky_reference; /* reference/cholesky/cholesky.c */

enum {
    AXIS_N,
    AXIS_BATCH,
    AXIS_TYPE
};

/* ---- shape ---- */

static void cholesky_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n = axis[AXIS_N].i[0], batch = axis[AXIS_BATCH].i[0];
    const assay_type type  = ops_type(&axis[AXIS_TYPE]);
    const int64_t    bytes = batch * n * n * (int64_t)assay_type_size(type);
    const assay_fill fill  = ASSAY_UNIFORM(-1, 1); /* cholesky_prepare makes matrices from this */

    s->param[CHOLESKY_PARAM_N]     = n;
    s->param[CHOLESKY_PARAM_BATCH] = batch;
    s->param[CHOLESKY_PARAM_TYPE]  = type;
    s->param[CHOLESKY_PARAM_INPUT] = input;
    s->buf[CHOLESKY_BUF_A]         = (assay_buffer) { "a", ASSAY_IN, type, batch * n * n, fill };
    s->buf[CHOLESKY_BUF_L] =
        (assay_buffer) { .name = "l", ASSAY_OUT, type, .count = batch * n * n };
    s->buf[CHOLESKY_BUF_INFO] =
        (assay_buffer) { .name = "info", ASSAY_OUT, ASSAY_I32, .count = batch };
    s->cells         = batch;
    s->flops         = (double)batch * (double)(n * n * n) / 3;
    s->bytes_read    = bytes; /* the other half of a matrix lies on the same lines of memory */
    s->bytes_written = bytes + 4 * batch;
}

static const char *cholesky_excluded(const assay_value *axis)
{
    const int64_t    n = axis[AXIS_N].i[0], batch = axis[AXIS_BATCH].i[0];
    const assay_type type     = ops_type(&axis[AXIS_TYPE]);
    const bool       is_quick = axis[AXIS_BATCH].tier == ASSAY_QUICK;

    if (n < 1 || n > CHOLESKY_MAX_N)
        return "matrices have 1 to 128 rows";
    if (is_quick ? axis[AXIS_N].tier == ASSAY_FULL : n % 8 != 0)
        return "edge sizes go with small batches";
    if (batch * n * n > (int64_t)1 << 27)
        return "more than 128 Mi numbers";
    if (batch == 0 && n != 8)
        return "an empty batch is checked with 8 rows only";
    if (is_quick && (batch == 1) != (n >= 64))
        return "a batch of one is checked with the largest matrices, and they with it";
    if (is_quick && batch == 33 && (n != 32 || type != ASSAY_F32))
        return "the batch that 16 bits cannot count is checked once";
    if (is_quick && type != ASSAY_F32 && n != 8 && n != 33)
        return "types differ only in loading and storing: not each edge size is checked for each "
               "type";
    return NULL;
}

/* ---- variants ---- */

static const char *above_64(const assay_shape *s)
{
    return s->param[CHOLESKY_PARAM_N] > 64 ? "two rows a lane: up to 64 rows" : NULL;
}

/* Faults need each kind of matrix, and more than a few rows, to show. */
static const char *harmless(const assay_shape *s)
{
    return s->param[CHOLESKY_PARAM_BATCH] < 7 || s->param[CHOLESKY_PARAM_N] != 8
               ? "the mistake is shown by seven or more matrices of 8 rows"
               : NULL;
}

static const char *harmless_or_half(const assay_shape *s)
{
    return s->param[CHOLESKY_PARAM_TYPE] == ASSAY_F16 ? "fp16 has no such small numbers"
                                                      : harmless(s);
}

#define WRONG (ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))

const assay_case assay_case_cholesky = {
    .name        = "cholesky",
    .group       = "ops",
    .what        = "batched A = L L' of small symmetric matrices",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(3), ASSAY_Q(8),
                   ASSAY_Q(32), ASSAY_Q(33), ASSAY_Q(64), ASSAY_Q(128), ASSAY_F(16)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(7), ASSAY_Q(33), ASSAY_F(1000), ASSAY_F(16384),
                   ASSAY_F(65536)),
        OPS_TYPE_AXIS,
    },
    .inputs      = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = cholesky_shape,
    .reference   = cholesky_reference,
    .prepare     = cholesky_prepare,
    .compare     = cholesky_compare,
    .invariants  = {
        { "residual",
          "|A - L L'| <= half a step of each factor + 4 sqrt(k + 1) 2^-24 |L| |L'|, element by "
          "element: the rounding of L, and k + 1 independent roundings of a sum of k products",
          cholesky_residual, NULL },
    },
    .excluded    = cholesky_excluded,
    .variants    = {
        { .name   = "block",
          .what   = "a block a matrix, in shared memory",
          .launch = "cholesky_block",
          .tuning = { ASSAY_TUNING("threads", 64, 32, 128, 256, 512, 1024) },
          .flags  = ASSAY_DETERMINISTIC },
        { .name        = "warp",
          .what        = "a warp a matrix, one or two rows a lane; columns of L by shared memory",
          .launch      = "cholesky_warp",
          .baseline    = "block",
          .tuning      = { ASSAY_TUNING("warps", 4, 1, 2, 8) },
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = above_64 },
        { .name      = "cusolver",
          .what      = "potrfBatched, and what is above the diagonal set to 0",
          .launch    = "cholesky_cusolver",
          .workspace = "cholesky_cusolver_workspace",
          .setup     = "cholesky_cusolver_setup",
          .teardown  = "cholesky_cusolver_teardown",
          .baseline  = "block",
          .gpu_only  = "needs cuSOLVER, which has no host device" },
        { .name = "torch_eager", .peer = { "cholesky.py", "eager" }, .baseline = "block" },
        { .name = "torch_compile", .peer = { "cholesky.py", "compile" }, .baseline = "block" },
        { .name        = "unchecked_pivot",
          .what        = "wrong: takes the root of what is on the diagonal, whatever its sign",
          .launch      = "cholesky_unchecked_pivot",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "absolute_threshold",
          .what        = "wrong: a pivot counts as 0 up to 1e-10, whatever the matrix",
          .launch      = "cholesky_absolute_threshold",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
    },
};
