/* Checkpoints: an event that was stopped as bytes, and back. Random numbers have no state. So what
 * is left of an event is its photons, each with the number of its next draw, and the results of the
 * photons that have ended. */
#include "session_checkpoint.h"
#include "session_internal.h"

#include <stdlib.h>
#include <string.h>

static size_t bytes_of(const checkpoint_head *h)
{
    return sizeof *h + sizeof(uint32_t) * h->n_tally +
           CHECKPOINT_RECORD_BYTES * (size_t)h->photons +
           sizeof(checkpoint_photon) * (size_t)h->n_left;
}

static uint64_t checksum_of(const void *checkpoint, size_t bytes)
{
    const size_t from = offsetof(checkpoint_head, detector);

    return photon_digest(PHOTON_DIGEST, (const char *)checkpoint + from, bytes - from);
}

static const char *records_of(const void *checkpoint, const checkpoint_head *h)
{
    return (const char *)checkpoint + sizeof *h + sizeof(uint32_t) * h->n_tally;
}

static void get_photon(const void *checkpoint, const checkpoint_head *h, int64_t k,
                       checkpoint_photon *p)
{
    const char *const first =
        records_of(checkpoint, h) + CHECKPOINT_RECORD_BYTES * (size_t)h->photons;

    memcpy(p, first + sizeof *p * (size_t)k, sizeof *p);
}

/* ---- from the host's view of a slot: pages of reals, then of words */

static size_t page_words(const photon_future *f, int fields)
{
    return (size_t)fields * (size_t)photon_arena_lanes(f->event.photons);
}

static photon_pages pages_of(const photon_session *s, const photon_future *f)
{
    return (photon_pages) { s->states, (uint32_t *)s->states + page_words(f, PHOTON_REALS) };
}

static photon_pages slot_pages(const photon_session *s, const session_slot *slot)
{
    const int64_t first = (slot - s->slot) << s->launch.log2_places;

    return (photon_pages) { s->launch.pages.real + PHOTON_REALS * first,
                            s->launch.pages.word + PHOTON_WORDS * first };
}

static size_t record_bytes(const photon_future *f)
{
    return CHECKPOINT_RECORD_BYTES * (size_t)f->event.photons;
}

/* ---- what is left of an event that was stopped */

/* The generation of the photon that is left in this place, or PHOTON_GENERATIONS if there is none.
 * The records after the one that says so still hold what an earlier event has written. */
static int left_in(const uint32_t *flags, int64_t photons, int64_t place)
{
    int generation = 0;

    while (generation < PHOTON_GENERATIONS && flags[generation * photons + place] != SESSION_LEFT)
        generation++;
    return generation;
}

static void clear_row(uint32_t *records, int64_t rows, int64_t row)
{
    for (int k = 0; k < 5; k++)
        records[k * rows + row] = 0;
    records[5 * rows + row] = UINT32_MAX; /* no face */
}

static checkpoint_photon state_in(photon_pages pages, int64_t place)
{
    const float *const    real = pages.real + photon_place(place, PHOTON_REALS);
    const uint32_t *const word = pages.word + photon_place(place, PHOTON_WORDS);
    checkpoint_photon     p    = { .place = (uint32_t)place };

    for (int k = 0; k < PHOTON_WEIGHT; k++)
        p.real[k] = real[k * PHOTON_PAGE];
    for (int k = 0; k < PHOTON_WORDS; k++)
        p.word[k] = word[k * PHOTON_PAGE];
    return p;
}

/* Returns how many photons are left. Unless `to` is NULL it also writes them there, and clears
 * their rows. */
static int64_t put_photons(const photon_session *s, const photon_future *f, char *to)
{
    uint32_t *const records = (uint32_t *)session_result_records(s, f);
    const int64_t   photons = f->event.photons, rows = PHOTON_GENERATIONS * photons;
    int64_t         n_left = 0;

    for (int64_t i = 0; i < photons; i++) {
        int generation = left_in(records + 4 * rows, photons, i);

        if (generation == PHOTON_GENERATIONS)
            continue;
        if (to) {
            const checkpoint_photon p = state_in(pages_of(s, f), i);

            memcpy(to + sizeof p * (size_t)n_left, &p, sizeof p);
            for (; generation < PHOTON_GENERATIONS; generation++)
                clear_row(records, rows, generation * photons + i);
        }
        n_left++;
    }
    return n_left;
}

