/* Bytes that are not a checkpoint, or no longer a valid one, or a forged one: they are refused,
 * or end their photons, whatever they contain. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/photon_arena.h"
#include "../../../kernels/photon_session/session_checkpoint.h"

#include <stdlib.h>
#include <string.h>

enum {
    PHOTONS  = 4000,
    ATTEMPTS = 50
};

typedef struct saved {
    void  *bytes;
    size_t n;
} saved;

static int64_t left_of(const saved *s)
{
    checkpoint_head h;

    memcpy(&h, s->bytes, sizeof h);
    return h.n_left;
}

/* The checkpoint of an event that is stopped at once; no bytes: it had already finished. */
static saved stop(photon_session *session)
{
    const photon_event_descriptor e = session_test_event(SESSION_TEST_BOX, PHOTONS, 9);
    photon_future                *f = session_test_submit(session, &e, "to stop");
    const photon_result          *r;
    saved                         s = { NULL, 0 };

    (void)photon_session_checkpoint(session, f);
    (void)photon_future_wait(f, 60e9);
    r = photon_future_result(f);
    if (r && r->checkpoint) {
        s = (saved) { malloc(r->checkpoint_bytes), r->checkpoint_bytes };
        if (!s.bytes)
            abort();
        memcpy(s.bytes, r->checkpoint, s.n);
    }
    photon_future_free(f);
    return s;
}

static photon_session_status status_of(photon_session *session, const void *bytes, size_t n,
                                       int detector)
{
    const photon_event_descriptor e  = { .detector         = detector,
                                         .checkpoint       = bytes,
                                         .checkpoint_bytes = n };
    photon_future                *f  = NULL;
    photon_session_status         st = photon_submit_event(session, &e, &f);

    if (f) {
        (void)photon_future_wait(f, 60e9);
        st = photon_future_poll(f);
    }
    photon_future_free(f);
    return st;
}

static void expect_invalid(photon_session *session, const void *bytes, size_t n, const char *what,
                           int at)
{
    const photon_session_status st = status_of(session, bytes, n, SESSION_TEST_BOX);

    trial_expect(st == PHOTON_SESSION_INVALID, "%s %d: %s", what, at,
                 photon_session_status_text(st));
}

static void check_cut(photon_session *session, const saved *s)
{
    char *const bytes = malloc(s->n + 1); /* the reader must not look past this size */

    if (!bytes)
        abort();
    memcpy(bytes, s->bytes, s->n);
    bytes[s->n] = 0;
    for (size_t n = 0; n < s->n; n += n < 100 ? 1 : 1000)
        expect_invalid(session, bytes, n, "cut after", (int)n);
    expect_invalid(session, bytes, s->n + 1, "longer", 1);
    for (size_t at = 0; at < s->n; at += at < 100 ? 1 : 997) {
        bytes[at] = (char)(bytes[at] ^ 16);
        expect_invalid(session, bytes, s->n, "another byte", (int)at);
        bytes[at] = (char)(bytes[at] ^ 16);
    }
    trial_expect(status_of(session, bytes, s->n, SESSION_TEST_WHITE) == PHOTON_SESSION_INVALID,
                 "another detector");
    trial_expect(status_of(session, bytes, s->n, SESSION_TEST_BOX) == PHOTON_SESSION_OK,
                 "the checkpoint itself");
    free(bytes);
}

/* With a right checksum: what a kernel must not be given. */
typedef struct forgery {
    const char *what;
    int         photon, word; /* of photon_checkpoint; negative: of the head */
    uint32_t    value;
} forgery;

