/* Sums of rows and their gradient in double. For each: the sum of the magnitudes of its terms,
 * times the roundings of a sum of that many terms in single precision, in any order. */
#include "kernel.h"

#include "../../kernels/embedding_bag/embedding_bag_case.h"

#include <math.h>
#include <stdlib.h>

assay_reference_fn embedding_bag_reference;

/* A weight, its product and a last one, besides the additions. */
static const double FEW = 3;

static const int32_t *indices_of(const assay_reference_args *args) { return args->in[BAG_INDICES]; }
static const int32_t *offsets_of(const assay_reference_args *args) { return args->in[BAG_OFFSETS]; }

static double weight_of(const assay_reference_args *args, int64_t bag)
{
    const int32_t n = offsets_of(args)[bag + 1] - offsets_of(args)[bag];

    return args->param[BAG_IS_MEAN] && n > 0 ? 1 / (double)n : 1;
}

/* Adds row `from` of a buffer to row `to` of the output. */
static void add_row(const assay_reference_args *args, int buffer, int64_t from, int64_t to,
                    double weight)
{
    const assay_type type   = (assay_type)args->param[BAG_TYPE];
    const int64_t    dim    = args->param[BAG_DIM];
    assay_expected  *expect = &args->expect[BAG_OUT];

    for (int64_t j = 0; j < dim; j++) {
        const double term = weight * assay_type_load(type, args->in[buffer], from * dim + j);

        expect->value[to * dim + j] += term;
        expect->magnitude[to * dim + j] += fabs(term);
    }
}

static void clear_row(const assay_reference_args *args, int64_t row)
{
    for (int64_t j = row * args->param[BAG_DIM]; j < (row + 1) * args->param[BAG_DIM]; j++)
        args->expect[BAG_OUT].value[j] = args->expect[BAG_OUT].magnitude[j] = 0;
}

/* The magnitudes of a sum of n terms, times its roundings. */
static void count_roundings(const assay_reference_args *args, int64_t row, int64_t n)
{
    for (int64_t j = row * args->param[BAG_DIM]; j < (row + 1) * args->param[BAG_DIM]; j++)
        args->expect[BAG_OUT].magnitude[j] *= (double)n + FEW;
}

static void some_bags(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args    = context;
    const int32_t              *offsets = offsets_of(args);

    (void)chunk;
    for (int64_t bag = begin; bag < end; bag++) {
        clear_row(args, bag);
        for (int32_t k = offsets[bag]; k < offsets[bag + 1]; k++)
            add_row(args, BAG_TABLE, indices_of(args)[k], bag, weight_of(args, bag));
        count_roundings(args, bag, offsets[bag + 1] - offsets[bag]);
    }
}

/* Each chunk of rows goes through all indices. */
static void some_rows(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    const assay_reference_args *args    = context;
    const int32_t              *offsets = offsets_of(args), *indices = indices_of(args);
    int64_t *const              n = calloc((size_t)(end - begin), sizeof *n);

    (void)chunk;
    if (!n)
        abort(); /* without memory there is no answer: a crash before anything is judged */
    for (int64_t row = begin; row < end; row++)
        clear_row(args, row);
    for (int64_t bag = 0; bag < args->param[BAG_BAGS]; bag++) {
        for (int32_t k = offsets[bag]; k < offsets[bag + 1]; k++) {
            if (indices[k] < begin || indices[k] >= end)
                continue;
            add_row(args, BAG_D_Y, bag, indices[k], weight_of(args, bag));
            n[indices[k] - begin]++;
        }
    }
    for (int64_t row = begin; row < end; row++)
        count_roundings(args, row, n[row - begin]);
    free(n);
}

void embedding_bag_reference(const assay_reference_args *args)
{
    assay_reference_args copy = *args;
    const int64_t        rows = args->param[BAG_ROWS];

    if (args->param[BAG_IS_BACKWARD])
        args->parallel_for(rows, rows / 64 + 1, some_rows, &copy);
    else
        args->parallel_for(args->param[BAG_BAGS], 64, some_bags, &copy);
}
