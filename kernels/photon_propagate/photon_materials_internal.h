/* What the reader of materials knows about a file, and the tables made from that. Only for
 * photon_materials_*.c. */
#ifndef PHOTON_MATERIALS_INTERNAL_H
#define PHOTON_MATERIALS_INTERNAL_H

#include "photon_materials.h"

enum {
    MATERIALS_LINE_SIZE  = 8192,
    MATERIALS_WORDS_MOST = 2 * PHOTON_POINTS_MOST + 1,
    MATERIALS_SHARES     = 4, /* absorb, detect, diffuse, specular */

    MATERIALS_EMISSION = MATERIALS_SHARES, /* curves besides the four of a medium or a surface */
    MATERIALS_DELAY
};

/* What a curve belongs to. */
typedef enum materials_kind {
    MATERIALS_NOTHING,
    MATERIALS_MEDIUM,
    MATERIALS_SURFACE
} materials_kind;

typedef struct materials_part {
    char     name[PHOTON_NAME_SIZE];
    int      line;
    unsigned has; /* bits of its curves that have been read */
    double   value[MATERIALS_SHARES][PHOTON_WAVELENGTHS];
    double   emission[PHOTON_CDF], delay;
} materials_part;

typedef struct materials_face {
    int line, inside, outside, surface;
} materials_face;

typedef struct materials_reader {
    const char       *file, *text;
    size_t            size, at;
    int               line, n_words;
    char              bytes[MATERIALS_LINE_SIZE], *word[MATERIALS_WORDS_MOST];
    materials_part    medium[PHOTON_MEDIA], surface[PHOTON_SURFACES]; /* surface 0 does nothing */
    materials_face    face[PHOTON_FACES_MOST];
    int               n_media, n_surfaces, n_faces, source_line;
    materials_kind    kind; /* what the next curves belong to */
    photon_materials *m;
    char             *reason;
} materials_reader;

/* Writes "detector.materials:7: " and the sentence; returns `status`. */
photon_status materials_fail(const materials_reader *r, int line, photon_status status,
                             const char *format, ...) __attribute__((format(printf, 4, 5)));

/* For a whole file: media and surfaces to tables, faces to names. */
photon_status materials_write_tables(const materials_reader *r);

#endif