static photon_session_status make_checkpoint(photon_session *s, photon_future *f)
{
    const int       d     = f->event.detector;
    checkpoint_head h     = { .magic    = CHECKPOINT_MAGIC,
                              .version  = CHECKPOINT_VERSION,
                              .n_tally  = (uint32_t)s->device_arena->n_tally_of[d],
                              .detector = s->device_arena->digest[d],
                              .photons  = f->event.photons,
                              .n_left   = put_photons(s, f, NULL),
                              .steps    = (uint32_t)f->event.steps,
                              .seed     = f->event.seed };
    const size_t    tally = sizeof(uint32_t) * h.n_tally, bytes = bytes_of(&h);
    char *const     to = f->checkpoint = malloc(bytes);

    if (!to)
        return PHOTON_SESSION_NO_MEMORY;
    (void)put_photons(s, f, to + sizeof h + tally + record_bytes(f));
    memcpy(to + sizeof h, f->segment, tally);
    memcpy(to + sizeof h + tally, session_result_records(s, f), record_bytes(f));
    memcpy(to, &h, sizeof h);
    h.checksum = checksum_of(to, bytes);
    memcpy(to, &h, sizeof h);
    f->result.checkpoint       = to;
    f->result.checkpoint_bytes = bytes;
    return PHOTON_SESSION_CHECKPOINTED;
}

static bool fetch_states(photon_session *s, session_slot *slot)
{
    photon_future *const f    = slot->future;
    const photon_pages   from = slot_pages(s, slot), to = pages_of(s, f);
    const photon_stream  stream = PHOTON_STREAM_DOWNLOAD;

    return (session_is_direct(s, f) ||
            photon_runtime_copy(s->runtime, stream, session_result_records(s, f),
                                session_slot_records(s, slot), record_bytes(f))) &&
           photon_runtime_copy(s->runtime, stream, to.real, from.real,
                               sizeof(float) * page_words(f, PHOTON_REALS)) &&
           photon_runtime_copy(s->runtime, stream, to.word, from.word,
                               sizeof(float) * page_words(f, PHOTON_WORDS)) &&
           photon_runtime_mark(s->runtime, stream, PHOTON_MARK_DOWNLOAD + (int)(slot - s->slot));
}

bool session_move_checkpoint(photon_session *s, session_slot *slot)
{
    if (!s->states_of && session_accept(s, fetch_states(s, slot))) {
        slot->range  = session_range_start("download", slot->future->event.seed);
        s->states_of = slot;
        return true;
    }
    if (s->states_of != slot ||
        !photon_runtime_is_past(s->runtime, PHOTON_MARK_DOWNLOAD + (int)(slot - s->slot)))
        return false;
    session_end_copy(slot);
    slot->status = make_checkpoint(s, slot->future);
    slot->stage  = SESSION_READY;
    s->states_of = NULL;
    return true;
}

/* ---- an event that continues */

void session_take_head(const photon_event_descriptor *event, photon_event_descriptor *taken)
{
    checkpoint_head h;

    memcpy(&h, event->checkpoint, sizeof h);
    taken->photons = h.photons;
    taken->steps   = (int)h.steps;
    taken->seed    = h.seed;
}

static void set_states(const photon_session *s, const photon_future *f, const checkpoint_head *h)
{
    const photon_pages pages = pages_of(s, f);
    checkpoint_photon  p;

    for (int64_t i = 0; i < h->photons; i++)
        pages.word[photon_place(i, PHOTON_WORDS) + PHOTON_FLAGS * PHOTON_PAGE] = SESSION_GONE;
    for (int64_t n = 0; n < h->n_left; n++) {
        get_photon(f->event.checkpoint, h, n, &p);
        for (int k = 0; k < PHOTON_WEIGHT; k++)
            pages.real[photon_place(p.place, PHOTON_REALS) + k * PHOTON_PAGE] = p.real[k];
        for (int k = 0; k < PHOTON_WORDS; k++)
            pages.word[photon_place(p.place, PHOTON_WORDS) + k * PHOTON_PAGE] = p.word[k];
    }
}

static bool send_states(photon_session *s, session_slot *slot)
{
    photon_future *const f    = slot->future;
    const photon_pages   from = pages_of(s, f), to = slot_pages(s, slot);
    const photon_stream  stream = PHOTON_STREAM_UPLOAD;

    return photon_runtime_copy(s->runtime, stream, session_slot_records(s, slot),
                               session_result_records(s, f), record_bytes(f)) &&
           photon_runtime_copy(s->runtime, stream, to.real, from.real,
                               sizeof(float) * page_words(f, PHOTON_REALS)) &&
           photon_runtime_copy(s->runtime, stream, to.word, from.word,
                               sizeof(float) * page_words(f, PHOTON_WORDS)) &&
           photon_runtime_mark(s->runtime, stream, PHOTON_MARK_UPLOAD + (int)(slot - s->slot));
}

