/* Streams of events: opening, verifying, timing. */
#include "photon_stream.h"

#include "../../../kernels/photon_propagate/propagate_case.h"

#include <math.h>
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

bool stream_fail(const char *what, photon_session_status status)
{
    (void)fprintf(stderr, "photon_stream: %s: %s\n", what, photon_session_status_text(status));
    return false;
}

bool stream_has_device(void)
{
    const photon_staging_spec   spec = { 1, 0, 1 };
    session_rig                 rig;
    const photon_session_status st = session_rig_open(&rig, &spec, NULL);

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

/* FNV-1a of every eighth word, then of those digests: each product waits for the one before, and a
 * large event has millions. */
static uint64_t digest_of(uint64_t digest, const uint32_t *words, int64_t n)
{
    enum {
        LANES = 8
    };
    const uint64_t prime = 0x100000001b3u;
    uint64_t       lane[LANES];

    for (int i = 0; i < LANES; i++)
        lane[i] = digest;
    for (int64_t k = 0; k + LANES <= n; k += LANES)
        for (int i = 0; i < LANES; i++)
            lane[i] = (lane[i] ^ words[k + i]) * prime;
    for (int64_t k = n / LANES * LANES; k < n; k++)
        lane[0] = (lane[0] ^ words[k]) * prime;
    for (int i = 0; i < LANES; i++)
        digest = (digest ^ lane[i]) * prime;
    return digest;
}

static void count_part(void *context, photon_session *session, const photon_part *part)
{
    stream *const s = context;

    (void)session;
    atomic_fetch_add(&s->n_part_ends, part->n);
    if (part->first == 0)
        atomic_fetch_add(&s->first_part_ns, (long long)part->age_ns);
}

static void set_way(stream *s, stream_way way, photon_event_descriptor *e)
{
    e->part_callback = way.wants_parts ? count_part : NULL;
    e->context       = s;
    e->batch         = way.is_given && !way.is_on_device ? &s->batch : NULL;
    e->device_batch  = way.is_given && way.is_on_device ? &s->on_device.batch : NULL;
}

/* Checks all bits of one event of each kind. */
static bool verify(stream *s, stream_way way)
{
    s->digest = 0xcbf29ce484222325u;
    for (int kind = 0; kind < s->n_kinds; kind++) {
        photon_event_descriptor e = s->expected[kind].event;
        const photon_result    *r;
        const char             *difference;
        photon_future          *f;

        e.wants_records = s->expected[kind].event.wants_records = true;
        set_way(s, way, &e);
        set_way(s, way, &s->expected[kind].event);
        if (photon_submit_event(s->session, &e, &f) != PHOTON_SESSION_OK)
            return stream_fail("submit", PHOTON_SESSION_LOST);
        (void)photon_future_wait(f, -1);
        r          = photon_future_result(f);
        difference = session_difference(&s->expected[kind], r);
        if (!difference) {
            s->digest = digest_of(s->digest, r->tally, r->n_tally);
            s->digest = digest_of(s->digest, (const uint32_t *)r->place, s->expected[kind].words);
        }
        photon_future_free(f);
        if (difference) {
            s->is_wrong = true;
            (void)fprintf(stderr, "photon_stream: kind %d: %s\n", kind, difference);
            return false;
        }
    }
    return true;
}

/* The photons of a source, each at its place and still to be drawn. Every kind has the same
 * ones. */
static bool give(stream *s, int64_t n)
{
    const photon_event_descriptor *const e  = &s->expected[0].event;
    float *const                         at = s->given = calloc((size_t)(6 * n), sizeof *at);
    uint32_t                            *flags;

    if (!at)
        return stream_fail("photons", PHOTON_SESSION_NO_MEMORY);
    flags = (uint32_t *)at + 5 * n;
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++)
            at[c * n + i] = e->pos[c];
        at[3 * n + i] = e->time;
        flags[i]      = PHOTON_ISOTROPIC_INIT;
    }
    s->batch = (photon_batch) { at, at, at, at + 4 * n, at + 3 * n, flags };
    return session_device_batch_make(&s->rig, &s->batch, n, &s->on_device) ||
           stream_fail("photons on the device", PHOTON_SESSION_NO_MEMORY);
}

