/* The bus: every subscriber gets all messages, in order. A slow one loses those that it has no room
 * for, which are counted, and delays nobody. Messages that are still under way when a session is
 * closed arrive. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/photon_bus.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PHOTONS = 64,
    EVENTS  = 20,
    ROOM    = 1 << 16
};
static const photon_staging_spec spec = { PHOTONS, 0, 4 };

static photon_bus *new_bus(void)
{
    photon_bus *bus;

    if (photon_bus_create(&bus) != PHOTON_SESSION_OK)
        abort();
    return bus;
}

static void subscribe(photon_bus *bus, int room, photon_subscriber *subscriber, void *context)
{
    trial_expect(photon_bus_subscribe(bus, room, subscriber, context) == PHOTON_SESSION_OK,
                 "a subscriber is taken");
}

/* ---- subscribers */

/* What a subscriber has been told; read when its session is closed. */
typedef struct diary {
    int64_t      n_samples, n_events, n_lost, last_sample, n_other;
    double       busy_warps, last_time_ns;
    photon_times times[EVENTS + 1]; /* by seed */
} diary;

static void note(void *context, const photon_message *m)
{
    diary *const d = context;

    d->n_lost = m->n_lost;
    if (m->kind == PHOTON_MESSAGE_SAMPLE) {
        const bool is_later = d->n_samples == 0 || (m->sample.number > d->last_sample &&
                                                    m->sample.time_ns >= d->last_time_ns);

        d->n_other += !is_later;
        d->last_sample  = m->sample.number;
        d->last_time_ns = m->sample.time_ns;
        d->busy_warps += (double)m->sample.busy_warps;
        d->n_samples++;
        return;
    }
    d->n_events++;
    d->n_other += m->event.number != d->n_events + d->n_lost ||
                  m->event.status != PHOTON_SESSION_OK || m->event.photons != PHOTONS ||
                  m->event.detector != SESSION_TEST_BOX || m->event.seed > EVENTS;
    if (m->event.seed <= EVENTS)
        d->times[m->event.seed] = m->event.times;
}

/* A subscriber that holds on to its first message until it is let go. */
typedef struct slow {
    pthread_mutex_t lock;
    pthread_cond_t  is_free;
    bool            is_held;
    diary           diary;
} slow;

static void note_slowly(void *context, const photon_message *m)
{
    slow *const s = context;

    (void)pthread_mutex_lock(&s->lock);
    while (s->is_held)
        (void)pthread_cond_wait(&s->is_free, &s->lock);
    (void)pthread_mutex_unlock(&s->lock);
    note(&s->diary, m);
}

/* A subscriber that takes its time with each message, and is behind when the session is closed. */
static void note_late(void *context, const photon_message *m)
{
    const struct timespec time = { 0, 5000000 };

    (void)nanosleep(&time, NULL);
    note(context, m);
}

static void let_go(slow *s)
{
    (void)pthread_mutex_lock(&s->lock);
    s->is_held = false;
    (void)pthread_cond_broadcast(&s->is_free);
    (void)pthread_mutex_unlock(&s->lock);
}

/* ---- streams */

/* Events with seeds 1 to EVENTS, one after the other; their results' times. */
static void run_events(photon_session *session, photon_times times[EVENTS + 1])
{
    for (uint32_t seed = 1; seed <= EVENTS; seed++) {
        photon_event_descriptor e = session_test_event(SESSION_TEST_BOX, PHOTONS, seed);
        photon_future          *f;

        e.wants_records = false;
        f               = session_test_submit(session, &e, "bus");
        trial_expect(photon_future_wait(f, 60e9) == PHOTON_SESSION_OK, "event %u", seed);
        times[seed] = photon_future_result(f)->times;
        photon_future_free(f);
    }
}

/* A device may finish all events before it takes the first sample. */
static photon_telemetry await_sample(photon_session *session)
{
    const struct timespec pause = { 0, 1000000 };
    photon_telemetry      t     = { .n_samples = 0 };

    for (int k = 0; k < 60000 && t.n_samples == 0; k++) {
        (void)nanosleep(&pause, NULL);
        trial_expect(photon_session_telemetry(session, &t) == PHOTON_SESSION_OK, "telemetry");
    }
    return t;
}

