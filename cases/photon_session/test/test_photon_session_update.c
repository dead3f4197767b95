/* Detectors that change between sessions: exactly the pages that differ are uploaded, and events
 * give what a fresh arena gives for the new detector, bit for bit. What is impossible is refused,
 * and so are checkpoints of the old detector. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/photon_detector.h"
#include "../../../kernels/photon_propagate/propagate_case.h"

#include <stdlib.h>
#include <string.h>

enum {
    PHOTONS     = 257,
    TABLES      = PHOTON_MEDIA * PHOTON_MEDIUM_SIZE,
    TABLE_BYTES = TABLES * 4
};
static const photon_staging_spec spec = { PHOTONS, 0, 4 };

static photon_detector detector_of(const session_rig *rig, int k)
{
    return (photon_detector) { &rig->geometry[k], rig->media[k], rig->surfaces[k] };
}

/* ---- other detectors */

/* The box with vertices moved: `share` of 1000 of them, by up to 0.1 m. */
static photon_geometry box_with(unsigned seed, unsigned share)
{
    char            reason[PHOTON_REASON_SIZE] = "";
    photon_mesh     mesh;
    photon_geometry g = { 0 };

    if (photon_detector_mesh(PHOTON_BOX, &mesh, reason) != PHOTON_OK)
        abort();
    for (int64_t v = 0; v < 3 * mesh.n_vertices; v++) {
        seed = seed * 1664525u + 1013904223u;
        if (seed >> 8 & 1023 && (seed >> 18) % 1000 < share)
            mesh.vertex[v] += 0.1f * (float)(seed >> 8 & 1023) / 1023.0f;
    }
    if (photon_geometry_build(&mesh, &g, reason) != PHOTON_OK)
        abort();
    photon_mesh_free(&mesh);
    return g;
}

/* ---- results of events */

/* In a session of its own, which leaves the arena as it is. */
static photon_future *event_in(const session_rig *rig, int detector)
{
    const photon_event_descriptor e      = session_test_event(detector, PHOTONS, 5);
    const photon_session_config   config = { .slots = 2 };
    photon_session               *session;
    photon_future                *f;

    if (photon_session_open(rig->device, rig->staging, &config, &session) != PHOTON_SESSION_OK)
        abort();
    f = session_test_submit(session, &e, "an event");
    trial_expect(photon_future_wait(f, 60e9) == PHOTON_SESSION_OK, "an event ends");
    session_test_close(session, "an event");
    return f;
}

static bool is_same(const photon_result *a, const photon_result *b)
{
    return a->status == PHOTON_SESSION_OK && b->status == PHOTON_SESSION_OK && a->rows == b->rows &&
           memcmp(a->tally, b->tally, (size_t)a->n_tally * 4) == 0 &&
           memcmp(a->place, b->place, (size_t)a->rows * 6 * 4) == 0;
}

/* The rig's two detectors, as they are in its arena and as a fresh arena has them. */
static void check_fresh(session_rig *rig, const char *what)
{
    session_rig     fresh = *rig;
    photon_detector d[SESSION_TEST_DETECTORS];

    for (int k = 0; k < SESSION_TEST_DETECTORS; k++)
        d[k] = detector_of(rig, k);
    if (photon_device_arena_create(0, d, SESSION_TEST_DETECTORS, &fresh.device) !=
            PHOTON_SESSION_OK ||
        photon_staging_arena_create(fresh.device, &spec, &fresh.staging) != PHOTON_SESSION_OK)
        abort();
    for (int k = 0; k < SESSION_TEST_DETECTORS; k++) {
        photon_future *const a = event_in(rig, k), *const b = event_in(&fresh, k);

        trial_expect(is_same(photon_future_result(a), photon_future_result(b)),
                     "%s: detector %d differs from a fresh one", what, k);
        photon_future_free(a);
        photon_future_free(b);
    }
    photon_staging_arena_free(fresh.staging);
    photon_device_arena_free(fresh.device);
}

