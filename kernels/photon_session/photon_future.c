/* Futures: the outcome of an event, for whoever waits for it. */
#include "session_internal.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

enum {
    SOON_NS = 100000
};

uint64_t session_now_ns(void)
{
    struct timespec now = { 0, 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* this clock is always there */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* A condition whose waits use the clock of session_now_ns. */
static bool create_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    bool               works;

    if (pthread_condattr_init(&attributes) != 0)
        return false;
    works = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
            pthread_cond_init(condition, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return works;
}

photon_future *session_future_create(const photon_event_descriptor *event,
                                     photon_staging_arena          *arena)
{
    photon_future *f = calloc(1, sizeof *f);

    if (!f)
        return NULL;
    if (pthread_mutex_init(&f->lock, NULL) != 0) {
        free(f);
        return NULL;
    }
    if (!create_condition(&f->resolved)) {
        (void)pthread_mutex_destroy(&f->lock);
        free(f);
        return NULL;
    }
    atomic_init(&f->n_holders, 2);
    atomic_init(&f->wants_cancel, false);
    atomic_init(&f->wants_checkpoint, false);
    atomic_init(&f->status, PHOTON_SESSION_PENDING);
    f->event        = *event;
    f->arena        = arena;
    f->submitted_ns = session_now_ns();
    if (event->checkpoint)
        session_take_head(event, &f->event);
    if (event->batch) {
        f->batch       = *event->batch;
        f->event.batch = &f->batch;
    }
    if (event->device_batch) {
        f->batch              = *event->device_batch;
        f->event.device_batch = &f->batch;
    }
    return f;
}

void session_future_let_go(photon_future *f)
{
    if (atomic_fetch_sub(&f->n_holders, 1) > 1)
        return;
    if (f->segment)
        photon_staging_give(f->arena, PHOTON_SEGMENT_RESULT, f->segment);
    free(f->checkpoint);
    (void)pthread_cond_destroy(&f->resolved);
    (void)pthread_mutex_destroy(&f->lock);
    free(f);
}

void session_future_resolve(photon_future *f, photon_session *session, photon_session_status status)
{
    const uint64_t now = session_now_ns();

    f->result.status         = status;
    f->result.seed           = f->event.seed;
    f->result.photons        = f->event.photons;
    f->result.times.total_ns = (double)(now - f->submitted_ns);
    if (status != PHOTON_SESSION_OK) {
        f->result.tally = NULL;
        f->result.place = f->result.time = NULL;
        f->result.flags                  = NULL;
        f->result.face                   = NULL;
    }
    session_say_event(session, f);
    if (f->event.callback) {
        session_range_push("callback");
        f->event.callback(f->event.context, session, &f->result);
        session_range_pop();
    }
    session_range_end(f->range);
    (void)pthread_mutex_lock(&f->lock);
    atomic_store(&f->status, (int)status);
    (void)pthread_cond_broadcast(&f->resolved);
    (void)pthread_mutex_unlock(&f->lock);
    session_future_let_go(f);
}

photon_session_status photon_future_poll(photon_future *f)
{
    return (photon_session_status)atomic_load(&f->status);
}

/* Looks for a while before it sleeps: waking up takes longer than a small event. */
static bool has_come_soon(photon_future *f)
{
    const uint64_t end = session_now_ns() + SOON_NS;

    while (photon_future_poll(f) == PHOTON_SESSION_PENDING) {
        if (session_now_ns() > end)
            return false;
        (void)sched_yield();
    }
    return true;
}

photon_session_status photon_future_wait(photon_future *f, double timeout_ns)
{
    const bool            has_limit = timeout_ns >= 0 && timeout_ns < 1e18;
    const uint64_t        end       = session_now_ns() + (has_limit ? (uint64_t)timeout_ns : 0);
    const struct timespec until     = { (time_t)(end / 1000000000u), (long)(end % 1000000000u) };
    int                   error     = 0;

    if (has_come_soon(f))
        return photon_future_poll(f);
    (void)pthread_mutex_lock(&f->lock);
    while (photon_future_poll(f) == PHOTON_SESSION_PENDING && error == 0)
        error = has_limit ? pthread_cond_timedwait(&f->resolved, &f->lock, &until)
                          : pthread_cond_wait(&f->resolved, &f->lock);
    (void)pthread_mutex_unlock(&f->lock);
    return photon_future_poll(f);
}

void photon_future_cancel(photon_future *f) { atomic_store(&f->wants_cancel, true); }

const photon_result *photon_future_result(photon_future *f)
{
    return photon_future_poll(f) == PHOTON_SESSION_PENDING ? NULL : &f->result;
}

void photon_future_free(photon_future *f)
{
    if (f)
        session_future_let_go(f);
}
