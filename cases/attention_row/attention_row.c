/* attention_row: scaled dot-product attention and its gradient. Where do a running maximum, a mask,
 * a scale and a narrow sum go wrong, and how close is plain fp32 to PyTorch? docs/attention_row.md
 * has the mathematics. */
#include "../ops.h"
#include "attention_inputs.h"

#include "../../kernels/attention_row/attention_case.h"

#include <math.h>

assay_reference_fn attention_row_reference; /* reference/attention_row/attention_row.c */

enum {
    AXIS_PASS,
    AXIS_TYPE,
    AXIS_MASK,
    AXIS_HEADS, /* batch, heads of each, size of a head */
    AXIS_LENGTH /* queries, keys, 1 */
};

enum {
    FORWARD,
    BACKWARD
};

/* Bits: a causal mask, a bias on the keys. */
enum {
    NONE   = 0,
    CAUSAL = 1,
    KEYS   = 2
};

/* ---- shape ---- */

/* Pairs of a query and a key that it sees, in one head. */
static int64_t pairs_of(const assay_shape *s)
{
    const int64_t n_q = s->param[ATTN_PARAM_QUERIES], n_k = s->param[ATTN_PARAM_KEYS];
    const int64_t rising =
        n_q < n_k ? n_q : n_k; /* rows that see one key more than the previous row */

    return s->param[ATTN_PARAM_IS_CAUSAL] ? rising * (rising + 1) / 2 + (n_q - rising) * n_k
                                          : n_q * n_k;
}

static void set_buffers(assay_shape *s, const fills *fill)
{
    const assay_type type = (assay_type)s->param[ATTN_PARAM_TYPE];
    const int64_t    size = (int64_t)assay_type_size(type), batch = s->param[ATTN_PARAM_BATCH];
    const int64_t    heads = batch * s->param[ATTN_PARAM_HEADS] * s->param[ATTN_PARAM_SIZE];
    const int64_t    n_q   = heads * s->param[ATTN_PARAM_QUERIES],
                  n_k      = heads * s->param[ATTN_PARAM_KEYS];
    const int64_t back     = s->param[ATTN_PARAM_HAS_BACKWARD];
    const int64_t bias     = s->param[ATTN_PARAM_HAS_BIAS] * batch * s->param[ATTN_PARAM_KEYS];

    s->buf[ATTN_BUF_Q] = (assay_buffer) { "q", ASSAY_IN, type, n_q, fill->q };
    s->buf[ATTN_BUF_K] = (assay_buffer) { "k", ASSAY_IN, type, n_k, fill->k };
    s->buf[ATTN_BUF_V] = (assay_buffer) { "v", ASSAY_IN, type, n_k, fill->v };
    s->buf[ATTN_BUF_BIAS] =
        (assay_buffer) { "bias", ASSAY_IN, ASSAY_F32, bias, ASSAY_CUSTOM(key_bias) };
    s->buf[ATTN_BUF_D_OUT] = (assay_buffer) { "d_out", ASSAY_IN, type, back * n_q, fill->d_out };
    s->buf[ATTN_BUF_OUT]   = (assay_buffer) { .name = "out", ASSAY_OUT, type, n_q };
    s->buf[ATTN_BUF_D_Q]   = (assay_buffer) { .name = "d_q", ASSAY_OUT, type, back * n_q };
    s->buf[ATTN_BUF_D_K]   = (assay_buffer) { .name = "d_k", ASSAY_OUT, type, back * n_k };
    s->buf[ATTN_BUF_D_V]   = (assay_buffer) { .name = "d_v", ASSAY_OUT, type, back * n_k };
    s->bytes_read          = size * (n_q + 2 * n_k + back * n_q) + 4 * bias;
    s->bytes_written       = size * (n_q + back * (n_q + 2 * n_k));
}

static void attention_row_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *heads = axis[AXIS_HEADS].i, *length = axis[AXIS_LENGTH].i;
    const int64_t  mask = axis[AXIS_MASK].i[0];
    const fills    fill = fills_of(input);

    s->param[ATTN_PARAM_TYPE]         = ops_type(&axis[AXIS_TYPE]);
    s->param[ATTN_PARAM_BATCH]        = heads[0];
    s->param[ATTN_PARAM_HEADS]        = heads[1];
    s->param[ATTN_PARAM_SIZE]         = heads[2];
    s->param[ATTN_PARAM_QUERIES]      = length[0];
    s->param[ATTN_PARAM_KEYS]         = length[1];
    s->param[ATTN_PARAM_IS_CAUSAL]    = (mask & CAUSAL) != 0;
    s->param[ATTN_PARAM_HAS_BIAS]     = (mask & KEYS) != 0;
    s->param[ATTN_PARAM_HAS_BACKWARD] = axis[AXIS_PASS].i[0] == BACKWARD;
    s->scalar[ATTN_SCALAR_SCALE]      = (double)(float)(1 / sqrt((double)heads[2]));
    set_buffers(s, &fill);
    s->cells = heads[0] * heads[1] * pairs_of(s);
    /* Forward: two products. Backward: four, and the scores once more, since nothing of them was
     * kept. */
    s->flops =
        (double)s->cells * (double)heads[2] * (4 + 10 * (double)s->param[ATTN_PARAM_HAS_BACKWARD]);
}

