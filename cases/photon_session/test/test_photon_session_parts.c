/* Parts of a result while its event runs: together they are the whole result, bit for bit; an event
 * that is cancelled gives no more of them. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/propagate_case.h"

#include <sched.h>
#include <stdatomic.h>
#include <string.h>

enum {
    PHOTONS_MOST = 4000,
    RESULTS      = 6,
    ROWS_MOST    = PHOTON_GENERATIONS * PHOTONS_MOST,
    PLACE        = 0, /* parts of records, by rows */
    TIME         = 3,
    FLAGS        = 4,
    FACE         = 5,
    FIELDS       = 6
};

static const struct {
    int      detector;
    int64_t  photons;
    uint32_t seed;
} plan[] = {
    { SESSION_TEST_BOX, 1, 1 },    { SESSION_TEST_WHITE, 97, 20 },
    { SESSION_TEST_BOX, 0, 3 },    { SESSION_TEST_BOX, 257, 21 },
    { SESSION_TEST_BOX, 1009, 7 }, { SESSION_TEST_WHITE, PHOTONS_MOST, 9 },
};
enum {
    EVENTS = sizeof plan / sizeof *plan,
    LARGE  = EVENTS - 1
};
static session_expected expected[EVENTS];

/* ---- records from parts */

typedef struct collected {
    int64_t                  rows, part_ends, n;
    uint32_t                 record[FIELDS * ROWS_MOST];
    int                      n_parts, n_wrong;
    bool                     has_ended, cancels; /* cancels: cancels the event at its first part */
    _Atomic(photon_future *) future;
} collected;

static void clear(collected *c, int64_t photons, int64_t part_ends)
{
    memset(c, 0, sizeof *c);
    c->rows      = PHOTON_GENERATIONS * photons;
    c->part_ends = part_ends;
    for (int64_t row = 0; row < c->rows; row++)
        c->record[FACE * c->rows + row] = UINT32_MAX;
}

/* A row comes once, and only if a photon has ended in it. */
static bool take_end(collected *c, const photon_end_row *e)
{
    uint32_t words[FIELDS];

    if (e->row >= c->rows || e->flags == 0 || c->record[FLAGS * c->rows + e->row] != 0)
        return false;
    memcpy(words, e->place, sizeof e->place);
    memcpy(&words[TIME], &e->time, sizeof e->time);
    memcpy(&words[FACE], &e->face, sizeof e->face);
    words[FLAGS] = e->flags;
    for (int k = 0; k < FIELDS; k++)
        c->record[k * c->rows + e->row] = words[k];
    return true;
}

/* The submitting thread may not have the future yet. */
static void cancel(collected *c)
{
    while (atomic_load(&c->future) == NULL)
        (void)sched_yield();
    photon_future_cancel(atomic_load(&c->future));
}

static void collect(void *context, photon_session *session, const photon_part *part)
{
    collected *const c = context;

    (void)session;
    if (c->has_ended || part->first != c->n || part->n < 1 || part->n > c->part_ends ||
        PHOTON_GENERATIONS * part->photons != c->rows)
        c->n_wrong++;
    for (int64_t k = 0; k < part->n; k++)
        c->n_wrong += !take_end(c, &part->ends[k]);
    c->n += part->n;
    if (c->n_parts++ == 0 && c->cancels)
        cancel(c);
}

static void end(void *context, photon_session *session, const photon_result *result)
{
    collected *const c = context;

    (void)session, (void)result;
    c->has_ended = true;
}

static photon_event_descriptor event_of(int k, collected *c)
{
    photon_event_descriptor e = session_test_event(plan[k].detector, plan[k].photons, plan[k].seed);

    if (c) {
        e.part_callback = collect;
        e.callback      = end;
        e.context       = c;
    }
    return e;
}

static void check_collected(const collected *c, const session_expected *x, const char *what)
{
    const int64_t parts = (c->n + c->part_ends - 1) / c->part_ends;

    trial_expect(c->n_wrong == 0 && c->has_ended, "%s: %d wrong ends or parts", what, c->n_wrong);
    trial_expect(c->n_parts == parts, "%s: %d parts of %d", what, c->n_parts, (int)parts);
    trial_expect(x->words == FIELDS * c->rows &&
                     memcmp(c->record, x->records, (size_t)x->words * 4) == 0,
                 "%s, event of %d photons: parts are not the whole", what, (int)c->rows / 3);
}

/* ---- all parts */

/* All events at once; those with odd numbers have no records. */
static void check_parts(session_rig *rig, const photon_session_config *config, const char *what)
{
    static collected got[EVENTS];
    photon_session  *session = session_test_open(rig, config);
    photon_future   *f[EVENTS];

    for (int k = 0; k < EVENTS; k++) {
        photon_event_descriptor e = event_of(k, &got[k]);

        clear(&got[k], plan[k].photons, config->part_ends);
        e.wants_records = k % 2 == 0;
        f[k]            = session_test_submit(session, &e, what);
    }
    for (int k = 0; k < EVENTS; k++) {
        session_expected x = expected[k];

        x.event.wants_records = k % 2 == 0;
        session_test_finish(f[k], &x, what);
        check_collected(&got[k], &x, what);
    }
    session_test_close(session, what);
}

