/* The arenas from inside. */
#ifndef PHOTON_ARENA_H
#define PHOTON_ARENA_H

#include "photon_runtime.h"

struct photon_device_arena {
    photon_runtime *runtime;
    int             n_detectors;
    photon_world    world[PHOTON_DETECTORS_MOST]; /* device memory; n_top: nodes there are */
    void           *memory[PHOTON_DETECTORS_MOST];
    int64_t         n_tally_of[PHOTON_DETECTORS_MOST];
    int64_t         n_tally; /* the most of them */
    int64_t         n_faces[PHOTON_DETECTORS_MOST];
    uint64_t        digest[PHOTON_DETECTORS_MOST]; /* of all that the device has of a detector */
    int             device;
};

typedef enum photon_segment {
    PHOTON_SEGMENT_UPLOAD,
    PHOTON_SEGMENT_RESULT,
    PHOTON_SEGMENTS
} photon_segment;

/* FNV-1a over words of 32 bits; the first call has digest PHOTON_DIGEST. */
#define PHOTON_DIGEST 0xcbf29ce484222325u
uint64_t photon_digest(uint64_t digest, const void *words, size_t bytes);

/* Places of one event: whole pages. */
int64_t photon_arena_lanes(int64_t photons);

int64_t photon_staging_most(const photon_staging_arena *arena);
bool    photon_staging_has_uploads(const photon_staging_arena *arena);

/* A segment that nobody has, or NULL. An upload is pages of reals of the arena's most photons; a
 * result the tally, then records. */
void *photon_staging_take(photon_staging_arena *arena, photon_segment kind);
void  photon_staging_give(photon_staging_arena *arena, photon_segment kind, void *segment);
/* Words of the tally in a result: records follow. */
int64_t photon_staging_tally_words(const photon_staging_arena *arena);

#endif
