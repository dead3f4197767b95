/* One sample of each metric: what is queued in which order, and what the clock reads. */
#include "timer_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    RECORD_ROUND = ASSAY_MAX_ROUND
};

static const double ROUND_SHARE = 0.02; /* of the budget, for one round */

static int64_t monotonic_ns(void)
{
    struct timespec now;

    ASSAY_ASSERT(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t assay_timer_now(const assay_timer *t)
{
    return t->job->now_ns != NULL ? t->job->now_ns() : monotonic_ns();
}

double assay_timer_spent_s(const assay_timer *t, int64_t since_ns)
{
    return (double)(assay_timer_now(t) - since_ns) * 1e-9;
}

/* ---- pieces of a sample ---- */

/* Calls the device; its own sentence is the reason of a failure. */
#define DEVICE_CHECK(t, call) DEVICE_CHECK_STATUS(t, (t)->job->api->call)
#define DEVICE_CHECK_STATUS(t, status)                                                             \
    do {                                                                                           \
        st = (status);                                                                             \
        if (st != ASSAY_OK) {                                                                      \
            (void)assay_fail(st, __FILE__, __LINE__, "%s", (t)->job->api->message());              \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

assay_status assay_timer_prepare(const assay_timer *t)
{
    assay_status st = ASSAY_OK;

    if (t->job->restore != NULL)
        ASSAY_CHECK(t->job->restore(t->job->context));
    if (t->metric->spoils && !t->keeps_outputs && t->job->spoil != NULL)
        ASSAY_CHECK(t->job->spoil(t->job->context));
out:
    return st;
}

assay_status assay_timer_make_graph(assay_timer *t)
{
    assay_status st = ASSAY_OK;

    if (!t->metric->needs_graph)
        return ASSAY_OK;
    t->job->api->graph_free(t->job->device, t->graph);
    t->graph = NULL;
    DEVICE_CHECK(t, graph_make(t->job->device, t->job->launch, t->job->args, (int)t->calls,
                               &t->graph, t->fault));
out:
    return st;
}

static assay_status queue_calls(assay_timer *t)
{
    assay_status st = ASSAY_OK;

    if (t->graph != NULL) {
        DEVICE_CHECK(t, graph_launch(t->job->device, t->graph));
        goto out;
    }
    for (int64_t i = 0; i < t->calls && !has_fault(t); i++)
        DEVICE_CHECK(t, enqueue(t->job->device, t->job->launch, t->job->args, t->fault));
out:
    return st;
}

/* Queues what is behind the gate: a mark, the calls, a mark, the second reading of the SM's
 * clock. */
static assay_status queue_interval(assay_timer *t)
{
    assay_status st = ASSAY_OK;

    DEVICE_CHECK(t, mark(t->job->device, 0));
    ASSAY_CHECK(queue_calls(t));
    /* After a fault the device may refuse every call, and the fault is the cause to report. */
    if (has_fault(t))
        goto out;
    DEVICE_CHECK(t, mark(t->job->device, 1));
    DEVICE_CHECK(t, clock_end(t->job->device));
out:
    return st;
}

static assay_status wait_for_device(assay_timer *t)
{
    assay_status st = ASSAY_OK;

    DEVICE_CHECK(t, wait(t->job->device, t->fault));
out:
    return st;
}

/* Waits for queued work after a fault. All that this wait may report is due to that fault. */
static void drain(const assay_timer *t)
{
    assay_fault ignored = { .kind = ASSAY_FAULT_NONE };

    (void)t->job->api->wait(t->job->device, &ignored);
}

/* Takes one sample, without reading its time. */
static assay_status run_gated(assay_timer *t, assay_sample *sample)
{
    assay_status st = ASSAY_OK, queued, opened;

    *sample = (assay_sample) { .time_ns = NAN, .sm_clock_mhz = NAN };
    ASSAY_CHECK(assay_timer_prepare(t));
    if (t->metric->flushes)
        DEVICE_CHECK(t, flush_cache(t->job->device, (assay_flush)t->policy->flush_kind));
    DEVICE_CHECK(t, gate_close(t->job->device));
    queued = queue_interval(t);
    /* The gate is opened in any case: behind a closed gate the next wait would hang. */
    opened = t->job->api->gate_open(t->job->device, &sample->is_valid);
    ASSAY_CHECK(queued);
    if (has_fault(t)) {
        sample->is_valid = false;
        drain(t);
        goto out;
    }
    DEVICE_CHECK_STATUS(t, opened);
    ASSAY_CHECK(wait_for_device(t));
    sample->is_valid = sample->is_valid && !has_fault(t);
    if (sample->is_valid)
        DEVICE_CHECK(t, sm_clock(t->job->device, &sample->sm_clock_mhz));
out:
    return st;
}

/* Replays the graph that was timed or, if calls continue from each other's results, a graph of a
 * single call. */
static assay_status replay_one(assay_timer *t)
{
    const int64_t calls = t->calls;
    assay_status  st    = ASSAY_OK;

    t->calls = t->job->restore != NULL ? 1 : calls;
    if (t->calls != calls || t->graph == NULL)
        ASSAY_CHECK(assay_timer_make_graph(t));
    if (has_fault(t))
        goto out;
    DEVICE_CHECK(t, graph_launch(t->job->device, t->graph));
    ASSAY_CHECK(wait_for_device(t));
out:
    t->calls = calls;
    return st;
}

assay_status assay_timer_replay(assay_timer *timer, bool *has, assay_fault *fault)
{
    assay_status st = ASSAY_OK;

    memset(fault, 0, sizeof *fault);
    *has         = timer->metric->needs_graph && !timer->has_no_graph;
    timer->fault = fault;
    if (*has)
        ASSAY_CHECK(replay_one(timer));
out:
    timer->fault = NULL;
    return st;
}

/* ---- by event ---- */

static assay_status take_by_event(assay_timer *t, assay_sample *samples, int n)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n && !has_fault(t); i++) {
        ASSAY_CHECK(run_gated(t, &samples[i]));
        if (!samples[i].is_valid)
            continue;
        DEVICE_CHECK(t, elapsed(t->job->device, &samples[i].time_ns));
        samples[i].time_ns /= (double)t->calls;
    }
out:
    return st;
}

/* ---- by activity record ---- */

static assay_status take_by_record(assay_timer *t, assay_sample *samples, int n)
{
    assay_status st = ASSAY_OK;
    double       time_ns[ASSAY_MAX_ROUND];

    for (int i = 0; i < n && !has_fault(t); i++)
        ASSAY_CHECK(run_gated(t, &samples[i]));
    if (has_fault(t))
        goto out;
    ASSAY_CHECK(t->job->recorder->collect(t->job->recorder->context, time_ns, n));
    for (int i = 0; i < n; i++) {
        samples[i].is_valid = samples[i].is_valid && isfinite(time_ns[i]);
        samples[i].time_ns  = time_ns[i];
    }
out:
    return st;
}

/* ---- by the host's clock ---- */

/* A CPU variant is done when it returns. */
assay_status assay_timer_call(assay_timer *t)
{
    assay_status st = ASSAY_OK;
    int          error;

    if (t->job->api != NULL) {
        DEVICE_CHECK(t, enqueue(t->job->device, t->job->launch, t->job->args, t->fault));
        if (has_fault(t))
            drain(t);
        else
            ASSAY_CHECK(wait_for_device(t));
        goto out;
    }
    error = t->job->launch(t->job->args, NULL);
    if (error != 0) {
        t->fault->kind = ASSAY_FAULT_LAUNCH;
        (void)snprintf(t->fault->text, sizeof t->fault->text, "the CPU variant returned error %d",
                       error);
    }
out:
    return st;
}

static assay_status take_by_host(assay_timer *t, assay_sample *samples, int n)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < n && !has_fault(t); i++) {
        int64_t began_ns;

        samples[i] = (assay_sample) { .time_ns = NAN, .sm_clock_mhz = NAN };
        ASSAY_CHECK(assay_timer_prepare(t));
        /* Work that was enqueued before must not run into the interval. */
        if (t->job->api != NULL)
            ASSAY_CHECK(wait_for_device(t));
        if (has_fault(t))
            goto out;
        began_ns = assay_timer_now(t);
        ASSAY_CHECK(assay_timer_call(t));
        samples[i].time_ns  = (double)(assay_timer_now(t) - began_ns);
        samples[i].is_valid = !has_fault(t);
    }
out:
    return st;
}

