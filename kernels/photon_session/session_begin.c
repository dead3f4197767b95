/* The session's thread: moves events from the queue into slots of the device, with an upload if
 * they have photons of their own. */
#include "session_internal.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- the bell */

void session_ring(photon_session *s, bool must_stop)
{
    const uint64_t upper = 2u * s->n_cancels + (must_stop ? SESSION_BELL_STOP : 0);

    __atomic_store_n(&s->mail->bell, upper << 32 | s->n_tickets, __ATOMIC_RELEASE);
}

/* ---- the queue */

photon_future *session_next_queued(photon_session *s)
{
    photon_future *f = NULL;

    (void)pthread_mutex_lock(&s->lock);
    if (s->n_queued > 0) {
        f        = s->queue[s->first];
        s->first = (s->first + 1) % s->config.queue;
        s->n_queued--;
        (void)pthread_cond_signal(&s->has_room);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return f;
}

/* Takes the first cancelled event out of the queue; NULL if there is none. */
static photon_future *next_cancelled(photon_session *s)
{
    photon_future *f = NULL;

    (void)pthread_mutex_lock(&s->lock);
    for (int k = 0; k < s->n_queued; k++) {
        photon_future **const at = &s->queue[(s->first + k) % s->config.queue];

        if (f)
            s->queue[(s->first + k - 1) % s->config.queue] = *at;
        else if (atomic_load(&(*at)->wants_cancel))
            f = *at;
    }
    if (f) {
        s->n_queued--;
        (void)pthread_cond_signal(&s->has_room);
    }
    (void)pthread_mutex_unlock(&s->lock);
    return f;
}

/* ---- packing */

/* The arrays of a batch, by field of a page; NULL: all 0. The bits of flags are moved unchanged. */
static void fields_of(const photon_event_descriptor *e, const float *field[PHOTON_REALS])
{
    const photon_batch *const b = e->batch;

    for (int k = 0; k < 3; k++) {
        field[PHOTON_POS + k] = b->pos + k * e->photons;
        field[PHOTON_DIR + k] = b->dir + k * e->photons;
        field[PHOTON_POL + k] = b->pol + k * e->photons;
    }
    field[PHOTON_WAVELENGTH]   = b->wavelength;
    field[PHOTON_TIME]         = b->time;
    field[SESSION_GIVEN_FLAGS] = (const float *)b->flags;
}

/* Writes a field of a whole page. A large batch is bound by memory, and a store past the caches
 * saves reading what is overwritten. */
static void put_field(float *restrict page, const float *restrict from)
{
#ifdef __SSE2__
    for (int k = 0; k < PHOTON_PAGE; k += 4)
        _mm_stream_ps(page + k, _mm_loadu_ps(from + k));
#else
    memcpy(page, from, PHOTON_PAGE * sizeof *page);
#endif
}

/* Makes these stores visible before all that follow, to every observer. */
static void end_stores(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static void pack(const photon_event_descriptor *e, float *page)
{
    static const float none[PHOTON_PAGE];
    const float       *field[PHOTON_REALS];

    fields_of(e, field);
    for (int64_t i = 0; i < e->photons; i += PHOTON_PAGE)
        for (int k = 0; k < PHOTON_REALS; k++, page += PHOTON_PAGE) {
            const float *const from = field[k] ? field[k] + i : none;

            if (e->photons - i >= PHOTON_PAGE)
                put_field(page, from);
            else
                memcpy(page, from, (size_t)(e->photons - i) * sizeof *page);
        }
    end_stores();
}

/* ---- beginning */

static int64_t slot_lanes(const photon_session *s) { return (int64_t)1 << s->launch.log2_places; }

/* Packs the batch into its segment and enqueues the copy. */
static void upload(photon_session *s, session_slot *slot)
{
    photon_future *const f     = slot->future;
    const int64_t        first = (slot - s->slot) * slot_lanes(s);
    float *const         to    = s->launch.pages.real + PHOTON_REALS * first;
    const size_t         words = PHOTON_REALS * (size_t)photon_arena_lanes(f->event.photons);
    const uint64_t       begun = session_now_ns();
    const int            mark  = PHOTON_MARK_UPLOAD + (int)(slot - s->slot);

    session_range_push("pack");
    pack(&f->event, slot->upload);
    session_range_pop();
    slot->packed_ns         = session_now_ns();
    slot->range             = session_range_start("upload", f->event.seed);
    f->result.times.pack_ns = (double)(slot->packed_ns - begun);
    (void)session_accept(s, photon_runtime_copy(s->runtime, PHOTON_STREAM_UPLOAD, to, slot->upload,
                                                words * sizeof *to) &&
                                photon_runtime_mark(s->runtime, PHOTON_STREAM_UPLOAD, mark));
    slot->stage = SESSION_UPLOADING;
}

static session_given given_of(const photon_event_descriptor *e)
{
    if (e->checkpoint)
        return SESSION_IN_STATES;
    if (e->device_batch)
        return SESSION_IN_BATCH;
    return e->batch ? SESSION_IN_PAGES : SESSION_OF_SOURCE;
}

void session_give(photon_session *s, session_slot *slot)
{
    photon_future *const                 f = slot->future;
    const photon_event_descriptor *const e = &f->event;

    slot->ticket              = s->n_tickets++;
    slot->stage               = SESSION_RUNNING;
    slot->has_asked           = false;
    f->started_ns             = session_now_ns();
    f->result.times.queued_ns = (double)(f->started_ns - f->submitted_ns);

    s->mail->order[slot->ticket % SESSION_SLOTS] = (session_order) {
        .ticket      = slot->ticket,
        .slot        = (uint32_t)(slot - s->slot),
        .photons     = (uint32_t)e->photons,
        .steps       = (uint32_t)e->steps,
        .detector    = (uint32_t)e->detector,
        .given       = given_of(e),
        .wants_parts = e->part_callback != NULL,
        .seed        = e->seed,
        .source      = { { e->pos[0], e->pos[1], e->pos[2] }, e->time, (uint32_t)e->medium, NULL },
        .batch       = f->batch,
        .records =
            session_is_direct(s, f) ? session_result_records(s, f) : session_slot_records(s, slot),
        .tally = f->segment,
    };
    session_ring(s, false);
}

static session_slot *free_slot(photon_session *s)
{
    for (int k = 0; k < s->config.slots; k++)
        if (s->slot[k].stage == SESSION_FREE)
            return &s->slot[k];
    return NULL;
}

/* Takes what an event needs: a slot, a segment for its result and, for a batch, one for its upload;
 * for a checkpoint, the session's states. */
static bool begin_event(photon_session *s)
{
    session_slot *const slot    = free_slot(s);
    void               *segment = NULL, *given = NULL;
    photon_future      *f;
    bool                has_batch, has_checkpoint;

    (void)pthread_mutex_lock(&s->lock);
    f              = s->n_queued > 0 ? s->queue[s->first] : NULL;
    has_batch      = f && f->event.batch && f->event.photons > 0;
    has_checkpoint = f && f->event.checkpoint;
    (void)pthread_mutex_unlock(&s->lock);
    if (!slot || !f || (has_checkpoint && s->states_of))
        return false;
    segment = photon_staging_take(s->staging_arena, PHOTON_SEGMENT_RESULT);
    given   = has_batch ? photon_staging_take(s->staging_arena, PHOTON_SEGMENT_UPLOAD) : NULL;
    if (!segment || (has_batch && !given)) {
        if (segment)
            photon_staging_give(s->staging_arena, PHOTON_SEGMENT_RESULT, segment);
        if (given)
            photon_staging_give(s->staging_arena, PHOTON_SEGMENT_UPLOAD, given);
        return false;
    }
    f = session_next_queued(s); /* the event seen before: nobody else takes from the queue */
    f->segment = segment;
    *slot      = (session_slot) { .future = f, .number = s->n_begun++, .upload = given };
    if (given)
        upload(s, slot);
    else if (has_checkpoint)
        session_load_checkpoint(s, slot);
    else
        session_give(s, slot);
    return true;
}

bool session_begin_events(photon_session *s)
{
    photon_future *f;
    bool           has_begun = false;

    while ((f = next_cancelled(s)) != NULL) {
        session_resolve(s, f, PHOTON_SESSION_CANCELLED);
        has_begun = true;
    }
    while (begin_event(s))
        has_begun = true;
    return has_begun;
}
