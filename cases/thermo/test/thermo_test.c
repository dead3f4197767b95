/* Support of the stand-alone programs of the thermo references. */
#include "thermo_test.h"
#include "../../../kernels/thermo_scatter/scatter_case.h"

#include <stdio.h>
#include <stdlib.h>

static void *allocate(int64_t count, size_t size)
{
    void *memory = calloc((size_t)count + 1, size);

    if (!memory) {
        (void)fprintf(stderr, "no memory\n");
        exit(EXIT_FAILURE);
    }
    return memory;
}

void thermo_run_input(thermo_run *run, int b, int64_t count)
{
    run->count[b] = count;
    run->in[b]    = allocate(count, sizeof(float));
}

void thermo_run_output(thermo_run *run, int b, int64_t count)
{
    run->count[b]  = count;
    run->expect[b] = (assay_expected) { .value     = allocate(count, sizeof(double)),
                                        .integer   = allocate(count, sizeof(int64_t)),
                                        .magnitude = allocate(count, sizeof(double)),
                                        .law       = allocate(count, 1),
                                        .terms     = 1 };
}

static void in_one_thread(int64_t count, int64_t size, assay_parallel_fn *fn, void *context)
{
    for (int64_t begin = 0, chunk = 0; begin < count; begin += size, chunk++)
        fn(context, chunk, begin, begin + size < count ? begin + size : count);
}

void thermo_run_reference(thermo_run *run, assay_reference_fn *reference)
{
    const void *in[THERMO_TEST_BUFS];

    for (int b = 0; b < THERMO_TEST_BUFS; b++)
        in[b] = run->in[b];
    reference(&(assay_reference_args) { .in           = in,
                                        .expect       = run->expect,
                                        .count        = run->count,
                                        .param        = run->param,
                                        .scalar       = run->scalar,
                                        .parallel_for = in_one_thread });
}

void thermo_run_prepare(thermo_run *run, assay_prepare_fn *prepare)
{
    prepare(&(assay_prepare_args) { .in           = run->in,
                                    .count        = run->count,
                                    .param        = run->param,
                                    .scalar       = run->scalar,
                                    .parallel_for = in_one_thread });
}

void thermo_run_free(thermo_run *run)
{
    for (int b = 0; b < THERMO_TEST_BUFS; b++) {
        free(run->in[b]);
        free(run->expect[b].value);
        free(run->expect[b].integer);
        free(run->expect[b].magnitude);
        free(run->expect[b].law);
    }
}

float *thermo_run_floats(const thermo_run *run, int b) { return run->in[b]; }

double thermo_random(uint64_t stream, uint64_t index)
{
    uint64_t z = (stream << 32 | index) * 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

/* ---- particles ---- */

thermo_run thermo_scatter_make(int64_t gx, int64_t gy, int64_t gz, int64_t most, int64_t n)
{
    const int64_t cells = gx * gy * gz;
    thermo_run    run   = { .param  = { gx, gy, gz, SCATTER_UNIFORM, SCATTER_STAGES },
                            .scalar = { (double)(float)(1 / (double)most) } };

    thermo_run_input(&run, SCATTER_BUF_POS, 3 * n);
    thermo_run_input(&run, SCATTER_BUF_VEL, 3 * n);
    for (int b = SCATTER_BUF_MASS; b <= SCATTER_BUF_ENERGY; b++)
        thermo_run_input(&run, b, n);
    for (int b = SCATTER_BUF_RHO; b < SCATTER_N_BUFS; b++) {
        const int64_t components =
            b == SCATTER_BUF_MOM || b == SCATTER_BUF_SORTED_POS || b == SCATTER_BUF_SORTED_VEL ? 3
                                                                                               : 1;
        const bool is_grid = b == SCATTER_BUF_RHO || b == SCATTER_BUF_MOM ||
                             b == SCATTER_BUF_E_INT || b == SCATTER_BUF_COUNT ||
                             b == SCATTER_BUF_START;

        thermo_run_output(&run, b, components * (is_grid ? cells : n) + 1);
    }
    run.count[SCATTER_BUF_RHO]   = cells;
    run.count[SCATTER_BUF_MOM]   = 3 * cells;
    run.count[SCATTER_BUF_E_INT] = cells;
    return run;
}

void thermo_put(thermo_run *run, int64_t t, float x, float y, float z)
{
    float *pos = thermo_run_floats(run, SCATTER_BUF_POS) + 3 * t;

    pos[0] = x;
    pos[1] = y;
    pos[2] = z;
}

void thermo_fill_random(thermo_run *run, int64_t n, const double length[3])
{
    for (int64_t t = 0; t < n; t++) {
        const uint64_t i = (uint64_t)t;

        thermo_put(run, t, (float)(thermo_random(1, i) * length[0]),
                   (float)(thermo_random(2, i) * length[1]),
                   (float)(thermo_random(3, i) * length[2]));
        for (int d = 0; d < 3; d++)
            thermo_run_floats(run, SCATTER_BUF_VEL)[3 * t + d] =
                (float)thermo_random(4, 3 * i + (uint64_t)d);
        thermo_run_floats(run, SCATTER_BUF_MASS)[t]   = (float)(0.5 + thermo_random(5, i));
        thermo_run_floats(run, SCATTER_BUF_HEAT)[t]   = (float)(0.5 + thermo_random(6, i));
        thermo_run_floats(run, SCATTER_BUF_ENERGY)[t] = (float)thermo_random(7, i);
    }
}
