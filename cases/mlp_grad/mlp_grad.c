/* mlp_grad: forward and backward pass of a small fully connected network with a mean-square loss.
 * It compares the gradients of a GPU with those of the CPU, and our kernels with cuBLAS.
 * docs/mlp_grad.md has the mathematics. */
#include "case.h"

#include "../../kernels/mlp_grad/mlp_case.h"

#include <math.h>

assay_reference_fn mlp_grad_reference; /* reference/mlp_grad/mlp_grad.c */
assay_launch_fn    mlp_grad_cpu_ref;   /* kernels/mlp_grad/cpu_ref.c */
assay_launch_fn    mlp_grad_cpu_omp;   /* kernels/mlp_grad/cpu_omp.c */

enum {
    AXIS_BATCH,
    AXIS_SIZES,
    AXIS_DEPTH,
    AXIS_ACTIVATION
};

/* ---- inputs ---- */

static double unit_interval(uint64_t random) { return (double)(random >> 11) * 0x1p-53; }
static double one_to_one(uint64_t random) { return 2 * unit_interval(random) - 1; }

/* The number of inputs of a neuron in the layer that weight i belongs to. */
static int64_t fan_in(int64_t i, const assay_shape *s)
{
    return i < s->param[MLP_PARAM_INPUTS] * s->param[MLP_PARAM_WIDTH] ? s->param[MLP_PARAM_INPUTS]
                                                                      : s->param[MLP_PARAM_WIDTH];
}

/* Variance 3 / n: pre-activations stay near 1, so tanh bends and its slopes differ. */
static double random_weight(uint64_t random, int64_t i, const assay_shape *s)
{
    return 3 / sqrt((double)fan_in(i, s)) * one_to_one(random);
}

/* About four weights of a neuron are 1 or -1, the others 0: sums grow by less than a factor of two
 * a layer, whatever the width. */
static double sparse_weight(uint64_t random, int64_t i, const assay_shape *s)
{
    const uint64_t one_in = (uint64_t)fan_in(i, s) / 4 + 1;

    return random % one_in != 0 ? 0 : random >> 63 ? 1 : -1;
}

/* Weights, biases and inputs of very different sizes: saturated tanh, dead relu, sums that cancel,
 * terms that vanish beside others. */
static double wide_weight(uint64_t random, int64_t i, const assay_shape *s)
{
    return random_weight(random, i, s) * ldexp(4, -(int)(random % 24));
}
static double wide_bias(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)i, (void)s;
    return random % 4 == 0 ? 8 * one_to_one(random) : one_to_one(random) / 1024;
}
static double wide_input(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)i, (void)s;
    return one_to_one(random) * (random % 8 == 0 ? 0x1p-60 : random % 8 == 1 ? 64 : 1);
}

typedef struct fills {
    assay_fill x, target, weights, biases;
} fills;

static fills fills_of(assay_input input)
{
    const fills exact       = { .x       = ASSAY_INTEGERS(-2, 2, 1),
                                .target  = ASSAY_INTEGERS(-4, 4, 1),
                                .weights = ASSAY_CUSTOM(sparse_weight),
                                .biases  = ASSAY_INTEGERS(-1, 1, 1) };
    const fills adversarial = { .x       = ASSAY_CUSTOM(wide_input),
                                .target  = ASSAY_UNIFORM(-16, 16),
                                .weights = ASSAY_CUSTOM(wide_weight),
                                .biases  = ASSAY_CUSTOM(wide_bias) };
    const fills random      = { .x       = ASSAY_UNIFORM(-1, 1),
                                .target  = ASSAY_UNIFORM(-1, 1),
                                .weights = ASSAY_CUSTOM(random_weight),
                                .biases  = ASSAY_UNIFORM(-0.5, 0.5) };

    return input == ASSAY_INPUT_EXACT         ? exact
           : input == ASSAY_INPUT_ADVERSARIAL ? adversarial
                                              : random;
}

/* tanh is exact only at 0. */
static const char *mlp_grad_input_excluded(const assay_value *axis, assay_input input)
{
    if (input == ASSAY_INPUT_EXACT && axis[AXIS_ACTIVATION].i[0] == MLP_TANH)
        return "tanh rounds";
    return NULL;
}

/* ---- shape ---- */

/* Numbers in all weights and in all biases. */
static int64_t count_weights(const int64_t *param)
{
    const int64_t width = param[MLP_PARAM_WIDTH];

    return width * (param[MLP_PARAM_INPUTS] + (param[MLP_PARAM_DEPTH] - 1) * width +
                    param[MLP_PARAM_OUTPUTS]);
}
static int64_t count_biases(const int64_t *param)
{
    return param[MLP_PARAM_DEPTH] * param[MLP_PARAM_WIDTH] + param[MLP_PARAM_OUTPUTS];
}

