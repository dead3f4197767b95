/* Calls of sessions from callbacks and from many threads, and wrong calls. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/photon_arena.h"

#include "../../../kernels/photon_propagate/propagate_case.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    PHOTONS_MOST = 100,
    SMALL        = 64,
    SEEDS        = 4
};
static session_expected small[SEEDS];

static photon_event_descriptor small_event(int seed)
{
    return session_test_event(SESSION_TEST_BOX, SMALL, (uint32_t)seed % SEEDS);
}

static void nap(void)
{
    const struct timespec time = { 0, 20000000 };

    (void)nanosleep(&time, NULL);
}

/* ---- callbacks that submit */

typedef struct chain {
    atomic_int n_left, n_right, n_wrong, n_other;
} chain;

static void go_on(void *context, photon_session *session, const photon_result *result)
{
    chain *const            c = context;
    const int               n = atomic_fetch_sub(&c->n_left, 1);
    photon_event_descriptor e = small_event(n);

    if (result->status != PHOTON_SESSION_OK)
        atomic_fetch_add(&c->n_other, 1);
    else if (session_difference(&small[result->seed], result))
        atomic_fetch_add(&c->n_wrong, 1);
    else
        atomic_fetch_add(&c->n_right, 1);
    e.callback = go_on;
    e.context  = c;
    if (n > 0 && photon_submit_event(session, &e, NULL) != PHOTON_SESSION_OK)
        atomic_fetch_add(&c->n_other, 1);
}

static void check_callbacks(session_rig *rig)
{
    const photon_session_config config  = { .slots = 2 };
    photon_session             *session = session_test_open(rig, &config);
    chain                       c       = { 20, 0, 0, 0 };
    photon_event_descriptor     e       = small_event(0);

    e.callback = go_on;
    e.context  = &c;
    trial_expect(photon_submit_event(session, &e, NULL) == PHOTON_SESSION_OK, "the first of all");
    for (int k = 0; k < 3000 && atomic_load(&c.n_left) >= 0; k++)
        nap();
    session_test_close(session, "callbacks");
    trial_expect(atomic_load(&c.n_right) == 21 && atomic_load(&c.n_wrong) == 0 &&
                     atomic_load(&c.n_other) == 0,
                 "callbacks: %d right, %d wrong, %d without an answer", atomic_load(&c.n_right),
                 atomic_load(&c.n_wrong), atomic_load(&c.n_other));
}

/* ---- many threads */

typedef struct worker {
    photon_session *session;
    pthread_t       thread;
    int             n_right;
} worker;

static void *submit_many(void *context)
{
    worker *const w = context;

    for (int k = 0; k < 8; k++) {
        const photon_event_descriptor e = small_event(k);
        photon_future                *f;

        if (photon_submit_event(w->session, &e, &f) != PHOTON_SESSION_OK)
            continue;
        (void)photon_future_wait(f, 60e9);
        if (photon_future_poll(f) == PHOTON_SESSION_OK)
            w->n_right += !session_difference(&small[k % SEEDS], photon_future_result(f));
        photon_future_free(f);
    }
    return NULL;
}

static void check_threads(session_rig *rig)
{
    const photon_session_config config  = { .queue = 1 };
    photon_session             *session = session_test_open(rig, &config);
    worker w[3] = { { .session = session }, { .session = session }, { .session = session } };

    for (int k = 0; k < 3; k++)
        if (pthread_create(&w[k].thread, NULL, submit_many, &w[k]) != 0)
            abort();
    for (int k = 0; k < 3; k++) {
        (void)pthread_join(w[k].thread, NULL);
        trial_expect(w[k].n_right == 8, "thread %d: %d of 8 events are right", k, w[k].n_right);
    }
    session_test_close(session, "threads");
}

/* ---- descriptors and configurations that are wrong */

static void check_refused(photon_session *session, const photon_event_descriptor *e,
                          photon_session_status expected, const char *what)
{
    photon_future              *f  = NULL;
    const photon_session_status st = photon_try_submit_event(session, e, &f);

    trial_expect(st == expected && f == NULL, "%s: %s", what, photon_session_status_text(st));
    photon_future_free(f);
}

