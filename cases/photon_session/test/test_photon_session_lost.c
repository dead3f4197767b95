/* Sessions that lose their device: a kernel that cannot be launched, that fails, that says nothing,
 * or that does not even end. Whatever happens, every future is resolved, and if the device comes
 * back the next session works. The runtime of a GPU or of the host device is the real one; only its
 * reports about the kernel and copies are replaced. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/photon_runtime.h"

#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
    PHOTONS  = 257,
    RESULTS  = 4,
    ATTEMPTS = 100000
};
static session_expected expected;

/* ---- faults: the linker's --wrap puts these between the session and the runtime */

typedef enum fault {
    NONE,
    REFUSED, /* the launch is refused */
    SILENT,  /* nothing was launched, but something seems to run */
    ENDED,   /* ... and has ended */
    FAILED   /* the kernel has failed, whatever it does */
} fault;
static atomic_int the_fault;

bool            real_launch(photon_runtime       *r,
                            const session_launch *l) __asm__("__real_photon_runtime_launch");
bool            faulty_launch(photon_runtime       *r,
                              const session_launch *l) __asm__("__wrap_photon_runtime_launch");
photon_resident real_resident(photon_runtime *r) __asm__("__real_photon_runtime_resident");
photon_resident faulty_resident(photon_runtime *r) __asm__("__wrap_photon_runtime_resident");

bool faulty_launch(photon_runtime *r, const session_launch *l)
{
    const int f = atomic_load(&the_fault);

    return f == SILENT || (f != REFUSED && real_launch(r, l));
}

photon_resident faulty_resident(photon_runtime *r)
{
    switch (atomic_load(&the_fault)) {
    case SILENT:
        return PHOTON_RESIDENT_RUNS;
    case ENDED:
        return PHOTON_RESIDENT_ENDED;
    case FAILED:
        return PHOTON_RESIDENT_FAILED;
    default:
        return real_resident(r);
    }
}

/* Streams that refuse copies, or their marks, as bits; how many copies succeed before the rest is
 * refused. */
static atomic_uint refused_copies, refused_marks;
static atomic_int  copies_before_refusal = INT_MAX;

bool real_copy(photon_runtime *r, photon_stream stream, void *to, const void *from,
               size_t bytes) __asm__("__real_photon_runtime_copy");
bool faulty_copy(photon_runtime *r, photon_stream stream, void *to, const void *from,
                 size_t bytes) __asm__("__wrap_photon_runtime_copy");
bool real_mark(photon_runtime *r, photon_stream stream,
               int mark) __asm__("__real_photon_runtime_mark");
bool faulty_mark(photon_runtime *r, photon_stream stream,
                 int mark) __asm__("__wrap_photon_runtime_mark");

bool faulty_copy(photon_runtime *r, photon_stream stream, void *to, const void *from, size_t bytes)
{
    if (atomic_load(&copies_before_refusal) != INT_MAX &&
        atomic_fetch_sub(&copies_before_refusal, 1) <= 0)
        return false;
    return (atomic_load(&refused_copies) & 1u << stream) == 0 &&
           real_copy(r, stream, to, from, bytes);
}

bool faulty_mark(photon_runtime *r, photon_stream stream, int mark)
{
    return (atomic_load(&refused_marks) & 1u << stream) == 0 && real_mark(r, stream, mark);
}

/* ---- what must hold */

static void expect_status(photon_session_status got, photon_session_status wanted, const char *what)
{
    trial_expect(got == wanted, "%s: %s", what, photon_session_status_text(got));
}

static void expect_works(session_rig *rig, const char *what)
{
    const photon_session_config config  = { .slots = 2 };
    photon_session             *session = session_test_open(rig, &config);

    session_test_finish(session_test_submit(session, &expected.event, what), &expected, what);
    session_test_close(session, what);
}

/* A session that the device no longer serves: its events are lost, the present ones and those to
 * come. */
static void expect_lost(photon_session *session, photon_future *under_way, const char *what)
{
    photon_future *later = NULL;

    expect_status(photon_future_wait(under_way, 60e9), PHOTON_SESSION_LOST, what);
    photon_future_free(under_way);
    expect_status(photon_try_submit_event(session, &expected.event, &later), PHOTON_SESSION_LOST,
                  what);
    trial_expect(later == NULL, "%s: a lost session makes a future", what);
}

static void check_refused(session_rig *rig)
{
    const photon_session_config config  = { .slots = 2 };
    photon_session             *session = NULL;

    atomic_store(&the_fault, REFUSED);
    expect_status(photon_session_open(rig->device, rig->staging, &config, &session),
                  PHOTON_SESSION_LOST, "a launch that is refused");
    trial_expect(session == NULL, "a session without a kernel");
    atomic_store(&the_fault, NONE);
    expect_works(rig, "after a refused launch");
}

