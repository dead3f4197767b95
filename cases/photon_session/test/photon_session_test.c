/* Detectors, arenas and expected results of the programs on photon_session. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/photon_detector_file.h"
#include "../../../kernels/photon_session/photon_arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

assay_launch_fn    photon_propagate_per_step, photon_propagate_persistent;
assay_workspace_fn photon_propagate_per_step_workspace, photon_propagate_persistent_workspace;

enum {
    STEPS = 64
};

/* ---- the rig */

static bool say(bool works, const char *reason)
{
    if (!works)
        (void)fprintf(stderr, "%s\n", reason);
    return works;
}

static bool make_own(session_rig *rig, int k, int geometry, int material)
{
    char        reason[PHOTON_REASON_SIZE] = "";
    photon_mesh mesh;
    const bool  works = photon_detector_mesh(geometry, &mesh, reason) == PHOTON_OK &&
                       photon_geometry_build(&mesh, &rig->geometry[k], reason) == PHOTON_OK;

    photon_detector_media(material, rig->media[k]);
    photon_detector_surfaces(material, rig->surfaces[k]);
    rig->source[k] = PHOTON_MEDIUM_VESSEL;
    photon_mesh_free(&mesh);
    return say(works, reason);
}

/* From a user's mesh, with the materials beside it if there are any. */
static bool make_from_file(session_rig *rig, int k, const char *file, int material)
{
    char                 reason[PHOTON_REASON_SIZE] = "";
    photon_detector_file d;
    const bool           works = photon_detector_file_read(file, &d, reason) == PHOTON_OK &&
                       photon_geometry_build(&d.mesh, &rig->geometry[k], reason) == PHOTON_OK;

    photon_detector_media(material, rig->media[k]);
    photon_detector_surfaces(material, rig->surfaces[k]);
    if (works && d.materials) {
        memcpy(rig->media[k], d.materials->media, sizeof d.materials->media);
        memcpy(rig->surfaces[k], d.materials->surfaces, sizeof d.materials->surfaces);
    }
    if (works)
        rig->source[k] = photon_detector_file_source(&d);
    photon_detector_file_free(&d);
    return say(works, reason);
}

/* `file`: NULL, or a mesh in place of the geometry. */
static photon_session_status make_detector(session_rig *rig, int k, int geometry, const char *file,
                                           int material)
{
    bool works;

    rig->media[k]    = calloc(PHOTON_MEDIA * PHOTON_MEDIUM_SIZE, sizeof(float));
    rig->surfaces[k] = calloc(PHOTON_SURFACES * PHOTON_SURFACE_SIZE, sizeof(float));
    if (!rig->media[k] || !rig->surfaces[k])
        return PHOTON_SESSION_NO_MEMORY;
    works = file ? make_from_file(rig, k, file, material) : make_own(rig, k, geometry, material);
    return works ? PHOTON_SESSION_OK : PHOTON_SESSION_INVALID;
}

photon_session_status session_rig_open(session_rig *rig, const photon_staging_spec *spec,
                                       const char *mesh)
{
    photon_detector       detectors[SESSION_TEST_DETECTORS];
    photon_session_status st;

    *rig = (session_rig) { .device = NULL };
    st   = make_detector(rig, SESSION_TEST_BOX, PHOTON_BOX, mesh, PHOTON_SCINTILLATOR);
    if (st == PHOTON_SESSION_OK)
        st = make_detector(rig, SESSION_TEST_WHITE, PHOTON_SPHERE, NULL, PHOTON_WHITE);
    if (st != PHOTON_SESSION_OK)
        return st;
    for (int k = 0; k < SESSION_TEST_DETECTORS; k++)
        detectors[k] = (photon_detector) { &rig->geometry[k], rig->media[k], rig->surfaces[k] };
    st = photon_device_arena_create(0, detectors, SESSION_TEST_DETECTORS, &rig->device);
    return st == PHOTON_SESSION_OK ? photon_staging_arena_create(rig->device, spec, &rig->staging)
                                   : st;
}