static void check_bad(session_rig *rig)
{
    const photon_session_config   config  = { .slots = 1 };
    photon_session               *session = session_test_open(rig, &config), *second;
    static const float            zeros[3 * SMALL];
    static const uint32_t         flags[SMALL] = { [SMALL - 1] = PHOTON_BULK_ABSORB };
    const photon_batch            missing      = { zeros, zeros, NULL, zeros, zeros, NULL };
    const photon_batch            ended        = { zeros, zeros, zeros, zeros, zeros, flags };
    const photon_event_descriptor good         = small_event(0);
    photon_event_descriptor       bad[10];

    for (int k = 0; k < 10; k++)
        bad[k] = good;
    bad[0].detector = SESSION_TEST_DETECTORS;
    bad[1].detector = -1;
    bad[2].photons  = -1;
    bad[3].steps    = 0;
    bad[4].steps    = PHOTON_MOST_STEPS + 1;
    bad[5].medium   = PHOTON_MEDIA;
    bad[6].pos[1]   = NAN;
    bad[7].time     = INFINITY;
    bad[8].batch    = &missing;
    bad[9].batch    = &ended;
    for (int k = 0; k < 10; k++)
        check_refused(session, &bad[k], PHOTON_SESSION_INVALID, "a bad descriptor");
    bad[0]         = good;
    bad[0].photons = PHOTONS_MOST + 1;
    check_refused(session, &bad[0], PHOTON_SESSION_TOO_LARGE, "too many photons");
    check_refused(session, NULL, PHOTON_SESSION_INVALID, "no descriptor");
    trial_expect(photon_try_submit_event(session, &good, NULL) == PHOTON_SESSION_INVALID,
                 "neither future nor callback");
    trial_expect(photon_session_open(rig->device, rig->staging, &config, &second) ==
                         PHOTON_SESSION_BUSY &&
                     second == NULL,
                 "a second session on the device");
    session_test_close(session, "bad");
}

static void check_bad_configurations(session_rig *rig)
{
    static const photon_session_config bad[] = {
        { .slots = -1 },
        { .slots = PHOTON_SLOTS_MOST + 1 },
        { .queue = -1 },
        { .block = 33 },
        { .blocks = 1, .block = 32 },
        { .cadence = { .vacant_lanes = 33 } },
        { .sample_interval_ns = -1 },
        { .patience_ns = -1 },
        { .cadence = { .compact_below = -0.1 } },
        { .cadence = { .compact_below = 1.1 } },
        { .cadence = { .compact_below = (double)NAN } },
    };
    const photon_staging_spec none = { .photons_most = 0, .results = 1 };
    photon_session           *session;
    photon_staging_arena     *staging;
    photon_device_arena      *device;

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        trial_expect(photon_session_open(rig->device, rig->staging, &bad[k], &session) ==
                             PHOTON_SESSION_INVALID &&
                         session == NULL,
                     "configuration %d", (int)k);
    trial_expect(photon_staging_arena_create(rig->device, &none, &staging) ==
                     PHOTON_SESSION_INVALID,
                 "an arena for nothing");
    trial_expect(photon_device_arena_create(0, NULL, 0, &device) == PHOTON_SESSION_INVALID,
                 "an arena without detectors");
}

static void check_arenas_of_two(session_rig *rig)
{
    const photon_detector d = { &rig->geometry[SESSION_TEST_WHITE], rig->media[SESSION_TEST_WHITE],
                                rig->surfaces[SESSION_TEST_WHITE] };
    const photon_session_config config = { .slots = 1 };
    photon_device_arena        *other;
    photon_session             *session;

    if (!trial_expect(photon_device_arena_create(0, &d, 1, &other) == PHOTON_SESSION_OK,
                      "no second arena"))
        return;
    trial_expect(photon_session_open(other, rig->staging, &config, &session) ==
                         PHOTON_SESSION_INVALID &&
                     session == NULL,
                 "a staging arena of another device arena");
    photon_device_arena_free(other);
}

/* A refusal is returned to the caller, and must not be the error of a later launch. A sanitizer
 * would end the program if it were asked about host memory. */
static void check_no_memory(session_rig *rig)
{
    const photon_event_descriptor e = small_event(0);
    session_expected              after;

    if (PHOTON_SESSION_ON_HOST)
        return;
    trial_expect(photon_runtime_alloc(rig->device->runtime, (size_t)1 << 50) == NULL,
                 "a device with as much memory");
    if (trial_expect(session_expect(rig, &e, SESSION_PER_STEP, &after), "a launch after that"))
        session_expected_free(&after);
}

int main(void)
{
    const photon_staging_spec spec = { PHOTONS_MOST, 1, 3 };
    session_rig               rig;
    const int                 status = session_rig_start(&rig, &spec, "test_photon_session_calls");

    if (status >= 0)
        return status;
    for (int k = 0; k < SEEDS; k++) {
        const photon_event_descriptor s = small_event(k);

        trial_expect(session_expect(&rig, &s, SESSION_PER_STEP, &small[k]), "no expected result");
    }
    check_callbacks(&rig);
    check_threads(&rig);
    check_bad(&rig);
    check_bad_configurations(&rig);
    check_arenas_of_two(&rig);
    check_no_memory(&rig);
    for (int k = 0; k < SEEDS; k++)
        session_expected_free(&small[k]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_calls");
}
