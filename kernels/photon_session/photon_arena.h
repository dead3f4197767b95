/* The arenas, for the files of photon_session itself. */
#ifndef PHOTON_ARENA_H
#define PHOTON_ARENA_H

#include "photon_runtime.h"

/* A detector is one allocation, its parts aligned to 256 bytes. */
enum {
    PHOTON_ARENA_NODES,
    PHOTON_ARENA_TRIANGLES,
    PHOTON_ARENA_FACES,
    PHOTON_ARENA_MEDIA,
    PHOTON_ARENA_SURFACES,
    PHOTON_ARENA_PARTS
};

typedef struct photon_arena_part {
    const void *from;
    size_t      bytes;
    size_t      room, at; /* of the part in the allocation */
} photon_arena_part;

/* Fills in all parts; returns the sum of their rooms. */
size_t photon_arena_parts(const photon_detector *detector,
                          photon_arena_part      parts[PHOTON_ARENA_PARTS]);
bool   photon_arena_is_sound(const photon_detector *detector);

struct photon_device_arena {
    photon_runtime *runtime;
    int             n_detectors;
    photon_world    world[PHOTON_DETECTORS_MOST]; /* device memory; n_top: number of nodes */
    void           *memory[PHOTON_DETECTORS_MOST];
    char *mirror[PHOTON_DETECTORS_MOST];  /* what that memory holds; NULL: it is not ours */
    bool  is_torn[PHOTON_DETECTORS_MOST]; /* an update failed: the memory may differ from the mirror
                                           */
    photon_arena_part part[PHOTON_DETECTORS_MOST][PHOTON_ARENA_PARTS]; /* room, at */
    int64_t           n_tally_of[PHOTON_DETECTORS_MOST];
    int64_t           n_tally; /* the largest number of tally words when the arena was made */
    int64_t           n_faces[PHOTON_DETECTORS_MOST];
    uint64_t          digest[PHOTON_DETECTORS_MOST]; /* of all that the device has of a detector */
    int               device;
};

/* What events and checkpoints need to know of a detector on the device: its parts, whose digest
 * names it. */
void photon_arena_describe(photon_device_arena *arena, int detector,
                           const photon_geometry  *geometry,
                           const photon_arena_part parts[PHOTON_ARENA_PARTS]);

/* Does the device have what the host says that it has, for all detectors? */
bool photon_arena_is_whole(const photon_device_arena *arena);

/* Claims the device for one session, or for one update of an arena; false if it is claimed
 * already. */
bool photon_arena_claim_device(const photon_device_arena *arena);
void photon_arena_unclaim_device(const photon_device_arena *arena);

/* An arena of one detector that is already in device memory and belongs to the caller, who sets
 * world[0] before each session that is opened. The host does not know what is there: no updates,
 * and no session with checkpoints. NO_DEVICE and NO_MEMORY leave *arena NULL. */
photon_session_status photon_device_arena_around(int device, int64_t n_tally,
                                                 photon_device_arena **arena);

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

/* Was it made for this arena? A result from another arena has no room for its tally. */
bool photon_staging_is_of(const photon_staging_arena *arena, const photon_device_arena *device);

int64_t photon_staging_most(const photon_staging_arena *arena);
bool    photon_staging_has_uploads(const photon_staging_arena *arena);

/* A segment that is not in use, or NULL. An upload is pages of reals for the arena's most photons;
 * a result is the tally, then records. */
void *photon_staging_take(photon_staging_arena *arena, photon_segment kind);
void  photon_staging_give(photon_staging_arena *arena, photon_segment kind, void *segment);
/* Words of the tally in a result; the records follow. */
int64_t photon_staging_tally_words(const photon_staging_arena *arena);

#endif