static void set_buffers(assay_shape *s, const fills *fill)
{
    const int64_t      x       = s->param[MLP_PARAM_BATCH] * s->param[MLP_PARAM_INPUTS];
    const int64_t      y       = s->param[MLP_PARAM_BATCH] * s->param[MLP_PARAM_OUTPUTS];
    const int64_t      weights = count_weights(s->param), biases = count_biases(s->param);
    const assay_buffer buffers[MLP_N_BUFS] = {
        [MLP_BUF_X]         = { "x", ASSAY_IN, ASSAY_F32, x, fill->x },
        [MLP_BUF_TARGET]    = { "target", ASSAY_IN, ASSAY_F32, y, fill->target },
        [MLP_BUF_WEIGHTS]   = { "weights", ASSAY_IN, ASSAY_F32, weights, fill->weights },
        [MLP_BUF_BIASES]    = { "biases", ASSAY_IN, ASSAY_F32, biases, fill->biases },
        [MLP_BUF_Y]         = { .name = "y", ASSAY_OUT, ASSAY_F32, y },
        [MLP_BUF_D_X]       = { .name = "d_x", ASSAY_OUT, ASSAY_F32, x },
        [MLP_BUF_D_WEIGHTS] = { .name = "d_weights", ASSAY_OUT, ASSAY_F32, weights },
        [MLP_BUF_D_BIASES]  = { .name = "d_biases", ASSAY_OUT, ASSAY_F32, biases },
        [MLP_BUF_LOSS]      = { .name = "loss", ASSAY_OUT, ASSAY_F64, 1 },
    };

    for (int b = 0; b < MLP_N_BUFS; b++)
        s->buf[b] = buffers[b];
    s->bytes_read    = 4 * (x + y + weights + biases);
    s->bytes_written = 4 * (x + y + weights + biases) + 8;
}

static void mlp_grad_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *sizes = axis[AXIS_SIZES].i;
    const fills    fill  = fills_of(input);
    const int64_t  batch = axis[AXIS_BATCH].i[0];

    s->param[MLP_PARAM_BATCH]      = batch;
    s->param[MLP_PARAM_INPUTS]     = sizes[0];
    s->param[MLP_PARAM_WIDTH]      = sizes[1];
    s->param[MLP_PARAM_OUTPUTS]    = sizes[2];
    s->param[MLP_PARAM_DEPTH]      = axis[AXIS_DEPTH].i[0];
    s->param[MLP_PARAM_ACTIVATION] = axis[AXIS_ACTIVATION].i[0];
    /* Exact: 2w/N is 1, so the output's delta is y - target. */
    s->scalar[MLP_SCALAR_LOSS_WEIGHT] =
        input == ASSAY_INPUT_EXACT ? (double)(batch * sizes[2]) / 2 : 1.5;
    set_buffers(s, &fill);
    s->cells = batch;
    /* Each weight takes part in three products a sample: forward, and back to both factors. */
    s->flops = 6 * (double)batch * (double)count_weights(s->param);
}

static const char *mlp_grad_excluded(const assay_value *axis)
{
    const int64_t *sizes    = axis[AXIS_SIZES].i;
    const bool     is_small = sizes[0] * sizes[1] <= 128;

    if (axis[AXIS_BATCH].i[0] < 1)
        return "a mean over no samples is not defined";
    if (axis[AXIS_BATCH].tier != axis[AXIS_SIZES].tier)
        return "large batches go with real widths";
    if (axis[AXIS_DEPTH].i[0] != 2 && (!is_small || axis[AXIS_BATCH].i[0] != 33))
        return "depths other than 2 are checked with small networks and one batch";
    return NULL;
}

/* ---- variants ---- */

static const char *fused_unsupported(const assay_shape *s)
{
    for (int i = MLP_PARAM_INPUTS; i <= MLP_PARAM_OUTPUTS; i++)
        if (s->param[i] > 64 || s->param[MLP_PARAM_DEPTH] > 2)
            return "the network must fit into one block's shared memory: extents up to 64, "
                   "depth up to 2";
    return NULL;
}

/* A method of steps reads and writes each matrix of a step once. Forward: the input, the weights
 * and the activation. For a gradient: the delta, the input and the result. Backward: the delta, the
 * weights, the previous layer's activation and the result. */
static int64_t steps_bytes(const assay_shape *s)
{
    const int64_t depth = s->param[MLP_PARAM_DEPTH], batch = s->param[MLP_PARAM_BATCH];
    int64_t       floats = 3 * batch * s->param[MLP_PARAM_OUTPUTS]; /* y, target, delta */

    for (int64_t l = 0; l <= depth; l++) {
        const int64_t n_in  = s->param[l == 0 ? MLP_PARAM_INPUTS : MLP_PARAM_WIDTH];
        const int64_t n_out = s->param[l == depth ? MLP_PARAM_OUTPUTS : MLP_PARAM_WIDTH];

        floats += 3 * (n_in + 1) * n_out + 3 * batch * n_out + (l == 0 ? 3 : 4) * batch * n_in;
    }
    return 4 * floats + 8;
}

/* ---- the loss is the mean square of what was written beside it ---- */

/* (y - t) may be rounded before it is squared (2 u of the square) and after (u/2); 2^-53 N is for
 * the sum in double. */
