/* The session's thread: moves parts of a result from the device to the callback of their event. */
#include "session_internal.h"

static photon_end_row *part_of(const photon_session *s, const session_slot *slot)
{
    return s->parts + (slot - s->slot) * (int64_t)s->launch.part_ends;
}

/* The ends of an event that is over, since it began here; every kind has its tally. */
static int64_t ends_of(const session_slot *slot)
{
    const uint32_t *const tally = slot->future->segment;
    int64_t               n     = 0;

    for (int kind = 0; kind < PHOTON_TALLIES; kind++)
        n += (uint32_t)(tally[kind] - slot->tally_before[kind]);
    return n;
}

/* How many ends of the next part can be fetched: a whole part, or the rest. */
static int64_t next_part(const photon_session *s, const session_slot *slot, bool is_over)
{
    const int64_t most = s->launch.part_ends;
    const int64_t part = (slot - s->slot) * (int64_t)s->launch.n_parts + slot->n_given / most;
    const session_notice *const n = &s->mail->notice[slot - s->slot];

    if (is_over) {
        const int64_t left = n->n_dropped == 0 || slot->keeps ? ends_of(slot) - slot->n_given : 0;

        return left < most ? left : most;
    }
    /* A part that the very last end fills is the last: after it there is no word to look at. */
    if (slot->n_given >= PHOTON_GENERATIONS * slot->future->event.photons)
        return 0;
    return __atomic_load_n(&s->launch.ready[part], __ATOMIC_ACQUIRE) == slot->ticket + 1 ? most : 0;
}

bool session_has_parts(const photon_session *s, const session_slot *slot, bool is_over)
{
    return slot->future->event.part_callback &&
           (slot->n_coming > 0 || next_part(s, slot, is_over) > 0);
}

/* Enqueues the copy. */
static bool fetch_part(photon_session *s, session_slot *slot, int64_t n)
{
    const int64_t         at = (slot - s->slot) * (int64_t)s->launch.n_parts * s->launch.part_ends;
    const photon_end_row *from = s->launch.ends + at + slot->n_given;

    if (n == 0 ||
        !session_accept(s, photon_runtime_copy(s->runtime, PHOTON_STREAM_DOWNLOAD, part_of(s, slot),
                                               from, (size_t)n * sizeof *from) &&
                               photon_runtime_mark(s->runtime, PHOTON_STREAM_DOWNLOAD,
                                                   PHOTON_MARK_PART + (int)(slot - s->slot))))
        return false;
    slot->range    = session_range_start("part", slot->future->event.seed);
    slot->n_coming = n;
    return true;
}

bool session_move_parts(photon_session *s, session_slot *slot, bool is_over)
{
    photon_future *const f = slot->future;

    if (!f->event.part_callback)
        return false;
    if (slot->n_coming == 0)
        return fetch_part(s, slot, next_part(s, slot, is_over));
    if (!photon_runtime_is_past(s->runtime, PHOTON_MARK_PART + (int)(slot - s->slot)))
        return false;
    session_end_copy(slot);
    const photon_part part = { .seed    = f->event.seed,
                               .photons = f->event.photons,
                               .first   = slot->n_given,
                               .n       = slot->n_coming,
                               .age_ns  = (double)(session_now_ns() - f->submitted_ns),
                               .ends    = part_of(s, slot) };

    f->event.part_callback(f->event.context, s, &part);
    slot->n_given += slot->n_coming;
    slot->n_coming = 0;
    return true;
}
