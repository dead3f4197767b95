/* A session's life: opening, the thread that serves it, closing. */
#include "photon_bus.h"
#include "session_internal.h"

#include <sched.h>
#include <stdlib.h>
#include <time.h>

/* ---- the thread */

enum {
    LOOK_NS = 1000000, /* between looks at the kernel's state and its samples */
    SPIN_NS = 1000000, /* how long the thread goes on looking after its last work */
    NAP_NS  = 20000,   /* pause while events run and nothing came for that long */
    IDLE_NS = 1000000, /* between beats while there are no events */
};

static bool is_closing(photon_session *s)
{
    bool closing;

    (void)pthread_mutex_lock(&s->lock);
    closing = s->is_closing;
    (void)pthread_mutex_unlock(&s->lock);
    return closing;
}

/* Is the kernel there, and has it been heard from? */
static bool is_alive(photon_session *s, uint64_t now)
{
    session_watch *const w    = &s->watch;
    const uint32_t       beat = __atomic_load_n(&s->mail->device_beat, __ATOMIC_ACQUIRE);

    if (beat != w->device_beat) {
        w->device_beat = beat;
        w->heard_ns    = now;
    }
    return photon_runtime_resident(s->runtime) == PHOTON_RESIDENT_RUNS &&
           (double)(now - w->heard_ns) < s->config.patience_ns;
}

static void lose(photon_session *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->is_lost = true;
    (void)pthread_cond_broadcast(&s->has_room);
    (void)pthread_mutex_unlock(&s->lock);
    session_end_events(s, PHOTON_SESSION_LOST);
}

/* Looks every millisecond; false: the kernel is lost. */
static bool look(photon_session *s, uint64_t now)
{
    if (now - s->watch.looked_ns < LOOK_NS)
        return true;
    s->watch.looked_ns = now;
    session_read_samples(s);
    return is_alive(s, now);
}

static void nap(uint64_t ns)
{
    const struct timespec time = { 0, (long)ns };

    (void)nanosleep(&time, NULL); /* waking up early does no harm */
}

/* Sleeps until there is an event, or it is time for a beat. */
static void idle(photon_session *s)
{
    const uint64_t        end   = session_now_ns() + IDLE_NS;
    const struct timespec until = { (time_t)(end / 1000000000u), (long)(end % 1000000000u) };

    (void)pthread_mutex_lock(&s->lock);
    if (s->n_queued == 0 && !s->is_closing)
        (void)pthread_cond_timedwait(&s->has_work, &s->lock, &until);
    (void)pthread_mutex_unlock(&s->lock);
}

static bool has_queued(photon_session *s)
{
    bool queued;

    (void)pthread_mutex_lock(&s->lock);
    queued = s->n_queued > 0;
    (void)pthread_mutex_unlock(&s->lock);
    return queued;
}

static void wait_a_little(photon_session *s, uint64_t now)
{
    if (now - s->watch.busy_ns < SPIN_NS)
        (void)sched_yield();
    else if (s->n_running > 0 || has_queued(s))
        nap(NAP_NS);
    else
        idle(s);
}

/* One round; false: the kernel is lost. */
static bool serve(photon_session *s)
{
    const uint64_t now = session_now_ns();

    __atomic_store_n(&s->mail->host_beat, s->mail->host_beat + 1, __ATOMIC_RELEASE);
    const bool has_moved = session_move_events(s), has_begun = session_begin_events(s);

    if (has_moved || has_begun)
        s->watch.busy_ns = now;
    else
        wait_a_little(s, now);
    return look(s, now) && !s->has_refused;
}

/* Waits until the kernel has ended; false: it did not. */
static bool end_kernel(photon_session *s)
{
    const uint64_t begun = session_now_ns();

    session_ring(s, true);
    while (photon_runtime_resident(s->runtime) == PHOTON_RESIDENT_RUNS) {
        if ((double)(session_now_ns() - begun) > s->config.patience_ns)
            return false;
        nap(NAP_NS);
    }
    return photon_runtime_resident(s->runtime) == PHOTON_RESIDENT_ENDED;
}