/* Updates detector k with what the rig now has of it. */
static void check_update(session_rig *rig, int k, int64_t least, int64_t most, const char *what)
{
    const photon_detector       d  = detector_of(rig, k);
    photon_update               u  = { -1, -1 };
    const photon_session_status st = photon_device_arena_update(rig->device, k, &d, &u);

    trial_expect(st == PHOTON_SESSION_OK, "%s: %s", what, photon_session_status_text(st));
    trial_expect(u.bytes_uploaded >= least && u.bytes_uploaded <= most && u.bytes > TABLE_BYTES,
                 "%s: %ld bytes of %ld, not %ld to %ld", what, (long)u.bytes_uploaded,
                 (long)u.bytes, (long)least, (long)most);
    check_fresh(rig, what);
}

static void put(session_rig *rig, photon_geometry g)
{
    photon_geometry_free(&rig->geometry[SESSION_TEST_BOX]);
    rig->geometry[SESSION_TEST_BOX] = g;
}

static void check_changes(session_rig *rig)
{
    const int64_t all = 32 * rig->geometry[SESSION_TEST_BOX].n_nodes +
                        (48 + 8) * rig->geometry[SESSION_TEST_BOX].n_triangles;

    check_update(rig, SESSION_TEST_BOX, 0, 0, "nothing has changed");
    rig->media[SESSION_TEST_BOX][TABLES / 2] *= 1.01f;
    check_update(rig, SESSION_TEST_BOX, TABLE_BYTES, TABLE_BYTES, "one number of a table");
    rig->surfaces[SESSION_TEST_WHITE][PHOTON_SURFACE_SIZE] *= 0.9f;
    check_update(rig, SESSION_TEST_WHITE, 1, PHOTON_UPDATE_PAGE, "one number of a surface");
    put(rig, box_with(1, 2));
    check_update(rig, SESSION_TEST_BOX, 1, all - 1, "a few vertices");
    for (unsigned seed = 2; seed < 6; seed++) {
        put(rig, box_with(seed, 100 * seed));
        check_update(rig, SESSION_TEST_BOX, PHOTON_UPDATE_PAGE, 2 * all, "many vertices");
    }
    put(rig, box_with(1, 0));
    check_update(rig, SESSION_TEST_BOX, PHOTON_UPDATE_PAGE, 2 * all, "the box again");
}

/* Fewer triangles leave room, which the next detector fills again. */
static void check_smaller(session_rig *rig)
{
    char            reason[PHOTON_REASON_SIZE] = "";
    photon_mesh     mesh;
    photon_geometry small = { 0 };

    if (photon_detector_mesh(PHOTON_OBJ, &mesh, reason) != PHOTON_OK ||
        photon_geometry_build(&mesh, &small, reason) != PHOTON_OK)
        abort();
    photon_mesh_free(&mesh);
    put(rig, small);
    check_update(rig, SESSION_TEST_BOX, 1, 48 * 216, "a smaller one");
    put(rig, box_with(1, 0));
    check_update(rig, SESSION_TEST_BOX, PHOTON_UPDATE_PAGE, INT64_MAX, "the box after it");
}

/* ---- what is refused */

static void expect_refused(session_rig *rig, int k, const photon_detector *d,
                           photon_session_status wanted, const char *what)
{
    const photon_session_status st = photon_device_arena_update(rig->device, k, d, NULL);

    trial_expect(st == wanted, "%s: %s", what, photon_session_status_text(st));
}

