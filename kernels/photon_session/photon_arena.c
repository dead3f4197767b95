/* Memory that outlives events: detectors on the device, and pinned segments on the host. */
#include "photon_arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

const char *photon_session_status_text(photon_session_status status)
{
    static const char *const text[] = {
#define X(name, sentence) sentence,
        PHOTON_SESSION_STATUS_MAP(X)
#undef X
    };
    const size_t at = (size_t)status;

    return at < sizeof text / sizeof *text ? text[at] : "unknown status";
}

/* ---- detectors */

static photon_arena_part part_of(const void *from, size_t bytes, size_t room)
{
    return (photon_arena_part) { from, bytes, (room + 255) / 256 * 256, 0 };
}

/* Each part has room for any tree over as many triangles. */
size_t photon_arena_parts(const photon_detector *d, photon_arena_part p[PHOTON_ARENA_PARTS])
{
    const photon_geometry *g        = d->geometry;
    const size_t           n        = (size_t)g->n_triangles;
    const size_t           nodes    = (size_t)photon_geometry_nodes_most(g->n_triangles);
    const size_t           media    = PHOTON_MEDIA * PHOTON_MEDIUM_SIZE * sizeof(float);
    const size_t           surfaces = PHOTON_SURFACES * PHOTON_SURFACE_SIZE * sizeof(float);
    size_t                 total    = 0;

    p[PHOTON_ARENA_NODES] =
        part_of(g->node, (size_t)g->n_nodes * sizeof *g->node, nodes * sizeof *g->node);
    p[PHOTON_ARENA_TRIANGLES] =
        part_of(g->triangle, n * sizeof *g->triangle, n * sizeof *g->triangle);
    p[PHOTON_ARENA_FACES]    = part_of(g->face, n * sizeof *g->face, n * sizeof *g->face);
    p[PHOTON_ARENA_MEDIA]    = part_of(d->media, media, media);
    p[PHOTON_ARENA_SURFACES] = part_of(d->surfaces, surfaces, surfaces);
    for (int k = 0; k < PHOTON_ARENA_PARTS; k++) {
        p[k].at = total;
        total += p[k].room;
    }
    return total;
}

static void set_world(photon_device_arena *arena, int k)
{
    const char *const              device = arena->memory[k];
    const photon_arena_part *const p      = arena->part[k];
    photon_world *const            w      = &arena->world[k];

    w->nodes     = (const photon_node *)(device + p[PHOTON_ARENA_NODES].at);
    w->top       = w->nodes;
    w->triangles = (const float *)(device + p[PHOTON_ARENA_TRIANGLES].at);
    w->faces     = (const uint32_t *)(device + p[PHOTON_ARENA_FACES].at);
    w->media     = (const float *)(device + p[PHOTON_ARENA_MEDIA].at);
    w->surfaces  = (const float *)(device + p[PHOTON_ARENA_SURFACES].at);
}

uint64_t photon_digest(uint64_t digest, const void *words, size_t bytes)
{
    const char *const at = words;

    for (size_t k = 0; k + sizeof(uint32_t) <= bytes; k += sizeof(uint32_t)) {
        uint32_t word;

        memcpy(&word, at + k, sizeof word);
        digest = (digest ^ word) * 0x100000001b3u;
    }
    return digest;
}

void photon_arena_describe(photon_device_arena *arena, int k, const photon_geometry *g,
                           const photon_arena_part p[PHOTON_ARENA_PARTS])
{
    arena->world[k].n_top = (uint32_t)g->n_nodes;
    arena->n_tally_of[k]  = PHOTON_TALLIES + g->n_sensors;
    arena->n_faces[k]     = g->n_triangles;
    arena->digest[k]      = PHOTON_DIGEST;
    for (int part = 0; part < PHOTON_ARENA_PARTS; part++)
        arena->digest[k] = photon_digest(arena->digest[k], p[part].from, p[part].bytes);
}

