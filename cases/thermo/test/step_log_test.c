/* Does the log of a whole step explain its halvings? Compares it with the reference's own steps
 * from the kernel's own deposit, attempt by attempt. */
#include "step_log_test.h"

#include "gas_test.h"
#include "step_test.h"

#include "../../../kernels/thermo/thermo.h"
#include "../../../kernels/thermo_gas/gas_case.h"

#include <string.h>

/* The grid of the kernel's own U0, and the reference's result from it with one dt. */
typedef struct attempt {
    const int64_t    *n;
    int64_t           cells;
    thermo_gas_state *u[3];
} attempt;

static attempt attempt_make(const step_run *r)
{
    attempt a = { .n = r->shape.param + STEP_PARAM_GX, .cells = r->shape.cells };

    for (int stage = 0; stage < 3; stage++)
        a.u[stage] = get_memory((size_t)a.cells, sizeof *a.u[stage]);
    for (int64_t i = 0; i < a.cells; i++) {
        a.u[0][i].u[THERMO_RHO]   = (double)step_floats(r, STEP_BUF_RHO)[i];
        a.u[0][i].u[THERMO_E_INT] = (double)step_floats(r, STEP_BUF_E)[i];
        for (int d = 0; d < 3; d++)
            a.u[0][i].u[THERMO_MOM_X + d] = (double)step_floats(r, STEP_BUF_MOM)[3 * i + d];
    }
    return a;
}

static void attempt_free(attempt *a)
{
    for (int stage = 0; stage < 3; stage++)
        free(a->u[stage]);
}

static void attempt_run(const attempt *a, double dt)
{
    trial_expect(thermo_gas_first_stage(a->n, dt, a->u[0], a->u[1]) &&
                     thermo_gas_step(a->n, dt, a->u[0], a->u[2], NULL),
                 "out of memory");
}

static bool is_nan_at(const attempt *a, int stage, int64_t cell)
{
    return isnan(a->u[stage][cell].u[THERMO_RHO]);
}

/* Is this cell NaN while no cell of its stencil was? All of U0 is admissible in these starts. */
static bool is_source(const attempt *a, int stage, int64_t cell)
{
    const int64_t stride[3] = { a->n[1] * a->n[2], a->n[2], 1 };
    bool          has_bad   = is_nan_at(a, stage - 1, cell);

    for (int d = 0; d < 3; d++) {
        const int64_t at = cell / stride[d] % a->n[d];

        has_bad = has_bad ||
                  is_nan_at(a, stage - 1, cell + ((at + 1) % a->n[d] - at) * stride[d]) ||
                  is_nan_at(a, stage - 1, cell + ((at + a->n[d] - 1) % a->n[d] - at) * stride[d]);
    }
    return !has_bad && is_nan_at(a, stage, cell);
}

static uint32_t count_sources(const attempt *a)
{
    uint32_t n = 0;

    for (int stage = 1; stage <= 2; stage++)
        for (int64_t cell = 0; cell < a->cells; cell++)
            n += is_source(a, stage, cell) ? 1 : 0;
    return n;
}

/* ---- entries ---- */

static float float_at(const uint32_t *words)
{
    float value;

    memcpy(&value, words, sizeof value);
    return value;
}

/* These states are in the envelope, or normal without energy; the reason is the first that
 * holds. */
static uint32_t reason_of(const uint32_t *entry)
{
    float u[THERMO_N_FIELDS];

    memcpy(u, entry + GAS_LOG_STATE, sizeof u);
    if (u[THERMO_RHO] > 1e-3f)
        return GAS_NEGATIVE_ENERGY;
    return sqrtf(u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) > 1e-3f ? GAS_ENVELOPE_MOMENTUM
                                                                  : GAS_ENVELOPE_ENERGY;
}

