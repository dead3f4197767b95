/* What each kind of run asks for, and what follows from a request. */
#include "run_request.h"

#include "time/timer.h"

#include <string.h>

static const struct {
    const char  *verb;
    assay_stages stages;
    bool         tiers[2]; /* used without --tier */
    bool         full_tier_needs_gpu;
} kinds[ASSAY_N_RUN_KINDS] = {
    /* Edge sizes are checked, not timed. */
    [ASSAY_RUN_CHECK]   = { .verb                = "check",
                            .tiers               = { [ASSAY_QUICK] = true, [ASSAY_FULL] = true },
                            .full_tier_needs_gpu = true },
    [ASSAY_RUN_BENCH]   = { .verb   = "bench",
                            .stages = { .times = true },
                            .tiers  = { [ASSAY_FULL] = true } },
    [ASSAY_RUN_PROFILE] = { .verb   = "profile",
                            .stages = { .counts = true },
                            .tiers  = { [ASSAY_FULL] = true } },
    [ASSAY_RUN_TRACE]   = { .verb   = "trace",
                            .stages = { .traces = true },
                            .tiers  = { [ASSAY_FULL] = true } },
    [ASSAY_RUN_RUN]     = { .verb   = "run",
                            .stages = { .times = true, .counts = true, .full_tier_only = true },
                            .tiers  = { [ASSAY_QUICK] = true, [ASSAY_FULL] = true } },
};

bool assay_run_kind_find(const char *verb, assay_run_kind *kind)
{
    for (int k = 0; k < ASSAY_N_RUN_KINDS; k++) {
        if (strcmp(kinds[k].verb, verb) == 0) {
            *kind = (assay_run_kind)k;
            return true;
        }
    }
    return false;
}

void assay_run_request_of(assay_run_kind kind, assay_run_request *request)
{
    *request = (assay_run_request) { .verb                = kinds[kind].verb,
                                     .stages              = kinds[kind].stages,
                                     .full_tier_needs_gpu = kinds[kind].full_tier_needs_gpu,
                                     .target              = { .device = "auto", .gpu = -1 } };
    memcpy(request->selection.tiers, kinds[kind].tiers, sizeof kinds[kind].tiers);
}

assay_selection assay_run_request_selection(const assay_run_request *request,
                                            const char              *device_kind)
{
    assay_selection selection = request->selection;

    if (request->full_tier_needs_gpu && strcmp(device_kind, "cuda") != 0)
        selection.tiers[ASSAY_FULL] = false;
    return selection;
}

bool assay_run_request_wants_more(const assay_run_request *request, const assay_point *point)
{
    const assay_stages *s = &request->stages;

    return (s->times || s->counts || s->traces) &&
           (!s->full_tier_only || point->tier == ASSAY_FULL);
}

bool assay_run_request_needs_gpu(const assay_run_request *request)
{
    const assay_stages *s = &request->stages;

    return request->tool != ASSAY_GPU_TOOL_NONE || ((s->counts || s->traces) && !s->times);
}

const char *assay_run_request_lane(const assay_run_request *request, const assay_target *target)
{
    return request->tool != ASSAY_GPU_TOOL_NONE ? assay_gpu_tool_text(request->tool)
                                                : assay_lane_text(target->lane);
}

assay_policy assay_timing_policy(const assay_timing *timing)
{
    assay_policy policy = assay_policy_default();

    if (timing->n_processes > 0)
        policy.n_processes = timing->n_processes;
    if (timing->time_s > 0)
        policy.budget_s = timing->time_s;
    if (timing->target_error > 0)
        policy.target_relative_error = timing->target_error;
    if (timing->flush && strcmp(timing->flush, "read") == 0)
        policy.flush_kind = ASSAY_FLUSH_READ;
    return policy;
}
