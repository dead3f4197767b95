/* Compares the non-fused kernels of the physics loss with the double reference. */
#include "phys_parity.h"

#include <stdio.h>

/* The residuals that backward starts from are the reference's. */
static void check_gradient(const phys_problem *p, void *context)
{
    phys_parity parity;

    (void)context;
    if (!phys_parity_create(&parity, p))
        return;
    for (int pass = 0; pass < PHYS_N_PASSES; pass++) {
        phys_parity_give_residuals(&parity, &parity.expected);
        if (phys_run(p, PHYS_RUN_NONFUSED, (phys_pass)pass, &parity.got))
            phys_parity_check(&parity, "non-fused against the reference", (phys_pass)pass);
    }
    phys_parity_free(&parity);
}

static void check_problem(const phys_problem *p, void *context)
{
    phys_for_each_gradient(p, check_gradient, context);
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
    phys_check_refusals(PHYS_RUN_NONFUSED);
    return trial_finish("test_phys_cuda_nonfused_vs_cpu");
}
