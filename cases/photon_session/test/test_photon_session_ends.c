/* Sessions at their limits: a full queue, events that are cancelled, sessions that are closed while
 * events run, and sessions that are lost. Whatever happens, every future is resolved, and every
 * result is right. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/propagate_case.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum {
    PHOTONS_MOST = 4000,
    RESULTS      = 3,
    SMALL        = 64,
    SEEDS        = 4
};
static session_expected small[SEEDS], large;

static photon_event_descriptor small_event(int seed)
{
    return session_test_event(SESSION_TEST_BOX, SMALL, (uint32_t)seed % SEEDS);
}

/* ---- a full queue: futures that are held keep all results, so that nothing can begin */

typedef struct waiting {
    photon_session       *session;
    photon_future        *future;
    photon_session_status status;
    atomic_int            has_come;
} waiting;

static void *submit_and_wait(void *context)
{
    waiting *const                w = context;
    const photon_event_descriptor e = small_event(3);

    w->status = photon_submit_event(w->session, &e, &w->future);
    atomic_store(&w->has_come, 1);
    return NULL;
}

static void nap(void)
{
    const struct timespec time = { 0, 20000000 };

    (void)nanosleep(&time, NULL);
}

static void check_full(session_rig *rig)
{
    const photon_session_config   config  = { .queue = 2 };
    photon_session               *session = session_test_open(rig, &config);
    const photon_event_descriptor e       = small_event(0);
    photon_future                *held[RESULTS], *queued[2], *refused = NULL;
    waiting                       w = { session, NULL, PHOTON_SESSION_PENDING, 0 };
    pthread_t                     thread;

    for (int k = 0; k < RESULTS; k++) {
        held[k] = session_test_submit(session, &e, "held");
        trial_expect(photon_future_wait(held[k], 60e9) == PHOTON_SESSION_OK, "held");
    }
    for (int k = 0; k < 2; k++)
        queued[k] = session_test_submit(session, &e, "queued");
    trial_expect(photon_try_submit_event(session, &e, &refused) == PHOTON_SESSION_FULL &&
                     refused == NULL,
                 "a full queue takes an event");
    trial_expect(photon_future_wait(queued[0], 5e6) == PHOTON_SESSION_PENDING &&
                     photon_future_result(queued[0]) == NULL,
                 "an event without room for its result has one");
    if (pthread_create(&thread, NULL, submit_and_wait, &w) != 0)
        abort();
    nap();
    trial_expect(atomic_load(&w.has_come) == 0, "submit does not wait for room");
    for (int k = 0; k < RESULTS; k++)
        session_test_finish(held[k], &small[0], "held");
    (void)pthread_join(thread, NULL);
    for (int k = 0; k < 2; k++)
        session_test_finish(queued[k], &small[0], "queued");
    if (trial_expect(w.status == PHOTON_SESSION_OK, "submit that waits"))
        session_test_finish(w.future, &small[3], "after waiting for room");
    session_test_close(session, "full");
}

/* ---- cancelled: before, while and after it runs */

static void check_cancel_before(session_rig *rig)
{
    const photon_session_config   config  = { .queue = 4 };
    photon_session               *session = session_test_open(rig, &config);
    const photon_event_descriptor e = small_event(1), other = small_event(2);
    photon_future                *held[RESULTS], *queued, *behind;
    const photon_result          *r;

    for (int k = 0; k < RESULTS; k++) {
        held[k] = session_test_submit(session, &e, "held");
        trial_expect(photon_future_wait(held[k], 60e9) == PHOTON_SESSION_OK, "held");
    }
    queued = session_test_submit(session, &e, "queued");
    behind = session_test_submit(session, &other, "behind");
    photon_future_cancel(queued);
    trial_expect(photon_future_wait(queued, 60e9) == PHOTON_SESSION_CANCELLED,
                 "an event that waits is not cancelled");
    r = photon_future_result(queued);
    trial_expect(r && r->status == PHOTON_SESSION_CANCELLED && !r->tally && !r->place,
                 "a cancelled event has a result");
    photon_future_free(queued);
    photon_future_cancel(held[0]); /* after it has run */
    trial_expect(photon_future_poll(held[0]) == PHOTON_SESSION_OK, "cancelled after its end");
    for (int k = 0; k < RESULTS; k++)
        session_test_finish(held[k], &small[1], "held");
    session_test_finish(behind, &small[2], "behind a cancelled event");
    session_test_close(session, "cancel before");
}

