/* What the definitions of the cases on norms of rows share: axes, sizes and inputs. */
#ifndef ASSAY_CASES_NORMS_H
#define ASSAY_CASES_NORMS_H

#include "../ops.h"

#include "../../kernels/norms/norms_case.h"

enum {
    NORMS_AXIS_TYPE,
    NORMS_AXIS_PASS,
    NORMS_AXIS_SIZE
};

/* Batch x tokens x columns: a row for each token. 8 rows have each kind of the adversarial input, 4
 * rows the first four kinds. 33 are more than a block of warp_rows takes, 273 make many partial
 * sums. */
#define NORMS_AXIS_OF_SIZES                                                                        \
    ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 0, 33), ASSAY_QGRID(1, 1, 100),             \
               ASSAY_QGRID(1, 7, 1), ASSAY_QGRID(1, 7, 31), ASSAY_QGRID(1, 7, 32),                 \
               ASSAY_QGRID(2, 4, 33), ASSAY_QGRID(1, 7, 62), ASSAY_QGRID(3, 11, 127),              \
               ASSAY_QGRID(2, 4, 128), ASSAY_QGRID(1, 7, 129), ASSAY_QGRID(3, 91, 2),              \
               ASSAY_QGRID(2, 4, 1000), ASSAY_QGRID(1, 1, 5633), ASSAY_QGRID(2, 2, 8191),          \
               ASSAY_QGRID(2, 2, 8192), ASSAY_QGRID(2, 2, 8193), ASSAY_FGRID(1024, 1024, 64),      \
               ASSAY_FGRID(512, 1024, 128), ASSAY_FGRID(64, 1024, 1024),                           \
               ASSAY_FGRID(2, 2048, 4096), ASSAY_FGRID(8, 2048, 4096), ASSAY_FGRID(8, 1024, 8192), \
               ASSAY_FGRID(8, 1024, 8193))

#define NORMS_AXIS_OF_PASSES                                                                       \
    ASSAY_AXIS("pass", ASSAY_AXIS_TEXT, ASSAY_WORD(NORMS_FORWARD, "forward"),                      \
               ASSAY_WORD(NORMS_BACKWARD, "backward"))

static inline int64_t norms_elements(const assay_shape *s)
{
    return s->param[NORMS_ROWS] * s->param[NORMS_COLS];
}

static inline bool norms_is_back(const assay_shape *s)
{
    return s->param[NORMS_PASS] == NORMS_BACKWARD;
}

/* Parameters, and scalars rounded to single precision. */
static inline void norms_shape(const assay_value *axis, double eps, double scale, assay_shape *s)
{
    const int64_t *size = axis[NORMS_AXIS_SIZE].i;

    s->param[NORMS_TYPE]   = ops_type(&axis[NORMS_AXIS_TYPE]);
    s->param[NORMS_PASS]   = axis[NORMS_AXIS_PASS].i[0];
    s->param[NORMS_ROWS]   = size[0] * size[1];
    s->param[NORMS_COLS]   = size[2];
    s->scalar[NORMS_EPS]   = (double)(float)eps;
    s->scalar[NORMS_SCALE] = (double)(float)scale;
    s->cells               = norms_elements(s);
}

/* An array of `count` elements, or an empty one if the pass does not have it. */
static inline assay_buffer norms_buffer(const char *name, assay_role role, const assay_shape *s,
                                        int64_t count, bool is_there, assay_fill fill)
{
    return (assay_buffer) { name, role, (assay_type)s->param[NORMS_TYPE], is_there ? count : 0,
                            fill };
}

/* Each input once, each output once. */
static inline void norms_count_bytes(assay_shape *s)
{
    for (int b = 0; b < ASSAY_MAX_BUFFERS && s->buf[b].role != ASSAY_NO_BUFFER; b++) {
        const int64_t bytes = s->buf[b].count * (int64_t)assay_type_size(s->buf[b].type);

        s->bytes_read += s->buf[b].role != ASSAY_OUT ? bytes : 0;
        s->bytes_written += s->buf[b].role != ASSAY_IN ? bytes : 0;
    }
}

/* Small sizes: fp32 has all widths, fp16 five of them; bf16, which runs the code of fp16, and fp8
 * have three. */
static bool norms_is_width_of_bf16(int64_t cols)
{
    return cols == 33 || cols == 128 || cols == 1000;
}
static bool norms_is_width_of_f16(int64_t cols)
{
    return norms_is_width_of_bf16(cols) || cols == 1 || cols == 8193;
}