void session_rig_close(session_rig *rig)
{
    photon_staging_arena_free(rig->staging);
    photon_device_arena_free(rig->device);
    for (int k = 0; k < SESSION_TEST_DETECTORS; k++) {
        photon_geometry_free(&rig->geometry[k]);
        free(rig->media[k]);
        free(rig->surfaces[k]);
    }
}

int session_rig_start(session_rig *rig, const photon_staging_spec *spec, const char *program)
{
    const photon_session_status st = session_rig_open(rig, spec, NULL);

    if (st == PHOTON_SESSION_NO_DEVICE) {
        printf("skipped: %s\n", photon_session_status_text(st));
        session_rig_close(rig);
        return 77;
    }
    if (trial_expect(st == PHOTON_SESSION_OK, "arenas: %s", photon_session_status_text(st)))
        return -1;
    session_rig_close(rig);
    return trial_finish(program);
}

photon_event_descriptor session_test_event(int detector, int64_t photons, uint32_t seed)
{
    return (photon_event_descriptor) {
        .detector      = detector,
        .photons       = photons,
        .steps         = STEPS,
        .seed          = seed,
        .medium        = PHOTON_MEDIUM_VESSEL,
        .pos           = { 0.37f, -0.21f, 0.13f },
        .time          = 5,
        .wants_records = true,
    };
}

/* ---- batches in device memory */

/* The arrays of a batch, one after another, 12 words a photon. */
static void set_arrays(photon_batch *b, uint32_t *at, int64_t n, bool has_flags)
{
    const float *const real = (const float *)at;

    *b = (photon_batch) { real,         real + 3 * n,  real + 6 * n,
                          real + 9 * n, real + 10 * n, has_flags ? at + 11 * n : NULL };
}

bool session_device_batch_make(session_rig *rig, const photon_batch *host, int64_t n,
                               session_device_batch *copy)
{
    photon_runtime *const runtime = rig->device->runtime;
    const size_t          bytes   = (size_t)n * sizeof(uint32_t);
    char *const           pinned  = photon_runtime_pin(runtime, 12 * bytes);
    bool                  works;

    copy->memory = photon_runtime_alloc(runtime, 12 * bytes);
    works        = pinned && copy->memory;
    if (works) {
        memcpy(pinned, host->pos, 3 * bytes);
        memcpy(pinned + 3 * bytes, host->dir, 3 * bytes);
        memcpy(pinned + 6 * bytes, host->pol, 3 * bytes);
        memcpy(pinned + 9 * bytes, host->wavelength, bytes);
        memcpy(pinned + 10 * bytes, host->time, bytes);
        if (host->flags)
            memcpy(pinned + 11 * bytes, host->flags, bytes);
        set_arrays(&copy->batch, copy->memory, n, host->flags != NULL);
    }
    works = works &&
            photon_runtime_copy(runtime, PHOTON_STREAM_UPLOAD, copy->memory, pinned, 12 * bytes) &&
            photon_runtime_wait(runtime, PHOTON_STREAM_UPLOAD);
    photon_runtime_unpin(runtime, pinned);
    return works;
}

void session_device_batch_free(session_rig *rig, session_device_batch *copy)
{
    photon_runtime_release(rig->device->runtime, copy->memory);
    *copy = (session_device_batch) { .memory = NULL };
}

/* ---- expected results: the case's launchers, in device memory */

typedef struct call {
    void   *buf[PROPAGATE_BUFFERS];
    int64_t count[PROPAGATE_BUFFERS];
    int64_t param[PROPAGATE_PARAM_IS_HARD + 1];
    double  scalar[PROPAGATE_SCALAR_SOURCE_TIME + 1];
    int64_t tune[4];
} call;

