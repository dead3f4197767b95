/* The session's thread: moves events on the device through upload, run and download to their
 * end. */
#include "session_internal.h"

float *session_slot_records(const photon_session *s, const session_slot *slot)
{
    const int64_t words = 6 * PHOTON_GENERATIONS * photon_staging_most(s->staging_arena);

    return s->launch.records + (slot - s->slot) * words;
}

float *session_result_records(const photon_session *s, const photon_future *f)
{
    return (float *)f->segment + photon_staging_tally_words(s->staging_arena);
}

/* Parts are made from records in device memory, and so are checkpoints. */
bool session_is_direct(const photon_session *s, const photon_future *f)
{
    return f->event.wants_records && !f->event.part_callback && !f->event.checkpoint &&
           f->event.photons <= s->config.zero_copy_most;
}

bool session_is_through(const photon_session *s, const session_slot *slot)
{
    return __atomic_load_n(&s->mail->notice[slot - s->slot].done, __ATOMIC_ACQUIRE) ==
           slot->ticket + 1;
}

void session_resolve(photon_session *s, photon_future *f, photon_session_status status)
{
    (void)pthread_mutex_lock(&s->lock);
    s->totals.n_done += status == PHOTON_SESSION_OK;
    s->totals.n_cancelled +=
        status == PHOTON_SESSION_CANCELLED || status == PHOTON_SESSION_CHECKPOINTED;
    (void)pthread_mutex_unlock(&s->lock);
    session_future_resolve(f, s, status);
}

/* ---- on its way */

static void give_back_upload(photon_session *s, session_slot *slot)
{
    if (slot->upload)
        photon_staging_give(s->staging_arena, PHOTON_SEGMENT_UPLOAD, slot->upload);
    slot->upload = NULL;
    if (s->states_of == slot)
        s->states_of = NULL;
}

bool session_accept(photon_session *s, bool is_enqueued)
{
    s->has_refused = s->has_refused || !is_enqueued;
    return is_enqueued;
}

void session_end_copy(session_slot *slot)
{
    if (slot->range)
        session_range_end(slot->range);
    slot->range = 0;
}

static bool move_upload(photon_session *s, session_slot *slot)
{
    if (!photon_runtime_is_past(s->runtime, PHOTON_MARK_UPLOAD + (int)(slot - s->slot)))
        return false;
    session_end_copy(slot);
    slot->future->result.times.upload_ns = (double)(session_now_ns() - slot->packed_ns);
    give_back_upload(s, slot);
    session_give(s, slot);
    return true;
}

static void ask_for_end(photon_session *s, session_slot *slot, session_cancel_kind kind)
{
    const uint64_t cancel = (uint64_t)kind << 32 | (uint32_t)(slot->ticket + 1);

    __atomic_store_n(&s->mail->cancel[slot - s->slot], cancel, __ATOMIC_RELEASE);
    s->n_cancels++;
    slot->keeps     = kind == SESSION_KEEPS;
    slot->has_asked = true;
    session_ring(s, false);
}

/* Sets where the records of a result are. */
static void set_records(const photon_session *s, photon_future *f)
{
    const int64_t rows = PHOTON_GENERATIONS * f->event.photons;

    f->result.rows    = rows;
    f->result.tally   = f->segment;
    f->result.n_tally = s->launch.n_tally;
    if (!f->event.wants_records)
        return;
    f->result.place = session_result_records(s, f);
    f->result.time  = f->result.place + 3 * rows;
    f->result.flags = (const uint32_t *)(f->result.place + 4 * rows);
    f->result.face  = (const int32_t *)(f->result.place + 5 * rows);
}

/* Sets the status of an event that is over, and its next stage. */
static void set_end(session_slot *slot, bool was_dropped)
{
    slot->stage  = was_dropped && slot->keeps ? SESSION_SAVING : SESSION_READY;
    slot->status = was_dropped ? PHOTON_SESSION_CANCELLED : PHOTON_SESSION_OK;
}

static bool enqueue_records(photon_session *s, const session_slot *slot)
{
    const photon_future *const f     = slot->future;
    const size_t               bytes = (size_t)(6 * PHOTON_GENERATIONS * f->event.photons) * 4;

    return photon_runtime_copy(s->runtime, PHOTON_STREAM_DOWNLOAD, session_result_records(s, f),
                               session_slot_records(s, slot), bytes) &&
           photon_runtime_mark(s->runtime, PHOTON_STREAM_DOWNLOAD,
                               PHOTON_MARK_DOWNLOAD + (int)(slot - s->slot));
}

/* Call when the kernel has finished the event: fetches its records, if they are wanted and not yet
 * on the host. False: the device refuses, and the session is lost. */
