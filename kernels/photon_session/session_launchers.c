/* The launchers of the case photon_session: a stream of events through a session, which each launch
 * opens and closes; or one event after the other by launches of photon_propagate. Only in the
 * kernel modules. */
#include "photon_arena.h"
#include "session_case.h"

#include <stdlib.h>
#include <string.h>

assay_launch_fn    photon_session_stream, photon_session_per_step, photon_session_persistent;
assay_workspace_fn photon_session_per_step_workspace, photon_session_persistent_workspace;
assay_setup_fn     photon_session_one_at_a_time_setup, photon_session_pipelined_setup;
assay_setup_fn     photon_session_given_setup, photon_session_direct_setup;
assay_teardown_fn  photon_session_teardown;

/* kernels/photon_propagate */
assay_launch_fn    photon_propagate_per_step, photon_propagate_persistent;
assay_workspace_fn photon_propagate_per_step_workspace, photon_propagate_persistent_workspace;

enum {
    FAILED  = 999, /* cudaErrorUnknown: a session says what happened only as a status */
    RESULTS = 2,   /* segments besides those of the events on the device */
    COPIED  = -1,  /* records of all events, as a session's zero_copy_most; */
    DIRECT  = 1 << 28
};

/* ---- one event as a call of photon_propagate */

typedef struct one_event {
    void   *buf[PROPAGATE_BUFFERS];
    int64_t count[PROPAGATE_BUFFERS];
} one_event;

/* One event's part of a buffer; `buf` may be NULL. */
static void set_part(const assay_args *args, int b, int64_t e, one_event *one)
{
    one->count[b] = args->param[SESSION_PARAM_EVENTS] > 0
                        ? args->count[b] / args->param[SESSION_PARAM_EVENTS]
                        : 0;
    if (args->buf)
        one->buf[b] = (uint32_t *)args->buf[b] + e * one->count[b];
}

static assay_args event_of(const assay_args *args, int64_t e, const int64_t *tune, one_event *one)
{
    assay_args of = *args;

    memset(one->buf, 0, sizeof one->buf);
    if (args->buf)
        memcpy(one->buf, args->buf, sizeof one->buf);
    memcpy(one->count, args->count, sizeof one->count);
    for (int k = 0; k < SESSION_CASE_BY_EVENT; k++)
        set_part(args, session_case_by_event[k], e, one);
    of.buf   = one->buf;
    of.count = one->count;
    of.tune  = tune;
    return of;
}

/* The defaults of both variants: block, staged; budget, vacant. */
static const int64_t tuning[] = { 256, 512, 64, 8 };

static int launch_each(const assay_args *args, assay_stream stream, assay_launch_fn *launch)
{
    int error = 0;

    for (int64_t e = 0; e < args->param[SESSION_PARAM_EVENTS] && error == 0; e++) {
        one_event        one;
        const assay_args event = event_of(args, e, tuning, &one);

        error = launch(&event, stream);
    }
    return error != 0 ? error : session_await(stream);
}

static size_t workspace_of(const assay_args *args, assay_workspace_fn *workspace)
{
    one_event        one;
    const assay_args event = event_of(args, 0, tuning, &one);

    return workspace(&event);
}

ASSAY_WORKSPACE(photon_session_per_step_workspace)
{
    return workspace_of(args, photon_propagate_per_step_workspace);
}

ASSAY_LAUNCHER(photon_session_per_step)
{
    return launch_each(args, stream, photon_propagate_per_step);
}

ASSAY_WORKSPACE(photon_session_persistent_workspace)
{
    return workspace_of(args, photon_propagate_persistent_workspace);
}

ASSAY_LAUNCHER(photon_session_persistent)
{
    return launch_each(args, stream, photon_propagate_persistent);
}

/* ---- what outlives a launch: the arenas, and photons that are given */

typedef struct state {
    photon_device_arena  *device; /* its detector is the case's buffers */
    photon_staging_arena *staging;
    photon_session_config config;
    int64_t               window; /* events submitted at once */
    bool                  is_given;
    photon_batch          batch; /* the source's photons, if they are given */
    float                *given;
} state;

