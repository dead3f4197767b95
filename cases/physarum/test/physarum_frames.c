/* Runs a simulation on the CPU and writes its field every so many steps, for people who would
 * rather look:
 *
 *   physarum_frames SEMANTICS SIDE AGENTS STEPS EVERY PREFIX [IMAGE.pgm]
 *
 * SEMANTICS is canonical, torch or triton. Frames are PREFIX_00000.ppm and so on. With an image the
 * field begins as the image, times 3, as in the article; else it is empty. */
#include "physarum_image.h"
#include "physarum_test.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float STRENGTH = 3;

static int semantics_of(const char *word)
{
    static const char *const words[] = { "canonical", "torch", "triton" };

    for (int i = 0; i < 3; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

/* White is what 1 of 200 cells is above. */
static double white_of(const float *field, int64_t cells)
{
    double most = 0, level;

    for (int64_t i = 0; i < cells; i++)
        most = fmax(most, (double)field[i]);
    for (level = most; level > 0.01 * most; level *= 0.9) {
        int64_t n_above = 0;

        for (int64_t i = 0; i < cells; i++)
            n_above += (double)field[i] > level;
        if (n_above * 200 > cells)
            break;
    }
    return level;
}

static bool write_frame(const physarum_model *m, const float *field, const char *prefix,
                        int64_t step)
{
    char path[4096], error[4608];

    if (snprintf(path, sizeof path, "%s_%05" PRId64 ".ppm", prefix, step) >= (int)sizeof path)
        return false;
    if (physarum_image_write(path, field, m->height, m->width,
                             white_of(field, m->height * m->width), true, error, sizeof error))
        return true;
    (void)fprintf(stderr, "physarum_frames: %s\n", error);
    return false;
}

static bool start_from(const char *path, const physarum_model *m, float *field)
{
    physarum_image image;
    char           error[4608];

    if (!physarum_image_read(path, &image, error, sizeof error)) {
        (void)fprintf(stderr, "physarum_frames: %s\n", error);
        return false;
    }
    physarum_image_to_field(&image, m->height, m->width, STRENGTH, field);
    physarum_image_free(&image);
    return true;
}

static int run(const physarum_model *m, int64_t steps, int64_t every, char **words)
{
    physarum_owned s     = physarum_state_create(m);
    bool           is_ok = true;

    physarum_state_seed(m, 1, &s);
    if (words[1])
        is_ok = start_from(words[1], m, s.field);
    is_ok = is_ok && write_frame(m, s.field, words[0], 0);
    for (int64_t k = every; k <= steps && is_ok; k += every) {
        (void)physarum_advance(m, s.pos, s.angle, s.field, every);
        is_ok = write_frame(m, s.field, words[0], k);
    }
    physarum_state_free(&s);
    return is_ok ? 0 : 1;
}

int main(int argc, char **argv)
{
    const int      semantics = argc > 6 ? semantics_of(argv[1]) : -1;
    int64_t        n[4]      = { 0 }; /* side, agents, steps, every */
    physarum_model m;

    for (int i = 0; i < 4 && semantics >= 0; i++)
        n[i] = strtoll(argv[2 + i], NULL, 10);
    if (semantics < 0 || argc > 8 || n[0] < 2 || n[0] > PHYSARUM_IMAGE_SIDE || n[1] < 0 ||
        n[2] < 0 || n[3] < 1) {
        (void)fprintf(stderr,
                      "usage: %s canonical|torch|triton SIDE AGENTS STEPS EVERY PREFIX "
                      "[IMAGE.pgm]\n",
                      argv[0]);
        return 4;
    }
    m = physarum_test_model(semantics, n[0], n[0], n[1]);
    return run(&m, n[2], n[3], argv + 6);
}
