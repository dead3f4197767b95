/* embedding_bag: the sum or the mean of some rows of a table for each bag of indices, and the
 * gradient of the table. Variants that must fail divide an empty bag by its length, count a
 * repeated index once, or sum without atomics. docs/embedding_bag.md has the mathematics. */
#include "../ops.h"

#include "../../kernels/embedding_bag/embedding_bag_case.h"

#include <math.h>

assay_reference_fn embedding_bag_reference; /* reference/embedding_bag/embedding_bag.c */
assay_launch_fn    embedding_bag_cpu_omp;   /* kernels/embedding_bag/cpu_omp.c */

enum {
    AXIS_SIZE, /* bags x rows x numbers of a row */
    AXIS_LENGTH,
    AXIS_TYPE,
    AXIS_PASS,
    AXIS_MODE
};

/* ---- inputs ---- */

static double any_row(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)i;
    return (double)(random % (uint64_t)s->param[BAG_ROWS]);
}

/* Large rows that cancel, except for what small ones leave. */
static double wide_number(uint64_t random, int64_t i, const assay_shape *s)
{
    const double number = ops_unit(random) + 1;

    (void)i, (void)s;
    return random & 1 ? number : (random & 2 ? 512 : -512) * number;
}

static assay_fill fill_of(assay_input input)
{
    const assay_fill exact = ASSAY_INTEGERS(-4, 4, 1), random = ASSAY_UNIFORM(-1, 1);
    const assay_fill wide = ASSAY_CUSTOM(wide_number);

    return input == ASSAY_INPUT_EXACT ? exact : input == ASSAY_INPUT_ADVERSARIAL ? wide : random;
}

static const char *embedding_bag_input_excluded(const assay_value *axis, assay_input input)
{
    if (input == ASSAY_INPUT_EXACT && axis[AXIS_MODE].i[0])
        return "the mean of three is not exact";
    return NULL;
}

/* The offsets were filled with random lengths. They become offsets that end where the indices do.
 * Every third bag from the second on is empty. */
static void set_offsets(const assay_prepare_args *args)
{
    int32_t      *offsets = args->in[BAG_OFFSETS];
    const int64_t n = args->count[BAG_INDICES], bags = args->param[BAG_BAGS];
    int64_t       total = 0, before = 0;

    for (int64_t bag = 0; bag < bags; bag++) {
        offsets[bag] = bag % 3 == 1 ? 0 : offsets[bag];
        total += offsets[bag];
    }
    for (int64_t bag = 0; bag < bags; bag++) {
        const int64_t length = offsets[bag];

        offsets[bag] = (int32_t)(before * n / total);
        before += length;
    }
    offsets[bags] = (int32_t)n;
}

/* The second index of a bag repeats the first. */
static void embedding_bag_prepare(const assay_prepare_args *args)
{
    const int32_t *offsets = args->in[BAG_OFFSETS];
    int32_t       *indices = args->in[BAG_INDICES];

    set_offsets(args);
    for (int64_t bag = 0; bag < args->param[BAG_BAGS]; bag++)
        if (offsets[bag + 1] - offsets[bag] > 1)
            indices[offsets[bag] + 1] = indices[offsets[bag]];
}

/* ---- shape ---- */

/* Rows that n indices are expected to name at least once. Indices are random except for the second
 * of each bag; a third of the bags are empty. */
static int64_t rows_named(int64_t rows, int64_t n, int64_t bags)
{
    const double copies = n >= 2 * bags ? 2 * (double)bags / 3 : 0;

    return (int64_t)(-(double)rows * expm1(-((double)n - copies) / (double)rows));
}