ASSAY_EXPORT void photon_session_teardown(void *of)
{
    state *const s = of;

    if (!s)
        return;
    photon_staging_arena_free(s->staging);
    photon_device_arena_free(s->device);
    free(s->given);
    free(s);
}

/* Each photon is at its place and still to be drawn. */
static bool give(const assay_args *args, state *s)
{
    const int64_t n  = args->param[PROPAGATE_PARAM_PHOTONS];
    float *const  at = s->given = calloc((size_t)(6 * n + 1), sizeof *at);
    uint32_t     *flags         = (uint32_t *)at + 5 * n;

    if (!at)
        return false;
    for (int64_t i = 0; i < n; i++) {
        for (int c = 0; c < 3; c++)
            at[c * n + i] = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_X + c];
        at[3 * n + i] = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_TIME];
        flags[i]      = PHOTON_ISOTROPIC_INIT;
    }
    s->batch = (photon_batch) { at, at, at, at + 4 * n, at + 3 * n, flags };
    return true;
}

static photon_session_status make_arenas(const assay_args *args, state *s)
{
    const int64_t             photons = args->param[PROPAGATE_PARAM_PHOTONS];
    const photon_staging_spec spec    = { photons > 0 ? photons : 1, s->is_given ? 2 : 0,
                                       (int)s->window };
    const int64_t               n_tally = PHOTON_TALLIES + args->param[PROPAGATE_PARAM_SENSORS];
    const photon_session_status st =
        photon_device_arena_around(photon_runtime_current(), n_tally, &s->device);

    return st == PHOTON_SESSION_OK ? photon_staging_arena_create(s->device, &spec, &s->staging)
                                   : st;
}

static int set_up(const assay_args *args, const state *like, void **made)
{
    state *const s = calloc(1, sizeof *s);

    *made = NULL;
    if (!s)
        return FAILED;
    *s = *like;
    if ((s->is_given && !give(args, s)) || make_arenas(args, s) != PHOTON_SESSION_OK) {
        photon_session_teardown(s);
        return FAILED;
    }
    *made = s;
    return 0;
}

ASSAY_EXPORT int photon_session_one_at_a_time_setup(const assay_args *args, void **made)
{
    const state like = { .config = { .slots = 1, .zero_copy_most = COPIED }, .window = 1 };

    return set_up(args, &like, made);
}

ASSAY_EXPORT int photon_session_pipelined_setup(const assay_args *args, void **made)
{
    const state like = { .config = { .slots = (int)args->tune[0], .zero_copy_most = COPIED },
                         .window = args->tune[0] + RESULTS };

    return set_up(args, &like, made);
}

ASSAY_EXPORT int photon_session_given_setup(const assay_args *args, void **made)
{
    const state like = { .config   = { .slots = 4, .zero_copy_most = COPIED },
                         .window   = 4 + RESULTS,
                         .is_given = true };

    return set_up(args, &like, made);
}

ASSAY_EXPORT int photon_session_direct_setup(const assay_args *args, void **made)
{
    const state like = { .config = { .slots = 4, .zero_copy_most = DIRECT },
                         .window = 4 + RESULTS };

    return set_up(args, &like, made);
}

/* ---- the stream */

static photon_event_descriptor descriptor_of(const assay_args *args, const state *s, uint32_t seed)
{
    return (photon_event_descriptor) {
        .photons       = args->param[PROPAGATE_PARAM_PHOTONS],
        .steps         = (int)args->param[PROPAGATE_PARAM_STEPS],
        .seed          = seed,
        .medium        = (int)args->param[PROPAGATE_PARAM_MEDIUM],
        .pos           = { (float)args->scalar[PROPAGATE_SCALAR_SOURCE_X],
                           (float)args->scalar[PROPAGATE_SCALAR_SOURCE_Y],
                           (float)args->scalar[PROPAGATE_SCALAR_SOURCE_Z] },
        .time          = (float)args->scalar[PROPAGATE_SCALAR_SOURCE_TIME],
        .batch         = s->is_given ? &s->batch : NULL,
        .wants_records = true,
    };
}

