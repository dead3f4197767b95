/* What the definitions of softmax_row and softmax_row_grad share: sizes, and rows that break
 * kernels. */
#ifndef ASSAY_CASES_SOFTMAX_ROWS_H
#define ASSAY_CASES_SOFTMAX_ROWS_H

#include "../ops.h"

#include "../../kernels/softmax_row/softmax_case.h"

#include <math.h>

/* Rows by columns. Full sizes are 2^26 elements, except for the last two, which have fewer and are
 * wider than a block can keep. */
#define SOFTMAX_SIZE_AXIS                                                                          \
    ASSAY_AXIS("size", ASSAY_AXIS_GRID, ASSAY_QGRID(0, 4, 1), ASSAY_QGRID(5, 1, 1),                \
               ASSAY_QGRID(5, 31, 1), ASSAY_QGRID(5, 32, 1), ASSAY_QGRID(5, 33, 1),                \
               ASSAY_QGRID(4, 127, 1), ASSAY_QGRID(4, 128, 1), ASSAY_QGRID(4, 129, 1),             \
               ASSAY_QGRID(65, 128, 1), ASSAY_QGRID(3, 260, 1), ASSAY_QGRID(3, 512, 1),            \
               ASSAY_QGRID(3, 1023, 1), ASSAY_QGRID(2, 1024, 1), ASSAY_QGRID(1, 8191, 1),          \
               ASSAY_QGRID(1, 8192, 1), ASSAY_QGRID(5, 8193, 1),                                   \
               ASSAY_QGRID(SOFTMAX_MANY_ROWS, 1, 1), ASSAY_FGRID(1048576, 64, 1),                  \
               ASSAY_FGRID(524288, 128, 1), ASSAY_FGRID(65536, 1024, 1),                           \
               ASSAY_FGRID(16384, 4096, 1), ASSAY_FGRID(8192, 8192, 1),                            \
               ASSAY_FGRID(65536, 128, 1), ASSAY_FGRID(256, 131072, 1))

enum {
    SOFTMAX_AXIS_TYPE,
    SOFTMAX_AXIS_SIZE
};

/* More than 16 bits can count. */
#define SOFTMAX_MANY_ROWS 33001

/* Edge sizes that are not checked for all types, since they would find nothing new: bf16 runs f16's
 * code, wide rows differ in how they begin and end, many rows are for a second block. */
static inline const char *softmax_quick_excluded(assay_type type, const int64_t *size)
{
    static const struct {
        int64_t    rows, width;
        assay_type types[2];
    } edges[] = {
        { 5, 1, { ASSAY_F32, ASSAY_F16 } },    { 5, 31, { ASSAY_F32, ASSAY_F16 } },
        { 5, 32, { ASSAY_F32, ASSAY_F16 } },   { 4, 127, { ASSAY_F32, ASSAY_F16 } },
        { 4, 128, { ASSAY_F32, ASSAY_F16 } },  { 65, 128, { ASSAY_F32, ASSAY_F32 } },
        { 3, 260, { ASSAY_F32, ASSAY_F16 } },  { 3, 512, { ASSAY_F32, ASSAY_F16 } },
        { 3, 1023, { ASSAY_F32, ASSAY_F16 } }, { 2, 1024, { ASSAY_F32, ASSAY_F16 } },
        { 1, 8191, { ASSAY_F16, ASSAY_F16 } }, { 1, 8192, { ASSAY_BF16, ASSAY_BF16 } },
        { 5, 8193, { ASSAY_F32, ASSAY_F32 } }, { SOFTMAX_MANY_ROWS, 1, { ASSAY_F32, ASSAY_F32 } },
    };

    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        if (size[0] == edges[i].rows && size[1] == edges[i].width && type != edges[i].types[0] &&
            type != edges[i].types[1])
            return "this edge size is checked for other types";
    return NULL;
}

static inline const char *softmax_excluded(const assay_value *axis)
{
    const assay_value *size = &axis[SOFTMAX_AXIS_SIZE];

    if (size->i[1] < 1 || size->i[1] > INT32_MAX || size->i[0] > INT32_MAX)
        return "a row has 1 to 2^31 - 1 columns, and there are as many rows at most";
    if (size->i[2] != 1)
        return "a size is rows by columns: the third extent is 1";
    return size->tier == ASSAY_QUICK
               ? softmax_quick_excluded(ops_type(&axis[SOFTMAX_AXIS_TYPE]), size->i)
               : NULL;
}