/* ---- points ---- */

/* Chosen quick ones: on the host device each costs tenths of a second. */
enum {
    F32    = 1, /* places on the axis of types */
    F16    = 2,
    BF16   = 4,
    NARROW = F16 | BF16,
    ALL    = F32 | NARROW,
    ONLY   = 1 << NONE,
    TOP    = 1 << CAUSAL,
    LEFT   = 1 << KEYS,
    BOTH   = 1 << (CAUSAL | KEYS)
};
static const struct quick_point {
    int64_t batch, size, n_q, n_k;
    int     types, forward, backward; /* bits of types, and of masks by pass */
} quick_points[] = {
    { 2, 64, 1, 1, F32, ONLY, ONLY },    { 1, 64, 5, 0, F32, ONLY, ONLY },
    { 1, 64, 127, 1, F32, TOP, 0 },      { 2, 64, 31, 33, ALL, BOTH, BOTH },
    { 1, 64, 33, 129, NARROW, LEFT, 0 }, { 1, 64, 129, 65, F32, TOP, 0 },
    { 1, 64, 129, 5, F32, 0, TOP },      { 2, 64, 5, 129, F32, 0, ONLY },
    { 1, 128, 33, 65, F32, ONLY, TOP },  { 1, 128, 33, 65, BF16, TOP, 0 },
    { 2, 40, 31, 33, F32, LEFT, ONLY },
};

static bool is_quick(const assay_value *axis)
{
    const int64_t *heads = axis[AXIS_HEADS].i, *length = axis[AXIS_LENGTH].i;
    const bool     is_back = axis[AXIS_PASS].i[0] == BACKWARD;

    for (size_t i = 0; i < sizeof quick_points / sizeof *quick_points; i++) {
        const struct quick_point *p     = &quick_points[i];
        const int                 masks = is_back ? p->backward : p->forward;

        if (p->batch == heads[0] && p->size == heads[2] && p->n_q == length[0] &&
            p->n_k == length[1] && p->types >> axis[AXIS_TYPE].i[0] & 1 &&
            masks >> axis[AXIS_MASK].i[0] & 1)
            return true;
    }
    return false;
}

/* As many pairs of queries and keys as a reference in double does in seconds. */
enum {
    MAX_PAIRS  = 1 << 29,
    MAX_LENGTH = 65535 * 64,
    /* The numbers of q up to which faults are shown, since the reasons need more than random
     * input. */
    FEW_NUMBERS = 1 << 13
};

static const char *attention_row_excluded(const assay_value *axis)
{
    const int64_t *heads = axis[AXIS_HEADS].i, *length = axis[AXIS_LENGTH].i;
    const int64_t  pairs   = heads[0] * heads[1] * length[0] * length[1];
    const bool     is_back = axis[AXIS_PASS].i[0] == BACKWARD;

    if (heads[2] < 1 || heads[2] > ATTN_MAX_SIZE || length[2] != 1 || heads[0] < 1 || heads[1] < 1)
        return "heads are BATCHxHEADSxSIZE with sizes up to 256, lengths QUERIESxKEYSx1";
    if (length[0] > MAX_LENGTH || length[1] > MAX_LENGTH)
        return "up to 4194240 queries and keys, 65535 tiles of 64";
    if (axis[AXIS_HEADS].tier != axis[AXIS_LENGTH].tier)
        return "few heads go with short sequences";
    if (axis[AXIS_HEADS].tier == ASSAY_QUICK)
        return is_quick(axis) ? NULL : "this combination of small sizes is not among those chosen";
    if (axis[AXIS_MASK].i[0] & KEYS || ops_type(&axis[AXIS_TYPE]) == ASSAY_F16)
        return "large sizes are checked in f32 and bf16, without a mask of keys";
    return pairs > MAX_PAIRS / (is_back ? 2 : 1) ? "too long for a reference in double" : NULL;
}