static void set_buffers(assay_shape *s, int64_t n, assay_input input)
{
    const int64_t    bags = s->param[BAG_BAGS], all = s->param[BAG_ROWS] * s->param[BAG_DIM];
    const int64_t    of_bags     = bags * s->param[BAG_DIM];
    const bool       is_backward = s->param[BAG_IS_BACKWARD] != 0;
    const assay_type type        = (assay_type)s->param[BAG_TYPE];
    const assay_fill fill = fill_of(input), lengths = ASSAY_INTEGERS(1, 5, 1);

    s->buf[BAG_TABLE] = (assay_buffer) { "table", ASSAY_IN, type, is_backward ? 0 : all, fill };
    s->buf[BAG_D_Y]   = (assay_buffer) { "d_y", ASSAY_IN, type, is_backward ? of_bags : 0, fill };
    s->buf[BAG_INDICES] =
        (assay_buffer) { "indices", ASSAY_IN, ASSAY_I32, n, ASSAY_CUSTOM(any_row) };
    s->buf[BAG_OFFSETS] = (assay_buffer) { "offsets", ASSAY_IN, ASSAY_I32, bags + 1, lengths };
    s->buf[BAG_OUT]     = (assay_buffer) { .name  = is_backward ? "d_table" : "y",
                                           .role  = ASSAY_OUT,
                                           .type  = is_backward ? ASSAY_F32 : type,
                                           .count = is_backward ? all : of_bags };
}

static void embedding_bag_shape(const assay_value *axis, assay_input input, assay_shape *s)
{
    const int64_t *size = axis[AXIS_SIZE].i, n = size[0] * axis[AXIS_LENGTH].i[0];
    const bool     is_backward = axis[AXIS_PASS].i[0] != 0;
    int64_t        width;

    s->param[BAG_TYPE]        = ops_type(&axis[AXIS_TYPE]);
    s->param[BAG_IS_BACKWARD] = is_backward;
    s->param[BAG_IS_MEAN]     = axis[AXIS_MODE].i[0];
    s->param[BAG_BAGS]        = size[0];
    s->param[BAG_ROWS]        = size[1];
    s->param[BAG_DIM]         = size[2];
    set_buffers(s, n, input);
    width    = size[2] * (int64_t)assay_type_size((assay_type)s->param[BAG_TYPE]);
    s->cells = n;
    s->flops = (double)n * (double)size[2];
    s->bytes_read =
        4 * (n + size[0] + 1) + width * (is_backward ? size[0] : rows_named(size[1], n, size[0]));
    s->bytes_written = is_backward ? 4 * size[1] * size[2] : width * size[0];
}

/* Places are int, as the indices are. Row sizes that fit into memory let no product overflow. */
static const char *embedding_bag_uncountable(const assay_value *axis)
{
    const int64_t *size = axis[AXIS_SIZE].i, length = axis[AXIS_LENGTH].i[0];

    if (size[0] > 1 << 30 || size[1] >= INT32_MAX || size[2] >= 1 << 16)
        return "more than 2^30 bags or 2^31 rows, or more than 2^16 numbers of a row";
    return length > INT32_MAX / (size[0] + 1) ? "more than 2^31 indices" : NULL;
}

/* More than 16 bits can count; one case of each pass is enough for it. */
enum {
    MANY_BAGS = 33001
};

static const char *embedding_bag_excluded(const assay_value *axis)
{
    const assay_value *size = &axis[AXIS_SIZE];

    if (size->i[1] < 1 || size->i[2] < 1)
        return "a table has at least one row, and a row at least one number";
    if (size->tier != axis[AXIS_LENGTH].tier)
        return "large tables go with long bags";
    if (size->i[0] == MANY_BAGS && (axis[AXIS_LENGTH].i[0] != 1 || axis[AXIS_MODE].i[0] ||
                                    ops_type(&axis[AXIS_TYPE]) != ASSAY_F32))
        return "many bags are checked with one index each, in fp32, summed";
    if (size->tier == ASSAY_FULL && ops_type(&axis[AXIS_TYPE]) == ASSAY_F16)
        return "at real sizes fp16 moves what bf16 does";
    if (size->tier == ASSAY_FULL && axis[AXIS_MODE].i[0] && size->i[2] != 64)
        return "at real sizes means are judged in rows of 64";
    return NULL;
}

/* ---- traffic: rows are named more often than once, and caches are smaller than tables ---- */

static int64_t width_of(const assay_shape *s)
{
    return s->param[BAG_DIM] * (int64_t)assay_type_size((assay_type)s->param[BAG_TYPE]);
}