/* Copies through pinned memory, on the stream of uploads. */
static photon_session_status add_detector(photon_device_arena *arena, const photon_detector *d)
{
    const int                k      = arena->n_detectors++;
    photon_arena_part *const p      = arena->part[k];
    const size_t             total  = photon_arena_parts(d, p);
    char *const              device = photon_runtime_alloc(arena->runtime, total);
    char *const              mirror = calloc(total, 1);
    char *const              pinned = photon_runtime_pin(arena->runtime, total);
    bool                     works  = device && mirror && pinned;

    arena->memory[k] = device;
    arena->mirror[k] = mirror;
    for (int part = 0; works && part < PHOTON_ARENA_PARTS; part++)
        memcpy(mirror + p[part].at, p[part].from, p[part].bytes);
    if (works)
        memcpy(pinned, mirror, total);
    works = works &&
            photon_runtime_copy(arena->runtime, PHOTON_STREAM_UPLOAD, device, pinned, total) &&
            photon_runtime_wait(arena->runtime, PHOTON_STREAM_UPLOAD);
    photon_runtime_unpin(arena->runtime, pinned);
    if (!works)
        return PHOTON_SESSION_NO_MEMORY;
    set_world(arena, k);
    photon_arena_describe(arena, k, d->geometry, p);
    if (arena->n_tally < arena->n_tally_of[k])
        arena->n_tally = arena->n_tally_of[k];
    return PHOTON_SESSION_OK;
}

bool photon_arena_is_sound(const photon_detector *d)
{
    return d->geometry && d->media && d->surfaces && d->geometry->n_triangles > 0;
}

photon_session_status photon_device_arena_create(int device, const photon_detector *detectors,
                                                 int n_detectors, photon_device_arena **arena)
{
    photon_device_arena  *a = NULL;
    photon_session_status st;

    *arena = NULL;
    if (!detectors || n_detectors < 1 || n_detectors > PHOTON_DETECTORS_MOST)
        return PHOTON_SESSION_INVALID;
    for (int k = 0; k < n_detectors; k++)
        if (!photon_arena_is_sound(&detectors[k]))
            return PHOTON_SESSION_INVALID;
    a = calloc(1, sizeof *a);
    if (!a)
        return PHOTON_SESSION_NO_MEMORY;
    a->device = device;
    st        = photon_runtime_open(device, &a->runtime);
    for (int k = 0; st == PHOTON_SESSION_OK && k < n_detectors; k++)
        st = add_detector(a, &detectors[k]);
    if (st != PHOTON_SESSION_OK) {
        photon_device_arena_free(a);
        return st;
    }
    *arena = a;
    return st;
}

photon_session_status photon_device_arena_around(int device, int64_t n_tally,
                                                 photon_device_arena **arena)
{
    photon_device_arena  *a = calloc(1, sizeof *a);
    photon_session_status st;

    *arena = NULL;
    if (!a)
        return PHOTON_SESSION_NO_MEMORY;
    a->device        = device;
    a->n_detectors   = 1;
    a->n_tally       = n_tally;
    a->n_tally_of[0] = n_tally;
    st               = photon_runtime_open(device, &a->runtime);
    if (st != PHOTON_SESSION_OK) {
        free(a);
        return st;
    }
    *arena = a;
    return st;
}

void photon_device_arena_free(photon_device_arena *arena)
{
    if (!arena)
        return;
    for (int k = 0; k < arena->n_detectors; k++) {
        photon_runtime_release(arena->runtime, arena->memory[k]);
        free(arena->mirror[k]);
    }
    photon_runtime_close(arena->runtime);
    free(arena);
}

/* ---- segments */

enum {
    SEGMENTS_MOST = 1024
};

struct photon_staging_arena {
    photon_runtime *runtime; /* the device arena's */
    int64_t         photons_most, tally_words;
    pthread_mutex_t lock;
    int             n[PHOTON_SEGMENTS], n_free[PHOTON_SEGMENTS];
    void           *free[PHOTON_SEGMENTS][SEGMENTS_MOST]; /* a stack */
};

