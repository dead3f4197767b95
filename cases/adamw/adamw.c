/* adamw: steps of the optimizer, with 32-bit and 16-bit parameters, with and without master
 * weights, at any place in memory. Variants that must fail have an eps in the wrong place, moments
 * that are too narrow, or forgotten master weights. docs/adamw.md has the mathematics. */
#include "../ops.h"

#include "../../kernels/adamw/adamw_case.h"

#include <math.h>

assay_reference_fn adamw_reference; /* reference/adamw/adamw.c */

enum {
    AXIS_N,
    AXIS_TYPE,
    AXIS_MASTER,
    AXIS_OFFSET,
    AXIS_STEPS
};

/* One of the wrong variants is wrong only from this size on: small tests would not find it. */
enum {
    LARGE_FROM = 1024
};

/* ---- inputs ---- */

static double tiny(uint64_t random)
{
    return pow(10, -10 + 4 * ops_unit(random << 1)) * (random >> 63 ? 1 : -1);
}

/* Where sqrt(v) is about eps, so that a misplaced eps shows most. These are the last elements, so
 * that every tail has one. */
static bool is_last(int64_t i, const assay_shape *s)
{
    return i >= s->param[ADAMW_OFFSET] + s->param[ADAMW_N] - 4;
}

static double tiny_gradient(uint64_t random, int64_t i, const assay_shape *s)
{
    return is_last(i % s->param[ADAMW_STRIDE], s) ? 5e-9 : tiny(random);
}

/* Half of the elements are at their very first step. */
static double tiny_m(uint64_t random, int64_t i, const assay_shape *s)
{
    return is_last(i, s) ? 1e-9 : i % 2 ? 0 : tiny(random) / 10;
}
static double tiny_v(uint64_t random, int64_t i, const assay_shape *s)
{
    const double root = tiny(random);

    return is_last(i, s) ? 1e-19 : i % 2 ? 0 : root * root / 1000;
}
/* Half of the parameters are so large that one step is lost in a 16-bit type. */
static double mixed_p(uint64_t random, int64_t i, const assay_shape *s)
{
    const double size = is_last(i, s) || i % 2 ? 1e-3 : 1;

    return (random & 1 ? size : -size) * (1 + ops_unit(random));
}

/* |g| + 1, with eps = 1, is a power of two. */
static double exact_gradient(uint64_t random, int64_t i, const assay_shape *s)
{
    static const double value[] = { 0, 1, -1, 3, -3, 7, -7, 15 };

    (void)i, (void)s;
    return value[random >> 61];
}

/* Random: weights of the usual size, for which one step shows in every type. */
typedef struct fills {
    assay_fill p, g, m, v;
} fills;

static fills fills_of(assay_input input)
{
    const fills exact       = { ASSAY_INTEGERS(-64, 64, 1), ASSAY_CUSTOM(exact_gradient),
                                ASSAY_INTEGERS(0, 0, 1), ASSAY_INTEGERS(0, 0, 1) };
    const fills adversarial = { ASSAY_CUSTOM(mixed_p), ASSAY_CUSTOM(tiny_gradient),
                                ASSAY_CUSTOM(tiny_m), ASSAY_CUSTOM(tiny_v) };
    const fills random      = { ASSAY_UNIFORM(-0x1p-6, 0x1p-6), ASSAY_UNIFORM(-0.01, 0.01),
                                ASSAY_UNIFORM(-0.01, 0.01), ASSAY_UNIFORM(1e-6, 1e-5) };

    return input == ASSAY_INPUT_EXACT         ? exact
           : input == ASSAY_INPUT_ADVERSARIAL ? adversarial
                                              : random;
}

/* The usual values; or dyadic numbers that make the first step exact. */
static void set_scalars(assay_shape *s, assay_input input)
{
    const bool is_exact = input == ASSAY_INPUT_EXACT;

    s->scalar[ADAMW_LR]        = is_exact ? 0.5 : 1e-3;
    s->scalar[ADAMW_BETA1]     = is_exact ? 0.5 : 0.9;
    s->scalar[ADAMW_BETA2]     = is_exact ? 0.75 : 0.999;
    s->scalar[ADAMW_EPS]       = is_exact ? 1 : 1e-8;
    s->scalar[ADAMW_DECAY]     = is_exact ? 0.25 : 1e-2;
    s->param[ADAMW_FIRST_STEP] = input == ASSAY_INPUT_RANDOM ? 10 : 1;
}

static const char *adamw_input_excluded(const assay_value *axis, assay_input input)
{
    if (input == ASSAY_INPUT_EXACT && axis[AXIS_STEPS].i[0] > 1)
        return "the corrections of the second step are not exact";
    return NULL;
}