static int64_t indices_bytes(const assay_shape *s)
{
    return 4 * (s->cells + s->param[BAG_BAGS] + 1);
}

/* Forward, each index reads its row. Backward, d_table is cleared, and each index reads and writes
 * a row of it. */
static int64_t direct_bytes(const assay_shape *s)
{
    const int64_t bags = s->param[BAG_BAGS] * width_of(s), row = 4 * s->param[BAG_DIM];

    if (!s->param[BAG_IS_BACKWARD])
        return indices_bytes(s) + s->cells * width_of(s) + bags;
    return indices_bytes(s) + bags + (s->param[BAG_ROWS] + 2 * s->cells) * row;
}

/* Lists are written and read, each index reads its bag's row, d_table is written once. */
static int64_t lists_bytes(const assay_shape *s)
{
    const int64_t rows = s->param[BAG_ROWS], lists = 4 * (rows + 2 * s->cells);

    return indices_bytes(s) + 2 * lists + s->cells * width_of(s) + 4 * rows * s->param[BAG_DIM];
}

/* ---- limits ---- */

static const char *vector_unsupported(const assay_shape *s)
{
    const int64_t pack = 16 / (int64_t)assay_type_size((assay_type)s->param[BAG_TYPE]);

    return s->param[BAG_DIM] % pack != 0 ? "rows must be whole packs of 16 bytes" : NULL;
}

static const char *lists_unsupported(const assay_shape *s)
{
    return !s->param[BAG_IS_BACKWARD]   ? "it has a backward pass only"
           : s->param[BAG_DIM] % 4 != 0 ? "rows must be whole vectors of four"
                                        : NULL;
}

static const char *cpu_unsupported(const assay_shape *s)
{
    return s->param[BAG_TYPE] != ASSAY_F32 ? "the CPU variant computes in fp32 only" : NULL;
}

/* ---- where wrong variants are right ---- */

static const char *no_empty_bag(const assay_shape *s)
{
    return s->param[BAG_IS_BACKWARD] || !s->param[BAG_IS_MEAN] ? "the mistake is shown on means"
           : s->param[BAG_BAGS] < 2                            ? "no bag is empty"
                                                               : NULL;
}

static const char *no_repetition(const assay_shape *s)
{
    return s->param[BAG_IS_BACKWARD] ? "the mistake is shown by the forward pass"
           : s->cells < 2 * s->param[BAG_BAGS] || s->cells == 0 ? "bags of one index repeat none"
                                                                : NULL;
}

/* The fault needs rows to which several bags add: more indices than rows. */
static const char *no_conflict(const assay_shape *s)
{
    return !s->param[BAG_IS_BACKWARD] || s->param[BAG_TYPE] != ASSAY_F32
               ? "the mistake is shown by the backward pass in fp32"
           : s->param[BAG_BAGS] < 8 || s->cells < 2 * s->param[BAG_ROWS]
               ? "there are too few indices of one row"
               : NULL;
}

/* ---- the case ---- */

#define WHY                                                                                        \
    "one rounding to the output's type; in single precision a sum of n terms rounds n - 1 times, " \
    "in whatever order, and weights and their products thrice: (n + 3) u of the terms' sizes; c "  \
    "= 1"
#define BLOCKS                                                                                     \
    {                                                                                              \
        ASSAY_TUNING("block", 256, 512, 1024)                                                      \
    }

