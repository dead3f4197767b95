/* Photons that are given, in host memory or in device memory: the source's own photons as a batch
 * give the same bits, whichever way they travel. */
#include "photon_session_test.h"

#include "../../../kernels/photon_propagate/photon_ends.h"
#include "../../../kernels/photon_propagate/photon_respond.h"

#include <string.h>

enum {
    PHOTONS_MOST = 1009,
    RESULTS      = 8
};

static const struct {
    int      detector;
    int64_t  photons;
    uint32_t seed;
} plan[] = {
    { SESSION_TEST_BOX, 0, 3 },
    { SESSION_TEST_WHITE, 33, 2 },
    { SESSION_TEST_BOX, 257, 20 },
    { SESSION_TEST_BOX, 1009, 1u << 31 },
};
enum {
    EVENTS = sizeof plan / sizeof *plan
};
static session_expected expected[EVENTS];

static photon_event_descriptor event_of(int k)
{
    return session_test_event(plan[k].detector, plan[k].photons, plan[k].seed);
}

/* ---- photons */

static struct {
    float    pos[3 * PHOTONS_MOST], dir[3 * PHOTONS_MOST], pol[3 * PHOTONS_MOST];
    float    wavelength[PHOTONS_MOST], time[PHOTONS_MOST];
    uint32_t flags[PHOTONS_MOST];
} given;
static const photon_batch given_batch = { given.pos,        given.dir,  given.pol,
                                          given.wavelength, given.time, given.flags };

static void give_vector(float *to, int64_t n, int64_t i, photon_vec v)
{
    to[i]         = v.x;
    to[n + i]     = v.y;
    to[2 * n + i] = v.z;
}

/* The source's photons. On the host device, which has this program's arithmetic, every other photon
 * is already drawn. */
static void give_photons(const session_rig *rig, const photon_event_descriptor *e)
{
    const photon_world  w = { .media = rig->media[e->detector] };
    const photon_source s = { photon_vec_of(e->pos[0], e->pos[1], e->pos[2]), e->time,
                              (uint32_t)e->medium, &e->seed };

    for (int64_t i = 0; i < e->photons; i++) {
        photon_state p = photon_of_source(&s, (uint32_t)i);

        if (PHOTON_SESSION_ON_HOST && i % 2 != 0)
            photon_emit(&w, &p);
        give_vector(given.pos, e->photons, i, p.pos);
        give_vector(given.dir, e->photons, i, p.dir);
        give_vector(given.pol, e->photons, i, p.pol);
        given.wavelength[i] = p.wavelength;
        given.time[i]       = p.time;
        given.flags[i]      = p.flags;
    }
}

/* ---- in host memory */

/* The source's own photons as a batch: nothing distinguishes them from the source. */
static void check_batch(session_rig *rig)
{
    const photon_session_config config  = { .slots = 3 };
    photon_session             *session = session_test_open(rig, &config);

    for (int k = 0; session && k < EVENTS; k++) { /* places depend on n: one after the other */
        photon_event_descriptor e = event_of(k);

        give_photons(rig, &e);
        e.batch  = &given_batch;
        e.pos[0] = e.pos[1] = e.pos[2] = e.time = 77;
        session_test_finish(session_test_submit(session, &e, "batch"), &expected[k], "batch");
    }
    session_test_close(session, "batch");
}

/* All photons from one place in one direction; the same event several times at once, through two
 * segments. */
static void check_directed(session_rig *rig)
{
    enum {
        N = 70
    };
    const photon_session_config config  = { .slots = 4 };
    photon_session             *session = session_test_open(rig, &config);
    static float                pos[3 * N], dir[3 * N], pol[3 * N], wavelength[N], time[N];
    const photon_batch          batch = { pos, dir, pol, wavelength, time, NULL };
    photon_event_descriptor     e     = session_test_event(SESSION_TEST_BOX, N, 5);
    photon_future              *future[6];
    const photon_result        *first, *r;

    for (int i = 0; i < N; i++) {
        dir[2 * N + i] = 1;
        pol[i]         = 1;
        wavelength[i]  = 420;
        time[i]        = (float)i;
    }
    e.batch = &batch;
    for (int k = 0; k < 6; k++)
        trial_expect(photon_submit_event(session, &e, &future[k]) == PHOTON_SESSION_OK, "directed");
    for (int k = 0; k < 6; k++)
        trial_expect(photon_future_wait(future[k], 60e9) == PHOTON_SESSION_OK, "directed %d", k);
    first = photon_future_result(future[0]);
    for (int k = 1; k < 6; k++) {
        r = photon_future_result(future[k]);
        trial_expect(memcmp(r->place, first->place, (size_t)(6 * r->rows) * 4) == 0,
                     "directed: event %d differs from the first", k);
    }
    for (int i = 0; i < N; i++)
        trial_expect(first->time[i] >= time[i] && first->flags[i] != 0,
                     "directed: photon %d ends before it begins", i);
    for (int k = 0; k < 6; k++)
        photon_future_free(future[k]);
    trial_expect(photon_session_close(session) == PHOTON_SESSION_OK, "directed: close");
}

/* ---- in device memory */

