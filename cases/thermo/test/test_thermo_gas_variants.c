/* The gas kernels beyond what the case compares. Variants that compute the same form give the same
 * bits with any tuning. The debug log names each source of NaN once, keeps the latest entries, and
 * writes nothing when it is off. On the host device, where device memory is host memory. */
#include "gas_test.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../../kernels/thermo_gas/gas_case.h"

#include <string.h>

assay_launch_fn thermo_gas_plain, thermo_gas_ssp, thermo_gas_tiled3d, thermo_gas_stream;

enum {
    FIELDS = 3 /* rho, mom, e */
};

/* Arguments of a launch with their memory. */
typedef struct gas_problem {
    int64_t  n[3], cells;
    void    *buf[GAS_N_BUFS];
    int64_t  count[GAS_N_BUFS], param[GAS_N_PARAMS];
    double   scalar[1];
    uint32_t log_count;
    uint32_t log[GAS_LOG_CAPACITY * GAS_LOG_WORDS];
    float   *k1;
} gas_problem;

static void problem_create(gas_problem *p, int64_t nx, int64_t ny, int64_t nz)
{
    memset(p, 0, sizeof *p);
    p->n[0]  = nx;
    p->n[1]  = ny;
    p->n[2]  = nz;
    p->cells = nx * ny * nz;
    for (int b = GAS_BUF_RHO; b <= GAS_BUF_E_2; b++) {
        p->count[b] = b % FIELDS == GAS_BUF_MOM ? 3 * p->cells : p->cells;
        p->buf[b]   = get_memory((size_t)p->count[b], sizeof(float));
    }
    for (int d = 0; d < 3; d++)
        p->param[GAS_PARAM_GX + d] = p->n[d];
    p->buf[GAS_BUF_LOG_COUNT] = &p->log_count;
    p->buf[GAS_BUF_LOG]       = p->log;
    p->scalar[GAS_SCALAR_DT]  = 0.02 / (double)(nx > ny && nx > nz ? nx : ny > nz ? ny : nz);
    p->k1                     = get_memory((size_t)(5 * p->cells), sizeof(float));
}

static void problem_free(gas_problem *p)
{
    for (int b = GAS_BUF_RHO; b <= GAS_BUF_E_2; b++)
        free(p->buf[b]);
    free(p->k1);
}

static float *field(const gas_problem *p, int b) { return p->buf[b]; }

static void set_cell(const gas_problem *p, int64_t cell, const double u[THERMO_N_FIELDS])
{
    field(p, GAS_BUF_RHO)[cell] = (float)u[THERMO_RHO];
    for (int d = 0; d < 3; d++)
        field(p, GAS_BUF_MOM)[3 * cell + d] = (float)u[THERMO_MOM_X + d];
    field(p, GAS_BUF_E)[cell] = (float)u[THERMO_E_INT];
}

/* Normal cells in any state. */
static void fill_random(const gas_problem *p, uint64_t seed)
{
    for (int64_t i = 0; i < p->cells; i++) {
        double u[THERMO_N_FIELDS];

        for (int q = 0; q < THERMO_N_FIELDS; q++)
            u[q] = noise(seed, (uint64_t)(i * THERMO_N_FIELDS + q));
        u[THERMO_RHO]   = 1 + 0.5 * u[THERMO_RHO];
        u[THERMO_E_INT] = 2 + u[THERMO_E_INT];
        set_cell(p, i, u);
    }
}

static void run(gas_problem *p, assay_launch_fn *launch, const int64_t *tune)
{
    const assay_args args  = { .buf             = p->buf,
                               .count           = p->count,
                               .param           = p->param,
                               .scalar          = p->scalar,
                               .tune            = tune,
                               .workspace       = p->k1,
                               .workspace_bytes = (size_t)p->cells * 5 * sizeof(float) };
    const int        error = launch(&args, NULL);

    trial_expect(error == 0, "the launch failed with %d", error);
}

static void set_log(gas_problem *p, bool is_on)
{
    p->count[GAS_BUF_LOG_COUNT] = is_on ? 1 : 0;
    p->count[GAS_BUF_LOG]       = is_on ? GAS_LOG_CAPACITY * GAS_LOG_WORDS : 0;
    p->log_count                = 0;
    memset(p->log, 0, sizeof p->log);
}

/* ---- the same form, the same bits ---- */

static const struct form {
    const char      *name;
    assay_launch_fn *launch;
    int64_t          tune[4];
} FORMS[] = {
    { "ssp, block 64", thermo_gas_ssp, { 64 } },
    { "tiled3d 4x4", thermo_gas_tiled3d, { 4, 4 } },
    { "tiled3d 2x8", thermo_gas_tiled3d, { 2, 8 } },
    { "tiled3d 4x8", thermo_gas_tiled3d, { 4, 8 } },
    { "tiled3d 2x4", thermo_gas_tiled3d, { 2, 4 } },
    { "stream 8, unroll 2, 32 planes", thermo_gas_stream, { 8, 24, 2, 32 } },
    { "stream 8, unroll 1, 1 plane", thermo_gas_stream, { 8, 16, 1, 1 } },
    { "stream 4, unroll 1, 3 planes", thermo_gas_stream, { 4, 24, 1, 3 } },
    { "stream 4, unroll 2, 2 planes", thermo_gas_stream, { 4, 16, 2, 2 } },
    { "stream 16, unroll 2, 5 planes", thermo_gas_stream, { 16, 24, 2, 5 } },
    { "stream 16, unroll 1, 16 planes", thermo_gas_stream, { 16, 16, 1, 16 } },
};

