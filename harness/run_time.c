/* The timing of one point that has passed. */
#include "run_internal.h"

static const double TIMING_LIMIT_S = 300;

typedef struct timing {
    assay_measurement_row row;
    assay_samples         samples;
} timing;

static assay_status measure(progress *p, const char *regime, timing *t)
{
    assay_status    st          = ASSAY_OK;
    assay_fault     fault       = { .kind = ASSAY_FAULT_NONE };
    const bool      has_restore = assay_buffers_need_restore(&p->buffers);
    assay_timer_job job         = { .api      = p->place.api,
                                    .device   = p->runner->device,
                                    .launch   = p->launcher.launch,
                                    .args     = &p->args,
                                    .restore  = has_restore ? assay_buffers_restore : NULL,
                                    .context  = &p->buffers,
                                    .l2_bytes = p->runner->info.l2_bytes };

    ASSAY_CHECK(p->sink->note(p->sink->context, regime, TIMING_LIMIT_S));
    ASSAY_CHECK(assay_timer_run(&job, regime, &p->runner->policy, &t->row, &t->samples, &fault));
    assay_run_find_fault(p, &fault);
    if (fault.kind == ASSAY_FAULT_NONE && t->row.n_samples == 0)
        assay_run_find(p, ASSAY_SUSPECT, "no sample could be queued while the gate was closed");
    t->row.bytes_declared = p->inputs->shape.bytes_read + p->inputs->shape.bytes_written;
    t->row.bytes_moved = p->variant->bytes_moved ? p->variant->bytes_moved(&p->inputs->shape) : -1;
    t->row.flops       = p->inputs->shape.flops;
out:
    return st;
}

/* The timed buffers once more, with the timed binary and what its last timed launch left in work
 * buffers and workspace: outputs must still be written, and right. */
static assay_status check_again(progress *p)
{
    assay_status st      = ASSAY_OK;
    run_outputs  outputs = { .n = 0 };

    ASSAY_CHECK(assay_run_once(p, 0, true, &outputs));
    if (!assay_run_has_failed(p))
        ASSAY_CHECK(assay_run_judge(p, &outputs));
out:
    assay_run_free_outputs(&outputs);
    return st;
}

static const char *const *regimes_of(const progress *p)
{
    static const char *const device_regimes[] = { "cold", "hot", NULL };
    static const char *const host_regimes[]   = { "e2e", NULL };

    return !p->place.api || (p->variant->flags & ASSAY_HOST_SYNC) ? host_regimes : device_regimes;
}

/* The class that the case is timed with, or the first one that this point is checked with. */
static assay_input timed_input(const assay_point *point)
{
    int input = (int)point->definition->timed_input;

    if (assay_run_wants_input(point, (assay_input)input))
        return (assay_input)input;
    for (input = 0; !assay_run_wants_input(point, (assay_input)input); input++)
        ASSAY_ASSERT(input + 1 < ASSAY_N_INPUTS); /* it has passed a check of some class */
    return (assay_input)input;
}

/* Measures, checks again, and only then hands the numbers over. */
assay_status assay_run_time_all(progress *p)
{
    assay_status       st         = ASSAY_OK;
    timing             timings[4] = { { .samples = { .n = 0 } } };
    const char *const *regimes    = regimes_of(p);
    int                n          = 0;

    ASSAY_CHECK(assay_run_prepare(p, timed_input(p->point)));
    ASSAY_CHECK(assay_run_set_up(p));
    ASSAY_CHECK(assay_buffers_arm(&p->buffers, p->inputs, 0, false));
    for (; regimes[n] && !assay_run_has_failed(p); n++)
        ASSAY_CHECK(measure(p, regimes[n], &timings[n]));
    if (!assay_run_has_failed(p))
        ASSAY_CHECK(check_again(p));
    for (int i = 0; i < n && !assay_run_has_failed(p); i++)
        ASSAY_CHECK(p->sink->measurement(p->sink->context, &timings[i].row, &timings[i].samples));
out:
    for (size_t i = 0; i < sizeof timings / sizeof timings[0]; i++)
        assay_samples_free(&timings[i].samples);
    assay_run_tear_down(p);
    return st;
}
