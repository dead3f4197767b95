/* A checkpoint as it is in memory and in files: a head, the tally [n_tally], the records of all
 * rows as in a result, and the photons that are left [n_left], in order of place. Words have the
 * host's byte order. Only for photon_session's own files. */
#ifndef SESSION_CHECKPOINT_H
#define SESSION_CHECKPOINT_H

#include "../photon_propagate/propagate_case.h"

#include <stdint.h>

#define CHECKPOINT_MAGIC "photons\n" /* without a NUL */
enum {
    CHECKPOINT_VERSION      = 1,
    CHECKPOINT_RECORD_BYTES = 4 * 6 * PHOTON_GENERATIONS /* of one photon */
};

typedef struct checkpoint_head {
    char     magic[8];
    uint32_t version, n_tally;
    uint64_t checksum; /* photon_digest of everything after it */
    uint64_t detector; /* its digest */
    int64_t  photons, n_left;
    uint32_t steps, seed;
} checkpoint_head;

/* The fields of the photon's pages, without the weight. */
typedef struct checkpoint_photon {
    uint32_t place;
    float    real[PHOTON_WEIGHT];
    uint32_t word[PHOTON_WORDS];
} checkpoint_photon;

#endif