/* The parameters used in the computation are the rounded master weights. */
static void round_some(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_prepare_args *args = context;

    (void)chunk;
    for (int64_t i = begin; i < end; i++)
        assay_type_store((assay_type)args->param[ADAMW_TYPE], args->in[ADAMW_P], i,
                         assay_type_load(ASSAY_F32, args->in[ADAMW_MASTER], i));
}

static void adamw_prepare(const assay_prepare_args *args)
{
    assay_prepare_args copy = *args;

    args->parallel_for(args->count[ADAMW_MASTER], 1 << 16, round_some, &copy);
}

/* ---- shape ---- */

static void set_buffers(assay_shape *s, const fills *fill)
{
    const assay_type type  = (assay_type)s->param[ADAMW_TYPE];
    const int64_t    count = s->param[ADAMW_OFFSET] + s->param[ADAMW_N];
    const int64_t    all_g = s->param[ADAMW_STRIDE] * s->param[ADAMW_STEPS];
    const int64_t    wide  = s->param[ADAMW_HAS_MASTER] ? count : 0;

    s->buf[ADAMW_P]      = (assay_buffer) { "p", ASSAY_INOUT, type, count, fill->p };
    s->buf[ADAMW_G]      = (assay_buffer) { "g", ASSAY_IN, type, all_g, fill->g };
    s->buf[ADAMW_M]      = (assay_buffer) { "m", ASSAY_INOUT, ASSAY_F32, count, fill->m };
    s->buf[ADAMW_V]      = (assay_buffer) { "v", ASSAY_INOUT, ASSAY_F32, count, fill->v };
    s->buf[ADAMW_MASTER] = (assay_buffer) { "master", ASSAY_INOUT, ASSAY_F32, wide, fill->p };
}

static void adamw_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const fills      fill = fills_of(input);
    const int64_t    n = axis[AXIS_N].i[0], steps = axis[AXIS_STEPS].i[0];
    const assay_type type = ops_type(&axis[AXIS_TYPE]);
    const int64_t    size = (int64_t)assay_type_size(type), has_master = axis[AXIS_MASTER].i[0];
    const int64_t    read = has_master ? size + 12 : 2 * size + 8;

    set_scalars(s, input);
    s->param[ADAMW_TYPE]       = type;
    s->param[ADAMW_HAS_MASTER] = has_master;
    s->param[ADAMW_N]          = n;
    s->param[ADAMW_OFFSET]     = axis[AXIS_OFFSET].i[0];
    s->param[ADAMW_STEPS]      = steps;
    s->param[ADAMW_STRIDE]     = (n + s->param[ADAMW_OFFSET] + 7) / 8 * 8;
    set_buffers(s, &fill);
    s->cells         = n * steps;
    s->flops         = 14.0 * (double)n * (double)steps;
    s->bytes_read    = read * n * steps;
    s->bytes_written = (size + 8 + 4 * has_master) * n * steps;
}

enum {
    MANY = 4 * 32768 + 13 /* 16 bits cannot count its vectors of four */
};

static const char *adamw_excluded(const assay_value *axis)
{
    const bool is_narrow = ops_type(&axis[AXIS_TYPE]) != ASSAY_F32;

    if (axis[AXIS_N].i[0] == MANY &&
        (is_narrow || axis[AXIS_STEPS].i[0] > 1 || axis[AXIS_OFFSET].i[0]))
        return "so many elements are checked in fp32, for one step and without an offset";

    if (axis[AXIS_MASTER].i[0] && !is_narrow)
        return "parameters in fp32 are their own master weights";
    if (axis[AXIS_STEPS].i[0] > 1 && is_narrow && !axis[AXIS_MASTER].i[0])
        return "parameters that are rounded in each step are compared after one";
    if (axis[AXIS_STEPS].i[0] > 1 && (axis[AXIS_N].tier == ASSAY_FULL || axis[AXIS_OFFSET].i[0]))
        return "arrays of real size, and those with an offset, take one step";
    return NULL;
}

/* ---- where wrong variants are right ---- */

static const char *no_edge(const assay_shape *s)
{
    const int64_t begin = s->param[ADAMW_OFFSET], end = begin + s->param[ADAMW_N];

    if (s->param[ADAMW_TYPE] != ASSAY_F32)
        return "it is the kernel for fp32";
    return begin == end                     ? "an empty array cannot show the mistake"
           : end % 4 == 0 && begin % 4 == 0 ? "vectors of four cover the whole array"
                                            : NULL;
}

static const char *is_small(const assay_shape *s)
{
    if (s->param[ADAMW_TYPE] == ASSAY_F32)
        return "it is the kernel for types of 16 bits";
    return s->param[ADAMW_N] < LARGE_FROM ? "the mistake is shown from 1024 elements on" : NULL;
}

static const char *nothing(const assay_shape *s)
{
    return s->param[ADAMW_N] == 0 ? "an empty array cannot show the mistake" : NULL;
}

