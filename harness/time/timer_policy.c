/* The thresholds of the sample loop: their defaults, and which values make no sense. */
#include "timer.h"

#include <math.h>

assay_policy assay_policy_default(void)
{
    return (assay_policy) {
        .n_processes           = 3,
        .n_blocks              = 2,
        .budget_s              = 0.235,
        .target_relative_error = 0.0005,
        .min_samples           = 20,
        .max_samples           = 1000,
        .confident_samples     = 200,
        .max_calls             = 32,
        .graph_calls           = 20,
        .graph_target_ns       = 4e6,
        .sample_target_ns      = 50e3,
        .warm_window           = 5,
        .max_warmup            = 1000,
        .rewarm                = 3,
        .warm_agreement        = 0.05,
        .warm_share            = 0.2,
        .flush_kind            = ASSAY_FLUSH_WRITE,
        .short_ns              = 30e3,
        .clock_tie             = 0.005,
        .floor_factor          = 3,
        .ceiling_margin        = 0.1,
        .clock_gap_ns          = 6e3,
        .clock_gap_share       = 0.05,
        .invalid_reasons       = ASSAY_NVML_THROTTLED,
    };
}

/* Limits of one threshold of the policy. */
typedef struct limits {
    const char *name;
    double      value, least, most;
} limits;

assay_status assay_policy_check(const assay_policy *p)
{
    assay_status st      = ASSAY_OK;
    const limits table[] = {
        { "number of processes", p->n_processes, 1, 1000 },
        { "number of blocks", p->n_blocks, 1, 1000 },
        { "budget", p->budget_s, 0, 1e6 },
        { "target error", p->target_relative_error, 0, 1 },
        { "least number of samples", (double)p->min_samples, 1, 1e9 },
        { "largest number of samples", (double)p->max_samples, (double)p->min_samples, 1e9 },
        { "number of samples for confidence", (double)p->confident_samples, 0, 1e9 },
        { "number of calls behind a gate", p->max_calls, 1, 1000 },
        { "number of calls in a graph", p->graph_calls, 1, 1000 },
        { "length of a graph", p->graph_target_ns, 0, 1e9 },
        { "length of a sample", p->sample_target_ns, 0, 1e9 },
        { "window of the warm-up", p->warm_window, 1, 64 },
        { "length of the warm-up", p->max_warmup, 1, 1e9 },
        { "length of the second warm-up", p->rewarm, 0, 1e6 },
        { "agreement of the warm-up", p->warm_agreement, 0, 10 },
        { "share of the warm-up", p->warm_share, 0, 0.9 },
        { "kind of flush", p->flush_kind, ASSAY_FLUSH_WRITE, ASSAY_FLUSH_READ },
        { "length of a short kernel", p->short_ns, 0, 1e9 },
        { "tie of two clocks", p->clock_tie, 0, 1 },
        { "factor of the floor", p->floor_factor, 0, 1e6 },
        { "margin of the ceilings", p->ceiling_margin, 0, 1e6 },
        { "gap of two clocks", p->clock_gap_ns, 0, 1e9 },
        { "relative gap of two clocks", p->clock_gap_share, 0, 1e6 },
    };

    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        ASSAY_REQUIRE(table[i].value >= table[i].least && table[i].value <= table[i].most,
                      ASSAY_E_USAGE, "the %s must lie between %g and %g, not at %g", table[i].name,
                      table[i].least, table[i].most, table[i].value);
out:
    return st;
}