static void keep_results(const gas_problem *p, float *to[])
{
    for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
        memcpy(to[b], p->buf[b], (size_t)p->count[b] * sizeof(float));
}

static void expect_same(const gas_problem *p, float *const kept[], const char *name)
{
    for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
        trial_expect(memcmp(kept[b], p->buf[b], (size_t)p->count[b] * sizeof(float)) == 0,
                     "%s on %dx%dx%d: buffer %d has other bits", name, (int)p->n[0], (int)p->n[1],
                     (int)p->n[2], b);
}

static void test_same_bits(int64_t nx, int64_t ny, int64_t nz)
{
    const int64_t block[]                 = { 256 };
    const double  vacuum[THERMO_N_FIELDS] = { 0 }, bad[THERMO_N_FIELDS] = { -1, 0, 0, 0, 1 };
    float        *kept[GAS_N_BUFS] = { NULL };
    gas_problem   p;

    problem_create(&p, nx, ny, nz);
    fill_random(&p, 3);
    for (int64_t i = 0; i < p.cells; i += 5)
        set_cell(&p, i, vacuum);
    set_cell(&p, p.cells / 2, bad);
    for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
        kept[b] = get_memory((size_t)p.count[b], sizeof(float));
    run(&p, thermo_gas_ssp, block);
    keep_results(&p, kept);
    for (size_t f = 0; f < sizeof FORMS / sizeof *FORMS; f++) {
        for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
            memset(p.buf[b], 0xa5, (size_t)p.count[b] * sizeof(float));
        run(&p, FORMS[f].launch, FORMS[f].tune);
        expect_same(&p, kept, FORMS[f].name);
    }
    for (int b = GAS_BUF_RHO_1; b <= GAS_BUF_E_2; b++)
        free(kept[b]);
    problem_free(&p);
}

static void test_unknown_tuning_is_refused(void)
{
    const int64_t tune[] = { 5, 5, 5, 5 };
    assay_args    args   = { .tune = tune };

    trial_expect(thermo_gas_stream(&args, NULL) != 0, "a tile of 5 rows is accepted");
    trial_expect(thermo_gas_tiled3d(&args, NULL) != 0, "a box of 5 x 5 is accepted");
}

/* ---- the log ---- */

static bool is_nan_at(const gas_problem *p, int b, int64_t cell)
{
    return isnan(field(p, b)[cell]);
}

static int64_t beside(const gas_problem *p, int64_t cell, int d, int64_t step)
{
    const int64_t stride[3] = { p->n[1] * p->n[2], p->n[2], 1 };
    const int64_t at        = cell / stride[d] % p->n[d];

    return cell + ((at + step + p->n[d]) % p->n[d] - at) * stride[d];
}

/* In these tests a given cell is inadmissible exactly if its rho is below 0. */
static bool was_bad(const gas_problem *p, int stage, int64_t cell)
{
    return stage == 1 ? field(p, GAS_BUF_RHO)[cell] < 0 : is_nan_at(p, GAS_BUF_RHO_1, cell);
}

/* Is the cell a source of NaN in this stage (0: in the input)? Derived from the outputs alone. */
static bool is_source(const gas_problem *p, int stage, int64_t cell)
{
    bool has_bad = stage > 0 && was_bad(p, stage, cell);

    if (stage == 0)
        return was_bad(p, 1, cell);
    for (int d = 0; d < 3; d++)
        has_bad = has_bad || was_bad(p, stage, beside(p, cell, d, 1)) ||
                  was_bad(p, stage, beside(p, cell, d, -1));
    return !has_bad && is_nan_at(p, stage == 1 ? GAS_BUF_RHO_1 : GAS_BUF_RHO_2, cell);
}

static int count_sources(const gas_problem *p, int stage)
{
    int n = 0;

    for (int64_t cell = 0; cell < p->cells; cell++)
        n += is_source(p, stage, cell) ? 1 : 0;
    return n;
}

