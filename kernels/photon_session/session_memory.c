/* What a session allocates before its kernel is launched, and its configuration. */
#include "session_internal.h"

#include <stdlib.h>
#include <string.h>

/* The largest measured size at which direct records are faster than copied ones:
 * docs/photon_session_h200.md. */
enum {
    ZERO_COPY_MOST = 1000
};

static int or_else(int given, int otherwise) { return given != 0 ? given : otherwise; }

bool session_configure(const photon_session_config *given, photon_session_config *c)
{
    *c                      = *given;
    c->slots                = or_else(c->slots, 4);
    c->queue                = or_else(c->queue, 16);
    c->staged_nodes         = or_else(c->staged_nodes, 512);
    c->cadence.vacant_lanes = or_else(c->cadence.vacant_lanes, 8);
    c->cadence.spawn_depth  = or_else(c->cadence.spawn_depth, 32);
    c->cadence.budget       = or_else(c->cadence.budget, 64);
    c->zero_copy_most       = c->zero_copy_most != 0 ? c->zero_copy_most : ZERO_COPY_MOST;
    c->patience_ns          = c->patience_ns != 0.0 ? c->patience_ns : 5e9;
    if (c->part_ends != 0 && (c->part_ends < PHOTON_PART_LEAST || c->part_ends > PHOTON_PART_MOST))
        return false;
    if (c->blocks == 1 && c->block == 32) /* its one warp serves the host, so none would work */
        return false;
    return c->slots > 0 && c->slots <= SESSION_SLOTS && c->queue > 0 && c->queue <= 1 << 20 &&
           c->blocks >= 0 && c->block >= 0 && c->block <= 1024 && c->block % 32 == 0 &&
           c->staged_nodes > 0 && c->cadence.vacant_lanes > 0 && c->cadence.vacant_lanes <= 32 &&
           c->cadence.every_steps >= 0 && c->cadence.budget > 0 && c->cadence.compact_below >= 0 &&
           c->cadence.compact_below <= 1 && c->sample_interval_ns >= 0 &&
           c->sample_interval_ns < 1e18 && c->patience_ns > 0 && c->patience_ns < 1e18;
}

/* ---- the launch */

static uint32_t log2_of_places(int64_t photons)
{
    uint32_t log2 = 5; /* a page */

    while ((int64_t)1 << log2 < photons)
        log2++;
    return log2;
}

static void set_cadence(session_launch *l, const photon_session_config *c)
{
    const photon_cadence *const k = &c->cadence;

    l->vacant        = (uint32_t)k->vacant_lanes;
    l->every         = k->every_steps > 0 ? (uint32_t)k->every_steps : UINT32_MAX;
    l->compact_below = (float)k->compact_below;
    l->spawn_depth =
        k->spawn_depth > 0 && !(k->compact_below > 0) ? (uint32_t)k->spawn_depth : UINT32_MAX;
    l->budget             = (uint32_t)k->budget;
    l->sample_interval_ns = (uint64_t)c->sample_interval_ns;
    l->patience_ns        = (uint64_t)c->patience_ns;
}

/* Every place may have as many ends as there are generations. */
static void set_parts(session_launch *l, int64_t part_ends, int64_t photons_most)
{
    const int64_t rows = PHOTON_GENERATIONS * photons_most;
    const int64_t ends = part_ends < rows ? part_ends : rows;

    l->part_ends = (uint32_t)ends;
    l->n_parts   = ends > 0 ? (uint32_t)((rows + ends - 1) / ends) : 0;
}

static void set_launch(photon_session *s)
{
    const photon_device_arena *const a = s->device_arena;
    session_launch *const            l = &s->launch;

    l->n_detectors = (uint32_t)a->n_detectors;
    for (int k = 0; k < a->n_detectors; k++) {
        l->detectors[k]       = a->world[k];
        l->detectors[k].n_top = 0;
    }
    l->detectors[0].n_top = (uint32_t)s->config.staged_nodes < a->world[0].n_top
                                ? (uint32_t)s->config.staged_nodes
                                : a->world[0].n_top;
    l->n_slots            = (uint32_t)s->config.slots;
    l->n_tally            = (uint32_t)a->n_tally;
    l->log2_places        = log2_of_places(photon_staging_most(s->staging_arena));
    l->blocks             = (uint32_t)s->config.blocks;
    l->block              = (uint32_t)or_else(s->config.block, photon_runtime_block(s->runtime));
    set_cadence(l, &s->config);
    set_parts(l, s->config.part_ends, photon_staging_most(s->staging_arena));
}

/* ---- device memory: one allocation in parts */