void session_load_checkpoint(photon_session *s, session_slot *slot)
{
    photon_future *const f          = slot->future;
    const void *const    checkpoint = f->event.checkpoint;
    const size_t         words      = s->launch.n_tally;
    checkpoint_head      h;

    memcpy(&h, checkpoint, sizeof h);
    memset(f->segment, 0, sizeof(uint32_t) * words);
    memcpy(f->segment, (const char *)checkpoint + sizeof h, sizeof(uint32_t) * h.n_tally);
    memcpy(slot->tally_before, f->segment, sizeof slot->tally_before);
    memcpy(session_result_records(s, f), records_of(checkpoint, &h), record_bytes(f));
    set_states(s, f, &h);
    slot->packed_ns = session_now_ns();
    slot->range     = session_range_start("upload", f->event.seed);
    (void)session_accept(s, send_states(s, slot));
    s->states_of = slot;
    slot->stage  = SESSION_UPLOADING;
}

/* ---- bytes that may be anything */

/* Can a kernel go on with this photon? It must end, and not lead astray. Values that are not
 * numbers end it at its next step. */
static bool is_photon_sound(const photon_session *s, const photon_event_descriptor *e,
                            const checkpoint_head *h, const checkpoint_photon *p)
{
    const uint32_t alive = PHOTON_RAYLEIGH | PHOTON_REFLECT_DIFFUSE | PHOTON_REFLECT_SPECULAR |
                           PHOTON_TRANSMIT | PHOTON_REFLECT_DIELECTRIC | PHOTON_ISOTROPIC_INIT;
    const uint32_t origin = p->word[PHOTON_ORIGIN];
    const int32_t  face   = (int32_t)p->word[PHOTON_FACE_LAST];

    return p->place < h->photons && (p->word[PHOTON_FLAGS] & ~alive) == 0 &&
           (origin & 0xffu) < PHOTON_GENERATIONS && origin >> 8 < PHOTON_MEDIA && face >= -1 &&
           face < s->device_arena->n_faces[e->detector] &&
           p->word[PHOTON_DRAW] < PHOTON_DRAW_STEP + PHOTON_DRAWS_STEP * h->steps;
}

/* Also checks that each place occurs once. */
static bool are_photons_sound(const photon_session *s, const photon_event_descriptor *e,
                              const checkpoint_head *h)
{
    int64_t           least = 0;
    checkpoint_photon p;

    for (int64_t k = 0; k < h->n_left; k++) {
        get_photon(e->checkpoint, h, k, &p);
        if (p.place < least || !is_photon_sound(s, e, h, &p))
            return false;
        least = (int64_t)p.place + 1;
    }
    return true;
}

static bool is_head_sound(const photon_session *s, const photon_event_descriptor *e,
                          const checkpoint_head *h)
{
    return memcmp(h->magic, CHECKPOINT_MAGIC, sizeof h->magic) == 0 &&
           h->version == CHECKPOINT_VERSION &&
           h->n_tally == s->device_arena->n_tally_of[e->detector] &&
           h->detector == s->device_arena->digest[e->detector] && h->photons >= 0 &&
           h->photons <= 1 << 28 && h->n_left >= 0 && h->n_left <= h->photons && h->steps >= 1 &&
           h->steps <= PHOTON_MOST_STEPS && e->checkpoint_bytes == bytes_of(h);
}

photon_session_status session_check_checkpoint(const photon_session          *s,
                                               const photon_event_descriptor *e)
{
    checkpoint_head h;

    if (!s->config.has_checkpoints || e->batch || e->device_batch || e->detector < 0 ||
        e->detector >= s->device_arena->n_detectors || e->checkpoint_bytes < sizeof h)
        return PHOTON_SESSION_INVALID;
    memcpy(&h, e->checkpoint, sizeof h);
    if (!is_head_sound(s, e, &h) || h.checksum != checksum_of(e->checkpoint, e->checkpoint_bytes) ||
        !are_photons_sound(s, e, &h))
        return PHOTON_SESSION_INVALID;
    return h.photons <= photon_staging_most(s->staging_arena) ? PHOTON_SESSION_OK
                                                              : PHOTON_SESSION_TOO_LARGE;
}