enum {
    WORD = 1 + PHOTON_WEIGHT /* of a checkpoint_photon's words */
};
static const forgery forgeries[] = {
    { "version", -1, offsetof(checkpoint_head, version) / 4, 2 },
    { "tally", -1, offsetof(checkpoint_head, n_tally) / 4, 3 },
    { "photons", -1, offsetof(checkpoint_head, photons) / 4 + 1, 0x7fffffff },
    { "fewer than none", -1, offsetof(checkpoint_head, photons) / 4 + 1, 0xffffffff },
    { "left", -1, offsetof(checkpoint_head, n_left) / 4, PHOTONS + 1 },
    { "no steps", -1, offsetof(checkpoint_head, steps) / 4, 0 },
    { "steps", -1, offsetof(checkpoint_head, steps) / 4, PHOTON_MOST_STEPS + 1 },
    { "place of another", 1, 0, 0 },
    { "place behind all", 0, 0, 0xffffffff },
    { "ended", 0, WORD + PHOTON_FLAGS, PHOTON_SURFACE_DETECT },
    { "re-emitted", 0, WORD + PHOTON_FLAGS, PHOTON_REEMIT },
    { "gone", 0, WORD + PHOTON_FLAGS, 0xffffffff },
    { "face", 0, WORD + PHOTON_FACE_LAST, 0x7fffffff },
    { "face before all", 0, WORD + PHOTON_FACE_LAST, 0xfffffffe },
    { "draw", 0, WORD + PHOTON_DRAW, 0xfffffff0 },
    { "generation", 0, WORD + PHOTON_ORIGIN, PHOTON_GENERATIONS },
    { "medium", 0, WORD + PHOTON_ORIGIN, PHOTON_MEDIA << 8 },
};

static void set_checksum(char *bytes, size_t n)
{
    const size_t   from     = offsetof(checkpoint_head, detector);
    const uint64_t checksum = photon_digest(PHOTON_DIGEST, bytes + from, n - from);

    memcpy(bytes + offsetof(checkpoint_head, checksum), &checksum, sizeof checksum);
}

static void check_forged(photon_session *session, const saved *s)
{
    char *const  bytes = malloc(s->n);
    const size_t first = s->n - sizeof(checkpoint_photon) * (size_t)left_of(s);

    for (size_t k = 0; bytes && k < sizeof forgeries / sizeof *forgeries; k++) {
        const forgery *const f = &forgeries[k];
        const size_t at = f->photon < 0 ? 0 : first + sizeof(checkpoint_photon) * (size_t)f->photon;

        memcpy(bytes, s->bytes, s->n);
        memcpy(bytes + at + 4 * (size_t)f->word, &f->value, sizeof f->value);
        set_checksum(bytes, s->n);
        expect_invalid(session, bytes, s->n, f->what, (int)k);
    }
    memcpy(bytes, s->bytes, s->n);
    memset(bytes + first + 4, 0xff, sizeof(float) * PHOTON_WEIGHT); /* not numbers at all */
    set_checksum(bytes, s->n);
    trial_expect(status_of(session, bytes, s->n, SESSION_TEST_BOX) == PHOTON_SESSION_OK,
                 "a photon that is nowhere does not end");
    free(bytes);
}

static saved stop_one(photon_session *session)
{
    saved s = { NULL, 0 };

    for (int k = 0; k < ATTEMPTS && !s.bytes; k++)
        s = stop(session);
    trial_expect(s.bytes && left_of(&s) >= 2, "of fifty events none was stopped");
    return s;
}

static void check_without(session_rig *rig, const saved *s)
{
    const photon_session_config config  = { .slots = 1 };
    photon_session             *session = session_test_open(rig, &config);

    expect_invalid(session, s->bytes, s->n, "a session without checkpoints", 0);
    session_test_close(session, "without");
}

int main(void)
{
    const photon_staging_spec   spec   = { PHOTONS, 0, 2 };
    const photon_session_config config = { .has_checkpoints = true,
                                           .cadence = { .budget = 1, .compact_below = 0.5 } };
    photon_session             *session;
    session_rig                 rig;
    saved                       s;
    const int status = session_rig_start(&rig, &spec, "test_photon_session_forged");

    if (status >= 0)
        return status;
    session = session_test_open(&rig, &config);
    s       = stop_one(session);
    if (s.bytes && left_of(&s) >= 2) {
        check_cut(session, &s);
        check_forged(session, &s);
    }
    session_test_close(session, "forged");
    if (s.bytes)
        check_without(&rig, &s);
    free(s.bytes);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_forged");
}