static const char *norms_excluded(const assay_value *axis)
{
    const assay_value *size      = &axis[NORMS_AXIS_SIZE];
    const assay_type   type      = ops_type(&axis[NORMS_AXIS_TYPE]);
    const bool         is_narrow = type == ASSAY_BF16 || axis[NORMS_AXIS_PASS].i[0] == NORMS_FP8;

    if (size->i[2] < 1)
        return "a mean over no columns is not defined";
    if (size->tier == ASSAY_FULL)
        return NULL;
    if (axis[NORMS_AXIS_PASS].i[0] == NORMS_BACKWARD && size->i[2] > 1000 &&
        ((size->i[2] != 5633 && size->i[2] != 8193) || type != ASSAY_F32))
        return "of wide rows, the backward pass is checked with 5633 and 8193 columns in fp32";
    if (size->i[2] == 2 && axis[NORMS_AXIS_PASS].i[0] != NORMS_BACKWARD)
        return "many rows of two columns are for the sums of the backward pass";
    if (is_narrow && !norms_is_width_of_bf16(size->i[2]))
        return "bf16 and fp8 are checked with 33, 128 and 1000 columns";
    if (type == ASSAY_F16 && !norms_is_width_of_f16(size->i[2]))
        return "fp16 is checked with 1, 33, 128, 1000 and 8193 columns";
    return NULL;
}

static const char *norms_uncountable(const assay_value *axis)
{
    const int64_t *size = axis[NORMS_AXIS_SIZE].i;
    int64_t        n    = 1;

    for (int d = 0; d < 3; d++) {
        if (size[d] > (INT64_C(1) << 44) / n)
            return "there are more than 2^44 elements";
        n *= size[d] > 0 ? size[d] : 1;
    }
    return size[2] > INT32_MAX / 2 ? "a row has more than 2^30 columns" : NULL;
}

/* ---- inputs ---- */

static inline double norms_within(uint64_t random, double size)
{
    return size * (2 * ops_unit(random) - 1);
}

/* Kinds of rows of the adversarial input, which alternate. */
enum {
    NORMS_FAR,      /* a mean far from 0, a small spread: squares cancel */
    NORMS_ONE_STEP, /* all the same but one, the next number: squares cancel to less than 0 */
    NORMS_ZEROS,    /* only eps prevents 0/0 */
    NORMS_TINY,     /* squares far below eps */
    NORMS_LARGE,    /* near the largest half-precision number: its square does not fit */
    NORMS_SPIKE,    /* one number is nearly all of the sum */
    NORMS_ROW_KINDS
};

/* Values by type, as large as it can hold. */
typedef struct norms_scale {
    double mean, spread, level, large;
} norms_scale;

static inline norms_scale norms_scale_of(const assay_shape *s)
{
    switch (s->param[NORMS_TYPE]) {
    case ASSAY_F16:
        return (norms_scale) { 4096, 8, 1000, 65000 };
    case ASSAY_BF16:
        return (norms_scale) { 512, 8, 10000, 1e15 };
    default:
        return (norms_scale) { 10000, 1, 100, 1e15 };
    }
}

/* In a row all elements but one have the level of the row. */
static inline double norms_one_step(int64_t row, bool is_other, const assay_shape *s)
{
    const assay_type type  = (assay_type)s->param[NORMS_TYPE];
    const double     level = norms_scale_of(s).level * (1 + (double)(row % 97) / 128);
    const int64_t    place = assay_type_place(type, assay_type_round(type, level));

    return assay_type_at(type, place + (is_other ? 1 : 0));
}

static inline double norms_adversarial_x(uint64_t random, int64_t i, const assay_shape *s)
{
    const int64_t     cols = s->param[NORMS_COLS], row = i / cols, c = i % cols;
    const bool        is_other = c == row * 7 % cols;
    const norms_scale scale    = norms_scale_of(s);

    switch (row % NORMS_ROW_KINDS) {
    case NORMS_FAR:
        return scale.mean + norms_within(random, scale.spread);
    case NORMS_ONE_STEP:
        return norms_one_step(row, is_other, s);
    case NORMS_ZEROS:
        return 0;
    case NORMS_TINY:
        return norms_within(random, 1e-4);
    case NORMS_LARGE:
        return (random & 1 ? 1 : -1) * scale.large * (1 - ops_unit(random) / 4);
    default:
        return is_other ? 1000 : norms_within(random, 0.01);
    }
}

static inline assay_fill norms_x_fill(assay_input input)
{
    const assay_fill random      = ASSAY_UNIFORM(-2, 2);
    const assay_fill adversarial = ASSAY_CUSTOM(norms_adversarial_x);

    return input == ASSAY_INPUT_ADVERSARIAL ? adversarial : random;
}

