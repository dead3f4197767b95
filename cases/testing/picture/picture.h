/* Pictures of fields for people to look at: colour scales, drawing, and files (PNG, GIF). Pictures
 * have a table of 256 colours, so that files are small and both formats keep every pixel. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    PICTURE_COLOURS = 256,
    PICTURE_SHADES  = 254, /* of a scale; the two after them are for its surroundings */
    PICTURE_PAPER   = PICTURE_SHADES,
    PICTURE_INK,
    PICTURE_CLASSES_MOST = 10,
    PICTURE_SIDE_MOST    = 16384, /* rows and columns, in files and of pictures */
};

/* ---- scales: from a share of white, 0 to 1, to a colour */

typedef struct picture_scale {
    int     n_classes;                       /* of a map; 0: a palette, which has no steps */
    double  threshold[PICTURE_CLASSES_MOST]; /* where a class begins; the first begins at 0 */
    uint8_t colour[PICTURE_COLOURS][3];
} picture_scale;

/* Palettes rise evenly in lightness (CIE L*). Only `balance` has its lightest colour in the middle,
 * for numbers of both signs. false: there is no palette of this name. */
bool picture_palette(const char *name, picture_scale *scale);
/* Maps are discrete: everything between two thresholds is one kind of ground. */
bool picture_map(const char *name, picture_scale *scale);
/* Their names, one by one; NULL after the last one. */
const char *picture_palette_name(int i);
const char *picture_map_name(int i);

/* A value that is not a number becomes 0. */
uint8_t picture_shade(const picture_scale *scale, double share);
/* Lightness of a colour, CIE L*: 0 to 100. */
double picture_lightness(const uint8_t colour[3]);

/* ---- drawing */

typedef struct picture {
    int64_t  height, width;
    uint8_t *shade; /* [height * width], owned; numbers of colours */
    uint8_t  colour[PICTURE_COLOURS][3];
} picture;

/* A picture of paper only, with the colours of the scale. false: out of memory, or a side is not 1
 * to PICTURE_SIDE_MOST. The caller frees. */
bool picture_create(picture *p, int64_t height, int64_t width, const picture_scale *scale);
void picture_free(picture *p); /* accepts NULL, and a picture of zeros */

typedef struct picture_field {
    const float *value; /* [height * width] */
    int64_t      height, width;
    double       low, high; /* of the scale's first and last colour */
    int64_t      zoom;      /* pixels on a side of a cell */
} picture_field;

/* Parts outside the picture are left out. */
void picture_draw_field(picture *p, int64_t y, int64_t x, const picture_field *field,
                        const picture_scale *scale);
void picture_draw_disc(picture *p, int64_t y, int64_t x, int64_t radius, uint8_t shade);

enum {
    PICTURE_TEXT_HEIGHT = 10, /* pixels, without the space between lines */
    PICTURE_TEXT_WIDTH  = 8   /* of a letter, including the space after it */
};
/* Draws in ink, capitals only; a letter that the font lacks is a gap. */
void picture_draw_text(picture *p, int64_t y, int64_t x, const char *text);

/* ---- files; false: `error` says what is wrong with which file */

bool picture_write_png(const char *path, const picture *p, char *error, size_t size);

/* Reads any PNG row by row as red, green, blue and opacity of 16 bits each. `begin` gets the size
 * before the first row, and may refuse it with a reason. */
typedef struct picture_reader {
    bool (*begin)(void *context, int64_t height, int64_t width, char *why, size_t size);
    void (*row)(void *context, int64_t y, int64_t width, const uint16_t *rgba);
    void *context;
} picture_reader;
bool picture_read_png(const char *path, const picture_reader *reader, char *error, size_t size);
/* Does the file begin as a PNG does? */
bool picture_is_png(const char *path);

/* Pictures of one size and one colour table, one after another, in an endless loop. */
typedef struct picture_animation picture_animation;
picture_animation *picture_animation_open(const char *path, const picture *first, char *error,
                                          size_t size); /* NULL: it could not */
bool               picture_animation_add(picture_animation *a, const picture *p, int delay_ms);
/* Accepts NULL. false: not everything could be written, and `error` says why. */
bool picture_animation_close(picture_animation *a, char *error, size_t size);

#endif