/* The state that an entry gives must be inadmissible for the reason it gives. */
static void expect_reason(const uint32_t *entry)
{
    float u[THERMO_N_FIELDS];

    memcpy(u, entry + GAS_LOG_STATE, sizeof u);
    switch (entry[GAS_LOG_REASON]) {
    case GAS_NOT_FINITE:
        trial_expect(!isfinite(u[0] + u[1] + u[2] + u[3] + u[4]),
                     "a finite state is called infinite");
        break;
    case GAS_NEGATIVE_DENSITY:
        trial_expect(u[THERMO_RHO] < -1e-3f, "rho %g is called negative", (double)u[THERMO_RHO]);
        break;
    case GAS_NEGATIVE_ENERGY:
        trial_expect(u[THERMO_RHO] > 1e-3f && u[THERMO_E_INT] < 0, "e %g is called negative",
                     (double)u[THERMO_E_INT]);
        break;
    default:
        trial_expect(fabsf(u[THERMO_RHO]) <= 1e-3f && entry[GAS_LOG_REASON] <= GAS_ENVELOPE_ENERGY,
                     "reason %u with rho %g", entry[GAS_LOG_REASON], (double)u[THERMO_RHO]);
    }
}

/* Every entry is a source, and none occurs twice; entries beyond the count are untouched. */
static void expect_log(const gas_problem *p, uint32_t sources)
{
    const uint32_t kept = sources < GAS_LOG_CAPACITY ? sources : GAS_LOG_CAPACITY;

    trial_expect(p->log_count == sources, "%u sources counted, %u there", p->log_count, sources);
    for (uint32_t i = 0; i < kept; i++) {
        const uint32_t *entry = p->log + i * GAS_LOG_WORDS;

        trial_expect(entry[GAS_LOG_CELL] < p->cells && entry[GAS_LOG_STAGE] <= 2 &&
                         is_source(p, (int)entry[GAS_LOG_STAGE], entry[GAS_LOG_CELL]),
                     "entry %u: cell %u is no source of stage %u", i, entry[GAS_LOG_CELL],
                     entry[GAS_LOG_STAGE]);
        expect_reason(entry);
        trial_expect(entry[GAS_LOG_TURN] == (sources - 1 - i) / GAS_LOG_CAPACITY + 1,
                     "entry %u: turn %u", i, entry[GAS_LOG_TURN]);
        for (uint32_t k = 0; k < i; k++)
            trial_expect(memcmp(entry, p->log + k * GAS_LOG_WORDS, 2 * sizeof *entry) != 0,
                         "entries %u and %u are of one source", k, i);
    }
    for (uint32_t w = kept * GAS_LOG_WORDS; w < GAS_LOG_CAPACITY * GAS_LOG_WORDS; w++)
        trial_expect(p->log[w] == 0, "word %u of the log was written", w);
}

static const struct form LOGGED[] = {
    { "plain", thermo_gas_plain, { 256 } },
    { "ssp", thermo_gas_ssp, { 256 } },
    { "tiled3d", thermo_gas_tiled3d, { 4, 4 } },
    { "stream", thermo_gas_stream, { 8, 24, 2, 32 } },
};

/* dt: the length of the step. A long one makes sources in both stages. */
static void test_log(const struct form *form, int64_t every, double dt, bool fits, int least[3])
{
    const double bad[THERMO_N_FIELDS] = { -0.5, 0, 0, 0, 1 };
    gas_problem  p;
    int          sources[3], all = 0;

    problem_create(&p, 7, 9, 6);
    fill_random(&p, 5);
    for (int64_t i = every / 2; every > 0 && i < p.cells; i += every)
        set_cell(&p, i, bad);
    p.scalar[GAS_SCALAR_DT] = dt;
    set_log(&p, false);
    run(&p, form->launch, form->tune);
    expect_log(&p, 0);
    set_log(&p, true);
    run(&p, form->launch, form->tune);
    for (int s = 0; s < 3; s++) {
        sources[s] = count_sources(&p, s);
        all += sources[s];
        trial_expect(sources[s] >= least[s], "%s: %d sources in stage %d", form->name, sources[s],
                     s);
    }
    trial_expect((all <= GAS_LOG_CAPACITY) == fits, "%s: %d sources", form->name, all);
    expect_log(&p, (uint32_t)all);
    problem_free(&p);
}

int main(void)
{
    static const int64_t grids[][3] = { { 1, 1, 1 },  { 2, 1, 3 },   { 3, 5, 31 }, { 5, 8, 32 },
                                        { 6, 9, 33 }, { 9, 17, 65 }, { 4, 3, 64 } };

    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++)
        test_same_bits(grids[g][0], grids[g][1], grids[g][2]);
    test_unknown_tuning_is_refused();
    for (size_t f = 0; f < sizeof LOGGED / sizeof *LOGGED; f++) {
        test_log(&LOGGED[f], 0, 1e-3, true, (int[]) { 0, 0, 0 });
        test_log(&LOGGED[f], 100, 1e-3, true, (int[]) { 3, 0, 0 });
        test_log(&LOGGED[f], 1, 1e-3, false, (int[]) { 300, 0, 0 }); /* more than the ring holds */
        test_log(&LOGGED[f], 0, 0.0225, true, (int[]) { 0, 1, 1 });
        test_log(&LOGGED[f], 0, 0.05, false, (int[]) { 0, 1, 0 });
    }
    return trial_finish("test_thermo_gas_variants");
}
