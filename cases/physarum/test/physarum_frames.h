/* The command line of physarum_frames. Only for its own files. */
#ifndef PHYSARUM_FRAMES_H
#define PHYSARUM_FRAMES_H

#include "physarum_numbers.h"
#include "physarum_test.h"

#include "../../testing/picture/picture.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    FRAMES_VALUES_MOST = 12,
    FRAMES_WORD_SIZE   = 16,
    FRAMES_ERROR_SIZE  = 4608
};

/* A number of a step, and the values that it takes in a sheet. */
typedef struct frames_sweep {
    const physarum_number *number; /* NULL: none */
    int                    n;
    double                 value[FRAMES_VALUES_MOST];
    char                   word[FRAMES_VALUES_MOST][FRAMES_WORD_SIZE]; /* as they were given */
} frames_sweep;

typedef struct frames_options {
    physarum_model model;
    int64_t        steps, every, zoom, seed;
    const char    *image;                      /* NULL: the field begins empty */
    const char    *frames, *animation, *sheet; /* what to write; NULL: not that */
    frames_sweep   down, across;               /* of the sheet: --grid and --by */
    picture_scale  scale;
    bool           uses_kernels;
} frames_options;

/* False: `error` says which word is wrong. `device` is the one that may be chosen instead of the
 * reference. */
bool frames_parse(int argc, char **argv, const char *device, frames_options *o, char *error,
                  size_t size);

void frames_print_usage(FILE *to, const char *device);

#endif
