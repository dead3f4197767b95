/* One sample of each regime: what is queued in which order, and what the clock reads. */
#define _POSIX_C_SOURCE 200809L
#include "timer_internal.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static int64_t monotonic_ns(void)
{
    struct timespec now;

    ASSAY_ASSERT(clock_gettime(CLOCK_MONOTONIC, &now) == 0);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t assay_timer_now(const timing *t)
{
    return t->job->now_ns != NULL ? t->job->now_ns() : monotonic_ns();
}

/* ---- one sample ---- */

/* A call of the device; its own sentence is the cause of a failure. */
#define DEVICE_CHECK(t, call) DEVICE_CHECK_STATUS(t, (t)->job->api->call)
#define DEVICE_CHECK_STATUS(t, status)                                                             \
    do {                                                                                           \
        st = (status);                                                                             \
        if (st != ASSAY_OK) {                                                                      \
            (void)assay_fail(st, __FILE__, __LINE__, "%s", (t)->job->api->message());              \
            goto out;                                                                              \
        }                                                                                          \
    } while (0)

assay_status assay_timer_restore(const timing *t)
{
    assay_status st = ASSAY_OK;

    if (t->job->restore != NULL)
        ASSAY_CHECK(t->job->restore(t->job->context));
out:
    return st;
}

/* What the interval holds, between its two marks. */
static assay_status queue_interval(timing *t)
{
    assay_status st = ASSAY_OK;

    DEVICE_CHECK(t, mark(t->job->device, 0));
    for (int64_t i = 0; i < t->launches && !has_fault(t); i++)
        DEVICE_CHECK(t, enqueue(t->job->device, t->job->launch, t->job->args, t->fault));
    /* After a fault the device may refuse everything: the fault is what there is to say. */
    if (!has_fault(t))
        DEVICE_CHECK(t, mark(t->job->device, 1));
out:
    return st;
}

static assay_status wait_for_device(timing *t)
{
    assay_status st = ASSAY_OK;

    DEVICE_CHECK(t, wait(t->job->device, t->fault));
out:
    return st;
}

/* Lets what is queued run out after a fault, which is the cause of all that this may report. */
static void drain(const timing *t)
{
    assay_fault ignored = { .kind = ASSAY_FAULT_NONE };

    (void)t->job->api->wait(t->job->device, &ignored);
}

static assay_status sample_by_event(timing *t, double *time_ns, bool *is_valid)
{
    assay_status st = ASSAY_OK, queued, opened;

    *is_valid = false;
    ASSAY_CHECK(assay_timer_restore(t));
    if (t->regime->flushes)
        DEVICE_CHECK(t, flush_cache(t->job->device));
    DEVICE_CHECK(t, gate_close(t->job->device));
    queued = queue_interval(t);
    /* Opened whatever happened: behind a closed gate the next wait would hang. */
    opened = t->job->api->gate_open(t->job->device, is_valid);
    ASSAY_CHECK(queued);
    if (has_fault(t)) {
        drain(t);
        goto out;
    }
    DEVICE_CHECK_STATUS(t, opened);
    ASSAY_CHECK(wait_for_device(t));
    *is_valid = *is_valid && !has_fault(t);
    if (*is_valid)
        DEVICE_CHECK(t, elapsed(t->job->device, time_ns));
out:
    return st;
}

/* A CPU variant is done when it returns. */
assay_status assay_timer_call(timing *t)
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

static assay_status sample_by_host(timing *t, double *time_ns, bool *is_valid)
{
    assay_status st = ASSAY_OK;
    int64_t      began_ns;

    *is_valid = false;
    ASSAY_CHECK(assay_timer_restore(t));
    /* What restore enqueued must not run on into the interval. */
    if (t->job->api != NULL)
        ASSAY_CHECK(wait_for_device(t));
    if (has_fault(t))
        goto out;
    began_ns = assay_timer_now(t);
    ASSAY_CHECK(assay_timer_call(t));
    *time_ns  = (double)(assay_timer_now(t) - began_ns);
    *is_valid = !has_fault(t);
out:
    return st;
}

static const regime regimes[] = {
    { "cold", "event", true, true, false, sample_by_event },
    { "hot", "event", true, false, true, sample_by_event },
    { "e2e", "host", false, false, false, sample_by_host },
};

/* One sample with its wall time; time_ns is per launch. */
assay_status assay_timer_sample(timing *t, double *time_ns, bool *is_valid)
{
    const int64_t began_ns = assay_timer_now(t);
    int64_t       wall_ns;
    assay_status  st = ASSAY_OK;

    ASSAY_CHECK(t->regime->sample(t, time_ns, is_valid));
    wall_ns = assay_timer_now(t) - began_ns;
    *time_ns /= (double)t->launches;
    if (*is_valid && wall_ns < t->fastest_wall_ns)
        t->fastest_wall_ns = wall_ns;
out:
    return st;
}

assay_status assay_timer_find_regime(const char *name, const assay_timer_job *job,
                                     const regime **found)
{
    assay_status st = ASSAY_OK;

    *found = NULL;
    for (size_t i = 0; i < sizeof regimes / sizeof regimes[0]; i++)
        if (strcmp(regimes[i].name, name) == 0)
            *found = &regimes[i];
    ASSAY_REQUIRE(*found != NULL, ASSAY_E_USAGE, "there is no timing regime '%s'", name);
    ASSAY_REQUIRE(job->api != NULL || !(*found)->needs_device, ASSAY_E_USAGE,
                  "a CPU variant has no '%s' time, only e2e", name);
out:
    return st;
}
