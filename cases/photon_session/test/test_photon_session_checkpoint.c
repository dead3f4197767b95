/* Checkpoints: an event that is stopped under way and goes on in another session comes to the bits
 * that it would have come to, however often that happens; bytes that are no checkpoint are
 * refused. */
#include "photon_session_test.h"

#include "../../../kernels/photon_session/photon_arena.h"
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
    OFTEN = 2 /* where photons come up at each step, and an event is stopped soon */
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

/* ---- stopped, and gone on with */

/* Stops it when it has run for a while, or at once; whether it was stopped. If not, it is right. */
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

/* From session to session, a few times stopped, the last time not; how often it was stopped. */
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

/* At once it is stopped for sure before its photons have ended, and then some are left. */
static void check_source(session_rig *rig)
{
    for (int kind = 0; kind < KINDS; kind++) {
        const photon_event_descriptor e    = event_of(kind);
        int64_t                       left = INT64_MAX;
        int                           n    = 0;

        for (int k = 0; k < 3 * CONFIGS; k++)
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

/* ---- bytes that are no checkpoint */

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
    char *const bytes = malloc(s->n + 1); /* the reader must not look behind what it is told of */

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

/* With a checksum that is right: what a kernel must not be given. */
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
    { "left", -1, offsetof(checkpoint_head, n_left) / 4, PHOTONS_MOST + 1 },
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
    memset(bytes + first + 4, 0xff, sizeof(float) * PHOTON_WEIGHT); /* no numbers at all */
    set_checksum(bytes, s->n);
    trial_expect(status_of(session, bytes, s->n, SESSION_TEST_BOX) == PHOTON_SESSION_OK,
                 "a photon that is nowhere does not end");
    free(bytes);
}

static void check_hostile(session_rig *rig)
{
    const photon_event_descriptor e          = event_of(BOX);
    photon_session               *session    = session_test_open(rig, &configs[OFTEN]);
    saved                         s          = { NULL, 0 };
    bool                          is_stopped = false;

    for (int k = 0; k < 50 && !is_stopped; k++)
        is_stopped = stop(session, &e, false, &expected[BOX], &s);
    trial_expect(is_stopped && left_of(&s) >= 2, "of fifty events none was stopped");
    if (is_stopped && left_of(&s) >= 2) {
        check_cut(session, &s);
        check_forged(session, &s);
    }
    session_test_close(session, "hostile");
    free(s.bytes);
}

/* ---- a session without, and one that is closed */

static void check_without(session_rig *rig)
{
    const photon_session_config   config  = { .slots = 1 };
    const photon_event_descriptor e       = event_of(BOX);
    photon_session               *session = session_test_open(rig, &config);
    photon_future                *f       = session_test_submit(session, &e, "without");

    trial_expect(photon_session_checkpoint(session, f) == PHOTON_SESSION_INVALID,
                 "a session without checkpoints makes one");
    session_test_finish(f, &expected[BOX], "without");
    expect_invalid(session, &e, sizeof e, "a session without", 0);
    session_test_close(session, "without");
}

/* Asked for, and closed before they are made: every future is resolved. */
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
    check_hostile(&rig);
    check_without(&rig);
    check_closed(&rig);
    for (int kind = 0; kind < KINDS; kind++)
        session_expected_free(&expected[kind]);
    session_rig_close(&rig);
    return trial_finish("test_photon_session_checkpoint");
}
