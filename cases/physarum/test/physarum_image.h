/* Grey images (PGM) as initial fields, and fields as images (PGM, PPM). */
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
    PHYSARUM_IMAGE_SIDE = 16384 /* most rows and most columns */
};

/* Reads a PGM, plain (P2) or raw (P5), of up to 16 bits. false: nothing is allocated, and `error`
 * says what is wrong with the file. */
bool physarum_image_read(const char *path, physarum_image *image, char *error, size_t size);
void physarum_image_free(physarum_image *image);

/* The nearest pixel of the image for each cell, times `strength`. */
void physarum_image_to_field(const physarum_image *image, int64_t height, int64_t width,
                             float strength, float *field);

/* Writes a field as raw PGM, or, with colours, as raw PPM from black over blue and orange to white;
 * white is `most`. false: `error` says why. */
bool physarum_image_write(const char *path, const float *field, int64_t height, int64_t width,
                          double most, bool has_colours, char *error, size_t size);

#endif