static void check_all(session_rig *rig)
{
    static const struct {
        const char           *what;
        photon_session_config config;
    } row[] = {
        { "least parts", { .part_ends = PHOTON_PART_LEAST } },
        { "parts of 100, direct records", { .part_ends = 100, .zero_copy_most = PHOTONS_MOST } },
        { "parts of 257, small budget",
          { .slots = 2, .part_ends = 257, .cadence = { .budget = 1, .compact_below = 0.5 } } },
        { "parts larger than events", { .part_ends = PHOTON_PART_MOST, .is_in_order = true } },
    };

    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        check_parts(rig, &row[k].config, row[k].what);
}

/* ---- cancelled */

/* Cancels it at its first part; returns whether that came while the event was running. */
static bool cancel_by_part(photon_session *session, collected *c)
{
    photon_event_descriptor e = event_of(LARGE, c);
    photon_future          *f;
    bool                    is_cancelled;

    clear(c, e.photons, PHOTON_PART_LEAST);
    c->cancels = true;
    f          = session_test_submit(session, &e, "to cancel");
    atomic_store(&c->future, f);
    is_cancelled = photon_future_wait(f, 60e9) == PHOTON_SESSION_CANCELLED;
    trial_expect(c->n_wrong == 0 && c->has_ended, "%d wrong parts of a cancelled event",
                 c->n_wrong);
    if (is_cancelled)
        trial_expect(c->n_parts > 0 && c->n % c->part_ends == 0, "the end of a cancelled event");
    else
        session_test_check(photon_future_result(f), &expected[LARGE], "cancelled too late");
    if (!is_cancelled)
        check_collected(c, &expected[LARGE], "cancelled too late");
    photon_future_free(f);
    return is_cancelled;
}

/* A part may come too late; but of many one comes while photons are left, and its event ends
 * there. */
static void check_cancelled(session_rig *rig)
{
    static collected            c;
    const photon_session_config config      = { .slots     = 2,
                                                .part_ends = PHOTON_PART_LEAST,
                                                .cadence = { .budget = 1 } }; /* to be cancelled soon */
    photon_session             *session     = session_test_open(rig, &config);
    int                         n_cancelled = 0;

    for (int k = 0; k < 50 && n_cancelled < 2; k++)
        n_cancelled += cancel_by_part(session, &c);
    trial_expect(n_cancelled > 0, "of fifty events none had a part while it was running");
    session_test_close(session, "cancelled");
}

/* Closed while events run: an event that is OK has had all its parts. */
static void check_closed(session_rig *rig)
{
    static collected            got[EVENTS];
    const photon_session_config config  = { .slots = 3, .part_ends = 64 };
    photon_session             *session = session_test_open(rig, &config);
    photon_future              *f[EVENTS];

    for (int k = 0; k < EVENTS; k++) {
        const photon_event_descriptor e = event_of(k, &got[k]);

        clear(&got[k], plan[k].photons, config.part_ends);
        f[k] = session_test_submit(session, &e, "closed");
    }
    (void)photon_future_wait(f[1], 60e9);
    session_test_close(session, "closed");
    for (int k = 0; k < EVENTS; k++) {
        trial_expect(got[k].has_ended && got[k].n_wrong == 0, "event %d of a closed session", k);
        if (photon_future_poll(f[k]) == PHOTON_SESSION_OK)
            check_collected(&got[k], &expected[k], "closed");
        photon_future_free(f[k]);
    }
}

/* ---- refused */

static void check_refused(session_rig *rig)
{
    static const int64_t          bad[] = { -1, PHOTON_PART_LEAST - 1, PHOTON_PART_MOST + 1 };
    static collected              c;
    photon_session_config         config  = { .slots = 1 };
    photon_session               *session = session_test_open(rig, &config);
    photon_future                *f;
    const photon_event_descriptor e = event_of(0, &c);

    trial_expect(photon_submit_event(session, &e, &f) == PHOTON_SESSION_INVALID && f == NULL,
                 "parts in a session without");
    session_test_close(session, "refused");
    for (int k = 0; k < 3; k++) {
        config.part_ends = bad[k];
        trial_expect(photon_session_open(rig->device, rig->staging, &config, &session) ==
                             PHOTON_SESSION_INVALID &&
                         session == NULL,
                     "parts of %d ends", (int)bad[k]);
    }
}

int main(void)
{
    const photon_staging_spec spec = { PHOTONS_MOST, 0, RESULTS };
    session_rig               rig;
    const int                 status = session_rig_start(&rig, &spec, "test_photon_session_parts");

    if (status >= 0)
        return status;
    for (int k = 0; k < EVENTS; k++) {
        const photon_event_descriptor e = event_of(k, NULL);

        trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &expected[k]),
                     "no expected result");
    }
    check_all(&rig);
    check_cancelled(&rig);
    check_closed(&rig);
    check_refused(&rig);
    for (int k = 0; k < EVENTS; k++)
        session_expected_free(&expected[k]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_parts");
}
