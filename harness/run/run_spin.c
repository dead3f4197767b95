/* The kernels of the self-check, by every clock of this process. Some of them measure their own
 * duration. They are the same in every process. */
#include "device/device_ceilings.h"
#include "run_internal.h"

#include "base/text.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

static const double SPIN_BUDGET_S = 0.1; /* one kernel by one clock */
static const double SPIN_LIMIT_S  = 60;

enum {
    COPY_COUNT = 1 << 26, /* floats */
    FMA_COUNT  = 1 << 20,
    FMA_ROUNDS = 128,
};

typedef struct known_kernel {
    const char *name, *symbol;
    int64_t     count, param;
    bool        knows; /* it writes its own duration */
} known_kernel;

static const known_kernel kernels[] = {
    { "null", "assay_device_null", 1, 0, false },
    { "spin 2 us", "assay_device_spin", 1, 2000, true },
    { "spin 5 us", "assay_device_spin", 1, 5000, true },
    { "spin 20 us", "assay_device_spin", 1, 20000, true },
    { "spin 200 us", "assay_device_spin", 1, 200000, true },
    { "copy 256 MiB", "assay_ceiling_copy", COPY_COUNT, 0, false },
    { "fma", "assay_ceiling_fma", FMA_COUNT, FMA_ROUNDS, false },
};

typedef struct spin {
    assay_runner       *runner;
    const assay_policy *policy;
    const assay_sink   *sink;
    assay_recorder      recorder;
    assay_launch_fn    *launch;
    void      *buf[2]; /* device memory, owned; a kernel that knows its duration writes it first */
    int64_t    count[2], param[1];
    assay_args args;
} spin;

static assay_status read_own(const spin *s, const known_kernel *k, double *own_ns)
{
    uint64_t     length_ns = 0;
    assay_status st        = ASSAY_OK;

    *own_ns = NAN;
    if (!k->knows)
        goto out;
    ASSAY_CHECK(assay_run_device_status(
        s->runner, s->runner->module.api->download(s->runner->device, &length_ns, s->buf[0],
                                                   sizeof length_ns)));
    *own_ns = (double)length_ns;
out:
    return st;
}

static assay_status measure(spin *s, const known_kernel *k, assay_regime regime, assay_clock clock)
{
    assay_status          st  = ASSAY_OK;
    assay_measurement_row m   = { .n_samples = 0 };
    assay_spin_row        row = { .n_samples = 0 };
    assay_fault           fault;
    const assay_timer_job job = { .api      = s->runner->module.api,
                                  .device   = s->runner->device,
                                  .launch   = s->launch,
                                  .args     = &s->args,
                                  .l2_bytes = s->runner->info.l2_bytes,
                                  .nvml     = s->runner->nvml,
                                  .recorder = s->runner->records ? &s->recorder : NULL };

    ASSAY_CHECK(s->sink->note(s->sink->context, 0, k->name, SPIN_LIMIT_S));
    ASSAY_CHECK(assay_timer_measure(&job, s->policy, regime, clock, SPIN_BUDGET_S, &m, &fault));
    ASSAY_REQUIRE(fault.kind == ASSAY_FAULT_NONE, ASSAY_E_DEVICE, "the kernel '%s' failed: %s",
                  k->name, fault.text);
    ASSAY_CHECK(read_own(s, k, &row.own_ns));
    (void)assay_text_set(row.name, sizeof row.name, "%s", k->name);
    row.regime              = regime;
    row.clock               = clock;
    row.n_samples           = m.n_samples;
    row.launches_per_sample = m.launches_per_sample;
    row.median_ns           = m.median_ns;
    row.wall_s              = m.wall_s;
    ASSAY_CHECK(s->sink->row(s->sink->context, 0, ASSAY_ROW_SPIN, &row));
out:
    return st;
}

static assay_status measure_by_all(spin *s, const known_kernel *k)
{
    assay_status st    = ASSAY_OK;
    void        *found = dlsym(s->runner->module.handle, k->symbol);

    ASSAY_REQUIRE(found, ASSAY_E_CASE, "the kernel module has no '%s'", k->symbol);
    memcpy(&s->launch, &found, sizeof s->launch);
    s->count[0] = s->count[1] = k->count;
    s->param[0]               = k->param;
    for (const assay_metric_name *m = assay_run_device_metrics(s->runner); m->regime; m++)
        ASSAY_CHECK(measure(s, k, m->regime, m->clock));
out:
    return st;
}

assay_status assay_run_spins(assay_runner *runner, const assay_policy *policy,
                             const assay_sink *sink)
{
    const assay_device_api *api = runner->module.api;
    assay_status            st  = ASSAY_OK;
    spin                    s   = { .runner   = runner,
                                    .policy   = policy,
                                    .sink     = sink,
                                    .recorder = { runner->records, assay_record_collect } };

    for (int i = 0; i < 2; i++)
        ASSAY_CHECK(assay_run_device_status(
            s.runner, api->alloc(runner->device, COPY_COUNT * sizeof(float), &s.buf[i])));
    s.args = (assay_args) { .buf = s.buf, .count = s.count, .param = s.param };
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        ASSAY_CHECK(measure_by_all(&s, &kernels[i]));
out:
    for (int i = 0; i < 2; i++)
        api->release(runner->device, s.buf[i]);
    return st;
}