/* Cells, parameters. */
static inline void softmax_set_size(const assay_value *axis, assay_shape *s)
{
    const int64_t *size = axis[SOFTMAX_AXIS_SIZE].i;

    s->param[SOFTMAX_ROWS]  = size[0];
    s->param[SOFTMAX_WIDTH] = size[1];
    s->param[SOFTMAX_TYPE]  = ops_type(&axis[SOFTMAX_AXIS_TYPE]);
    s->cells                = size[0] * size[1];
}

/* ---- inputs: scores, of which -inf are masked ---- */

/* One in 16 is masked. */
static inline double softmax_random(uint64_t random, int64_t i, const assay_shape *s)
{
    (void)i, (void)s;
    return random % 16 == 0 ? -(double)INFINITY : 10 * ops_unit(random) - 5;
}

/* The largest score stands 2^k times in a row. The others are masked, or so far below that they
 * count for nothing: results are 2^-k and 0. Every fifth row is completely masked. */
static inline double softmax_exact(uint64_t random, int64_t i, const assay_shape *s)
{
    const int64_t width = s->param[SOFTMAX_WIDTH], row = i / width, column = i % width;
    const int64_t top   = row % 9 - 4;
    int64_t       equal = 1;

    for (int64_t k = row % 14; k > 0 && 2 * equal <= width; k--)
        equal *= 2;
    if (row % 5 == 4 || ((column + 7 * row) % width >= equal && random % 2 == 0))
        return -(double)INFINITY;
    return (double)((column + 7 * row) % width < equal ? top : top - 200);
}

/* Kinds of rows that break kernels like these. */
static inline double softmax_hard(uint64_t random, int64_t i, const assay_shape *s)
{
    const int64_t width = s->param[SOFTMAX_WIDTH], row = i / width, column = i % width;
    const bool    is_f16 = s->param[SOFTMAX_TYPE] == ASSAY_F16;
    const double  unit   = ops_unit(random);

    if (row == 0) /* completely masked */
        return -(double)INFINITY;
    if (row == 1) /* far from 0: e^x alone is infinite */
        return is_f16 ? 60000 + 128 * unit : 900 + 40 * unit;
    switch ((row + width) % 7) {
    case 0: /* one score, the others masked */
        return column == width / 3 ? 40 * unit - 20 : -(double)INFINITY;
    case 1: /* the ends of the type: differences overflow */
        return (column == width / 2 ? 1 : -1) * (is_f16 ? 65504 : 0x1.FEp127);
    case 2: /* rising: a running maximum is replaced again and again */
        return 20 * (double)column / (double)width;
    case 3: /* falling */
        return -20 * (double)column / (double)width;
    case 4: /* all the same */
        return 3;
    case 5: /* masked except for the last quarter */
        return column < width - (width + 3) / 4 ? -(double)INFINITY : 8 * unit - 4;
    default: /* results are subnormal */
        return column == 0 ? 0 : -110 * unit;
    }
}

static inline assay_fill softmax_scores(assay_input input)
{
    const assay_fill exact  = ASSAY_CUSTOM(softmax_exact);
    const assay_fill hard   = ASSAY_CUSTOM(softmax_hard);
    const assay_fill random = ASSAY_CUSTOM(softmax_random);

    return input == ASSAY_INPUT_EXACT ? exact : input == ASSAY_INPUT_ADVERSARIAL ? hard : random;
}

/* ---- variants ---- */

#define SOFTMAX_BLOCKS(...)                                                                        \
    {                                                                                              \
        ASSAY_TUNING("block", __VA_ARGS__)                                                         \
    }

static inline int64_t softmax_online_bytes(const assay_shape *s)
{
    return 2 * s->bytes_read + s->bytes_written;
}

/* The host device takes too long for that many blocks. */
static inline const char *softmax_many_blocks(const assay_shape *s)
{
    return s->param[SOFTMAX_ROWS] == SOFTMAX_MANY_ROWS && s->param[SOFTMAX_WIDTH] == 1
               ? "so many rows of one column are for variants whose threads take several rows"
               : NULL;
}

/* A fault is shown in few elements, since it is looked for in more launches. */
static inline const char *softmax_few(const assay_shape *s)
{
    const int64_t width = s->param[SOFTMAX_WIDTH];

    return s->cells > 4096 || s->cells < 2 * width || (width != 33 && width != 129)
               ? "the mistake is shown by a few rows of 33 and 129 columns"
               : NULL;
}
static inline const char *softmax_rounds_nothing(const assay_shape *s)
{
    return s->param[SOFTMAX_TYPE] == ASSAY_F32 ? "fp32 is stored as it is" : softmax_few(s);
}

#endif