static const assay_fill NORMS_WEIGHTS = ASSAY_UNIFORM(0.5, 1.5);
static const assay_fill NORMS_SIGNED  = ASSAY_UNIFORM(-1, 1);

#define NORMS_INPUTS (ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL))

#define NORMS_TOLERANCE                                                                            \
    OPS_COUNTED("the reference counts the roundings of fp32 behind each value, of a sum of n "     \
                "terms min(n - 1, 2 sqrt(n)); beside them the one that stores the value; c = 1")

/* ---- variants ---- */

#define NORMS_TUNING_PLAIN                                                                         \
    {                                                                                              \
        ASSAY_TUNING("block", 256, 512, 1024)                                                      \
    }
/* The sums of 132 multiprocessors, with two blocks of 8192 columns each. */
#define NORMS_TUNING_REGISTERS                                                                     \
    {                                                                                              \
        ASSAY_TUNING("elements", 32, 16, 8), ASSAY_TUNING("sums", 2162688, 1081344, 4325376)       \
    }
#define NORMS_TUNING_WARP_ROWS                                                                     \
    {                                                                                              \
        ASSAY_TUNING("blocks", 528, 264, 1056)                                                     \
    }
#define NORMS_FLAGS (ASSAY_DETERMINISTIC | ASSAY_REPEATABLE)

static inline const char *norms_too_wide(const assay_shape *s)
{
    return s->param[NORMS_COLS] > NORMS_WIDEST ? "a block holds rows of up to 16384 columns" : NULL;
}

static inline const char *norms_no_warp_rows(const assay_shape *s)
{
    const int64_t size = (int64_t)assay_type_size((assay_type)s->param[NORMS_TYPE]);

    if (s->param[NORMS_PASS] == NORMS_FP8)
        return "fp8 is for the variants that take any width";
    return s->param[NORMS_COLS] * size > 512 ? "a warp holds rows of up to 512 bytes" : NULL;
}

/* The right variants that each of the cases has, with launchers CASE_plain and so on. */
#define NORMS_PLAIN(case_name)                                                                     \
    {                                                                                              \
        .name = "plain", .what = "a block a row, which is read again for each thing to know",      \
        .launch = case_name "_plain", .workspace = case_name "_plain_workspace",                   \
        .tuning = NORMS_TUNING_PLAIN, .flags = NORMS_FLAGS                                         \
    }
#define NORMS_REGISTERS(case_name)                                                                 \
    {                                                                                              \
        .name   = "registers",                                                                     \
        .what   = "a block a row, held in registers: memory is read once, 16 bytes at a time",     \
        .launch = case_name "_registers", .workspace = case_name "_registers_workspace",           \
        .baseline = "plain", .tuning = NORMS_TUNING_REGISTERS, .unsupported = norms_too_wide,      \
        .flags = NORMS_FLAGS                                                                       \
    }
#define NORMS_WARP_ROWS(case_name)                                                                 \
    {                                                                                              \
        .name   = "warp_rows",                                                                     \
        .what   = "short rows: some lanes of a warp a row, several rows at once",                  \
        .launch = case_name "_warp_rows", .workspace = case_name "_warp_rows_workspace",           \
        .baseline = "plain", .tuning = NORMS_TUNING_WARP_ROWS, .unsupported = norms_no_warp_rows,  \
        .flags = NORMS_FLAGS                                                                       \
    }
/* Peers of the script CASE.py. */
#define NORMS_PEERS(case_name)                                                                     \
    { .name = "torch_eager", .peer = { case_name ".py", "eager" }, .baseline = "plain" },          \
        { .name = "torch_compile", .peer = { case_name ".py", "compile" }, .baseline = "plain" },  \
    {                                                                                              \
        .name = "triton", .peer = { case_name ".py", "triton" }, .baseline = "plain"               \
    }

/* Wrong variants are shown where there are rows of each kind, of some length. */
static inline const char *norms_shown(const assay_shape *s, int64_t pass)
{
    if (s->param[NORMS_PASS] != pass)
        return "the mistake is shown on another pass";
    if (s->param[NORMS_ROWS] < NORMS_ROW_KINDS || s->param[NORMS_ROWS] > 8 ||
        (s->param[NORMS_COLS] != 128 && s->param[NORMS_COLS] != 1000))
        return "the mistake is shown at small sizes of 128 and 1000 columns";
    return NULL;
}

static inline const char *norms_shown_forward(const assay_shape *s)
{
    return norms_shown(s, NORMS_FORWARD);
}

static inline const char *norms_shown_in_halves(const assay_shape *s)
{
    return s->param[NORMS_TYPE] == ASSAY_F32 ? "shown for types narrower than that of the sums"
                                             : norms_shown_forward(s);
}

#endif