static const char *attention_row_input_excluded(const assay_value *axis, assay_input input)
{
    const int64_t *heads    = axis[AXIS_HEADS].i;
    const bool     is_large = heads[0] * heads[1] * heads[2] * axis[AXIS_LENGTH].i[0] > FEW_NUMBERS;

    if (input == ASSAY_INPUT_INDEXED && axis[AXIS_PASS].i[0] == BACKWARD)
        return "every query sees one key, so that nothing depends on scores";
    return input != ASSAY_INPUT_RANDOM && axis[AXIS_HEADS].tier == ASSAY_FULL && is_large
               ? "the reference of a large size takes seconds"
               : NULL;
}

/* ---- variants ---- */

static const char *too_large(const assay_shape *s)
{
    return s->buf[ATTN_BUF_Q].count > FEW_NUMBERS || s->buf[ATTN_BUF_Q].count == 0
               ? "the mistake is shown at small sizes"
               : NULL;
}
/* Wrong forward passes are shown where this is NULL. */
static const char *elsewhere(const assay_shape *s)
{
    return s->param[ATTN_PARAM_HAS_BACKWARD] ? "the mistake is shown by the forward pass only"
                                             : too_large(s);
}
static const char *no_key(const assay_shape *s)
{
    return s->param[ATTN_PARAM_KEYS] == 0 ? "nothing is computed where there is no key"
                                          : elsewhere(s);
}
static const char *no_bias(const assay_shape *s)
{
    return !s->param[ATTN_PARAM_HAS_BIAS] ? "without a mask of keys" : elsewhere(s);
}
static const char *one_key(const assay_shape *s)
{
    return s->param[ATTN_PARAM_KEYS] < 2 ? "a single key has the weight 1 whatever its score"
                                         : elsewhere(s);
}
static const char *not_causal(const assay_shape *s)
{
    return !s->param[ATTN_PARAM_IS_CAUSAL] ? "without a causal mask" : one_key(s);
}
static const char *short_sum(const assay_shape *s)
{
    if (s->param[ATTN_PARAM_TYPE] == ASSAY_F32)
        return "fp32 holds sums in fp32";
    return s->param[ATTN_PARAM_KEYS] < 127 || s->param[ATTN_PARAM_IS_CAUSAL] || s->cells > 1 << 20
               ? "some rows have too few keys for it, or it takes too long"
               : NULL;
}
static const char *forward_alone(const assay_shape *s)
{
    return !s->param[ATTN_PARAM_HAS_BACKWARD] ? "the forward pass has no such step"
           : s->param[ATTN_PARAM_KEYS] == 0   ? "nothing is computed where there is no key"
                                              : too_large(s);
}
static const char *no_gradient(const assay_shape *s)
{
    return !s->param[ATTN_PARAM_HAS_BACKWARD] ? "the forward pass adds nothing by atomics" : NULL;
}
static const char *other_sizes(const assay_shape *s)
{
    return s->param[ATTN_PARAM_SIZE] != 64 && s->param[ATTN_PARAM_SIZE] != 128
               ? "only heads of 64 and 128 have tiles"
               : NULL;
}

static const char *not_narrow(const assay_shape *s)
{
    return s->param[ATTN_PARAM_TYPE] == ASSAY_F32 ? "for 16-bit types only" : other_sizes(s);
}

#define WRONG(fault, text, when)                                                                   \
    {                                                                                              \
        .name = #fault, .what = text, .launch = "attention_row_" #fault,                           \
        .workspace = "attention_row_workspace", .unsupported = when,                               \
        .expect = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE) | ASSAY_BIT(NOT_FINITE))                    \
    }
#define PEER(word, text)                                                                           \
    {                                                                                              \
        .name = word, .what = text, .peer = { "attention_row.py", word }, .baseline = "tiled"      \
    }

/* ---- the case ---- */

#define WHY                                                                                        \
    "the reference carries to first order the errors of scores, exponentials, weights rounded to " \
    "16 bits, and sums of n terms as sqrt(n) u; c = 2"

static bool is_f16_back(const assay_value *axis)
{
    return axis[AXIS_PASS].i[0] == BACKWARD && ops_type(&axis[AXIS_TYPE]) == ASSAY_F16;
}

static const assay_waiver waivers[] = {
    { "d_q", ASSAY_CORRUPT_PRECISION,
      "weights and their gradients are rounded to f16 on the way, and terms cancel: the bound is a "
      "30th of a usual element, and bf16 rounds by a 256th at most",
      is_f16_back },
    { NULL, ASSAY_N_CORRUPTIONS, NULL, NULL },
};