static void set_world(const session_rig *rig, const photon_event_descriptor *e, call *c)
{
    const photon_geometry *g = &rig->geometry[e->detector];
    const photon_world    *w = &rig->device->world[e->detector];

    /* The launchers only read them: arguments have one type for all buffers. */
    memcpy(&c->buf[PROPAGATE_BUF_NODES], &w->nodes, sizeof(void *));
    memcpy(&c->buf[PROPAGATE_BUF_TRIANGLES], &w->triangles, sizeof(void *));
    memcpy(&c->buf[PROPAGATE_BUF_FACES], &w->faces, sizeof(void *));
    memcpy(&c->buf[PROPAGATE_BUF_MEDIA], &w->media, sizeof(void *));
    memcpy(&c->buf[PROPAGATE_BUF_SURFACES], &w->surfaces, sizeof(void *));
    c->count[PROPAGATE_BUF_NODES]     = 8 * g->n_nodes;
    c->count[PROPAGATE_BUF_TRIANGLES] = 12 * g->n_triangles;
    c->count[PROPAGATE_BUF_FACES]     = 2 * g->n_triangles;
    c->count[PROPAGATE_BUF_TALLY]     = PHOTON_TALLIES + g->n_sensors;
}

static void set_event(const photon_event_descriptor *e, call *c)
{
    const int64_t rows  = PHOTON_GENERATIONS * e->photons;
    const int64_t lanes = photon_arena_lanes(e->photons);

    c->param[PROPAGATE_PARAM_PHOTONS]       = e->photons;
    c->param[PROPAGATE_PARAM_STEPS]         = e->steps;
    c->param[PROPAGATE_PARAM_IS_HISTORY]    = 1;
    c->count[PROPAGATE_BUF_EVENT]           = 64; /* on a line of its own */
    c->param[PROPAGATE_PARAM_MEDIUM]        = e->medium;
    c->scalar[PROPAGATE_SCALAR_SOURCE_X]    = (double)e->pos[0];
    c->scalar[PROPAGATE_SCALAR_SOURCE_Y]    = (double)e->pos[1];
    c->scalar[PROPAGATE_SCALAR_SOURCE_Z]    = (double)e->pos[2];
    c->scalar[PROPAGATE_SCALAR_SOURCE_TIME] = (double)e->time;
    c->count[PROPAGATE_BUF_REAL]            = PHOTON_REALS * lanes;
    c->count[PROPAGATE_BUF_WORD]            = PHOTON_WORDS * lanes;
    c->count[PROPAGATE_BUF_END_PLACE]       = 3 * rows;
    c->count[PROPAGATE_BUF_END_TIME]        = rows;
    c->count[PROPAGATE_BUF_END_FLAGS]       = rows;
    c->count[PROPAGATE_BUF_END_FACE]        = rows;
    memcpy(c->tune, (int64_t[4]) { 64, 128, 64, 8 }, sizeof c->tune);
}

/* The number of the event, pages, then records in one piece with the tally after them. */
static bool allocate(photon_runtime *runtime, call *c, void **memory)
{
    const int64_t words = 64 + c->count[PROPAGATE_BUF_REAL] + c->count[PROPAGATE_BUF_WORD] +
                          6 * c->count[PROPAGATE_BUF_END_TIME] + c->count[PROPAGATE_BUF_TALLY];
    uint32_t *at = *memory = photon_runtime_alloc(runtime, (size_t)words * sizeof *at);

    for (int b = PROPAGATE_BUF_EVENT; at && b <= PROPAGATE_BUF_TALLY; b++) {
        c->buf[b] = at;
        at += c->count[b];
    }
    return *memory != NULL;
}

static bool set_seed(photon_runtime *runtime, const call *c, uint32_t seed)
{
    uint32_t *pinned = photon_runtime_pin(runtime, sizeof *pinned);
    bool      works  = pinned != NULL;

    if (works)
        *pinned = seed;
    works = works &&
            photon_runtime_copy(runtime, PHOTON_STREAM_UPLOAD, c->buf[PROPAGATE_BUF_EVENT], pinned,
                                sizeof *pinned) &&
            photon_runtime_wait(runtime, PHOTON_STREAM_UPLOAD);
    photon_runtime_unpin(runtime, pinned);
    return works;
}

static bool launch(photon_runtime *runtime, const call *c, session_variant variant)
{
    assay_args args = {
        .buf = c->buf, .count = c->count, .param = c->param, .scalar = c->scalar, .tune = c->tune
    };
    bool works;

    args.workspace_bytes = variant == SESSION_PER_STEP
                               ? photon_propagate_per_step_workspace(&args)
                               : photon_propagate_persistent_workspace(&args);
    args.workspace       = photon_runtime_alloc(runtime, args.workspace_bytes);
    works                = args.workspace &&
            (variant == SESSION_PER_STEP ? photon_propagate_per_step
                                         : photon_propagate_persistent)(&args, NULL) == 0 &&
            session_await(NULL) == 0;
    photon_runtime_release(runtime, args.workspace);
    return works;
}

