/* Parity and refusal checks of the stand-alone physics loss programs. */
#include "phys_parity.h"

#include <math.h>
#include <string.h>

bool phys_parity_create(phys_parity *parity, const phys_problem *problem)
{
    phys_buf buf;

    *parity = (phys_parity) { .problem = problem };
    if (!trial_expect(phys_result_create(&parity->expected, problem->cells) &&
                          phys_result_create(&parity->got, problem->cells),
                      "out of memory")) {
        phys_parity_free(parity);
        return false;
    }
    phys_poison(&parity->expected, problem->cells, false);
    buf = phys_host_buf(problem, &parity->expected);
    if (trial_expect(cpu_phys_loss_forward(&problem->grid, &problem->weights, &buf) == 0 &&
                         cpu_phys_loss_backward(&problem->grid, &problem->weights, &buf) == 0,
                     "%s: the reference refuses it", phys_describe(problem)))
        return true;
    phys_parity_free(parity);
    return false;
}

void phys_parity_free(phys_parity *parity)
{
    phys_result_free(&parity->expected);
    phys_result_free(&parity->got);
}

void phys_parity_give_residuals(phys_parity *parity, const phys_result *from)
{
    memcpy(parity->got.r, from->r, 4 * (size_t)parity->problem->cells * sizeof(float));
}

static void check_vector(const phys_parity *parity, const char *what, const char *output,
                         const float *got, const float *expected, bool is_gradient)
{
    const int64_t       n = 4 * parity->problem->cells;
    const phys_distance d = phys_compare(got, expected, n);
    const double        scale =
        is_gradient || d.max_reference > 1 ? d.max_reference : 1; /* unit scale: absolute */

    if (parity->problem->kind == PHYS_FIELDS_EXACT)
        trial_expect(d.max_abs == 0, "%s: %s: %s differs by %g where all is exact",
                     phys_describe(parity->problem), what, output, d.max_abs);
    else
        trial_expect(d.relative_l2 < 1e-6 && d.max_abs <= 1e-6 * scale,
                     "%s: %s: %s: relative L2 %g, maximum %g of %g", phys_describe(parity->problem),
                     what, output, d.relative_l2, d.max_abs, scale);
}

static void check_losses(const phys_parity *parity, const char *what)
{
    /* Twice the error of the residuals. */
    const double limit = parity->problem->kind == PHYS_FIELDS_EXACT ? 0 : 2e-6;

    for (int i = 0; i < 2; i++) {
        const double got = parity->got.loss[i], expected = parity->expected.loss[i];

        trial_expect(fabs(got - expected) <= limit * fabs(expected),
                     "%s: %s: loss %d: %.17g, not %.17g", phys_describe(parity->problem), what, i,
                     got, expected);
    }
}

static bool is_untouched(const float *values, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isnan(values[i]))
            return false;
    return true;
}

/* Computed here again, apart from the calls' own checks: a mistake there would be invisible. */
static bool is_wanted(const phys_grid_spec *grid, int level)
{
    if (level == 1)
        return true;
    return grid->levels == PHYS_LEVELS_ALL && (level == 0 || grid->time == PHYS_CENTRAL);
}

static void check_gradients(const phys_parity *parity, const char *what, phys_pass pass)
{
    static const char *const names[3] = { "d at t0", "d at t1", "d at t2" };
    const phys_grid_spec    *grid     = &parity->problem->grid;

    for (int level = 0; level < 3; level++)
        if (pass == PHYS_RUN_FORWARD || !is_wanted(grid, level))
            trial_expect(is_untouched(parity->got.d[level], 4 * parity->problem->cells),
                         "%s: %s: %s is written and was not asked for",
                         phys_describe(parity->problem), what, names[level]);
        else
            check_vector(parity, what, names[level], parity->got.d[level],
                         parity->expected.d[level], true);
}

void phys_parity_check(const phys_parity *parity, const char *what, phys_pass pass)
{
    /* forward writes r; so does both, on request. */
    if (pass != PHYS_RUN_BACKWARD)
        check_vector(parity, what, "R", parity->got.r, parity->expected.r, false);
    check_gradients(parity, what, pass);
    if (pass != PHYS_RUN_BACKWARD)
        check_losses(parity, what);
}

/* ---- refusals ---- */

typedef struct refusal {
    phys_on_device on;
    phys_result   *result;
    int            fusion;
} refusal;

bool phys_is_untouched(const phys_on_device *on, phys_result *result)
{
    bool works = phys_device_wait() && phys_on_device_result(on, result) &&
                 is_untouched(result->r, 4 * on->cells);

    for (int level = 0; level < 3; level++)
        works = works && is_untouched(result->d[level], 4 * on->cells);
    return works && isnan(result->loss[0]) && isnan(result->loss[1]);
}

static void check_refused(const phys_invalid *invalid, void *context)
{
    refusal       *r  = context;
    phys_on_device on = r->on;

    /* A missing grid cannot be passed in the structure: those calls are checked on the CPU. */
    if (invalid->grid == NULL || invalid->weights == NULL)
        return;
    on.grid    = *invalid->grid;
    on.weights = *invalid->weights;
    for (int pass = 0; pass < PHYS_N_PASSES; pass++) {
        int error;

        /* backward_nonfused needs no fields: some of these are valid there. */
        if (r->fusion == PHYS_RUN_NONFUSED && pass == PHYS_RUN_BACKWARD)
            continue;
        error = phys_call(&on, invalid->buf, r->fusion, (phys_pass)pass);
        trial_expect(error == PHYS_INVALID_VALUE, "fusion %d pass %d: invalid %s gives %d",
                     r->fusion, pass, invalid->what, error);
    }
}

static void check_workspace(refusal *r)
{
    phys_on_device on = r->on;

    on.workspace_bytes--;
    trial_expect(phys_call(&on, &on.buf, r->fusion, PHYS_RUN_BOTH) == PHYS_INVALID_WORKSPACE,
                 "a workspace one byte short is accepted");
    on                               = r->on;
    on.memory[PHYS_MEMORY_WORKSPACE] = NULL;
    trial_expect(phys_call(&on, &on.buf, r->fusion, PHYS_RUN_FORWARD) == PHYS_INVALID_WORKSPACE,
                 "a missing workspace is accepted");
}

void phys_check_refusals(int fusion)
{
    static const int64_t n[3]        = { 5, 6, 7 };
    static const int     boundary[3] = { 0, 1, 0 };
    phys_problem         p           = { .cells = 0 };
    phys_result          result      = { .r = NULL };
    refusal              r           = { .fusion = fusion, .result = &result };

    if (trial_expect(phys_problem_create(&p, PHYS_FIELDS_RANDOM, n, boundary, PHYS_FIRST_ORDER) &&
                         phys_result_create(&result, p.cells) && phys_on_device_create(&r.on, &p),
                     "out of memory")) {
        phys_poison(&result, p.cells, false);
        trial_expect(phys_on_device_give(&r.on, &result), "no copy to the device: %s",
                     phys_device_message());
        if (fusion >= PHYS_N_FUSIONS)
            trial_expect(phys_call(&r.on, &r.on.buf, fusion, PHYS_RUN_BOTH) == PHYS_INVALID_VALUE,
                         "fusion %d is accepted", fusion);
        else
            phys_for_each_invalid(&p, &r.on.buf, check_refused, &r);
        if (fusion == PHYS_RUN_NONFUSED)
            check_workspace(&r);
        trial_expect(phys_is_untouched(&r.on, &result), "fusion %d: a refused call writes", fusion);
    }
    phys_on_device_release(&r.on);
    phys_result_free(&result);
    phys_problem_free(&p);
}