const assay_case assay_case_attention_row = {
    .name    = "attention_row",
    .group   = "ops",
    .what    = "scaled dot-product attention, forward and backward, with causal and key masks",
    .version = 1,
    .axes    = {
        [AXIS_PASS]   = ASSAY_AXIS("pass", ASSAY_AXIS_TEXT, ASSAY_WORD(FORWARD, "forward"),
                                   ASSAY_WORD(BACKWARD, "backward")),
        [AXIS_TYPE]   = OPS_TYPE_AXIS,
        [AXIS_MASK]   = ASSAY_AXIS("mask", ASSAY_AXIS_TEXT, ASSAY_WORD(NONE, "none"),
                                   ASSAY_WORD(CAUSAL, "causal"), ASSAY_WORD(KEYS, "keys"),
                                   ASSAY_WORD(CAUSAL | KEYS, "causal_keys")),
        [AXIS_HEADS]  = ASSAY_AXIS("heads", ASSAY_AXIS_GRID, ASSAY_QGRID(2, 2, 64),
                                   ASSAY_QGRID(1, 2, 64), ASSAY_QGRID(1, 2, 128), ASSAY_QGRID(2, 2, 40),
                                   ASSAY_FGRID(4, 16, 64), ASSAY_FGRID(4, 16, 128),
                                   ASSAY_FGRID(1, 8, 64), ASSAY_FGRID(1, 8, 128)),
        [AXIS_LENGTH] = ASSAY_AXIS("length", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1),
                                   ASSAY_QGRID(5, 0, 1), ASSAY_QGRID(127, 1, 1),
                                   ASSAY_QGRID(31, 33, 1), ASSAY_QGRID(129, 65, 1),
                                   ASSAY_QGRID(33, 129, 1), ASSAY_QGRID(33, 65, 1), ASSAY_QGRID(129, 5, 1), ASSAY_QGRID(5, 129, 1), ASSAY_FGRID(512, 512, 1),
                                   ASSAY_FGRID(2048, 2048, 1), ASSAY_FGRID(8192, 8192, 1)),
    },
    .inputs         = ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(INDEXED) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = attention_row_shape,
    .reference      = attention_row_reference,
    .excluded       = attention_row_excluded,
    .input_excluded = attention_row_input_excluded,
    .tol            = { .rule   = ASSAY_RULE_BOUND,
                        .c      = 2,
                        .u_out  = ASSAY_U_OF_TYPE,
                        .u_acc  = ASSAY_U32_ROUNDOFF,
                        .growth = ASSAY_G_ONE,
                        .why    = WHY },
    .waivers        = waivers,
    .variants       = {
        { .name      = "row",
          .what      = "a warp a row, a key a lane; backward a warp a row and a warp a key",
          .launch    = "attention_row_plain",
          .workspace = "attention_row_workspace",
          .tuning    = { ASSAY_TUNING("block", 256, 128, 512, 1024) },
          .flags     = ASSAY_DETERMINISTIC },
        { .name        = "row_atomic",
          .what        = "backward by rows alone: gradients of keys and values are added by atomics",
          .launch      = "attention_row_atomic",
          .workspace   = "attention_row_atomic_workspace",
          .baseline    = "row",
          .tuning      = { ASSAY_TUNING("block", 256, 128, 512, 1024) },
          .unsupported = no_gradient },
        { .name        = "tiled",
          .what        = "128 rows a block, 8 keys x 8 rows a thread in registers, tiles by cp.async",
          .launch      = "attention_row_tiled",
          .workspace   = "attention_row_workspace",
          .baseline    = "row",
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = other_sizes },
        { .name        = "tensor",
          .what        = "128 rows a block, by tensor cores, weights from registers to registers",
          .launch      = "attention_row_tensor",
          .workspace   = "attention_row_workspace",
          .baseline    = "tiled",
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = not_narrow },
        WRONG(max_from_zero, "the running maximum begins at 0: very negative scores are all 0", no_key),
        WRONG(masked_row_nan, "a row without a key is 0 / 0", no_bias),
        WRONG(sees_next_key, "the causal mask is off by one: a query sees the key after it", not_causal),
        WRONG(scale_forgotten, "scores are not divided by the root of the head's size", one_key),
        WRONG(scale_after_bias, "the scale is applied to the sum of score and bias", no_bias),
        WRONG(half_sum, "sums over keys are kept in the type of the buffers", short_sum),
        WRONG(delta_forgotten, "backward, the weighted mean of dP is not taken off", forward_alone),
        PEER("torch_eager", "scaled_dot_product_attention as PyTorch chooses; before 2.0 spelled out"),
        PEER("torch_math", "PyTorch's own operations one by one"),
        PEER("torch_efficient", "PyTorch's memory-efficient kernel"),
        PEER("torch_flash", "PyTorch's flash kernel: 16 bits"),
        PEER("torch_compile", "the definition spelled out, compiled"),
        PEER("triton", "a forward kernel of our own in Triton"),
    },
};