/* A result is in pinned memory, but it is judged in the case's buffers, which are the device's. */
static bool put_result(const assay_args *args, const state *s, int64_t e, const photon_result *r)
{
    const struct {
        int         b;
        const void *from;
    } part[] = {
        { PROPAGATE_BUF_END_PLACE, r->place }, { PROPAGATE_BUF_END_TIME, r->time },
        { PROPAGATE_BUF_END_FLAGS, r->flags }, { PROPAGATE_BUF_END_FACE, r->face },
        { PROPAGATE_BUF_TALLY, r->tally },
    };
    one_event one;
    bool      works = true;

    (void)event_of(args, e, NULL, &one);
    for (size_t k = 0; works && k < sizeof part / sizeof *part; k++)
        works =
            photon_runtime_copy(s->device->runtime, PHOTON_STREAM_INITIALIZE, one.buf[part[k].b],
                                part[k].from, (size_t)one.count[part[k].b] * sizeof(uint32_t));
    return works && photon_runtime_wait(s->device->runtime, PHOTON_STREAM_INITIALIZE);
}

static bool finish(const assay_args *args, const state *s, int64_t e, photon_future *f)
{
    bool works = photon_future_wait(f, -1) == PHOTON_SESSION_OK;

    works = works && put_result(args, s, e, photon_future_result(f));
    photon_future_free(f);
    return works;
}

/* Waits for the oldest event before it submits the next one. */
static bool pump(const assay_args *args, const state *s, const uint32_t *seed,
                 photon_session *session, photon_future **window)
{
    const int64_t n     = args->param[SESSION_PARAM_EVENTS];
    bool          works = true;

    for (int64_t e = 0; e < n + s->window; e++) {
        photon_future **const at = &window[e % s->window];

        if (*at)
            works = finish(args, s, e - s->window, *at) && works;
        *at = NULL;
        if (works && e < n) {
            const photon_event_descriptor d = descriptor_of(args, s, seed[e]);

            works = photon_submit_event(session, &d, at) == PHOTON_SESSION_OK;
        }
    }
    return works;
}

/* The detector of the arena is in the case's buffers, wherever they are this time. */
static void bind_detector(const assay_args *args, state *s)
{
    photon_world *const w = &s->device->world[0];

    *w       = photon_world_of(args);
    w->n_top = (uint32_t)(args->count[PROPAGATE_BUF_NODES] / 8);
}

static bool open_and_pump(const assay_args *args, state *s, const uint32_t *seed,
                          photon_future **window)
{
    photon_session *session;
    bool            works;

    if (photon_session_open(s->device, s->staging, &s->config, &session) != PHOTON_SESSION_OK)
        return false;
    works = pump(args, s, seed, session, window);
    return photon_session_close(session) == PHOTON_SESSION_OK && works;
}

/* Seeds belong to the case and are in device memory; descriptors need them, so they are fetched
 * first. */
static bool fetch_seeds(const assay_args *args, const state *s, uint32_t *seed)
{
    return photon_runtime_copy(s->device->runtime, PHOTON_STREAM_INITIALIZE, seed,
                               args->buf[PROPAGATE_BUF_EVENT],
                               (size_t)args->count[PROPAGATE_BUF_EVENT] * sizeof *seed) &&
           photon_runtime_wait(s->device->runtime, PHOTON_STREAM_INITIALIZE);
}

/* Waits for what was enqueued before the launch, as a session has streams of its own. */
ASSAY_LAUNCHER(photon_session_stream)
{
    state *const s      = args->state;
    uint32_t    *seed   = calloc((size_t)args->param[SESSION_PARAM_EVENTS] + 1, sizeof *seed);
    void *const  window = calloc((size_t)s->window, sizeof(photon_future *));
    bool         works  = seed && window && session_await(stream) == 0;

    bind_detector(args, s);
    works = works && fetch_seeds(args, s, seed) && open_and_pump(args, s, seed, window);
    free(seed);
    free(window);
    return works ? 0 : FAILED;
}