/* Surely on the device, then cancelled. */
static bool cancel_running(photon_session *session)
{
    const photon_event_descriptor e = large.event, other = small_event(1);
    photon_future                *f      = session_test_submit(session, &e, "large");
    photon_future                *beside = session_test_submit(session, &other, "beside");
    photon_telemetry              t      = { .n_running = 0 };
    bool                          is_cancelled;

    while (t.n_running == 0 && photon_future_poll(f) == PHOTON_SESSION_PENDING)
        (void)photon_session_telemetry(session, &t);
    photon_future_cancel(f);
    is_cancelled = photon_future_wait(f, 60e9) == PHOTON_SESSION_CANCELLED;
    if (!is_cancelled)
        session_test_check(photon_future_result(f), &large, "cancelled too late");
    photon_future_free(f);
    session_test_finish(beside, &small[1], "beside a cancelled event");
    return is_cancelled;
}

/* A cancel may come too late, but of many one comes in time. Its slot then serves others. */
static void check_cancel_running(session_rig *rig)
{
    const photon_session_config config      = { .slots = 2 };
    photon_session             *session     = session_test_open(rig, &config);
    int                         n_cancelled = 0;

    for (int k = 0; k < 50 && n_cancelled < 2; k++)
        n_cancelled += cancel_running(session);
    trial_expect(n_cancelled > 0, "of fifty large events none was cancelled");
    session_test_close(session, "cancel while");
}

/* ---- closed with events that have not ended */

static void check_close(session_rig *rig, bool is_in_order, int n_done_first)
{
    enum {
        N = 10
    };
    const photon_session_config config  = { .slots = 2, .queue = N, .is_in_order = is_in_order };
    photon_session             *session = session_test_open(rig, &config);
    photon_future              *future[N];
    int                         n_resolved = 0;

    for (int k = 0; k < N; k++) {
        const photon_event_descriptor e = k % 2 ? large.event : small_event(k);

        future[k] = session_test_submit(session, &e, "in flight");
    }
    for (int k = 0; k < n_done_first; k++)
        (void)photon_future_wait(future[k], 60e9);
    session_test_close(session, "in flight");
    for (int k = 0; k < N; k++) {
        const photon_session_status st = photon_future_poll(future[k]);

        n_resolved += st == PHOTON_SESSION_OK || st == PHOTON_SESSION_CANCELLED;
        if (st == PHOTON_SESSION_OK)
            session_test_check(photon_future_result(future[k]), k % 2 ? &large : &small[k % SEEDS],
                               "in flight");
        trial_expect(k >= n_done_first || st == PHOTON_SESSION_OK, "event %d was done", k);
        photon_future_free(future[k]);
    }
    trial_expect(n_resolved == N, "%d of %d futures are resolved", n_resolved, N);
}

/* ---- lost: a callback that does not return keeps the host silent */

static void be_silent(void *context, photon_session *session, const photon_result *result)
{
    (void)context, (void)session, (void)result;
    for (int k = 0; k < 50; k++)
        nap();
}

static void check_lost(session_rig *rig)
{
    const photon_session_config config  = { .patience_ns = 3e8 };
    photon_session             *session = session_test_open(rig, &config);
    photon_event_descriptor     e       = small_event(0);
    photon_future              *f, *later;
    photon_session_status       st;

    e.callback = be_silent;
    f          = session_test_submit(session, &e, "silent");
    e.callback = NULL;
    trial_expect(photon_future_wait(f, 60e9) == PHOTON_SESSION_OK, "silent");
    st = photon_submit_event(session, &e, &later);
    if (st == PHOTON_SESSION_OK)
        st = photon_future_wait(later, 60e9);
    trial_expect(st == PHOTON_SESSION_LOST, "a kernel that gave up: %s",
                 photon_session_status_text(st));
    photon_future_free(later);
    trial_expect(photon_try_submit_event(session, &e, &later) == PHOTON_SESSION_LOST,
                 "a lost session takes an event");
    photon_future_free(f);
    trial_expect(photon_session_close(session) == PHOTON_SESSION_LOST, "a lost session closes");
}

int main(void)
{
    const photon_staging_spec     spec = { PHOTONS_MOST, 1, RESULTS };
    const photon_event_descriptor e    = session_test_event(SESSION_TEST_WHITE, PHOTONS_MOST, 9);
    session_rig                   rig;
    const int status = session_rig_start(&rig, &spec, "test_photon_session_ends");

    if (status >= 0)
        return status;
    trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &large), "no expected result");
    for (int k = 0; k < SEEDS; k++) {
        const photon_event_descriptor s = small_event(k);

        trial_expect(session_expect(&rig, &s, SESSION_PER_STEP, &small[k]), "no expected result");
    }
    check_full(&rig);
    check_cancel_before(&rig);
    check_cancel_running(&rig);
    check_close(&rig, false, 0);
    check_close(&rig, true, 3);
    check_lost(&rig);
    check_close(&rig, false, 2); /* after a lost session the next one works */
    for (int k = 0; k < SEEDS; k++)
        session_expected_free(&small[k]);
    session_expected_free(&large);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_ends");
}
