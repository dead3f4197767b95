/* Compares every fused kernel of the physics loss with the non-fused ones, on the same device. */
#include "phys_parity.h"

#include <stdio.h>

static const char *const NAMES[PHYS_N_FUSIONS] = { "default", "pointwise", "tiled", "box",
                                                   "stream" };

/* The box has a halo of one. */
static bool is_supported(const phys_problem *p, int fusion, phys_pass pass)
{
    return fusion != PHYS_FUSED_BOX || p->grid.vjp == PHYS_VJP_RESIDUAL || pass == PHYS_RUN_FORWARD;
}

/* The first pass that computes something of its own: forward has no gradient, and backward at t1
 * alone is less than at all levels. The default is one of the others. */
static phys_pass first_pass(const phys_problem *p, int fusion)
{
    if (fusion == PHYS_FUSED_DEFAULT)
        return PHYS_RUN_BOTH;
    if (p->grid.vjp == PHYS_VJP_RESIDUAL)
        return PHYS_RUN_FORWARD;
    return p->grid.levels == PHYS_LEVELS_ALL || p->kind != PHYS_FIELDS_EXACT ? PHYS_RUN_BACKWARD
                                                                             : PHYS_RUN_BOTH;
}

static void check_fusion(phys_parity *parity, const phys_problem *p, int fusion)
{
    char what[64];

    (void)snprintf(what, sizeof what, "%s against non-fused", NAMES[fusion]);
    for (int pass = (int)first_pass(p, fusion); pass < PHYS_N_PASSES; pass++)
        if (is_supported(p, fusion, (phys_pass)pass) &&
            phys_run(p, fusion, (phys_pass)pass, &parity->got))
            phys_parity_check(parity, what, (phys_pass)pass);
}

static void check_gradient(const phys_problem *p, void *context)
{
    phys_parity parity;

    (void)context;
    if (!phys_parity_create(&parity, p))
        return;
    /* The fused kernels are compared with the non-fused answer, both passes at once. */
    if (phys_run(p, PHYS_RUN_NONFUSED, PHYS_RUN_BOTH, &parity.expected))
        for (int fusion = 0; fusion < PHYS_N_FUSIONS; fusion++)
            check_fusion(&parity, p, fusion);
    phys_parity_free(&parity);
}

static void check_problem(const phys_problem *p, void *context)
{
    phys_for_each_gradient(p, check_gradient, context);
}

/* A kernel that cannot do what is asked for says so and writes nothing. */
static void check_unsupported(void)
{
    static const int64_t n[3]        = { 5, 6, 7 };
    static const int     boundary[3] = { 0, 1, 0 };
    phys_problem         p           = { .cells = 0 };
    phys_result          result      = { .r = NULL };
    phys_on_device       on          = { .cells = 0 };

    if (trial_expect(phys_problem_create(&p, PHYS_FIELDS_EXACT, n, boundary, 0) &&
                         phys_result_create(&result, p.cells) && phys_on_device_create(&on, &p),
                     "unsupported: no memory: %s", phys_device_message())) {
        on.grid.vjp = PHYS_VJP_FIELD;
        phys_poison(&result, p.cells, false);
        trial_expect(
            phys_on_device_give(&on, &result) &&
                phys_call(&on, &on.buf, PHYS_FUSED_BOX, PHYS_RUN_BACKWARD) == PHYS_NOT_SUPPORTED &&
                phys_call(&on, &on.buf, PHYS_FUSED_BOX, PHYS_RUN_BOTH) == PHYS_NOT_SUPPORTED,
            "the box's halo of one is enough for the gradient with respect to the fields?");
        trial_expect(phys_is_untouched(&on, &result), "the box: a refused call writes");
        trial_expect(phys_call(&on, &on.buf, PHYS_FUSED_BOX, PHYS_RUN_FORWARD) == 0 &&
                         phys_device_wait(),
                     "the box: forward needs no gradient: %s", phys_device_message());
    }
    phys_on_device_release(&on);
    phys_result_free(&result);
    phys_problem_free(&p);
}

/* Arrays that are aligned to one float only, with rows of a multiple of four. */
static void check_shifted(const phys_problem *p, void *context)
{
    const size_t   bytes   = 4 * (size_t)p->cells * sizeof(float);
    float         *shifted = phys_device_alloc(bytes + sizeof(float));
    phys_parity    parity  = { .problem = NULL };
    phys_on_device on      = { .cells = 0 };

    (void)context;
    if (trial_expect(shifted != NULL && phys_parity_create(&parity, p) &&
                         phys_on_device_create(&on, p) &&
                         phys_device_upload(shifted + 1, p->field[1], bytes),
                     "unaligned: no memory: %s", phys_device_message())) {
        on.buf.sigma_t1 = shifted + 1;
        on.buf.u_t1     = shifted + 1 + p->cells;
        for (int fusion = PHYS_RUN_NONFUSED; fusion < PHYS_N_FUSIONS; fusion++) {
            phys_poison(&parity.got, p->cells, false);
            if (is_supported(p, fusion, PHYS_RUN_BOTH) &&
                trial_expect(phys_on_device_give(&on, &parity.got) &&
                                 phys_call(&on, &on.buf, fusion, PHYS_RUN_BOTH) == 0 &&
                                 phys_device_wait() && phys_on_device_result(&on, &parity.got),
                             "unaligned, fusion %d: %s", fusion, phys_device_message()))
                phys_parity_check(&parity, "unaligned", PHYS_RUN_BOTH);
        }
    }
    phys_on_device_release(&on);
    phys_parity_free(&parity);
    phys_device_release(shifted);
}

static void check_unaligned(void)
{
    static const int64_t n[3]        = { 36, 17, 5 };
    static const int     boundary[3] = { 0, 1, 0 };
    phys_problem         p           = { .cells = 0 };

    if (trial_expect(phys_problem_create(&p, PHYS_FIELDS_EXACT, n, boundary, 0), "out of memory"))
        phys_for_each_gradient(&p, check_shifted, NULL);
    phys_problem_free(&p);
}

int main(void)
{
    char why[256];

    if (!phys_device_open(why, sizeof why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    phys_for_each_problem(PHYS_FIELDS_EXACT, check_problem, NULL);
    phys_for_each_problem(PHYS_FIELDS_SMOOTH, check_problem, NULL);
    check_unaligned();
    check_unsupported();
    for (int fusion = 0; fusion <= PHYS_N_FUSIONS; fusion++)
        phys_check_refusals(fusion);
    return trial_finish("test_phys_cuda_fused_vs_nonfused");
}
