/* The sum of all elements in double; sums of chunks are added in their order. */
#include "kernel.h"

#include "../../kernels/reduction/reduction_case.h"

#include <math.h>

assay_reference_fn reduction_reference;

enum {
    MAX_CHUNKS = 64
};

typedef struct sums {
    const assay_reference_args *args;
    double                      value[MAX_CHUNKS], size[MAX_CHUNKS];
} sums;

static void sum_chunk(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    sums            *s     = context;
    const assay_type type  = (assay_type)s->args->param[REDUCTION_TYPE];
    double           value = 0, size = 0;

    for (int64_t i = begin; i < end; i++) {
        const double x = assay_type_load(type, s->args->in[REDUCTION_X], i);

        value += x;
        size += fabs(x);
    }
    s->value[chunk] = value;
    s->size[chunk]  = size;
}

void reduction_reference(const assay_reference_args *args)
{
    const int64_t   n      = args->count[REDUCTION_X];
    assay_expected *expect = &args->expect[REDUCTION_SUM];
    sums            s      = { .args = args };

    args->parallel_for(n, n / MAX_CHUNKS + 1, sum_chunk, &s);
    expect->value[0] = 0;
    for (int c = 0; c < MAX_CHUNKS; c++) {
        expect->value[0] += s.value[c];
        expect->magnitude[0] += s.size[c];
    }
    expect->terms = n > 0 ? (double)n : 1;
}