int64_t photon_arena_lanes(int64_t photons)
{
    return (photons + PHOTON_PAGE - 1) / PHOTON_PAGE * PHOTON_PAGE;
}

static size_t segment_bytes(const photon_staging_arena *a, photon_segment kind)
{
    const int64_t words = kind == PHOTON_SEGMENT_UPLOAD
                              ? PHOTON_REALS * photon_arena_lanes(a->photons_most)
                              : a->tally_words + 6 * PHOTON_GENERATIONS * a->photons_most;

    return (size_t)words * sizeof(uint32_t);
}

static bool add_segments(photon_staging_arena *a, photon_segment kind, int n)
{
    for (a->n[kind] = 0; a->n[kind] < n; a->n[kind]++) {
        void *const segment = photon_runtime_pin(a->runtime, segment_bytes(a, kind));

        if (!segment)
            return false;
        a->free[kind][a->n_free[kind]++] = segment;
    }
    return true;
}

photon_session_status photon_staging_arena_create(photon_device_arena       *device_arena,
                                                  const photon_staging_spec *spec,
                                                  photon_staging_arena     **arena)
{
    photon_staging_arena *a;

    *arena = NULL;
    if (!device_arena || !spec || spec->photons_most < 1 || spec->photons_most > 1 << 28 ||
        spec->uploads < 0 || spec->uploads > SEGMENTS_MOST || spec->results < 1 ||
        spec->results > SEGMENTS_MOST)
        return PHOTON_SESSION_INVALID;
    a = calloc(1, sizeof *a);
    if (!a)
        return PHOTON_SESSION_NO_MEMORY;
    if (pthread_mutex_init(&a->lock, NULL) != 0) {
        free(a);
        return PHOTON_SESSION_NO_MEMORY;
    }
    a->runtime      = device_arena->runtime;
    a->photons_most = spec->photons_most;
    a->tally_words  = (device_arena->n_tally + 63) / 64 * 64;
    if (!add_segments(a, PHOTON_SEGMENT_UPLOAD, spec->uploads) ||
        !add_segments(a, PHOTON_SEGMENT_RESULT, spec->results)) {
        photon_staging_arena_free(a);
        return PHOTON_SESSION_NO_MEMORY;
    }
    *arena = a;
    return PHOTON_SESSION_OK;
}

void photon_staging_arena_free(photon_staging_arena *a)
{
    if (!a)
        return;
    for (int kind = 0; kind < PHOTON_SEGMENTS; kind++)
        for (int k = 0; k < a->n_free[kind]; k++)
            photon_runtime_unpin(a->runtime, a->free[kind][k]);
    (void)pthread_mutex_destroy(&a->lock); /* nobody holds the lock */
    free(a);
}

bool photon_staging_is_of(const photon_staging_arena *a, const photon_device_arena *device)
{
    return a->runtime == device->runtime;
}

int64_t photon_staging_most(const photon_staging_arena *a) { return a->photons_most; }

bool photon_staging_has_uploads(const photon_staging_arena *a)
{
    return a->n[PHOTON_SEGMENT_UPLOAD] > 0;
}

int64_t photon_staging_tally_words(const photon_staging_arena *a) { return a->tally_words; }

/* Locking a mutex that is initialised and not held by the caller does not fail. */
void *photon_staging_take(photon_staging_arena *a, photon_segment kind)
{
    void *segment = NULL;

    (void)pthread_mutex_lock(&a->lock);
    if (a->n_free[kind] > 0)
        segment = a->free[kind][--a->n_free[kind]];
    (void)pthread_mutex_unlock(&a->lock);
    return segment;
}

void photon_staging_give(photon_staging_arena *a, photon_segment kind, void *segment)
{
    (void)pthread_mutex_lock(&a->lock);
    a->free[kind][a->n_free[kind]++] = segment;
    (void)pthread_mutex_unlock(&a->lock);
}