static void check_refused(session_rig *rig)
{
    const photon_session_config config  = { .slots = 1 };
    const photon_detector       box     = detector_of(rig, SESSION_TEST_BOX);
    const photon_detector       sphere  = detector_of(rig, SESSION_TEST_WHITE);
    photon_geometry             sensors = *box.geometry, empty = { 0 };
    photon_session             *session;

    sensors.n_sensors = 1000;
    expect_refused(rig, -1, &box, PHOTON_SESSION_INVALID, "number -1");
    expect_refused(rig, SESSION_TEST_DETECTORS, &box, PHOTON_SESSION_INVALID, "one too far");
    expect_refused(rig, 0, NULL, PHOTON_SESSION_INVALID, "no detector");
    expect_refused(rig, 0, &(photon_detector) { &empty, box.media, box.surfaces },
                   PHOTON_SESSION_INVALID, "no triangle");
    expect_refused(rig, 0, &(photon_detector) { box.geometry, NULL, box.surfaces },
                   PHOTON_SESSION_INVALID, "no tables");
    trial_expect(photon_device_arena_update(NULL, 0, &box, NULL) == PHOTON_SESSION_INVALID,
                 "no arena");
    expect_refused(rig, SESSION_TEST_BOX, &sphere, PHOTON_SESSION_TOO_LARGE, "a larger one");
    expect_refused(rig, SESSION_TEST_BOX, &(photon_detector) { &sensors, box.media, box.surfaces },
                   PHOTON_SESSION_TOO_LARGE, "more sensors");
    session = session_test_open(rig, &config);
    expect_refused(rig, SESSION_TEST_WHITE, &sphere, PHOTON_SESSION_BUSY, "while one is open");
    session_test_close(session, "refused");
    expect_refused(rig, SESSION_TEST_WHITE, &sphere, PHOTON_SESSION_OK, "after it");
    check_fresh(rig, "what was refused");
}

/* ---- an event with parts, while it runs */

typedef struct updater {
    session_rig    *rig;
    photon_detector changed;
    int             n_parts, n_busy;
} updater;

static void update_meanwhile(void *context, photon_session *session, const photon_part *part)
{
    updater *const u = context;

    (void)session, (void)part;
    u->n_parts++;
    u->n_busy += photon_device_arena_update(u->rig->device, SESSION_TEST_WHITE, &u->changed,
                                            NULL) == PHOTON_SESSION_BUSY;
}

/* Each part's callback is refused an update, and the event gives what it would have given. */
static void check_under_way(session_rig *rig)
{
    const photon_session_config config = { .slots = 1, .part_ends = 32 };
    photon_event_descriptor     e      = session_test_event(SESSION_TEST_WHITE, PHOTONS, 5);
    float                      *media  = malloc(TABLE_BYTES);
    updater                     u = { .rig = rig, .changed = detector_of(rig, SESSION_TEST_WHITE) };
    photon_session             *session;
    photon_future              *f;

    if (!media)
        abort();
    for (int k = 0; k < TABLES; k++)
        media[k] = 0.9f * u.changed.media[k];
    u.changed.media = media;
    e.part_callback = update_meanwhile;
    e.context       = &u;
    session         = session_test_open(rig, &config);
    f               = session_test_submit(session, &e, "under way");
    trial_expect(photon_future_wait(f, 60e9) == PHOTON_SESSION_OK, "an event with parts ends");
    session_test_close(session, "under way");
    photon_future *const undisturbed = event_in(rig, SESSION_TEST_WHITE);

    trial_expect(u.n_parts > 1 && u.n_busy == u.n_parts, "%d of %d updates are refused", u.n_busy,
                 u.n_parts);
    trial_expect(is_same(photon_future_result(f), photon_future_result(undisturbed)),
                 "an update reached an event under way");
    photon_future_free(f);
    photon_future_free(undisturbed);
    free(media);
}

/* ---- checkpoints of a detector that has changed since */

enum {
    STOPPED  = 1009, /* photons of an event that is to be stopped */
    ATTEMPTS = 50
};

typedef struct saved {
    void  *bytes; /* owned; NULL: the event had already finished */
    size_t n;
} saved;

