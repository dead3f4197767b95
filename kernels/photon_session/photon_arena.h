/* The arenas from inside. */
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
    size_t      room, at; /* in the allocation */
} photon_arena_part;

/* Fills in all parts; the sum of their rooms. */
size_t photon_arena_parts(const photon_detector *detector,
                          photon_arena_part      parts[PHOTON_ARENA_PARTS]);
bool   photon_arena_is_sound(const photon_detector *detector);

struct photon_device_arena {
    photon_runtime   *runtime;
    int               n_detectors;
    photon_world      world[PHOTON_DETECTORS_MOST]; /* device memory; n_top: nodes there are */
    void             *memory[PHOTON_DETECTORS_MOST];
    char             *mirror[PHOTON_DETECTORS_MOST];  /* what that memory holds; NULL: not ours */
    bool              is_torn[PHOTON_DETECTORS_MOST]; /* ... as far as an update that failed came */
    photon_arena_part part[PHOTON_DETECTORS_MOST][PHOTON_ARENA_PARTS]; /* room, at */
    int64_t           n_tally_of[PHOTON_DETECTORS_MOST];
    int64_t           n_tally; /* the most of them when the arena was made */
    int64_t           n_faces[PHOTON_DETECTORS_MOST];
    uint64_t          digest[PHOTON_DETECTORS_MOST]; /* of all that the device has of a detector */
    int               device;
};

/* What events and checkpoints ask of a detector that is on the device: by its parts, whose digest
 * names it. */
void photon_arena_describe(photon_device_arena *arena, int detector,
                           const photon_geometry  *geometry,
                           const photon_arena_part parts[PHOTON_ARENA_PARTS]);

/* Has the device what the host says that it has, of all detectors? */
bool photon_arena_is_whole(const photon_device_arena *arena);

/* One session a device, or one update of an arena: false if there is one. */
bool photon_arena_claim_device(const photon_device_arena *arena);
void photon_arena_unclaim_device(const photon_device_arena *arena);

/* An arena of one detector that is in device memory already, as the caller's: world[0] is for it to
 * set, before each session that is opened. The host does not know what is there: no updates, and no
 * session with checkpoints. NO_DEVICE, NO_MEMORY leave *arena NULL. */
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

/* Was it made for this arena? A result of another one's has no room for its tally. */
bool photon_staging_is_of(const photon_staging_arena *arena, const photon_device_arena *device);

int64_t photon_staging_most(const photon_staging_arena *arena);
bool    photon_staging_has_uploads(const photon_staging_arena *arena);

/* A segment that nobody has, or NULL. An upload is pages of reals of the arena's most photons; a
 * result the tally, then records. */
void *photon_staging_take(photon_staging_arena *arena, photon_segment kind);
void  photon_staging_give(photon_staging_arena *arena, photon_segment kind, void *segment);
/* Words of the tally in a result: records follow. */
int64_t photon_staging_tally_words(const photon_staging_arena *arena);

#endif
