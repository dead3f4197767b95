/* Caves: the trails of agents after a few steps, in classes of levels. */
#include "case_pictures.h"

#include "../../../reference/physarum/physarum.h"

#include <math.h>
#include <stdlib.h>

enum {
    SIDE   = 160,
    AGENTS = 10000,
    STEPS  = 60
};

/* The article's constants, but sensors are further away. */
static const physarum_model model = {
    .height    = SIDE,
    .width     = SIDE,
    .agents    = AGENTS,
    .semantics = PHYSARUM_CANONICAL,
    .blur      = 3,
    .step      = 1,
    .reach     = 9,
    .spread    = 0x1.921fb6p-1f,
    .blend     = 0.2,
    .decay     = 0.01,
    .deposit   = 1,
};

static void run(float *pos, float *angle, float *field)
{
    for (int i = 0; i < AGENTS; i++) {
        const uint64_t k = 3 * (uint64_t)i;

        pos[2 * i]     = (float)floor(SIDE * case_picture_random(5, k));
        pos[2 * i + 1] = (float)floor(SIDE * case_picture_random(5, k + 1));
        angle[i]       = (float)((2 * case_picture_random(5, k + 2) - 1) * 3.14159265358979);
    }
    (void)physarum_advance(&model, pos, angle, field, STEPS);
}

/* White is the level of a broad trail: a few cells are above. */
static bool draw(const float *field, picture *p)
{
    const picture_field f = { field, SIDE, SIDE, 0, 80, 2 };
    picture_scale       scale;

    if (!picture_map("caves", &scale) || !picture_create(p, 2 * SIDE, 2 * SIDE, &scale))
        return false;
    picture_draw_field(p, 0, 0, &f, &scale);
    return true;
}

bool case_picture_physarum(picture *p)
{
    float *memory   = calloc(3 * AGENTS + SIDE * SIDE, sizeof *memory);
    bool   is_drawn = false;

    if (memory) {
        run(memory, memory + 2 * AGENTS, memory + 3 * AGENTS);
        is_drawn = draw(memory + 3 * AGENTS, p);
    }
    free(memory);
    return is_drawn;
}
