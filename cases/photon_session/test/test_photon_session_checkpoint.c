/* Checkpoints: an event that is stopped while it runs and continues in another session gives the
 * bits that it would have given, however often that happens. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/session_checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHOTONS_MOST = 4000,
    RESULTS      = 3,
    BOX          = 0,
    WHITE        = 1,
    KINDS        = 2
};
static session_expected expected[KINDS];

enum {
    OFTEN = 2 /* photons come up at each step, so that an event stops soon */
};
static const photon_session_config configs[] = {
    { .slots = 2, .has_checkpoints = true },
    { .slots = 1, .zero_copy_most = PHOTONS_MOST, .has_checkpoints = true },
    [OFTEN] = { .has_checkpoints = true, .cadence = { .budget = 1, .compact_below = 0.5 } },
    { .slots = 3, .zero_copy_most = -1, .has_checkpoints = true, .cadence = { .budget = 8 } },
};
enum {
    CONFIGS = sizeof configs / sizeof *configs
};

static photon_event_descriptor event_of(int kind)
{
    return session_test_event(kind == BOX ? SESSION_TEST_BOX : SESSION_TEST_WHITE,
                              kind == BOX ? PHOTONS_MOST : 1009, 9);
}

/* ---- bytes of a checkpoint, by way of a file */

typedef struct saved {
    void  *bytes;
    size_t n;
} saved;

static saved save(const photon_result *r)
{
    saved s    = { malloc(r->checkpoint_bytes), r->checkpoint_bytes };
    FILE *file = tmpfile();

    if (!s.bytes || !file || fwrite(r->checkpoint, 1, s.n, file) != s.n)
        abort();
    rewind(file);
    trial_expect(fread(s.bytes, 1, s.n, file) == s.n, "a file with a checkpoint");
    (void)fclose(file);
    return s;
}

static int64_t left_of(const saved *s)
{
    checkpoint_head h;

    memcpy(&h, s->bytes, sizeof h);
    return h.n_left;
}

/* ---- stopped, and continued */

/* Stops it after it has run for a while, or at once; returns whether it was stopped. If not, its
 * result is right. */
static bool stop(photon_session *session, const photon_event_descriptor *e, bool waits,
                 const session_expected *x, saved *checkpoint)
{
    photon_future       *f = session_test_submit(session, e, "to stop");
    photon_telemetry     t = { .n_running = 0 };
    const photon_result *r;
    bool                 is_stopped;

    while (waits && t.n_running == 0 && photon_future_poll(f) == PHOTON_SESSION_PENDING)
        (void)photon_session_telemetry(session, &t);
    trial_expect(photon_session_checkpoint(session, f) == PHOTON_SESSION_OK, "not to be stopped");
    is_stopped = photon_future_wait(f, 60e9) == PHOTON_SESSION_CHECKPOINTED;
    r          = photon_future_result(f);
    if (is_stopped) {
        trial_expect(r->checkpoint && !r->tally && !r->place, "a result of an event under way");
        *checkpoint = save(r);
    } else {
        session_test_check(r, x, "stopped too late");
        trial_expect(!r->checkpoint, "a checkpoint of an event that is over");
    }
    photon_future_free(f);
    return is_stopped;
}

/* What is left of an event: all of it, or its checkpoint. */
static photon_event_descriptor rest_of(const photon_event_descriptor *e, const saved *checkpoint)
{
    return (photon_event_descriptor) { .detector         = e->detector,
                                       .wants_records    = true,
                                       .checkpoint       = checkpoint->bytes,
                                       .checkpoint_bytes = checkpoint->n };
}

/* From session to session, stopped a few times, the last time not; returns how often it was
 * stopped. */
static int pass_on(session_rig *rig, const photon_event_descriptor *begin,
                   const session_expected *x, int first, int64_t *least_left)
{
    photon_event_descriptor e    = *begin;
    saved                   last = { NULL, 0 };
    int                     n;

    for (n = 0; n < CONFIGS; n++) {
        photon_session *session = session_test_open(rig, &configs[(first + n) % CONFIGS]);
        saved           next    = { NULL, 0 };
        bool            goes_on = false;

        if (n + 1 < CONFIGS)
            goes_on = stop(session, &e, n > 0, x, &next);
        else
            session_test_finish(session_test_submit(session, &e, "the rest"), x, "the rest");
        session_test_close(session, "passed on");
        free(last.bytes);
        last = next;
        if (!goes_on)
            break;
        *least_left = left_of(&last) < *least_left ? left_of(&last) : *least_left;
        e           = rest_of(begin, &last);
    }
    return n;
}

/* Stopped at once it surely stops before its photons have ended, and then some are left. */
static void check_source(session_rig *rig)
{
    const int enough = (TRIAL_IS_SANITIZED ? 1 : 3) * CONFIGS, most = 30 * CONFIGS;

    for (int kind = 0; kind < KINDS; kind++) {
        const photon_event_descriptor e    = event_of(kind);
        int64_t                       left = INT64_MAX;
        int                           n    = 0;

        for (int k = 0; k < enough || (left >= e.photons && k < most); k++)
            n += pass_on(rig, &e, &expected[kind], k, &left);
        trial_expect(n > 0 && left < e.photons, "stopped %d times, with %d photons left at least",
                     n, (int)left);
    }
}