static void check_all(session_rig *rig)
{
    diary                       a = { 0 }, b = { 0 };
    photon_times                times[EVENTS + 1] = { { 0 } };
    photon_bus *const           bus               = new_bus();
    const photon_session_config config            = { .sample_interval_ns = 1e6, .bus = bus };
    photon_session             *session;
    photon_telemetry            t;

    subscribe(bus, ROOM, note, &a);
    subscribe(bus, ROOM, note, &b);
    session = session_test_open(rig, &config);
    run_events(session, times);
    t = await_sample(session);
    session_test_close(session, "bus");
    trial_expect(a.n_events == EVENTS && a.n_other == 0 && a.n_lost == 0,
                 "%d events, %d lost, %d wrong", (int)a.n_events, (int)a.n_lost, (int)a.n_other);
    trial_expect(a.n_samples >= t.n_samples && t.n_samples > 0,
                 "%d samples, where telemetry had %d before", (int)a.n_samples, (int)t.n_samples);
    trial_expect(a.busy_warps >= t.busy_warps, "%g warps at work, not %g", a.busy_warps,
                 t.busy_warps);
    trial_expect(memcmp(&a, &b, sizeof a) == 0, "both subscribers are told the same");
    for (int seed = 1; seed <= EVENTS; seed++)
        trial_expect(memcmp(&a.times[seed], &times[seed], sizeof times[seed]) == 0,
                     "times of event %d are not those of its result", seed);
    photon_bus_free(bus);
}

/* Messages that are still under way when a session is closed have arrived when that returns. */
static void check_flush(session_rig *rig)
{
    diary                       d = { 0 };
    photon_times                times[EVENTS + 1];
    photon_bus *const           bus    = new_bus();
    const photon_session_config config = { .bus = bus };
    photon_session             *session;

    subscribe(bus, ROOM, note_late, &d);
    session = session_test_open(rig, &config);
    run_events(session, times);
    session_test_close(session, "flush");
    trial_expect(d.n_events == EVENTS && d.n_lost == 0 && d.n_other == 0, "%d events of %d",
                 (int)d.n_events, EVENTS);
    photon_bus_free(bus);
}

/* It gets the message that it holds, as many as there is room for, and none of the rest; meanwhile
 * the session and the other subscriber go on. */
static void check_slow(session_rig *rig)
{
    enum {
        FEW = 4
    };
    slow                        s = { .lock    = PTHREAD_MUTEX_INITIALIZER,
                                      .is_free = PTHREAD_COND_INITIALIZER,
                                      .is_held = true };
    diary                       a = { 0 };
    photon_times                times[EVENTS + 1];
    photon_bus *const           bus    = new_bus();
    const photon_session_config config = { .bus = bus };
    photon_session             *session;

    subscribe(bus, FEW, note_slowly, &s);
    subscribe(bus, ROOM, note, &a);
    session = session_test_open(rig, &config);
    run_events(session, times);
    let_go(&s);
    session_test_close(session, "slow");
    trial_expect(a.n_events == EVENTS && a.n_lost == 0, "the other one: %d events",
                 (int)a.n_events);
    trial_expect(s.diary.n_events >= FEW && s.diary.n_events < EVENTS && s.diary.n_other == 0,
                 "the slow one: %d events", (int)s.diary.n_events);
    run_events(session = session_test_open(rig, &config), times);
    session_test_close(session, "slow, again");
    trial_expect(s.diary.n_lost > 0 && a.n_events == 2 * EVENTS && a.n_lost == 0,
                 "what was lost is counted: %d", (int)s.diary.n_lost);
    photon_bus_free(bus);
}

/* ---- events that do not end as OK */

enum {
    ATTEMPTS = 50
};
typedef struct endings {
    int                   n;
    photon_session_status of[ATTEMPTS]; /* by seed */
} endings;

static void note_ending(void *context, const photon_message *m)
{
    endings *const e = context;

    if (m->kind != PHOTON_MESSAGE_EVENT || m->event.seed >= ATTEMPTS)
        return;
    e->of[m->event.seed] = m->event.status;
    e->n++;
}

/* Cancels or stops an event as soon as it is there; returns how it ended. */
static photon_session_status cut_off(photon_session *session, uint32_t seed)
{
    const photon_event_descriptor e = session_test_event(SESSION_TEST_WHITE, PHOTONS, seed);
    photon_future *const          f = session_test_submit(session, &e, "cut off");
    photon_session_status         st;

    if (seed % 2)
        photon_future_cancel(f);
    else
        trial_expect(photon_session_checkpoint(session, f) == PHOTON_SESSION_OK, "a checkpoint");
    st = photon_future_wait(f, 60e9);
    photon_future_free(f);
    return st;
}

/* The bus reports each of them once, as its future does. An event that had already finished is
 * OK. */
