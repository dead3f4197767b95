/* eigen: A = V diag(w) V', for batches of small symmetric matrices. docs/linear_solve.md has the
 * definition and the tolerance. */
#include "../ops.h"
#include "eigen_inputs.h"
#include "eigen_judge.h"

assay_reference_fn eigen_reference; /* reference/eigen/eigen.c */

enum {
    AXIS_N,
    AXIS_BATCH,
    AXIS_TYPE
};

/* ---- shape ---- */

static void eigen_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t    n = axis[AXIS_N].i[0], batch = axis[AXIS_BATCH].i[0];
    const assay_type type = ops_type(&axis[AXIS_TYPE]);
    const int64_t    size = (int64_t)assay_type_size(type);
    const int64_t    n_w = batch * n, n_a = batch * n * n;

    s->param[EIGEN_PARAM_N]     = n;
    s->param[EIGEN_PARAM_BATCH] = batch;
    s->param[EIGEN_PARAM_TYPE]  = type;
    s->param[EIGEN_PARAM_INPUT] = input;
    s->buf[EIGEN_BUF_A]         = (assay_buffer) { "a", ASSAY_IN, type, n_a, ASSAY_UNIFORM(-1, 1) };
    s->buf[EIGEN_BUF_W]         = (assay_buffer) { .name = "w", ASSAY_OUT, type, .count = n_w };
    s->buf[EIGEN_BUF_V]         = (assay_buffer) { .name = "v", ASSAY_OUT, type, .count = n_a };
    s->cells                    = batch;
    /* By reflections, which need the fewest: 4/3 n^3 to a tridiagonal matrix, the same for its
     * vectors, and 6 n^3 for rotating V in each of two steps for each eigenvalue. */
    s->flops         = (double)batch * (double)(n * n * n) * 26 / 3;
    s->bytes_read    = n_a * size;
    s->bytes_written = (n_w + n_a) * size;
}

static const char *eigen_excluded(const assay_value *axis)
{
    const int64_t    n        = axis[AXIS_N].i[0];
    const assay_type type     = ops_type(&axis[AXIS_TYPE]);
    const bool       is_quick = axis[AXIS_BATCH].tier == ASSAY_QUICK;

    if (n < 1 || n > EIGEN_MAX_N)
        return "matrices have 1 to 32 rows";
    if (is_quick ? axis[AXIS_N].tier == ASSAY_FULL : n % 16 != 0)
        return "edge sizes go with small batches";
    if (axis[AXIS_BATCH].i[0] * n * n > (int64_t)1 << 27)
        return "more than 128 Mi numbers";
    if (axis[AXIS_BATCH].i[0] == 0 && n != 8)
        return "an empty batch is checked with 8 rows only";
    if (is_quick && axis[AXIS_BATCH].i[0] == 1 && n != 32)
        return "a batch of one is checked with the largest matrices, and they with it";
    if (is_quick && axis[AXIS_BATCH].i[0] == 33 && (n != 32 || type != ASSAY_F32))
        return "the batch that 16 bits cannot count is checked once";
    if (is_quick && type != ASSAY_F32 && n != 8 && n != 32)
        return "types differ only in loading and storing: not each edge size is checked for each "
               "type";
    return NULL;
}

/* ---- variants ---- */

/* Faults need each kind of matrix, and more than a few rows, to show. */
static const char *harmless(const assay_shape *s)
{
    return s->param[EIGEN_PARAM_BATCH] < 10 || s->param[EIGEN_PARAM_N] != 8
               ? "the mistake is shown by ten or more matrices of 8 rows"
               : NULL;
}

static const char *harmless_or_half(const assay_shape *s)
{
    return s->param[EIGEN_PARAM_TYPE] == ASSAY_F16 ? "fp16 has no numbers as small as 2^-80"
           : s->param[EIGEN_PARAM_BATCH] > EIGEN_SCALED_BATCH
               ? "larger batches contain no scaled matrix"
               : harmless(s);
}

#define WRONG ASSAY_BIT(WRONG_VALUE)

static bool has_one_row(const assay_value *axis) { return axis[AXIS_N].i[0] == 1; }

static const assay_waiver waivers[] = {
    { "v", ASSAY_CORRUPT_SIGN, "signs of vectors are free, and a vector of one row is its sign",
      has_one_row },
    { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
};

const assay_case assay_case_eigen = {
    .name        = "eigen",
    .group       = "ops",
    .what        = "batched A = V diag(w) V' of small symmetric matrices",
    .version     = 1,
    .axes        = {
        ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(2), ASSAY_Q(3), ASSAY_Q(8), ASSAY_Q(32),
                   ASSAY_F(16)),
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(10), ASSAY_Q(33),
                   ASSAY_F(1000), ASSAY_F(16384)),
        OPS_TYPE_AXIS,
    },
    .inputs      = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input = ASSAY_INPUT_RANDOM,
    .shape       = eigen_shape,
    .reference   = eigen_reference,
    .prepare     = eigen_prepare,
    .compare     = eigen_compare,
    .waivers     = waivers,
    .invariants  = {
        { "values",
          "|w - w of the reference| <= half a step of w + 48 n 2^-24 |A|: A is changed by 16 n "
          "rotations, each of at most 3 roundings, and no eigenvalue moves further than A (Weyl)",
          eigen_values, NULL },
        { "residual",
          "of each vector |A v - w v| <= half a step of v and of w + 48 n 2^-24 |A|: as above",
          eigen_residual, NULL },
        { "orthogonality",
          "|V'V - 1| <= half a step of both columns + 48 n 2^-24: what rotations round, V "
          "loses, however near to each other eigenvalues are",
          eigen_orthogonality, NULL },
    },
    .excluded    = eigen_excluded,
    .variants    = {
        { .name   = "jacobi",
          .what   = "Jacobi's rotations in registers, a lane a row: neighbours rotate and change places",
          .launch = "eigen_jacobi",
          .flags  = ASSAY_DETERMINISTIC },
        { .name     = "cusolver",
          .what     = "cuSOLVER's syevjBatched, between kernels that scale and convert",
          .launch   = "eigen_cusolver",
          .workspace = "eigen_cusolver_workspace",
          .setup    = "eigen_cusolver_setup",
          .teardown = "eigen_cusolver_teardown",
          .baseline = "jacobi",
          .gpu_only = "needs cuSOLVER, which has no host device" },
        { .name = "torch_eager", .peer = { "eigen.py", "eager" }, .baseline = "jacobi" },
        { .name = "torch_compile", .peer = { "eigen.py", "compile" }, .baseline = "jacobi" },
        { .name        = "few_sweeps",
          .what        = "wrong: two sweeps, whatever is left beside the diagonal",
          .launch      = "eigen_few_sweeps",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "absolute_tolerance",
          .what        = "wrong: takes what is below 1e-6 for 0, however small the matrix is",
          .launch      = "eigen_absolute_tolerance",
          .unsupported = harmless_or_half,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "unsorted",
          .what        = "wrong: leaves eigenvalues in the order in which rotations end",
          .launch      = "eigen_unsorted",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
        { .name        = "unsorted_vectors",
          .what        = "wrong: sorts eigenvalues, and leaves vectors where they were",
          .launch      = "eigen_unsorted_vectors",
          .unsupported = harmless,
          .expect      = OPS_MUST_FAIL(WRONG) },
    },
};
