/* Hardware counters of one call, in a process that does nothing else with CUPTI. */
#include "cupti/counters.h"
#include "run_internal.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double COUNT_LIMIT_S = 300;

/* ---- what CUPTI calls, pass by pass ---- */

static assay_status wait_for(progress *p)
{
    assay_fault  fault = { .kind = ASSAY_FAULT_NONE };
    assay_status st    = ASSAY_OK;

    ASSAY_CHECK(assay_run_device_status(p->runner, p->memory.api->wait(p->runner->device, &fault)));
    assay_run_add_fault(p, &fault);
    ASSAY_REQUIRE(fault.kind == ASSAY_FAULT_NONE, ASSAY_E_DEVICE, "%s", fault.text);
out:
    return st;
}

/* Prepares a call as before a cold sample: inputs restored, cache flushed. */
static assay_status reset(void *context)
{
    progress    *p  = context;
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "counting", COUNT_LIMIT_S));
    ASSAY_CHECK(assay_buffers_restore(&p->buffers));
    ASSAY_CHECK(assay_run_device_status(
        p->runner, p->memory.api->flush_cache(p->runner->device, ASSAY_FLUSH_READ)));
    ASSAY_CHECK(wait_for(p));
out:
    return st;
}

static assay_status launch(void *context)
{
    progress    *p     = context;
    assay_fault  fault = { .kind = ASSAY_FAULT_NONE };
    assay_status st    = ASSAY_OK;

    ASSAY_CHECK(assay_run_device_status(
        p->runner,
        p->memory.api->enqueue(p->runner->device, p->launcher.launch, &p->args, &fault)));
    assay_run_add_fault(p, &fault);
    ASSAY_REQUIRE(fault.kind == ASSAY_FAULT_NONE, ASSAY_E_DEVICE, "%s", fault.text);
    ASSAY_CHECK(wait_for(p));
out:
    return st;
}

/* ---- rows ---- */

static assay_status hand_over(const progress *p, const assay_metric_value *metrics, int n,
                              int n_passes, bool kernel_replay)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n; i++) {
        assay_metric_row row = { .value = metrics[i].value, .n_passes = n_passes };

        (void)assay_text_set(row.name, sizeof row.name, "%s", metrics[i].name);
        (void)assay_text_set(row.status, sizeof row.status, "%s",
                             assay_metric_status_text(metrics[i].status));
        (void)assay_text_set(row.reason, sizeof row.reason, "%s", metrics[i].reason);
        (void)assay_text_set(row.replay, sizeof row.replay, "%s",
                             kernel_replay ? "kernel" : "user");
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_METRIC, &row));
    }
out:
    return st;
}

static void fail_all(assay_metric_value *metrics, int n, const char *why)
{
    for (int i = 0; i < n; i++) {
        if (metrics[i].status != ASSAY_METRIC_OK)
            continue;
        metrics[i].status = ASSAY_METRIC_FAILED;
        metrics[i].value  = NAN;
        (void)assay_text_set(metrics[i].reason, sizeof metrics[i].reason, "%s", why);
    }
}

/* A failure of CUPTI becomes the status of the metrics, not of the point. */
static void count(progress *p, assay_metric_value *metrics, int n, bool kernel_replay,
                  int *n_passes)
{
    const assay_replay     replay   = kernel_replay ? ASSAY_REPLAY_KERNEL : ASSAY_REPLAY_USER;
    assay_counters        *counters = NULL;
    char                   why[ASSAY_REASON_SIZE];
    const assay_cupti_api *cupti = assay_cupti_load(why, sizeof why);
    assay_status           st    = ASSAY_OK;

    *n_passes = 0;
    if (!cupti) {
        fail_all(metrics, n, why);
        return;
    }
    st = cupti->counters_open(p->runner->device_index, replay, metrics, n, n_passes, &counters);
    if (st == ASSAY_OK && counters)
        st = cupti->counters_measure(counters, reset, launch, p, metrics, n);
    /* If reset or launch failed, this process has the sentence, not the module. */
    if (st != ASSAY_OK)
        fail_all(metrics, n, assay_status_message()[0] ? assay_status_message() : cupti->message());
    assay_status_reset();
    cupti->counters_close(counters);
}

assay_status assay_run_count_metrics(assay_runner *runner, const assay_timed_point *point,
                                     const char *words, bool kernel_replay, const assay_sink *sink)
{
    assay_status        st      = ASSAY_OK;
    assay_metric_value *metrics = NULL;
    int                 n = 0, n_passes = 0;
    progress            p = assay_run_begin(runner, &point->point, sink, 0);

    ASSAY_CHECK(assay_counters_parse(words, &metrics, &n));
    if (!p.memory.api) {
        p.row.verdict = ASSAY_PASS; /* CPU variants and peers have no counters */
        goto verdict;
    }
    ASSAY_CHECK(assay_run_arm_timed(&p));
    ASSAY_CHECK(assay_run_verify(&p, &point->judged.of_draw[0]));
    if (!assay_run_has_failed(&p)) {
        count(&p, metrics, n, kernel_replay, &n_passes);
        if (!assay_run_has_failed(&p))
            ASSAY_CHECK(hand_over(&p, metrics, n, n_passes, kernel_replay));
    }
    assay_run_add_finding(&p, ASSAY_PASS, "");
verdict:
    ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
out:
    assay_run_tear_down(&p);
    free(metrics);
    return st;
}