static bool fetch(photon_session *s, session_slot *slot)
{
    photon_future *const        f   = slot->future;
    const session_notice *const n   = &s->mail->notice[slot - s->slot];
    const uint64_t              now = session_now_ns();
    const bool is_copied = n->n_dropped == 0 && f->event.photons > 0 && f->event.wants_records &&
                           !session_is_direct(s, f);

    if (is_copied && !session_accept(s, enqueue_records(s, slot)))
        return false;
    set_end(slot, n->n_dropped > 0);
    f->ended_ns                  = now;
    f->result.n_spawned          = n->n_spawned;
    f->result.times.propagate_ns = (double)(n->ended_ns - n->admitted_ns);
    f->result.times.answer_ns    = (double)(now - f->started_ns);
    set_records(s, f);
    if (is_copied) {
        slot->range = session_range_start("download", f->event.seed);
        slot->stage = SESSION_DOWNLOADING;
    }
    return true;
}

static bool move_run(photon_session *s, session_slot *slot)
{
    const bool is_over = session_is_through(s, slot);

    if (!is_over && !slot->has_asked && atomic_load(&slot->future->wants_cancel))
        ask_for_end(s, slot, SESSION_DROPS);
    if (!is_over && !slot->has_asked && atomic_load(&slot->future->wants_checkpoint))
        ask_for_end(s, slot, SESSION_KEEPS);
    if (session_move_parts(s, slot, is_over))
        return true;
    return is_over && !session_has_parts(s, slot, is_over) && fetch(s, slot);
}

static bool move_download(photon_session *s, session_slot *slot)
{
    if (!photon_runtime_is_past(s->runtime, PHOTON_MARK_DOWNLOAD + (int)(slot - s->slot)))
        return false;
    session_end_copy(slot);
    slot->future->result.times.download_ns = (double)(session_now_ns() - slot->future->ended_ns);
    slot->stage                            = SESSION_READY;
    return true;
}

static bool move_ready(photon_session *s, session_slot *slot)
{
    photon_future *const f = slot->future;

    if (s->config.is_in_order && slot->number != s->next_resolved)
        return false;
    s->next_resolved++;
    slot->stage  = SESSION_FREE;
    slot->future = NULL;
    session_resolve(s, f, slot->status);
    return true;
}

static bool stay(photon_session *s, session_slot *slot)
{
    (void)s, (void)slot;
    return false;
}

static bool (*const move[])(photon_session *s, session_slot *slot) = {
    [SESSION_FREE]        = stay,
    [SESSION_UPLOADING]   = move_upload,
    [SESSION_RUNNING]     = move_run,
    [SESSION_DOWNLOADING] = move_download,
    [SESSION_SAVING]      = session_move_checkpoint,
    [SESSION_READY]       = move_ready,
};

bool session_move_events(photon_session *s)
{
    bool has_moved = false;
    int  n_running = 0;

    for (int k = 0; k < s->config.slots; k++) {
        while (move[s->slot[k].stage](s, &s->slot[k]))
            has_moved = true;
        n_running += s->slot[k].stage != SESSION_FREE;
    }
    if (n_running != s->n_running) {
        (void)pthread_mutex_lock(&s->lock);
        s->n_running = n_running;
        (void)pthread_mutex_unlock(&s->lock);
    }
    return has_moved;
}

/* ---- the end */

/* Events that had finished are fetched even now, with the rest of their parts. */
static void finish_slot(photon_session *s, session_slot *slot)
{
    while (slot->stage == SESSION_DOWNLOADING || slot->stage == SESSION_SAVING ||
           (slot->stage == SESSION_RUNNING && session_is_through(s, slot)))
        if (!move[slot->stage](s, slot) &&
            (!photon_runtime_wait(s->runtime, PHOTON_STREAM_DOWNLOAD) ||
             !move[slot->stage](s, slot)))
            return;
}

static void end_slot(photon_session *s, session_slot *slot, photon_session_status status)
{
    photon_future *const f = slot->future;

    if (slot->stage == SESSION_FREE)
        return;
    if (status == PHOTON_SESSION_CANCELLED) {
        finish_slot(s, slot);
        if (slot->stage == SESSION_READY)
            status = slot->status;
        else if (s->has_refused)
            status = PHOTON_SESSION_LOST;
    }
    if (slot->stage == SESSION_UPLOADING && status != PHOTON_SESSION_LOST)
        (void)photon_runtime_wait(s->runtime, PHOTON_STREAM_UPLOAD);
    session_end_copy(slot);
    give_back_upload(s, slot);
    slot->stage  = SESSION_FREE;
    slot->future = NULL;
    session_resolve(s, f, status);
}

static session_slot *oldest(photon_session *s)
{
    session_slot *found = NULL;

    for (int k = 0; k < s->config.slots; k++)
        if (s->slot[k].stage != SESSION_FREE && (!found || s->slot[k].number < found->number))
            found = &s->slot[k];
    return found;
}

/* In the order in which events began, so that a session in order stays so. */
void session_end_events(photon_session *s, photon_session_status status)
{
    session_slot  *slot;
    photon_future *f;

    while ((slot = oldest(s)) != NULL)
        end_slot(s, slot, status);
    while ((f = session_next_queued(s)) != NULL)
        session_resolve(s, f, status);
}