/* In a session of its own; *f is NULL if it was refused. */
static photon_session_status submit_and_wait(session_rig *rig, const photon_event_descriptor *e,
                                             bool stops, photon_future **f)
{
    const photon_session_config config  = { .slots = 1, .has_checkpoints = true };
    photon_session *const       session = session_test_open(rig, &config);
    photon_session_status       st      = photon_submit_event(session, e, f);

    if (st == PHOTON_SESSION_OK && stops)
        st = photon_session_checkpoint(session, *f);
    if (st == PHOTON_SESSION_OK)
        st = photon_future_wait(*f, 60e9);
    session_test_close(session, "checkpoints");
    return st;
}

static saved stop(session_rig *rig, const photon_event_descriptor *e)
{
    saved          s = { NULL, 0 };
    photon_future *f;

    for (int k = 0; k < ATTEMPTS && !s.bytes; k++) {
        if (submit_and_wait(rig, e, true, &f) == PHOTON_SESSION_CHECKPOINTED) {
            s.n     = photon_future_result(f)->checkpoint_bytes;
            s.bytes = malloc(s.n);
            if (!s.bytes)
                abort();
            memcpy(s.bytes, photon_future_result(f)->checkpoint, s.n);
        }
        photon_future_free(f);
    }
    trial_expect(s.bytes != NULL, "of %d events none was stopped", ATTEMPTS);
    return s;
}

/* Continues it in whatever the detector now is. */
static void expect_rest(session_rig *rig, const saved *s, photon_session_status wanted,
                        const photon_result *whole, const char *what)
{
    const photon_event_descriptor rest = { .detector         = SESSION_TEST_WHITE,
                                           .wants_records    = true,
                                           .checkpoint       = s->bytes,
                                           .checkpoint_bytes = s->n };
    photon_future                *f    = NULL;
    const photon_session_status   st   = submit_and_wait(rig, &rest, false, &f);

    trial_expect(st == wanted, "%s: %s", what, photon_session_status_text(st));
    trial_expect(!f || (whole && is_same(photon_future_result(f), whole)), "%s: other bits", what);
    photon_future_free(f);
}

static void update_white(session_rig *rig)
{
    const photon_detector white = detector_of(rig, SESSION_TEST_WHITE);

    expect_refused(rig, SESSION_TEST_WHITE, &white, PHOTON_SESSION_OK, "the white sphere");
}

/* A checkpoint that names the old detector is refused until the detector is again as it was. */
static void check_checkpoint(session_rig *rig)
{
    const photon_staging_spec     large  = { STOPPED, 0, 3 };
    session_rig                   roomy  = *rig;
    float *const                  number = &rig->surfaces[SESSION_TEST_WHITE][PHOTON_SURFACE_SIZE];
    const float                   before = *number;
    const photon_event_descriptor e      = session_test_event(SESSION_TEST_WHITE, STOPPED, 9);
    photon_future                *whole;
    saved                         s;

    if (photon_staging_arena_create(rig->device, &large, &roomy.staging) != PHOTON_SESSION_OK)
        abort();
    trial_expect(submit_and_wait(&roomy, &e, false, &whole) == PHOTON_SESSION_OK, "the whole");
    s = stop(&roomy, &e);
    *number *= 0.5f;
    update_white(rig);
    expect_rest(&roomy, &s, PHOTON_SESSION_INVALID, NULL, "after an update");
    *number = before;
    update_white(rig);
    expect_rest(&roomy, &s, PHOTON_SESSION_OK, photon_future_result(whole), "after it is undone");
    free(s.bytes);
    photon_future_free(whole);
    photon_staging_arena_free(roomy.staging);
}

int main(void)
{
    session_rig rig;
    const int   status = session_rig_start(&rig, &spec, "test_photon_session_update");

    if (status >= 0)
        return status;
    check_changes(&rig);
    check_smaller(&rig);
    check_refused(&rig);
    check_under_way(&rig);
    check_checkpoint(&rig);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_update");
}