const assay_case assay_case_embedding_bag = {
    .name    = "embedding_bag",
    .group   = "ops",
    .what    = "sums or means of rows of a table by bags of indices, and the table's gradient",
    .version = 1,
    .axes    = {
        [AXIS_SIZE]   = ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(1, 1, 1),
                                   ASSAY_QGRID(3, 7, 33), ASSAY_QGRID(17, 5, 64),
                                   ASSAY_QGRID(9, 100, 129), ASSAY_QGRID(MANY_BAGS, 40, 4),
                                   ASSAY_FGRID(1 << 18, 1 << 20, 64),
                                   ASSAY_FGRID(1 << 18, 1 << 20, 128),
                                   ASSAY_FGRID(1 << 16, 1 << 16, 1000)),
        [AXIS_LENGTH] = ASSAY_AXIS("length", ASSAY_AXIS_INT, ASSAY_Q(0), ASSAY_Q(1), ASSAY_Q(5),
                                   ASSAY_F(4), ASSAY_F(32)),
        [AXIS_TYPE]   = OPS_TYPE_AXIS,
        [AXIS_PASS]   = ASSAY_AXIS("pass", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "forward"),
                                   ASSAY_WORD(1, "backward")),
        [AXIS_MODE]   = ASSAY_AXIS("mode", ASSAY_AXIS_TEXT, ASSAY_WORD(0, "sum"),
                                   ASSAY_WORD(1, "mean")),
    },
    .inputs         = ASSAY_INPUT_BIT(EXACT) | ASSAY_INPUT_BIT(RANDOM) | ASSAY_INPUT_BIT(ADVERSARIAL),
    .timed_input    = ASSAY_INPUT_RANDOM,
    .shape          = embedding_bag_shape,
    .reference      = embedding_bag_reference,
    .prepare        = embedding_bag_prepare,
    .uncountable    = embedding_bag_uncountable,
    .excluded       = embedding_bag_excluded,
    .input_excluded = embedding_bag_input_excluded,
    .tol            = OPS_COUNTED(WHY),
    .variants       = {
        { .name        = "cpu_omp",
          .what        = "on the CPU: bags, or rows of the table, shared out among threads",
          .cpu         = embedding_bag_cpu_omp,
          .unsupported = cpu_unsupported,
          .flags       = ASSAY_THREADED },
        { .name        = "scalar",
          .what        = "one column of a bag a thread; backward by atomics",
          .launch      = "embedding_bag_scalar",
          .baseline    = "cpu_omp",
          .tuning      = BLOCKS,
          .bytes_moved = direct_bytes },
        { .name        = "vector",
          .what        = "16 bytes of a bag's row a thread; backward by atomics of four",
          .launch      = "embedding_bag_vector",
          .baseline    = "cpu_omp",
          .tuning      = BLOCKS,
          .unsupported = vector_unsupported,
          .bytes_moved = direct_bytes },
        { .name        = "lists",
          .what        = "backward by lists of each row's places, taken in order: no sum by atomics",
          .launch      = "embedding_bag_lists",
          .workspace   = "embedding_bag_lists_workspace",
          .baseline    = "cpu_omp",
          .tuning      = BLOCKS,
          .flags       = ASSAY_DETERMINISTIC,
          .unsupported = lists_unsupported,
          .bytes_moved = lists_bytes },
        { .name        = "divides_empty",
          .what        = "wrong: the mean of an empty bag is 0/0",
          .launch      = "embedding_bag_divides_empty",
          .unsupported = no_empty_bag,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(NOT_FINITE)) },
        { .name        = "counts_once",
          .what        = "wrong: an index that a bag has twice counts once",
          .launch      = "embedding_bag_counts_once",
          .unsupported = no_repetition,
          .expect      = OPS_MUST_FAIL(ASSAY_BIT(WRONG_VALUE)) },
        /* On the host device no other thread of the block runs between load and store. */
        { .name        = "plain_add",
          .what        = "wrong: bags that share a row add to it without atomics",
          .launch      = "embedding_bag_plain_add",
          .unsupported = no_conflict,
          .expect      = { [ASSAY_LANE_CUDA] = ASSAY_BIT(WRONG_VALUE),
                           [ASSAY_LANE_HOST] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE),
                           [ASSAY_LANE_ASAN] = ASSAY_BIT(PASS) | ASSAY_BIT(WRONG_VALUE),
                           [ASSAY_LANE_TSAN] = ASSAY_BIT(RACE) } },
        { .name = "torch_eager", .peer = { "embedding_bag.py", "eager" }, .baseline = "scalar" },
        { .name = "torch_compile", .peer = { "embedding_bag.py", "compile" }, .baseline = "scalar" },
    },
};
