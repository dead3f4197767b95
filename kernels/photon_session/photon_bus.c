/* The bus: rings of messages, and the threads that hand them over. */
#include "photon_bus.h"
#include "session_internal.h"

#include <stdlib.h>

typedef struct member {
    pthread_t          thread;
    photon_subscriber *subscriber;
    void              *context;
    pthread_mutex_t    lock; /* protects the following members */
    pthread_cond_t     has_message, has_handed;
    photon_message    *ring;
    int                room, n, first;
    int64_t            n_lost, n_kept, n_handed; /* lost; kept; and of those kept, handed over */
    bool               is_ending;
} member;

struct photon_bus {
    member *members[PHOTON_SUBSCRIBERS_MOST];
    int     n;
};

/* ---- a member */

/* Gets the next message; false: the bus has ended. Call with the lock held. */
static bool next_message(member *m, photon_message *message)
{
    while (m->n == 0 && !m->is_ending)
        (void)pthread_cond_wait(&m->has_message, &m->lock);
    if (m->n == 0)
        return false;
    *message = m->ring[m->first];
    m->first = (m->first + 1) % m->room;
    m->n--;
    return true;
}

static void *hand_over(void *of)
{
    member *const  m = of;
    photon_message message;

    (void)pthread_mutex_lock(&m->lock);
    while (next_message(m, &message)) {
        (void)pthread_mutex_unlock(&m->lock);
        m->subscriber(m->context, &message);
        (void)pthread_mutex_lock(&m->lock);
        m->n_handed++;
        (void)pthread_cond_broadcast(&m->has_handed);
    }
    (void)pthread_mutex_unlock(&m->lock);
    return NULL;
}

static void put(member *m, const photon_message *message)
{
    (void)pthread_mutex_lock(&m->lock);
    if (m->n == m->room) {
        m->n_lost++;
    } else {
        photon_message *const at = &m->ring[(m->first + m->n++) % m->room];

        *at        = *message;
        at->n_lost = m->n_lost;
        m->n_kept++;
        (void)pthread_cond_signal(&m->has_message);
    }
    (void)pthread_mutex_unlock(&m->lock);
}

static void free_member(member *m)
{
    (void)pthread_cond_destroy(&m->has_handed);
    (void)pthread_cond_destroy(&m->has_message);
    (void)pthread_mutex_destroy(&m->lock);
    free(m->ring);
    free(m);
}

/* NULL: no memory, or no thread could be started. */
static member *make_member(int room, photon_subscriber *subscriber, void *context)
{
    member *const m = calloc(1, sizeof *m);

    if (!m)
        return NULL;
    *m      = (member) { .subscriber = subscriber, .context = context, .room = room };
    m->ring = calloc((size_t)room, sizeof *m->ring);
    if (pthread_mutex_init(&m->lock, NULL) == 0 && pthread_cond_init(&m->has_message, NULL) == 0 &&
        pthread_cond_init(&m->has_handed, NULL) == 0 && m->ring &&
        pthread_create(&m->thread, NULL, hand_over, m) == 0)
        return m;
    free_member(m); /* what was not initialised is zeros, and that is an idle lock */
    return NULL;
}

/* ---- the bus */

photon_session_status photon_bus_create(photon_bus **bus)
{
    *bus = calloc(1, sizeof **bus);
    return *bus ? PHOTON_SESSION_OK : PHOTON_SESSION_NO_MEMORY;
}

photon_session_status photon_bus_subscribe(photon_bus *bus, int room, photon_subscriber *subscriber,
                                           void *context)
{
    member *m;

    if (!bus || room < 1 || room > 1 << 20 || !subscriber)
        return PHOTON_SESSION_INVALID;
    if (bus->n == PHOTON_SUBSCRIBERS_MOST)
        return PHOTON_SESSION_TOO_LARGE;
    m = make_member(room, subscriber, context);
    if (!m)
        return PHOTON_SESSION_NO_MEMORY;
    bus->members[bus->n++] = m;
    return PHOTON_SESSION_OK;
}

/* Does not wait for later messages: another session may never leave the ring empty. */
void photon_bus_flush(photon_bus *bus)
{
    for (int k = 0; bus && k < bus->n; k++) {
        member *const m = bus->members[k];
        int64_t       n_kept;

        (void)pthread_mutex_lock(&m->lock);
        for (n_kept = m->n_kept; m->n_handed < n_kept;)
            (void)pthread_cond_wait(&m->has_handed, &m->lock);
        (void)pthread_mutex_unlock(&m->lock);
    }
}

void photon_bus_free(photon_bus *bus)
{
    photon_bus_flush(bus);
    for (int k = 0; bus && k < bus->n; k++) {
        member *const m = bus->members[k];

        (void)pthread_mutex_lock(&m->lock);
        m->is_ending = true;
        (void)pthread_cond_signal(&m->has_message);
        (void)pthread_mutex_unlock(&m->lock);
        (void)pthread_join(m->thread, NULL); /* the thread was created and not joined */
        free_member(m);
    }
    free(bus);
}

/* ---- what a session says */

static void say(photon_bus *bus, const photon_message *message)
{
    for (int k = 0; k < bus->n; k++)
        put(bus->members[k], message);
}

void session_say_sample(photon_session *s, uint32_t number, const session_sample *sample)
{
    const photon_message message = { .kind   = PHOTON_MESSAGE_SAMPLE,
                                     .sample = { .number           = number,
                                                 .time_ns          = (double)sample->time_ns,
                                                 .busy_warps       = sample->n_busy_warps,
                                                 .active_photons   = sample->n_active,
                                                 .spawn_queue      = sample->n_spawn,
                                                 .finished_photons = sample->n_finished,
                                                 .unfinished       = sample->n_unfinished } };

    if (s->config.bus)
        say(s->config.bus, &message);
}

void session_say_event(photon_session *s, const photon_future *f)
{
    const photon_message message = { .kind  = PHOTON_MESSAGE_EVENT,
                                     .event = { .number    = ++s->n_resolved,
                                                .status    = f->result.status,
                                                .detector  = f->event.detector,
                                                .seed      = f->event.seed,
                                                .photons   = f->event.photons,
                                                .n_spawned = f->result.n_spawned,
                                                .times     = f->result.times } };

    if (s->config.bus)
        say(s->config.bus, &message);
}