static assay_invariant_result mean_square(const assay_evidence *e)
{
    const int64_t n = e->shape->buf[MLP_BUF_Y].count;
    const float  *y = e->out[MLP_BUF_Y], *target = e->in[MLP_BUF_TARGET];
    double        sum = 0;

    for (int64_t i = 0; i < n; i++)
        sum += ((double)y[i] - (double)target[i]) * ((double)y[i] - (double)target[i]);
    sum *= e->shape->scalar[MLP_SCALAR_LOSS_WEIGHT] / (double)n;
    return (assay_invariant_result) {
        .value    = *(const double *)e->out[MLP_BUF_LOSS],
        .expected = sum,
        .bound    = sum * (2.5 * ASSAY_U32_ROUNDOFF + (double)n * ASSAY_U64_ROUNDOFF + 0x1p-50),
    };
}

/* ---- the case ---- */

#define WHY                                                                                        \
    "the reference carries the variance of every rounding through both passes; c = 4 deviations, " \
    "each taken as u where it is at most u / sqrt(3), so nearly 7 of them"
#define WHY_LOSS                                                                                   \
    "as for the gradients: 4 deviations of the sum of squares, and the squares of the errors"

const assay_case assay_case_mlp_grad = {
    .name           = "mlp_grad",
    .what           = "gradient of a small MLP with a mean-square loss, fp32",
    .version        = 1,
    .axes           = {
        ASSAY_AXIS("batch", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(31), ASSAY_Q(32),
                   ASSAY_Q(33), ASSAY_Q(129), ASSAY_F(4096)),
        ASSAY_AXIS("sizes", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1), ASSAY_QGRID(3, 31, 2),
                   ASSAY_QGRID(32, 64, 8), ASSAY_QGRID(65, 33, 7), ASSAY_QGRID(5, 66, 257),
                   ASSAY_FGRID(64, 64, 64), ASSAY_FGRID(256, 256, 256),
                   ASSAY_FGRID(1024, 1024, 1024)),
        ASSAY_AXIS("depth", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(2), ASSAY_Q(3)),
        ASSAY_AXIS("activation", ASSAY_AXIS_TEXT, ASSAY_WORD(MLP_TANH, "tanh"),
                   ASSAY_WORD(MLP_RELU, "relu")),
    },
    .inputs         = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = mlp_grad_shape,
    .reference      = mlp_grad_reference,
    .excluded       = mlp_grad_excluded,
    .input_excluded = mlp_grad_input_excluded,
    .tol            = { .rule   = ASSAY_RULE_BOUND,
                        .c      = MLP_TOLERANCE_C,
                        .u_out  = ASSAY_U32_ROUNDOFF,
                        .u_acc  = ASSAY_U32_ROUNDOFF,
                        .growth = ASSAY_G_ONE,
                        .why    = WHY },
    .tol_for        = {
        { "loss", { .rule = ASSAY_RULE_BOUND, .c = MLP_TOLERANCE_C, .u_out = ASSAY_U64_ROUNDOFF,
                    .u_acc = ASSAY_U32_ROUNDOFF, .growth = ASSAY_G_ONE, .why = WHY_LOSS } },
    },
    .invariants     = {
        { "mean_square", "the loss is the weighted mean square of y - target as written",
          mean_square, NULL },
    },
    .variants       = {
        { .name = "cpu_ref", .cpu = mlp_grad_cpu_ref, .flags = ASSAY_IS_REFERENCE },
        { .name = "cpu_omp", .cpu = mlp_grad_cpu_omp, .flags = ASSAY_THREADED },
        { .name        = "naive",
          .launch      = "mlp_grad_naive",
          .workspace   = "mlp_grad_naive_workspace",
          .baseline    = "cublas",
          .tuning      = { ASSAY_TUNING("block", 256, 128, 512) },
          .flags       = ASSAY_DETERMINISTIC,
          .bytes_moved = steps_bytes },
        { .name        = "tiled",
          .launch      = "mlp_grad_tiled",
          .workspace   = "mlp_grad_tiled_workspace",
          .baseline    = "cublas",
          .tuning      = { ASSAY_TUNING("wide_from", 132, 1, 66, 1 << 30), ASSAY_TUNING("blocks", 264, 132, 528) },
          .flags       = ASSAY_DETERMINISTIC,
          .bytes_moved = steps_bytes },
        { .name        = "cublas",
          .launch      = "mlp_grad_cublas",
          .workspace   = "mlp_grad_cublas_workspace",
          .setup       = "mlp_grad_cublas_setup",
          .teardown    = "mlp_grad_cublas_teardown",
          .gpu_only    = "needs cuBLAS, which has no host device",
          .bytes_moved = steps_bytes },
        { .name        = "fused",
          .launch      = "mlp_grad_fused",
          .workspace   = "mlp_grad_fused_workspace",
          .baseline    = "cublas",
          .tuning      = { ASSAY_TUNING("blocks", 132, 66, 264) },
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = fused_unsupported },
    },
};
