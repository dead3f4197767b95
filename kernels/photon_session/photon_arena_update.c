/* Changes of a detector that is on the device: pages that differ are uploaded, the others stay. */
#include "photon_arena.h"

#include <stdatomic.h>
#include <string.h>

/* ---- one session a device: a resident kernel leaves no room for another session or for an
 * update */

enum {
    DEVICES = 64
};
static atomic_bool is_claimed[DEVICES];

bool photon_arena_claim_device(const photon_device_arena *arena)
{
    return arena->device < DEVICES && !atomic_exchange(&is_claimed[arena->device], true);
}

void photon_arena_unclaim_device(const photon_device_arena *arena)
{
    atomic_store(&is_claimed[arena->device], false);
}

bool photon_arena_is_whole(const photon_device_arena *arena)
{
    for (int k = 0; k < arena->n_detectors; k++)
        if (arena->is_torn[k])
            return false;
    return true;
}

/* ---- pages */

typedef struct update {
    photon_device_arena *arena;
    int                  detector;
    photon_arena_part    part[PHOTON_ARENA_PARTS]; /* the new detector, at the old one's places */
    char                *pinned;                   /* what is uploaded, page after page */
    size_t               bytes;                    /* bytes in `pinned` */
} update;

/* Bytes of the page of a part that begins at this place. */
static size_t page_of(const photon_arena_part *p, size_t at)
{
    return p->bytes - at < PHOTON_UPDATE_PAGE ? p->bytes - at : PHOTON_UPDATE_PAGE;
}

static bool differs(const update *u, const photon_arena_part *p, size_t at)
{
    return u->arena->is_torn[u->detector] ||
           memcmp(u->arena->mirror[u->detector] + p->at + at, (const char *)p->from + at,
                  page_of(p, at)) != 0;
}

static size_t count_bytes(const update *u)
{
    size_t n = 0;

    for (const photon_arena_part *p = u->part; p < u->part + PHOTON_ARENA_PARTS; p++)
        for (size_t at = 0; at < p->bytes; at += PHOTON_UPDATE_PAGE)
            n += differs(u, p, at) ? page_of(p, at) : 0;
    return n;
}

/* Enqueues a stretch of a part's pages as one copy. */
static bool upload(update *u, const photon_arena_part *p, size_t begin, size_t end)
{
    char *const device = u->arena->memory[u->detector];
    const char *from   = u->pinned + u->bytes;

    memcpy(u->pinned + u->bytes, (const char *)p->from + begin, end - begin);
    u->bytes += end - begin;
    return photon_runtime_copy(u->arena->runtime, PHOTON_STREAM_UPLOAD, device + p->at + begin,
                               from, end - begin);
}

static bool upload_part(update *u, const photon_arena_part *p)
{
    size_t begin = 0;
    bool   works = true;

    for (size_t at = 0; at < p->bytes && works; at += PHOTON_UPDATE_PAGE)
        if (!differs(u, p, at)) {
            works = at == begin || upload(u, p, begin, at);
            begin = at + page_of(p, at);
        }
    return works && (begin >= p->bytes || upload(u, p, begin, p->bytes));
}

/* Afterwards the device has what the mirror has, and earlier checkpoints belong to another
 * detector. */
static void keep(const update *u, const photon_geometry *g)
{
    for (const photon_arena_part *p = u->part; p < u->part + PHOTON_ARENA_PARTS; p++)
        memcpy(u->arena->mirror[u->detector] + p->at, p->from, p->bytes);
    photon_arena_describe(u->arena, u->detector, g, u->part);
}

static photon_session_status carry_out(update *u, const photon_detector *changed,
                                       photon_update *result)
{
    const size_t n     = count_bytes(u);
    bool         works = true;

    result->bytes_uploaded = (int64_t)n;
    for (const photon_arena_part *p = u->part; p < u->part + PHOTON_ARENA_PARTS; p++)
        result->bytes += (int64_t)p->bytes;
    u->pinned = photon_runtime_pin(u->arena->runtime, n);
    if (!u->pinned)
        return PHOTON_SESSION_NO_MEMORY;
    for (const photon_arena_part *p = u->part; p < u->part + PHOTON_ARENA_PARTS && works; p++)
        works = upload_part(u, p);
    works = photon_runtime_wait(u->arena->runtime, PHOTON_STREAM_UPLOAD) && works;
    photon_runtime_unpin(u->arena->runtime, u->pinned);
    u->arena->is_torn[u->detector] = !works;
    if (!works)
        return PHOTON_SESSION_LOST;
    keep(u, changed->geometry);
    return PHOTON_SESSION_OK;
}

/* ---- the call */

/* Places are those in the allocation. */
static bool fits(update *u, const photon_detector *changed)
{
    (void)photon_arena_parts(changed, u->part);
    for (int k = 0; k < PHOTON_ARENA_PARTS; k++) {
        if (u->part[k].bytes > u->arena->part[u->detector][k].room)
            return false;
        u->part[k].at = u->arena->part[u->detector][k].at;
    }
    return PHOTON_TALLIES + changed->geometry->n_sensors <= u->arena->n_tally;
}

photon_session_status photon_device_arena_update(photon_device_arena *arena, int detector,
                                                 const photon_detector *changed,
                                                 photon_update         *result)
{
    update                u    = { .arena = arena, .detector = detector };
    photon_update         made = { 0, 0 };
    photon_session_status st;

    if (!arena || !changed || detector < 0 || detector >= arena->n_detectors ||
        !arena->mirror[detector] || !photon_arena_is_sound(changed))
        return PHOTON_SESSION_INVALID;
    if (!fits(&u, changed))
        return PHOTON_SESSION_TOO_LARGE;
    if (!photon_arena_claim_device(arena))
        return PHOTON_SESSION_BUSY;
    st = carry_out(&u, changed, &made);
    photon_arena_unclaim_device(arena);
    if (result)
        *result = made;
    return st;
}