void *session_run(void *session)
{
    photon_session *const s        = session;
    bool                  is_there = true;

    s->watch.heard_ns = s->watch.busy_ns = session_now_ns();
    while (is_there && !is_closing(s))
        is_there = serve(s);
    if (!is_there)
        lose(s);
    while (!is_closing(s))
        idle(s);
    is_there = end_kernel(s) && is_there;
    if (is_there)
        session_end_events(s, PHOTON_SESSION_CANCELLED);
    if (!is_there || s->has_refused)
        lose(s);
    return NULL;
}

/* ---- open and close */

/* A condition whose waits use the clock of session_now_ns. */
static bool create_sync(photon_session *s)
{
    pthread_condattr_t attributes;
    bool               works;

    if (pthread_condattr_init(&attributes) != 0)
        return false;
    works = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
            pthread_mutex_init(&s->lock, NULL) == 0 &&
            pthread_mutex_init(&s->telemetry_lock, NULL) == 0 &&
            pthread_cond_init(&s->has_work, &attributes) == 0 &&
            pthread_cond_init(&s->has_room, &attributes) == 0;
    (void)pthread_condattr_destroy(&attributes);
    return works;
}

static void destroy_sync(photon_session *s)
{
    (void)pthread_cond_destroy(&s->has_room);
    (void)pthread_cond_destroy(&s->has_work);
    (void)pthread_mutex_destroy(&s->telemetry_lock);
    (void)pthread_mutex_destroy(&s->lock);
}

/* Starts the kernel and the thread. A kernel without a thread ends when its patience is over. */
static photon_session_status start(photon_session *s)
{
    if (!photon_runtime_launch(s->runtime, &s->launch))
        return PHOTON_SESSION_LOST;
    if (pthread_create(&s->thread, NULL, session_run, s) == 0)
        return PHOTON_SESSION_OK;
    (void)end_kernel(s);
    photon_runtime_join(s->runtime);
    return PHOTON_SESSION_NO_MEMORY;
}

photon_session_status photon_session_open(photon_device_arena         *device_arena,
                                          photon_staging_arena        *staging_arena,
                                          const photon_session_config *config,
                                          photon_session             **session)
{
    photon_session       *s = calloc(1, sizeof *s);
    photon_session_status st;

    *session = NULL;
    if (!s)
        return PHOTON_SESSION_NO_MEMORY;
    if (!device_arena || !staging_arena || !config ||
        !photon_staging_is_of(staging_arena, device_arena) ||
        !session_configure(config, &s->config)) {
        free(s);
        return PHOTON_SESSION_INVALID;
    }
    if (!photon_arena_claim_device(device_arena)) {
        free(s);
        return PHOTON_SESSION_BUSY;
    }
    s->device_arena  = device_arena;
    s->staging_arena = staging_arena;
    s->runtime       = device_arena->runtime;
    session_range_push("open");
    st = photon_arena_is_whole(device_arena) ? PHOTON_SESSION_OK : PHOTON_SESSION_LOST;
    if (st == PHOTON_SESSION_OK)
        st = create_sync(s) && session_allocate(s) ? start(s) : PHOTON_SESSION_NO_MEMORY;
    session_range_pop();
    if (st != PHOTON_SESSION_OK) {
        session_release(s);
        photon_arena_unclaim_device(device_arena);
        destroy_sync(s); /* what was not initialised is zeros, and that is an idle lock */
        free(s);
        return st;
    }
    *session = s;
    return PHOTON_SESSION_OK;
}

photon_session_status photon_session_close(photon_session *s)
{
    photon_session_status st = PHOTON_SESSION_OK;

    if (!s)
        return st;
    (void)pthread_mutex_lock(&s->lock);
    s->is_closing = true;
    (void)pthread_cond_broadcast(&s->has_work);
    (void)pthread_cond_broadcast(&s->has_room);
    (void)pthread_mutex_unlock(&s->lock);
    (void)pthread_join(s->thread, NULL);
    session_read_samples(s);
    photon_bus_flush(s->config.bus);
    if (s->is_lost)
        st = PHOTON_SESSION_LOST;
    if (photon_runtime_resident(s->runtime) == PHOTON_RESIDENT_RUNS)
        return st; /* freeing what a kernel uses would wait for it */
    photon_runtime_join(s->runtime);
    session_release(s);
    photon_arena_unclaim_device(s->device_arena);
    destroy_sync(s);
    free(s);
    return st;
}