/* One kind of the largest events is enough: each takes gigabytes. */
bool stream_open(stream *s, const stream_shape *shape)
{
    const photon_staging_spec spec = { shape->photons, shape->uploads, shape->slots + 2 };
    photon_session_status     st;

    *s         = (stream) { .session = NULL };
    s->n_kinds = shape->photons > 1000000 ? 1 : STREAM_KINDS;
    st         = session_rig_open(&s->rig, &spec, shape->mesh);
    if (st != PHOTON_SESSION_OK)
        return stream_fail("arenas", st);
    for (int kind = 0; kind < s->n_kinds; kind++) {
        photon_event_descriptor e =
            session_test_event(shape->detector, size_of_kind(shape, kind), 100 + (uint32_t)kind);

        e.medium = s->rig.source[shape->detector];
        if (!session_expect(&s->rig, &e, SESSION_PER_STEP, &s->expected[kind]))
            return stream_fail("no answer of per_step", PHOTON_SESSION_NO_MEMORY);
    }
    return shape->uploads == 0 || give(s, shape->photons);
}

void stream_close(stream *s)
{
    for (int kind = 0; kind < s->n_kinds; kind++)
        session_expected_free(&s->expected[kind]);
    free(s->given);
    session_device_batch_free(&s->rig, &s->on_device);
    session_rig_close(&s->rig);
}

bool stream_begin(stream *s, const photon_session_config *config, stream_way way)
{
    const photon_session_status st =
        photon_session_open(s->rig.device, s->rig.staging, config, &s->session);

    if (st != PHOTON_SESSION_OK)
        return stream_fail("open", st);
    s->window = (config->slots > 0 ? config->slots : 4) + 2;
    if (!verify(s, way))
        return false;
    for (int kind = 0; kind < s->n_kinds; kind++)
        s->expected[kind].event.wants_records = way.wants_records;
    return true;
}

bool stream_end(stream *s)
{
    const photon_session_status st = photon_session_close(s->session);

    s->session = NULL;
    return st == PHOTON_SESSION_OK || stream_fail("close", st);
}

/* ---- timing */

bool stream_is_tally_right(stream *s, int kind, const photon_result *r)
{
    if (r->status == PHOTON_SESSION_OK &&
        memcmp(r->tally, s->expected[kind].tally, (size_t)s->expected[kind].n_tally * 4) == 0)
        return true;
    s->is_wrong = true;
    (void)fprintf(stderr, "photon_stream: kind %d of the stream: %s\n", kind,
                  r->status == PHOTON_SESSION_OK ? "the tally differs"
                                                 : photon_session_status_text(r->status));
    return false;
}

/* Sums over the events of a stream. */
typedef struct sums {
    double    photons, latency_ns, pack_ns;
    long long n_ends;
} sums;

static bool finish(stream *s, photon_future *f, int kind, sums *sum)
{
    const photon_result *r;
    bool                 works;

    (void)photon_future_wait(f, -1);
    r     = photon_future_result(f);
    works = stream_is_tally_right(s, kind, r);
    sum->photons += (double)r->photons;
    sum->latency_ns += r->times.total_ns;
    sum->pack_ns += r->times.pack_ns;
    for (int end = 0; works && end < PHOTON_TALLIES; end++)
        sum->n_ends += r->tally[end];
    photon_future_free(f);
    return works;
}

/* A window of events: waits for the oldest before it submits the next one. */
static bool pump(stream *s, int n, photon_future **window, sums *sum)
{
    bool works = true;

    for (int k = 0; k < n + s->window; k++) {
        photon_future **const at = &window[k % s->window];

        if (*at)
            works = finish(s, *at, (k - s->window) % s->n_kinds, sum) && works;
        *at = NULL;
        if (works && k < n &&
            photon_submit_event(s->session, &s->expected[k % s->n_kinds].event, at) !=
                PHOTON_SESSION_OK)
            works = stream_fail("submit", PHOTON_SESSION_LOST);
    }
    return works;
}

/* Every end has come in a part, if there are parts. */
static bool has_all_parts(stream *s, const sums *sum)
{
    const long long n = atomic_load(&s->n_part_ends);

    if (!s->expected[0].event.part_callback || n == sum->n_ends)
        return true;
    (void)fprintf(stderr, "photon_stream: %lld ends in parts of %lld\n", n, sum->n_ends);
    return false;
}