typedef struct layout {
    char  *base; /* NULL: only counts bytes */
    size_t bytes;
} layout;

static void *part_of(layout *at, size_t bytes)
{
    void *const part = at->base ? at->base + at->bytes : NULL;

    at->bytes += (bytes + 255) / 256 * 256;
    return part;
}

static void lay_out(photon_session *s, layout *at)
{
    session_launch *const l      = &s->launch;
    const size_t          places = (size_t)l->n_slots << l->log2_places;
    const size_t          records =
        (size_t)l->n_slots * 6 * PHOTON_GENERATIONS * (size_t)photon_staging_most(s->staging_arena);

    l->control    = part_of(at, sizeof *l->control);
    l->events     = part_of(at, l->n_slots * sizeof *l->events);
    l->clocks     = part_of(at, SESSION_SMS * sizeof *l->clocks);
    l->tallies    = part_of(at, (size_t)l->n_slots * l->n_tally * sizeof *l->tallies);
    l->rings      = part_of(at, session_rings_bytes(l));
    l->pages.real = part_of(at, places * PHOTON_REALS * sizeof *l->pages.real);
    l->pages.word = part_of(at, places * PHOTON_WORDS * sizeof *l->pages.word);
    l->records    = part_of(at, records * sizeof *l->records);
    l->written    = part_of(at, (size_t)l->n_slots * l->n_parts * sizeof *l->written);
    l->ends       = part_of(at, (size_t)l->n_slots * l->n_parts * l->part_ends * sizeof *l->ends);
}

static size_t ready_bytes(const session_launch *l)
{
    return (size_t)l->n_slots * l->n_parts * sizeof *l->ready;
}

/* Pages of the largest event. */
static size_t states_bytes(const photon_session *s)
{
    return (PHOTON_REALS + PHOTON_WORDS) * sizeof(float) *
           (size_t)photon_arena_lanes(photon_staging_most(s->staging_arena));
}

/* Clears what the kernel expects to be zero: everything before the rings. */
static bool clear(photon_session *s)
{
    const size_t bytes = (size_t)((char *)s->launch.rings - (char *)s->memory);

    memset(s->mail, 0, sizeof *s->mail);
    memset(s->launch.ready, 0, ready_bytes(&s->launch));
    return photon_runtime_zero(s->runtime, PHOTON_STREAM_INITIALIZE, s->memory, bytes) &&
           photon_runtime_wait(s->runtime, PHOTON_STREAM_INITIALIZE);
}

bool session_allocate(photon_session *s)
{
    layout at = { NULL, 0 };

    set_launch(s);
    if ((int64_t)s->launch.n_slots << s->launch.log2_places > (int64_t)1 << 31 ||
        !photon_runtime_plan(s->runtime, &s->launch) || s->launch.n_sms > SESSION_SMS)
        return false;
    lay_out(s, &at);
    s->memory = photon_runtime_alloc(s->runtime, at.bytes);
    s->mail   = photon_runtime_pin(s->runtime, sizeof *s->mail);
    s->clocks =
        photon_runtime_pin(s->runtime, SESSION_SMS * sizeof *s->clocks + sizeof *s->launch.control);
    s->parts = photon_runtime_pin(s->runtime, (size_t)s->launch.n_slots * s->launch.part_ends *
                                                  sizeof *s->parts);
    if (s->config.has_checkpoints)
        s->states = photon_runtime_pin(s->runtime, states_bytes(s));
    s->launch.ready = photon_runtime_pin(s->runtime, ready_bytes(&s->launch));
    s->queue        = calloc((size_t)s->config.queue, sizeof *s->queue);
    if (!s->memory || !s->mail || !s->clocks || !s->parts ||
        (s->config.has_checkpoints && !s->states) || !s->launch.ready || !s->queue)
        return false;
    at             = (layout) { s->memory, 0 };
    s->launch.mail = s->mail;
    lay_out(s, &at);
    return clear(s);
}

void session_release(photon_session *s)
{
    photon_runtime_release(s->runtime, s->memory);
    photon_runtime_unpin(s->runtime, s->mail);
    photon_runtime_unpin(s->runtime, s->clocks);
    photon_runtime_unpin(s->runtime, s->parts);
    photon_runtime_unpin(s->runtime, s->states);
    photon_runtime_unpin(s->runtime, s->launch.ready);
    free(s->queue);
    s->memory       = NULL;
    s->mail         = NULL;
    s->clocks       = NULL;
    s->parts        = NULL;
    s->states       = NULL;
    s->launch.ready = NULL;
    s->queue        = NULL;
}