/* Checks the entries of one attempt; returns how many there are. */
static uint32_t expect_entries(const step_run *r, const attempt *a, float dt)
{
    const uint32_t *log  = r->host[STEP_BUF_LOG];
    const uint32_t  all  = *(const uint32_t *)r->host[STEP_BUF_LOG_COUNT];
    uint32_t        seen = 0;

    for (uint32_t i = 0; i < all && i < GAS_LOG_CAPACITY; i++) {
        const uint32_t *entry = log + i * GAS_LOG_WORDS;

        if (float_at(entry + GAS_LOG_DT) != dt)
            continue;
        seen++;
        trial_expect(entry[GAS_LOG_CELL] < a->cells && entry[GAS_LOG_STAGE] >= 1 &&
                         entry[GAS_LOG_STAGE] <= 2 &&
                         is_source(a, (int)entry[GAS_LOG_STAGE], entry[GAS_LOG_CELL]),
                     "%s: cell %u is no source of stage %u at dt %g", r->variant->name,
                     entry[GAS_LOG_CELL], entry[GAS_LOG_STAGE], (double)dt);
        trial_expect(entry[GAS_LOG_REASON] == reason_of(entry), "%s: cell %u: reason %u",
                     r->variant->name, entry[GAS_LOG_CELL], entry[GAS_LOG_REASON]);
    }
    return seen;
}

/* Attempts had dt times powers of two; the last one succeeded. */
static void expect_log(const step_run *r)
{
    const uint32_t count   = *(const uint32_t *)r->host[STEP_BUF_LOG_COUNT];
    const int      n       = step_halvings(r);
    attempt        a       = attempt_make(r);
    uint32_t       sources = 0, entries = 0, last = 0;

    for (int k = n; k >= 0; k--) {
        const float dt = ldexpf(step_dt(r), k);

        attempt_run(&a, (double)dt);
        sources += count_sources(&a);
        last = expect_entries(r, &a, dt);
        entries += last;
        trial_expect((count_sources(&a) > 0) == (k > 0), "%s: attempt with dt %g: %u sources",
                     r->variant->name, (double)dt, count_sources(&a));
        trial_expect(k != 1 || last > 0, "%s: the last halving is not explained", r->variant->name);
    }
    trial_expect(count == sources, "%s: %u sources counted, %u there", r->variant->name, count,
                 sources);
    trial_expect(entries == (count < GAS_LOG_CAPACITY ? count : GAS_LOG_CAPACITY),
                 "%s: %u entries are of an attempt", r->variant->name, entries);
    attempt_free(&a);
}

/* ---- starts ---- */

/* A spark halves dt first for the momentum of its neighbours, and then for their energy. */
static void expect_spark(const step_run *r)
{
    const uint32_t *log = r->host[STEP_BUF_LOG];

    for (int i = 0; i < 12; i++)
        trial_expect(log[i * GAS_LOG_WORDS + GAS_LOG_REASON] ==
                         (i < 6 ? GAS_ENVELOPE_MOMENTUM : GAS_ENVELOPE_ENERGY),
                     "%s: entry %d has reason %u", r->variant->name, i,
                     log[i * GAS_LOG_WORDS + GAS_LOG_REASON]);
}

static void test_log(int way, int start, int64_t side, int halvings)
{
    step_run r;

    if (!step_run_make(&r, way, (step_point) { side, 1, start, 0, STEP_DT_METAL, 1 }))
        return;
    if (step_run_launch(&r)) {
        trial_expect(step_halvings(&r) == halvings, "%s: %d halvings", r.variant->name,
                     step_halvings(&r));
        expect_log(&r);
        if (start == STEP_SPARK)
            expect_spark(&r);
    }
    if (way == 0)
        (void)printf("%s: %u sources of NaN in %d attempts\n",
                     start == STEP_SPARK ? "spark" : "hot",
                     *(const uint32_t *)r.host[STEP_BUF_LOG_COUNT], step_halvings(&r));
    step_run_free(&r);
}

void test_logs(void)
{
    for (int way = 0; way < N_WAYS; way++) {
        test_log(way, STEP_SPARK, 8, 2);
        test_log(way, STEP_HOT, 8, 6); /* more sources than the ring holds */
    }
}