/* The first event succeeds; of those after it the one that meets the failure is lost. */
static void check_failed(session_rig *rig)
{
    const photon_session_config config  = { .slots = 2 };
    photon_session             *session = session_test_open(rig, &config);
    photon_session_status       st      = PHOTON_SESSION_OK;

    session_test_finish(session_test_submit(session, &expected.event, "before"), &expected,
                        "before a failure");
    atomic_store(&the_fault, FAILED);
    for (int k = 0; k < ATTEMPTS && st == PHOTON_SESSION_OK; k++) {
        photon_future *f = NULL;

        st = photon_submit_event(session, &expected.event, &f);
        if (st == PHOTON_SESSION_OK)
            st = photon_future_wait(f, 60e9);
        if (st == PHOTON_SESSION_OK)
            session_test_check(photon_future_result(f), &expected, "beside a failure");
        photon_future_free(f);
    }
    expect_status(st, PHOTON_SESSION_LOST, "a kernel that failed");
    expect_status(photon_session_close(session), PHOTON_SESSION_LOST, "closed after a failure");
    atomic_store(&the_fault, NONE);
    expect_works(rig, "after a failure");
}

static void check_silent(session_rig *rig)
{
    const photon_session_config config = { .slots = 2, .patience_ns = 2e8 };
    photon_session             *session;

    atomic_store(&the_fault, SILENT);
    session = session_test_open(rig, &config);
    expect_lost(session, session_test_submit(session, &expected.event, "silent"),
                "a silent kernel");
    atomic_store(&the_fault, ENDED);
    expect_status(photon_session_close(session), PHOTON_SESSION_LOST, "closed after silence");
    atomic_store(&the_fault, NONE);
    expect_works(rig, "after a silent kernel");
}

/* Closed while the session waits for room: the waiting caller returns. */
static void check_silent_full(session_rig *rig)
{
    const photon_session_config config = { .slots = 1, .queue = 1, .patience_ns = 2e8 };
    photon_session             *session;
    photon_future              *f[2 * RESULTS] = { NULL };
    int                         n              = 0;

    atomic_store(&the_fault, SILENT);
    session = session_test_open(rig, &config);
    while (n < 2 * RESULTS &&
           photon_submit_event(session, &expected.event, &f[n]) == PHOTON_SESSION_OK)
        n++;
    trial_expect(n > 0 && n < 2 * RESULTS, "%d events in a slot and a queue of one", n);
    for (int k = 0; k < n; k++) {
        expect_status(photon_future_wait(f[k], 60e9), PHOTON_SESSION_LOST, "queued in silence");
        photon_future_free(f[k]);
    }
    atomic_store(&the_fault, ENDED);
    expect_status(photon_session_close(session), PHOTON_SESSION_LOST, "closed while full");
    atomic_store(&the_fault, NONE);
    expect_works(rig, "after a silent kernel and a full queue");
}

/* What a kernel may still use is left alone, and its device is not given to another session. */
static void check_endless(session_rig *rig)
{
    static photon_session      *left; /* static, so that leak checkers do not report it */
    const photon_session_config config = { .slots = 2, .patience_ns = 2e8 };
    photon_session             *other  = NULL;

    atomic_store(&the_fault, SILENT);
    left = session_test_open(rig, &config);
    expect_lost(left, session_test_submit(left, &expected.event, "endless"), "an endless kernel");
    expect_status(photon_session_close(left), PHOTON_SESSION_LOST, "closed without an end");
    atomic_store(&the_fault, NONE);
    expect_status(photon_session_open(rig->device, rig->staging, &config, &other),
                  PHOTON_SESSION_BUSY, "beside an endless kernel");
}

/* ---- copies that are refused: the data is missing, and nobody gets it as if it was there */

enum {
    UP   = 1 << PHOTON_STREAM_UPLOAD,
    DOWN = 1 << PHOTON_STREAM_DOWNLOAD
};

static void no_part(void *context, photon_session *session, const photon_part *part)
{
    (void)session, (void)part;
    ++*(int *)context;
}

static const photon_session_config copied = { .slots           = 2,
                                              .zero_copy_most  = -1,
                                              .has_checkpoints = true,
                                              .part_ends       = 32,
                                              .cadence         = { .budget = 1 } };

static void expect_refused(session_rig *rig, const photon_event_descriptor *e, unsigned copies,
                           unsigned marks, bool is_stopped, const char *what)
{
    photon_session *session = session_test_open(rig, &copied);
    photon_future  *f;

    atomic_store(&refused_copies, copies);
    atomic_store(&refused_marks, marks);
    f = session_test_submit(session, e, what);
    if (is_stopped)
        (void)photon_session_checkpoint(session, f);
    expect_lost(session, f, what);
    expect_status(photon_session_close(session), PHOTON_SESSION_LOST, what);
    atomic_store(&refused_copies, 0);
    atomic_store(&refused_marks, 0);
    expect_works(rig, what);
}

