/* Images (PNG, PGM) as initial fields. */
#ifndef PHYSARUM_IMAGE_H
#define PHYSARUM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct physarum_image {
    int64_t height, width;
    float  *grey; /* [height * width], 0 to 1; owned */
} physarum_image;

enum {
    PHYSARUM_IMAGE_SIDE = 16384 /* the most rows, and the most columns */
};

/* Reads a PNG of any kind, or a PGM, plain (P2) or raw (P5), of up to 16 bits. Colours become grey
 * as in the article's program, 0.299 red + 0.587 green + 0.114 blue of the stored values;
 * transparent parts lie on black. False: nothing is allocated, and `error` says what is wrong with
 * the file. */
bool physarum_image_read(const char *path, physarum_image *image, char *error, size_t size);
void physarum_image_free(physarum_image *image); /* accepts NULL */

/* The image on a grid of cells, times `strength`. Along an axis with fewer cells than pixels, a
 * cell is the mean of the image over its extent, with exact shares of the pixels on its edges: the
 * field has the image's mean. Along an axis with more cells, it is interpolated linearly between
 * the centres of pixels. False: out of memory. */
bool physarum_image_to_field(const physarum_image *image, int64_t height, int64_t width,
                             float strength, float *field);

#endif