static const char *no_master(const assay_shape *s)
{
    return s->param[ADAMW_HAS_MASTER] ? nothing(s) : "there are no master weights to forget";
}

static const char *is_aligned(const assay_shape *s)
{
    return s->param[ADAMW_OFFSET] % 4 == 0 ? "the vectors are aligned"
           : s->param[ADAMW_N] < 4         ? "there is no vector"
                                           : NULL;
}

/* ---- the case ---- */

/* ThreadSanitizer's lane is built by clang if gcc's is missing, and clang 14 does not check a copy
 * of a whole structure. */
#define MISALIGNED                                                                                 \
    {                                                                                              \
        [ASSAY_LANE_CUDA] = ASSAY_BIT(OUT_OF_BOUNDS),                                              \
        [ASSAY_LANE_HOST] = ASSAY_BIT(OUT_OF_BOUNDS),                                              \
        [ASSAY_LANE_ASAN] = ASSAY_BIT(OUT_OF_BOUNDS),                                              \
        [ASSAY_LANE_TSAN] = ASSAY_BIT(OUT_OF_BOUNDS) | ASSAY_BIT(PASS),                            \
    }

#define WHY                                                                                        \
    "one rounding to the output's type, and of single precision as many as the reference counts "  \
    "and carries from step to step, in any usual order of operations; c = 1"
#define BLOCKS ASSAY_TUNING("block", 256, 512, 1024)
#define RIGHT  .flags = ASSAY_DETERMINISTIC | ASSAY_REPEATABLE

const assay_case assay_case_adamw = {
    .name    = "adamw",
    .group   = "ops",
    .what    = "steps of AdamW, parameters in fp32, fp16 and bf16, with and without master weights",
    .version = 1,
    .axes    = {
        [AXIS_N]      = ASSAY_AXIS("n", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(3),
                                   ASSAY_Q(6), ASSAY_Q(8), ASSAY_Q(2049), ASSAY_Q(MANY),
                                   ASSAY_F(1 << 20), ASSAY_F(1 << 24), ASSAY_F(1 << 26)),
        [AXIS_TYPE]   = OPS_TYPE_AXIS,
        [AXIS_MASTER] = ASSAY_AXIS("master", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "none"),
                                   ASSAY_WORD(1, "f32")),
        [AXIS_OFFSET] = ASSAY_AXIS("offset", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1)),
        [AXIS_STEPS]  = ASSAY_AXIS("steps", ASSAY_AXIS_INT, ASSAY_Q(1), ASSAY_Q(16)),
    },
    .inputs         = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = adamw_shape,
    .reference      = adamw_reference,
    .prepare        = adamw_prepare,
    .excluded       = adamw_excluded,
    .input_excluded = adamw_input_excluded,
    .tol            = OPS_COUNTED(WHY),
    .variants       = {
        { .name   = "scalar",
          .what   = "one element a thread",
          .launch = "adamw_scalar",
          .tuning = { BLOCKS },
          RIGHT },
        { .name     = "vector",
          .what     = "four elements a thread, what lies before and behind one by one",
          .launch   = "adamw_vector",
          .baseline = "scalar",
          .tuning   = { BLOCKS },
          RIGHT },
        { .name     = "ilp",
          .what     = "the same, several vectors a thread",
          .launch   = "adamw_ilp",
          .baseline = "scalar",
          .tuning   = { BLOCKS, ASSAY_TUNING("vectors", 2, 4) },
          RIGHT },
        { .name        = "tail_eps_inside",
          .what        = "wrong: the elements beside the vectors use 1 / sqrt(v + eps^2)",
          .launch      = "adamw_tail_eps_inside",
          .unsupported = no_edge,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "ilp_eps_inside",
          .what        = "wrong: the kernel for large arrays uses 1 / sqrt(v + eps^2)",
          .launch      = "adamw_ilp_eps_inside",
          .unsupported = is_small,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "half_moments",
          .what        = "wrong: both moments are kept in fp16",
          .launch      = "adamw_half_moments",
          .unsupported = nothing,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "no_master",
          .what        = "wrong: the rounded parameters are advanced, not the master weights",
          .launch      = "adamw_no_master",
          .unsupported = no_master,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        { .name        = "ignores_offset",
          .what        = "wrong: vectors are loaded from wherever the parameters begin",
          .launch      = "adamw_ignores_offset",
          .tuning      = { BLOCKS },
          .unsupported = is_aligned,
          .expect      = MISALIGNED },
        { .name = "torch_eager", .peer = { "adamw.py", "eager" }, .baseline = "scalar" },
        { .name = "torch_compile", .peer = { "adamw.py", "compile" }, .baseline = "scalar" },
        { .name = "torch_optim", .peer = { "adamw.py", "optim" }, .baseline = "scalar" },
    },
};