static void check_refused_copies(session_rig *rig)
{
    static float            zeros[3 * PHOTONS];
    const photon_batch      batch = { zeros, zeros, zeros, zeros, zeros, NULL };
    photon_event_descriptor given = expected.event, parts = expected.event;
    int                     n_parts = 0;

    given.batch         = &batch;
    parts.part_callback = no_part;
    parts.context       = &n_parts;
    expect_refused(rig, &expected.event, DOWN, 0, false, "records are refused");
    expect_refused(rig, &expected.event, 0, DOWN, false, "the mark of records is refused");
    expect_refused(rig, &expected.event, DOWN, 0, true, "a checkpoint is refused");
    expect_refused(rig, &given, UP, 0, false, "a batch is refused");
    expect_refused(rig, &given, 0, UP, false, "the mark of a batch is refused");
    expect_refused(rig, &parts, DOWN, 0, false, "a part is refused");
    trial_expect(n_parts == 0, "%d parts that were refused", n_parts);
}

/* The checkpoint of an event, or NULL; the caller frees. */
static void *stopped(session_rig *rig, size_t *bytes)
{
    photon_session *session = session_test_open(rig, &copied);
    void           *copy    = NULL;

    for (int k = 0; k < ATTEMPTS && !copy; k++) {
        photon_future       *f = session_test_submit(session, &expected.event, "to stop");
        const photon_result *r;

        (void)photon_session_checkpoint(session, f);
        (void)photon_future_wait(f, 60e9);
        r = photon_future_result(f);
        if (r && r->checkpoint && (copy = malloc(*bytes = r->checkpoint_bytes)) != NULL)
            memcpy(copy, r->checkpoint, *bytes);
        photon_future_free(f);
    }
    session_test_close(session, "to stop");
    return copy;
}

static void check_refused_checkpoint(session_rig *rig)
{
    photon_event_descriptor rest = { .wants_records = true };
    void *const             copy = stopped(rig, &rest.checkpoint_bytes);

    rest.checkpoint = copy;
    if (trial_expect(copy != NULL, "no event was stopped"))
        expect_refused(rig, &rest, UP, 0, false, "what goes on is refused");
    free(copy);
}

/* ---- an update that is refused halfway: the detector is neither the old one nor the new one */

static photon_session_status update(session_rig *rig, photon_update *u)
{
    const photon_detector d = { &rig->geometry[SESSION_TEST_BOX], rig->media[SESSION_TEST_BOX],
                                rig->surfaces[SESSION_TEST_BOX] };

    return photon_device_arena_update(rig->device, SESSION_TEST_BOX, &d, u);
}

static void check_refused_update(session_rig *rig)
{
    const photon_session_config config    = { .slots = 2 };
    float *const                changed   = &rig->surfaces[SESSION_TEST_BOX][PHOTON_SURFACE_SIZE];
    float *const                first     = &rig->media[SESSION_TEST_BOX][0];
    const float                 before[2] = { *first, *changed };
    photon_session             *session   = NULL;
    photon_update               u         = { 0, 0 };

    *first += 1; /* its page comes before the other, and is uploaded */
    *changed += 1;
    atomic_store(&copies_before_refusal, 1);
    expect_status(update(rig, &u), PHOTON_SESSION_LOST, "an update that is refused");
    atomic_store(&copies_before_refusal, INT_MAX);
    expect_status(photon_session_open(rig->device, rig->staging, &config, &session),
                  PHOTON_SESSION_LOST, "a detector that is torn");
    trial_expect(session == NULL, "a session in a detector that is torn");
    *first   = before[0];
    *changed = before[1];
    expect_status(update(rig, &u), PHOTON_SESSION_OK, "back to the old detector");
    trial_expect(u.bytes_uploaded == u.bytes, "%d bytes of %d of a detector that is torn",
                 (int)u.bytes_uploaded, (int)u.bytes);
    expect_works(rig, "after a refused update");
    expect_status(update(rig, &u), PHOTON_SESSION_OK, "whole again");
    trial_expect(u.bytes_uploaded == 0, "%d bytes of one that is whole", (int)u.bytes_uploaded);
}

int main(void)
{
    const photon_staging_spec     spec = { PHOTONS, 1, RESULTS };
    const photon_event_descriptor e    = session_test_event(SESSION_TEST_BOX, PHOTONS, 20);
    session_rig                   rig;
    const int status = session_rig_start(&rig, &spec, "test_photon_session_lost");

    if (status >= 0)
        return status;
    trial_expect(session_expect(&rig, &e, SESSION_PER_STEP, &expected), "no expected result");
    check_refused(&rig);
    check_failed(&rig);
    check_silent(&rig);
    check_silent_full(&rig);
    check_refused_copies(&rig);
    check_refused_checkpoint(&rig);
    check_refused_update(&rig);
    check_endless(&rig); /* the last test: nothing follows it on this device */
    session_expected_free(&expected);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_lost");
}
