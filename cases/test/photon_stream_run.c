/* Streams of events: opening, verifying, timing. */
#include "photon_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

uint64_t stream_now_ns(void)
{
    struct timespec now = { 0, 0 };

    (void)clock_gettime(CLOCK_MONOTONIC, &now); /* this clock is always there */
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool fail(const char *what, photon_session_status status)
{
    (void)fprintf(stderr, "photon_stream: %s: %s\n", what, photon_session_status_text(status));
    return false;
}

bool stream_has_device(void)
{
    const photon_staging_spec   spec = { 1, 0, 1 };
    session_rig                 rig;
    const photon_session_status st = session_rig_open(&rig, &spec);

    session_rig_close(&rig);
    return st != PHOTON_SESSION_NO_DEVICE;
}

/* ---- opening */

static int64_t size_of_kind(const stream_shape *shape, int kind)
{
    static const int64_t divisor[STREAM_KINDS] = { 1, 2, 10, INT64_MAX };
    const int64_t photons = shape->is_mixed ? shape->photons / divisor[kind] : shape->photons;

    return photons > 0 ? photons : 1;
}

static uint64_t digest_of(uint64_t digest, const uint32_t *words, int64_t n)
{
    for (int64_t k = 0; k < n; k++)
        digest = (digest ^ words[k]) * 0x100000001b3u;
    return digest;
}

/* All bits of one event of each kind. */
static bool verify(stream *s)
{
    s->digest = 0xcbf29ce484222325u;
    for (int kind = 0; kind < s->n_kinds; kind++) {
        photon_event_descriptor e = s->expected[kind].event;
        const photon_result    *r;
        const char             *difference;
        photon_future          *f;

        e.wants_records = s->expected[kind].event.wants_records = true;
        if (photon_submit_event(s->session, &e, &f) != PHOTON_SESSION_OK)
            return fail("submit", PHOTON_SESSION_LOST);
        (void)photon_future_wait(f, -1);
        r          = photon_future_result(f);
        difference = session_difference(&s->expected[kind], r);
        if (!difference) {
            s->digest = digest_of(s->digest, r->tally, r->n_tally);
            s->digest = digest_of(s->digest, s->expected[kind].records, s->expected[kind].words);
        }
        photon_future_free(f);
        if (difference) {
            (void)fprintf(stderr, "photon_stream: kind %d: %s\n", kind, difference);
            return false;
        }
    }
    return true;
}

/* Of the largest events one kind will do: each takes gigabytes. */
bool stream_open(stream *s, const stream_shape *shape)
{
    const photon_staging_spec spec = { shape->photons, 0, shape->slots + 2 };
    photon_session_status     st;

    *s         = (stream) { .session = NULL };
    s->n_kinds = shape->photons > 1000000 ? 1 : STREAM_KINDS;
    st         = session_rig_open(&s->rig, &spec);
    if (st != PHOTON_SESSION_OK)
        return fail("arenas", st);
    for (int kind = 0; kind < s->n_kinds; kind++) {
        const photon_event_descriptor e =
            session_test_event(shape->detector, size_of_kind(shape, kind), 100 + (uint32_t)kind);

        if (!session_expect(&s->rig, &e, SESSION_PER_STEP, &s->expected[kind]))
            return fail("no answer of per_step", PHOTON_SESSION_NO_MEMORY);
    }
    return true;
}

void stream_close(stream *s)
{
    for (int kind = 0; kind < s->n_kinds; kind++)
        session_expected_free(&s->expected[kind]);
    session_rig_close(&s->rig);
}

bool stream_begin(stream *s, const photon_session_config *config, bool wants_records)
{
    const photon_session_status st =
        photon_session_open(s->rig.device, s->rig.staging, config, &s->session);

    if (st != PHOTON_SESSION_OK)
        return fail("open", st);
    s->window = (config->slots > 0 ? config->slots : 4) + 2;
    if (!verify(s))
        return false;
    for (int kind = 0; kind < s->n_kinds; kind++)
        s->expected[kind].event.wants_records = wants_records;
    return true;
}

bool stream_end(stream *s)
{
    const photon_session_status st = photon_session_close(s->session);

    s->session = NULL;
    return st == PHOTON_SESSION_OK || fail("close", st);
}

/* ---- timing */

bool stream_is_tally_right(const stream *s, int kind, const photon_result *r)
{
    if (r->status == PHOTON_SESSION_OK &&
        memcmp(r->tally, s->expected[kind].tally, (size_t)s->expected[kind].n_tally * 4) == 0)
        return true;
    (void)fprintf(stderr, "photon_stream: kind %d of the stream: %s\n", kind,
                  r->status == PHOTON_SESSION_OK ? "the tally differs"
                                                 : photon_session_status_text(r->status));
    return false;
}

static bool finish(stream *s, photon_future *f, int kind, stream_figures *figures)
{
    const photon_result *r;
    bool                 works;

    (void)photon_future_wait(f, -1);
    r     = photon_future_result(f);
    works = stream_is_tally_right(s, kind, r);
    figures->photons += (double)r->photons;
    figures->latency_ns += r->times.total_ns;
    photon_future_free(f);
    return works;
}

/* A window of events: the oldest is waited for before the next one is submitted. */
static bool pump(stream *s, int n, photon_future **window, stream_figures *f)
{
    bool works = true;

    for (int k = 0; k < n + s->window; k++) {
        photon_future **const at = &window[k % s->window];

        if (*at)
            works = finish(s, *at, (k - s->window) % s->n_kinds, f) && works;
        *at = NULL;
        if (works && k < n &&
            photon_submit_event(s->session, &s->expected[k % s->n_kinds].event, at) !=
                PHOTON_SESSION_OK)
            works = fail("submit", PHOTON_SESSION_LOST);
    }
    return works;
}

/* Until every warp has written down what it did. */
static void rest(void)
{
    const struct timespec time = { 0, 5000000 };

    (void)nanosleep(&time, NULL);
}

bool stream_run(stream *s, int n, stream_figures *f)
{
    photon_future  **window = calloc((size_t)s->window, sizeof(photon_future *));
    photon_telemetry before, at_end, *const after = &f->telemetry;
    uint64_t begun;
    bool     works;
    double   time_ns;

    *f = (stream_figures) { .events = n };
    if (!window)
        return fail("stream", PHOTON_SESSION_NO_MEMORY);
    works      = photon_session_telemetry(s->session, &before) == PHOTON_SESSION_OK;
    begun      = stream_now_ns();
    works      = works && pump(s, n, window, f);
    f->wall_ns = (double)(stream_now_ns() - begun);
    free(window);
    works = works && photon_session_telemetry(s->session, &at_end) == PHOTON_SESSION_OK;
    rest();
    if (!works || photon_session_telemetry(s->session, after) != PHOTON_SESSION_OK)
        return false;
    after->n_samples      = at_end.n_samples - before.n_samples;
    after->n_samples_lost = at_end.n_samples_lost - before.n_samples_lost;
    time_ns               = f->wall_ns;
    f->sampled_share =
        (at_end.busy_warps - before.busy_warps) / (double)(after->n_samples * after->n_warps);
    f->latency_ns = f->latency_ns / n;
    f->sm_share   = (after->sm_busy_ns - before.sm_busy_ns) / ((double)after->n_sms * time_ns);
    f->warp_share =
        (after->warp_busy_ns - before.warp_busy_ns) / ((double)after->n_warps * time_ns);
    f->lane_share =
        (after->lane_steps - before.lane_steps) / (32 * (after->warp_steps - before.warp_steps));
    return true;
}
