/* embedding_bag on the CPU in fp32 with OpenMP. Forward, threads share the bags. Backward, they
 * share the rows of the table: each thread goes through all indices, so that no atomics are
 * needed. */
#include "kernel.h"

#include "embedding_bag_case.h"

#include <string.h>

assay_launch_fn embedding_bag_cpu_omp;

enum {
    PARTS = 64
};

static float weight_of(const assay_args *args, const int32_t *offsets, int64_t bag)
{
    const int32_t n = offsets[bag + 1] - offsets[bag];

    return args->param[BAG_IS_MEAN] && n > 0 ? 1.0F / (float)n : 1;
}

static void add_row(float *to, const float *from, float weight, int64_t dim)
{
    for (int64_t j = 0; j < dim; j++)
        to[j] += weight * from[j];
}

static void forward_bag(const assay_args *args, int64_t bag)
{
    const int32_t *indices = args->buf[BAG_INDICES], *offsets = args->buf[BAG_OFFSETS];
    const int64_t  dim    = args->param[BAG_DIM];
    const float   *table  = args->buf[BAG_TABLE];
    float         *y      = (float *)args->buf[BAG_OUT] + bag * dim;
    const float    weight = weight_of(args, offsets, bag);

    memset(y, 0, (size_t)dim * sizeof *y);
    for (int32_t k = offsets[bag]; k < offsets[bag + 1]; k++)
        add_row(y, table + indices[k] * dim, 1, dim);
    for (int64_t j = 0; j < dim; j++)
        y[j] *= weight;
}

static void backward_rows(const assay_args *args, int64_t begin, int64_t end)
{
    const int32_t *indices = args->buf[BAG_INDICES], *offsets = args->buf[BAG_OFFSETS];
    const int64_t  dim     = args->param[BAG_DIM];
    const float   *d_y     = args->buf[BAG_D_Y];
    float         *d_table = args->buf[BAG_OUT];

    memset(d_table + begin * dim, 0, (size_t)((end - begin) * dim) * sizeof *d_table);
    for (int64_t bag = 0; bag < args->param[BAG_BAGS]; bag++)
        for (int32_t k = offsets[bag]; k < offsets[bag + 1]; k++)
            if (indices[k] >= begin && indices[k] < end)
                add_row(d_table + indices[k] * dim, d_y + bag * dim, weight_of(args, offsets, bag),
                        dim);
}

int embedding_bag_cpu_omp(const assay_args *args, assay_stream stream)
{
    const int64_t bags = args->param[BAG_BAGS], rows = args->param[BAG_ROWS];

    (void)stream;
    if (!args->param[BAG_IS_BACKWARD]) {
#pragma omp parallel for schedule(static)
        for (int64_t bag = 0; bag < bags; bag++)
            forward_bag(args, bag);
        return 0;
    }
#pragma omp parallel for schedule(static)
    for (int64_t part = 0; part < PARTS; part++)
        backward_rows(args, rows * part / PARTS, rows * (part + 1) / PARTS);
    return 0;
}