static bool download(photon_runtime *runtime, const call *c, session_expected *x)
{
    const size_t records = (size_t)x->words * 4, bytes = records + (size_t)x->n_tally * 4;
    char        *pinned = photon_runtime_pin(runtime, bytes);
    bool         works;

    x->records = malloc(records + 1);
    x->tally   = malloc((size_t)x->n_tally * 4);
    works      = pinned && x->records && x->tally &&
            photon_runtime_copy(runtime, PHOTON_STREAM_DOWNLOAD, pinned,
                                c->buf[PROPAGATE_BUF_END_PLACE], bytes) &&
            photon_runtime_wait(runtime, PHOTON_STREAM_DOWNLOAD);
    if (works) {
        memcpy(x->records, pinned, records);
        memcpy(x->tally, pinned + records, (size_t)x->n_tally * 4);
    }
    photon_runtime_unpin(runtime, pinned);
    return works;
}

bool session_expect(session_rig *rig, const photon_event_descriptor *event, session_variant variant,
                    session_expected *x)
{
    photon_runtime *runtime = rig->device->runtime;
    void           *memory  = NULL;
    call            c       = { .tune = { 0 } };
    bool            works;

    set_world(rig, event, &c);
    set_event(event, &c);
    *x    = (session_expected) { .event   = *event,
                                 .words   = 6 * c.count[PROPAGATE_BUF_END_TIME],
                                 .n_tally = c.count[PROPAGATE_BUF_TALLY] };
    works = allocate(runtime, &c, &memory) && set_seed(runtime, &c, event->seed) &&
            launch(runtime, &c, variant) && download(runtime, &c, x);
    photon_runtime_release(runtime, memory);
    return works;
}

void session_expected_free(session_expected *x)
{
    free(x->records);
    free(x->tally);
    *x = (session_expected) { .words = 0 };
}

const char *session_difference(const session_expected *x, const photon_result *r)
{
    if (r->status != PHOTON_SESSION_OK)
        return photon_session_status_text(r->status);
    if (r->photons != x->event.photons || r->seed != x->event.seed)
        return "another event";
    if (memcmp(r->tally, x->tally, (size_t)x->n_tally * 4) != 0)
        return "the tally differs";
    if (!x->event.wants_records)
        return NULL;
    return x->words > 0 && memcmp(r->place, x->records, (size_t)x->words * 4) != 0
               ? "records differ"
               : NULL;
}

/* ---- steps of a test */

photon_session *session_test_open(session_rig *rig, const photon_session_config *config)
{
    photon_session             *session;
    const photon_session_status st =
        photon_session_open(rig->device, rig->staging, config, &session);

    if (!trial_expect(st == PHOTON_SESSION_OK, "open: %s", photon_session_status_text(st)))
        abort();
    return session;
}

void session_test_close(photon_session *session, const char *what)
{
    const photon_session_status st = photon_session_close(session);

    trial_expect(st == PHOTON_SESSION_OK, "%s: close: %s", what, photon_session_status_text(st));
}

photon_future *session_test_submit(photon_session *session, const photon_event_descriptor *e,
                                   const char *what)
{
    photon_future              *f;
    const photon_session_status st = photon_submit_event(session, e, &f);

    if (!trial_expect(st == PHOTON_SESSION_OK, "%s: %s", what, photon_session_status_text(st)))
        abort();
    return f;
}

void session_test_check(const photon_result *r, const session_expected *x, const char *what)
{
    const char *difference = r ? session_difference(x, r) : "no result";

    trial_expect(difference == NULL, "%s: %s", what, difference);
}

void session_test_finish(photon_future *f, const session_expected *x, const char *what)
{
    (void)photon_future_wait(f, 60e9);
    session_test_check(photon_future_result(f), x, what);
    photon_future_free(f);
}
