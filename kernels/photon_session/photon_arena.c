/* Memory that outlives events: detectors on the device, pinned segments on the host. */
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

/* ---- detectors: one allocation each, its parts aligned to 256 bytes */

enum {
    PART_NODES,
    PART_TRIANGLES,
    PART_FACES,
    PART_MEDIA,
    PART_SURFACES,
    PARTS
};

typedef struct part {
    const void *from;
    size_t      bytes, at;
} part;

static size_t parts_of(const photon_detector *d, part p[PARTS])
{
    const photon_geometry *g     = d->geometry;
    size_t                 total = 0;

    p[PART_NODES]     = (part) { g->node, (size_t)g->n_nodes * sizeof *g->node, 0 };
    p[PART_TRIANGLES] = (part) { g->triangle, (size_t)g->n_triangles * sizeof *g->triangle, 0 };
    p[PART_FACES]     = (part) { g->face, (size_t)g->n_triangles * sizeof *g->face, 0 };
    p[PART_MEDIA]     = (part) { d->media, PHOTON_MEDIA * PHOTON_MEDIUM_SIZE * sizeof(float), 0 };
    p[PART_SURFACES] =
        (part) { d->surfaces, PHOTON_SURFACES * PHOTON_SURFACE_SIZE * sizeof(float), 0 };
    for (int k = 0; k < PARTS; k++) {
        p[k].at = total;
        total += (p[k].bytes + 255) / 256 * 256;
    }
    return total;
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

/* What events and checkpoints ask of the next detector. */
static void describe(photon_device_arena *arena, const photon_detector *d, const part p[PARTS])
{
    const int     k = arena->n_detectors;
    const int64_t n = PHOTON_TALLIES + d->geometry->n_sensors;

    arena->n_tally_of[k] = n;
    arena->n_tally       = n > arena->n_tally ? n : arena->n_tally;
    arena->n_faces[k]    = d->geometry->n_triangles;
    arena->digest[k]     = PHOTON_DIGEST;
    for (int j = 0; j < PARTS; j++)
        arena->digest[k] = photon_digest(arena->digest[k], p[j].from, p[j].bytes);
}

/* Through pinned memory, on the stream of uploads. */
static photon_session_status add_detector(photon_device_arena *arena, const photon_detector *d)
{
    part                p[PARTS];
    const size_t        total  = parts_of(d, p);
    char *const         device = photon_runtime_alloc(arena->runtime, total);
    char *const         pinned = photon_runtime_pin(arena->runtime, total);
    photon_world *const w      = &arena->world[arena->n_detectors];
    bool                works  = device && pinned;

    describe(arena, d, p);
    arena->memory[arena->n_detectors++] = device;
    for (int k = 0; works && k < PARTS; k++)
        memcpy(pinned + p[k].at, p[k].from, p[k].bytes);
    works = works &&
            photon_runtime_copy(arena->runtime, PHOTON_STREAM_UPLOAD, device, pinned, total) &&
            photon_runtime_wait(arena->runtime, PHOTON_STREAM_UPLOAD);
    photon_runtime_unpin(arena->runtime, pinned);
    if (!works)
        return PHOTON_SESSION_NO_MEMORY;
    w->nodes     = (const photon_node *)(device + p[PART_NODES].at);
    w->top       = w->nodes;
    w->n_top     = (uint32_t)d->geometry->n_nodes;
    w->triangles = (const float *)(device + p[PART_TRIANGLES].at);
    w->faces     = (const uint32_t *)(device + p[PART_FACES].at);
    w->media     = (const float *)(device + p[PART_MEDIA].at);
    w->surfaces  = (const float *)(device + p[PART_SURFACES].at);
    return PHOTON_SESSION_OK;
}

static bool is_sound(const photon_detector *d)
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
        if (!is_sound(&detectors[k]))
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

void photon_device_arena_free(photon_device_arena *arena)
{
    if (!arena)
        return;
    for (int k = 0; k < arena->n_detectors; k++)
        photon_runtime_release(arena->runtime, arena->memory[k]);
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
    (void)pthread_mutex_destroy(&a->lock); /* nobody holds it */
    free(a);
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