static void check_cut_off(session_rig *rig)
{
    photon_bus *const           bus    = new_bus();
    const photon_session_config config = { .slots = 1, .has_checkpoints = true, .bus = bus };
    endings                     told = { .n = 0 }, ended = { .n = 0 };
    bool                        was_cancelled = false, was_stopped = false;
    photon_session             *session;

    subscribe(bus, ROOM, note_ending, &told);
    session = session_test_open(rig, &config);
    while (ended.n < ATTEMPTS && !(was_cancelled && was_stopped)) {
        const photon_session_status st = cut_off(session, (uint32_t)ended.n);

        ended.of[ended.n++] = st;
        was_cancelled       = was_cancelled || st == PHOTON_SESSION_CANCELLED;
        was_stopped         = was_stopped || st == PHOTON_SESSION_CHECKPOINTED;
    }
    session_test_close(session, "cut off");
    trial_expect(was_cancelled && was_stopped, "of %d events none was cut off", ended.n);
    trial_expect(memcmp(&told, &ended, sizeof told) == 0, "%d of %d events are told of as they end",
                 told.n, ended.n);
    photon_bus_free(bus);
}

/* ---- a file */

/* Counts lines of a kind; each is one object. */
static int count_lines(FILE *file, const char *kind)
{
    char line[1024];
    int  n = 0;

    rewind(file);
    while (fgets(line, sizeof line, file)) {
        n += strncmp(line, kind, strlen(kind)) == 0;
        trial_expect(line[0] == '{' && strcmp(line + strlen(line) - 2, "}\n") == 0 &&
                         !strstr(line, "nan") && !strstr(line, "inf"),
                     "no object: %s", line);
    }
    return n;
}

static void check_json(session_rig *rig)
{
    FILE *const                 file   = tmpfile();
    photon_bus *const           bus    = new_bus();
    const photon_session_config config = { .sample_interval_ns = 1e6, .bus = bus };
    photon_times                times[EVENTS + 1];
    photon_session             *session;

    if (!file)
        abort();
    subscribe(bus, ROOM, photon_bus_write_json, file);
    session = session_test_open(rig, &config);
    run_events(session, times);
    (void)await_sample(session);
    session_test_close(session, "json");
    trial_expect(count_lines(file, "{\"kind\":\"event\",\"lost\":0,") == EVENTS, "events");
    trial_expect(count_lines(file, "{\"kind\":\"sample\",\"lost\":0,") > 0, "samples");
    photon_bus_free(bus);
    (void)fclose(file);
}

/* ---- flushed while a session keeps sending, faster than messages are taken */

static void check_flush_meanwhile(session_rig *rig)
{
    photon_bus *const           bus    = new_bus();
    const photon_session_config config = { .slots = 1, .sample_interval_ns = 1e6, .bus = bus };
    photon_session             *session;
    photon_times                times[EVENTS + 1];
    diary                       d = { .n_samples = 0 };

    subscribe(bus, 2, note_late, &d);
    session = session_test_open(rig, &config);
    run_events(session, times);
    for (int k = 0; k < 20; k++)
        photon_bus_flush(bus);
    run_events(session, times); /* the session is still there, and so is the bus */
    session_test_close(session, "flushed meanwhile");
    trial_expect(d.n_samples + d.n_events + d.n_lost > 20, "nothing was said");
    photon_bus_free(bus);
}

/* ---- wrong calls */

static void check_wrong(void)
{
    photon_bus *const bus = new_bus();
    diary             d;

    trial_expect(photon_bus_subscribe(NULL, 1, note, &d) == PHOTON_SESSION_INVALID &&
                     photon_bus_subscribe(bus, 0, note, &d) == PHOTON_SESSION_INVALID &&
                     photon_bus_subscribe(bus, (1 << 20) + 1, note, &d) == PHOTON_SESSION_INVALID &&
                     photon_bus_subscribe(bus, 1, NULL, &d) == PHOTON_SESSION_INVALID,
                 "wrong subscribers are refused");
    for (int k = 0; k < PHOTON_SUBSCRIBERS_MOST; k++)
        subscribe(bus, 1, note, &d);
    trial_expect(photon_bus_subscribe(bus, 1, note, &d) == PHOTON_SESSION_TOO_LARGE,
                 "one too many");
    photon_bus_flush(bus);
    photon_bus_free(bus);
    photon_bus_flush(NULL);
    photon_bus_free(NULL);
}

int main(void)
{
    session_rig rig;
    const int   status = session_rig_start(&rig, &spec, "test_photon_session_bus");

    if (status >= 0)
        return status;
    check_all(&rig);
    check_flush(&rig);
    check_slow(&rig);
    check_cut_off(&rig);
    check_json(&rig);
    check_flush_meanwhile(&rig);
    check_wrong();
    session_rig_close(&rig);
    return trial_finish("test_photon_session_bus");
}