/* Waits until every warp has recorded its work. */
static void rest(void)
{
    const struct timespec time = { 0, 5000000 };

    (void)nanosleep(&time, NULL);
}

/* The difference between two calls. */
static void set_shares(const photon_telemetry *from, const photon_telemetry *to, double wall_ns,
                       double figure[STREAM_FIGURES])
{
    const double cycles = to->work_cycles - from->work_cycles;

    figure[STREAM_WARPS] = (double)to->n_warps;
    figure[STREAM_IDLE_SMS] =
        1 - (to->sm_busy_ns - from->sm_busy_ns) / ((double)to->n_sms * wall_ns);
    figure[STREAM_BUSY_WARPS] =
        (to->warp_busy_ns - from->warp_busy_ns) / ((double)to->n_warps * wall_ns);
    figure[STREAM_BUSY_LANES] =
        (to->lane_steps - from->lane_steps) / (32 * (to->warp_steps - from->warp_steps));
    for (int k = 0; k < PHOTON_STAGES; k++)
        figure[STREAM_INITIALIZE + k] = (to->stage_cycles[k] - from->stage_cycles[k]) / cycles;
}

/* NaN if no sample was taken. */
static void set_samples(const photon_telemetry *from, const photon_telemetry *to,
                        double figure[STREAM_FIGURES])
{
    const double n = (double)(to->n_samples - from->n_samples);

    figure[STREAM_SAMPLES]       = n;
    figure[STREAM_SAMPLES_LOST]  = (double)(to->n_samples_lost - from->n_samples_lost);
    figure[STREAM_SAMPLED]       = (to->busy_warps - from->busy_warps) / (n * (double)to->n_warps);
    figure[STREAM_FINISHED_MOST] = n > 0 ? (double)to->finished_most : (double)NAN;
}

static void set_rates(const sums *sum, double n, double wall_ns, double figure[STREAM_FIGURES])
{
    figure[STREAM_WALL_NS]    = wall_ns;
    figure[STREAM_EVENTS_S]   = n / wall_ns * 1e9;
    figure[STREAM_PHOTONS_S]  = sum->photons / wall_ns * 1e9;
    figure[STREAM_LATENCY_NS] = sum->latency_ns / n;
    figure[STREAM_PACK_NS]    = sum->pack_ns > 0 ? sum->pack_ns / n : (double)NAN;
}

const stream_figure_about stream_figures[STREAM_FIGURES] = {
#define X(name, text, is_of_time) [STREAM_##name] = { (text), (is_of_time) },
    STREAM_FIGURE_MAP(X)
#undef X
};

bool stream_run(stream *s, int n, double figure[STREAM_FIGURES])
{
    photon_future  **window = calloc((size_t)s->window, sizeof(photon_future *));
    photon_telemetry before, at_end, after;
    sums             sum = { 0, 0, 0, 0 };
    uint64_t         begun;
    double           wall_ns;
    bool             works;

    if (!window)
        return stream_fail("stream", PHOTON_SESSION_NO_MEMORY);
    atomic_store(&s->n_part_ends, 0);
    atomic_store(&s->first_part_ns, 0);
    works   = photon_session_telemetry(s->session, &before) == PHOTON_SESSION_OK;
    begun   = stream_now_ns();
    works   = works && pump(s, n, window, &sum);
    wall_ns = (double)(stream_now_ns() - begun);
    works   = works && has_all_parts(s, &sum);
    works   = works && photon_session_telemetry(s->session, &at_end) == PHOTON_SESSION_OK;
    free(window);
    rest();
    if (!works || photon_session_telemetry(s->session, &after) != PHOTON_SESSION_OK)
        return false;
    set_rates(&sum, n, wall_ns, figure);
    figure[STREAM_FIRST_PART_NS] =
        atomic_load(&s->n_part_ends) > 0 ? (double)atomic_load(&s->first_part_ns) / n : (double)NAN;
    set_shares(&before, &after, wall_ns, figure);
    set_samples(&before, &at_end, figure);
    return true;
}