/* ---- the metrics ---- */

static const metric metrics[] = {
    { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT, .needs_device = true, .flushes = true, .spoils = true,
      .round = 1, .take = take_by_event },
    { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT, .needs_device = true, .batches = true, .round = 1,
      .take = take_by_event },
    { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH, .needs_device = true, .needs_graph = true,
      .batches = true, .round = 1, .take = take_by_event },
    { ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD, .needs_device = true, .needs_recorder = true,
      .flushes = true, .spoils = true, .round = RECORD_ROUND, .take = take_by_record },
    { ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD, .needs_device = true, .needs_recorder = true,
      .round = RECORD_ROUND, .take = take_by_record },
    { ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST, .spoils = true, .round = 1, .take = take_by_host },
};

/* A round is taken as a whole, so it must not use up the budget of a kernel that is slow or not yet
 * known. */
static int round_size(const assay_timer *t)
{
    const double allowed = t->fastest_wall_ns > 0
                               ? ROUND_SHARE * t->budget_s * 1e9 / (double)t->fastest_wall_ns
                               : (double)INFINITY;

    if (t->fastest_wall_ns == INT64_MAX || allowed < 1)
        return 1;
    return allowed < t->metric->round ? (int)allowed : t->metric->round;
}

assay_status assay_timer_take_round(assay_timer *t, assay_sample *samples, int *n)
{
    const int64_t began_ns = assay_timer_now(t);
    int64_t       wall_ns;
    assay_status  st = ASSAY_OK;

    *n = round_size(t);
    ASSAY_CHECK(t->metric->take(t, samples, *n));
    wall_ns = (assay_timer_now(t) - began_ns) / *n;
    if (wall_ns < t->fastest_wall_ns)
        t->fastest_wall_ns = wall_ns;
out:
    return st;
}

assay_status assay_timer_find_metric(assay_regime regime, assay_clock clock,
                                     const assay_timer_job *job, const metric **found)
{
    assay_status st = ASSAY_OK;

    *found = NULL;
    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++)
        if (metrics[i].regime == regime && metrics[i].clock == clock)
            *found = &metrics[i];
    ASSAY_REQUIRE(*found != NULL, ASSAY_E_USAGE, "the regime '%s' is not read by a clock '%s'",
                  assay_regime_text(regime), assay_clock_text(clock));
    ASSAY_REQUIRE(job->api != NULL || !(*found)->needs_device, ASSAY_E_USAGE,
                  "a CPU variant has no '%s' time, only e2e", assay_regime_text(regime));
    ASSAY_REQUIRE(job->recorder != NULL || !(*found)->needs_recorder, ASSAY_E_USAGE,
                  "there are no activity records in this process");
out:
    return st;
}