/* The source's photons, not drawn yet, in host and in device memory. */
static void check_batches(session_rig *rig)
{
    static float            pos[3 * PHOTONS_MOST], time[PHOTONS_MOST];
    static uint32_t         flags[PHOTONS_MOST];
    const photon_batch      batch = { pos, pos, pos, time, time, flags };
    photon_event_descriptor e     = event_of(BOX);
    session_device_batch    copy  = { .memory = NULL };
    int64_t                 left  = INT64_MAX;

    for (int64_t i = 0; i < e.photons; i++) {
        for (int k = 0; k < 3; k++)
            pos[k * e.photons + i] = e.pos[k];
        time[i]  = e.time;
        flags[i] = PHOTON_ISOTROPIC_INIT;
    }
    trial_expect(session_device_batch_make(rig, &batch, e.photons, &copy), "no copy");
    for (int k = 0; k < CONFIGS; k++) {
        e.batch        = k % 2 ? &batch : NULL;
        e.device_batch = k % 2 ? NULL : &copy.batch;
        (void)pass_on(rig, &e, &expected[BOX], k, &left);
    }
    trial_expect(left <= e.photons, "a batch was never stopped");
    session_device_batch_free(rig, &copy);
}

/* ---- parts, before and after */

typedef struct ends {
    int64_t  rows, n, n_wrong;
    uint32_t flags[PHOTON_GENERATIONS * PHOTONS_MOST];
} ends;

static void collect(void *context, photon_session *session, const photon_part *part)
{
    ends *const c = context;

    (void)session;
    c->n_wrong += PHOTON_GENERATIONS * part->photons != c->rows;
    for (int64_t k = 0; k < part->n; k++) {
        if (part->ends[k].row >= c->rows || c->flags[part->ends[k].row] != 0)
            c->n_wrong++;
        else
            c->flags[part->ends[k].row] = part->ends[k].flags;
    }
    c->n += part->n;
}

static void check_parts(session_rig *rig)
{
    static ends             got;
    photon_session_config   config = configs[OFTEN];
    photon_event_descriptor e      = event_of(BOX), rest;
    const uint32_t *const   flags  = expected[BOX].records + 4 * PHOTON_GENERATIONS * e.photons;
    saved                   s      = { NULL, 0 };
    photon_session         *session;

    config.part_ends = 100;
    session          = session_test_open(rig, &config);
    got.rows         = PHOTON_GENERATIONS * e.photons;
    e.part_callback  = collect;
    e.context        = &got;
    if (stop(session, &e, true, &expected[BOX], &s)) {
        rest               = rest_of(&e, &s);
        rest.part_callback = collect;
        rest.context       = &got;
        session_test_finish(session_test_submit(session, &rest, "parts"), &expected[BOX], "parts");
    }
    free(s.bytes);
    trial_expect(got.n_wrong == 0 && memcmp(got.flags, flags, (size_t)got.rows * 4) == 0,
                 "parts before and after are not the whole: %d wrong", (int)got.n_wrong);
    session_test_close(session, "parts");
}

/* ---- a session without checkpoints, and one that is closed */

static void check_without(session_rig *rig)
{
    const photon_session_config   config  = { .slots = 1 };
    const photon_event_descriptor e       = event_of(BOX);
    photon_session               *session = session_test_open(rig, &config);
    photon_future                *f       = session_test_submit(session, &e, "without");

    trial_expect(photon_session_checkpoint(session, f) == PHOTON_SESSION_INVALID,
                 "a session without checkpoints makes one");
    session_test_finish(f, &expected[BOX], "without");
    session_test_close(session, "without");
}

/* Checkpoints are asked for, and the session is closed before they are made: every future is
 * resolved. */
static void check_closed(session_rig *rig)
{
    enum {
        N = 4
    };
    const photon_event_descriptor e       = event_of(BOX);
    photon_session               *session = session_test_open(rig, &configs[0]);
    photon_future                *f[N];

    for (int k = 0; k < N; k++)
        f[k] = session_test_submit(session, &e, "closed");
    for (int k = 0; k < N; k++)
        (void)photon_session_checkpoint(session, f[k]);
    session_test_close(session, "closed");
    for (int k = 0; k < N; k++) {
        const photon_session_status st = photon_future_poll(f[k]);

        trial_expect(st == PHOTON_SESSION_OK || st == PHOTON_SESSION_CANCELLED ||
                         st == PHOTON_SESSION_CHECKPOINTED,
                     "closed: %s", photon_session_status_text(st));
        photon_future_free(f[k]);
    }
}

int main(void)
{
    const photon_staging_spec spec = { PHOTONS_MOST, 1, RESULTS };
    session_rig               rig;
    const int status = session_rig_start(&rig, &spec, "test_photon_session_checkpoint");

    if (status >= 0)
        return status;
    for (int kind = 0; kind < KINDS; kind++) {
        const photon_event_descriptor e = event_of(kind);

        trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &expected[kind]),
                     "no expected result");
    }
    check_source(&rig);
    check_batches(&rig);
    check_parts(&rig);
    check_without(&rig);
    check_closed(&rig);
    for (int kind = 0; kind < KINDS; kind++)
        session_expected_free(&expected[kind]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_checkpoint");
}
