/* Submission: checks of an event, and the bounded queue on the host. */
#include "session_internal.h"

#include <math.h>

static bool is_batch_sound(const photon_event_descriptor *e)
{
    const photon_batch *b = e->batch;

    if (!b || e->photons == 0)
        return true;
    if (!b->pos || !b->dir || !b->pol || !b->wavelength || !b->time)
        return false;
    for (int64_t i = 0; b->flags && i < e->photons; i++)
        if (b->flags[i] & ~PHOTON_ISOTROPIC_INIT)
            return false;
    return true;
}

static bool is_device_batch_sound(const photon_session *s, const photon_event_descriptor *e)
{
    const photon_batch *const b = e->device_batch;
    const size_t              n = sizeof(float) * (size_t)e->photons;

    if (!b || e->photons == 0)
        return true;
    const struct {
        const void *at;
        size_t      bytes;
    } part[] = { { b->pos, 3 * n },
                 { b->dir, 3 * n },
                 { b->pol, 3 * n },
                 { b->wavelength, n },
                 { b->time, n } };

    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        if (!photon_runtime_holds(s->runtime, part[k].at, part[k].bytes))
            return false;
    return !b->flags || photon_runtime_holds(s->runtime, b->flags, n);
}

static bool is_source_sound(const photon_event_descriptor *e)
{
    for (int k = 0; k < 3; k++)
        if (!isfinite(e->pos[k]))
            return false;
    return isfinite(e->time);
}

static photon_session_status check_event(const photon_session *s, const photon_event_descriptor *e,
                                         photon_future **future)
{
    if (!e || (!future && !e->callback))
        return PHOTON_SESSION_INVALID;
    if (e->part_callback && s->launch.part_ends == 0)
        return PHOTON_SESSION_INVALID;
    if (e->checkpoint)
        return session_check_checkpoint(s, e);
    if (e->detector < 0 || e->detector >= s->device_arena->n_detectors || e->photons < 0 ||
        e->steps < 1 || e->steps > PHOTON_MOST_STEPS || e->medium < 0 ||
        e->medium >= PHOTON_MEDIA || !is_source_sound(e))
        return PHOTON_SESSION_INVALID;
    if (e->photons > photon_staging_most(s->staging_arena))
        return PHOTON_SESSION_TOO_LARGE;
    if ((e->batch && e->device_batch) || !is_device_batch_sound(s, e) || !is_batch_sound(e) ||
        (e->batch && !photon_staging_has_uploads(s->staging_arena)))
        return PHOTON_SESSION_INVALID;
    return PHOTON_SESSION_OK;
}

/* Call with the lock held. */
static photon_session_status await_room(photon_session *s, bool waits)
{
    for (;;) {
        if (s->is_lost)
            return PHOTON_SESSION_LOST;
        if (s->is_closing)
            return PHOTON_SESSION_CLOSED;
        if (s->n_queued < s->config.queue)
            return PHOTON_SESSION_OK;
        if (!waits)
            return PHOTON_SESSION_FULL;
        (void)pthread_cond_wait(&s->has_room, &s->lock);
    }
}

static photon_session_status submit(photon_session *s, const photon_event_descriptor *event,
                                    photon_future **future, bool waits)
{
    photon_session_status st = check_event(s, event, future);
    photon_future        *f  = NULL;

    if (future)
        *future = NULL;
    if (st != PHOTON_SESSION_OK)
        return st;
    f = session_future_create(event, s->staging_arena);
    if (!f)
        return PHOTON_SESSION_NO_MEMORY;
    (void)pthread_mutex_lock(&s->lock);
    st = await_room(s, waits);
    if (st == PHOTON_SESSION_OK) {
        f->range = session_range_start("event", f->event.seed);
        s->queue[(s->first + s->n_queued++) % s->config.queue] = f;
        s->totals.n_submitted++;
        (void)pthread_cond_signal(&s->has_work);
    }
    (void)pthread_mutex_unlock(&s->lock);
    if (st != PHOTON_SESSION_OK || !future)
        session_future_let_go(f);
    if (st != PHOTON_SESSION_OK)
        session_future_let_go(f);
    else if (future)
        *future = f;
    return st;
}

photon_session_status photon_session_checkpoint(photon_session *session, photon_future *future)
{
    if (!session->config.has_checkpoints)
        return PHOTON_SESSION_INVALID;
    atomic_store(&future->wants_checkpoint, true);
    return PHOTON_SESSION_OK;
}

photon_session_status photon_try_submit_event(photon_session                *session,
                                              const photon_event_descriptor *event,
                                              photon_future                **future)
{
    return submit(session, event, future, false);
}

photon_session_status photon_submit_event(photon_session                *session,
                                          const photon_event_descriptor *event,
                                          photon_future                **future)
{
    return submit(session, event, future, !pthread_equal(pthread_self(), session->thread));
}