/* All events at once, in a session that has no segments for uploads. */
static void check_device_batches(session_rig *rig)
{
    const photon_session_config config         = { .slots = 3 };
    const photon_staging_spec   spec           = { PHOTONS_MOST, 0, EVENTS };
    photon_staging_arena *const with_uploads   = rig->staging;
    session_device_batch        copies[EVENTS] = { { .memory = NULL } };
    photon_event_descriptor     events[EVENTS];
    photon_future              *futures[EVENTS];
    photon_session             *session;

    for (int k = 0; k < EVENTS; k++) {
        events[k] = event_of(k);
        give_photons(rig, &events[k]);
        trial_expect(session_device_batch_make(rig, &given_batch, plan[k].photons, &copies[k]),
                     "no copy of batch %d", k);
        events[k].device_batch = &copies[k].batch;
        events[k].pos[0] = events[k].time = 77;
    }
    trial_expect(photon_staging_arena_create(rig->device, &spec, &rig->staging) ==
                     PHOTON_SESSION_OK,
                 "an arena without uploads");
    session = session_test_open(rig, &config);
    for (int k = 0; k < EVENTS; k++)
        futures[k] = session_test_submit(session, &events[k], "device batch");
    for (int k = 0; k < EVENTS; k++)
        session_test_finish(futures[k], &expected[k], "device batch");
    session_test_close(session, "device batches");
    for (int k = 0; k < EVENTS; k++)
        session_device_batch_free(rig, &copies[k]);
    photon_staging_arena_free(rig->staging);
    rig->staging = with_uploads;
}

static photon_session_status status_of(photon_session *session, const photon_event_descriptor *e)
{
    photon_future              *f  = NULL;
    const photon_session_status st = photon_submit_event(session, e, &f);

    if (f)
        (void)photon_future_wait(f, 60e9);
    photon_future_free(f);
    return st;
}

/* Flags that a host batch must not have are not accepted from a device batch either: `ended` has
 * those of photons that have come to a face, which these have not. */
static void check_device_flags(session_rig *rig)
{
    const photon_session_config config = { .slots = 1 };
    photon_event_descriptor     e      = event_of(EVENTS - 1);
    session_device_batch        ended  = { .memory = NULL };
    photon_session             *session;

    give_photons(rig, &e);
    for (int i = 0; i < e.photons; i++)
        given.flags[i] |= PHOTON_SURFACE_DETECT | PHOTON_REEMIT;
    trial_expect(session_device_batch_make(rig, &given_batch, e.photons, &ended), "no copy");
    session        = session_test_open(rig, &config);
    e.device_batch = &ended.batch;
    session_test_finish(session_test_submit(session, &e, "flags"), &expected[EVENTS - 1], "flags");
    e.device_batch = NULL;
    e.batch        = &given_batch;
    trial_expect(status_of(session, &e) == PHOTON_SESSION_INVALID, "flags of a host batch");
    session_test_close(session, "flags");
    session_device_batch_free(rig, &ended);
}

/* Array k of a batch, which is six pointers: moved by some bytes, or replaced by another. */
static void move_array(photon_batch *b, int k, int bytes, const void *other)
{
    char *const at = (char *)b + (size_t)k * sizeof other;
    const char *array;

    memcpy(&array, at, sizeof array);
    array = bytes != 0 ? array + bytes : other;
    memcpy(at, &array, sizeof array);
}

/* Arrays that are missing, that are not aligned to words, or that are elsewhere; two batches. */
static void check_refused(session_rig *rig)
{
    const photon_session_config config = { .slots = 1 };
    photon_event_descriptor     e      = event_of(EVENTS - 1);
    session_device_batch        copy   = { .memory = NULL };
    photon_session             *session;
    photon_batch                bad;

    give_photons(rig, &e);
    trial_expect(session_device_batch_make(rig, &given_batch, e.photons, &copy), "no copy");
    session        = session_test_open(rig, &config);
    e.device_batch = &bad;
    for (int k = 0; k < 6; k++) {
        bad = copy.batch;
        move_array(&bad, k, 1, NULL);
        trial_expect(status_of(session, &e) == PHOTON_SESSION_INVALID, "array %d across words", k);
        move_array(&bad, k, 0, NULL);
        trial_expect(k == 5 || status_of(session, &e) == PHOTON_SESSION_INVALID, "no array %d", k);
        move_array(&bad, k, 0, given.pos);
        trial_expect(PHOTON_SESSION_ON_HOST || status_of(session, &e) == PHOTON_SESSION_INVALID,
                     "array %d in host memory", k);
    }
    bad     = copy.batch;
    e.batch = &given_batch;
    trial_expect(status_of(session, &e) == PHOTON_SESSION_INVALID, "two batches");
    session_test_close(session, "refused");
    session_device_batch_free(rig, &copy);
}

int main(void)
{
    const photon_staging_spec spec = { PHOTONS_MOST, 2, RESULTS };
    session_rig               rig;
    const int status = session_rig_start(&rig, &spec, "test_photon_session_batches");

    if (status >= 0)
        return status;
    for (int k = 0; k < EVENTS; k++) {
        const photon_event_descriptor e = event_of(k);

        trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &expected[k]),
                     "no expected result");
    }
    check_batch(&rig);
    check_directed(&rig);
    check_device_batches(&rig);
    check_device_flags(&rig);
    check_refused(&rig);
    for (int k = 0; k < EVENTS; k++)
        session_expected_free(&expected[k]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_batches");
}
