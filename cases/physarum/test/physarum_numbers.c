/* Numbers of a step: one table of their names, ranges and places. */
#include "physarum_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const physarum_number physarum_numbers[PHYSARUM_N_NUMBERS] = {
    { "step", "step", offsetof(physarum_model, step), PHYSARUM_SINGLE, 0, 1024 },
    { "distance", "reach", offsetof(physarum_model, reach), PHYSARUM_SINGLE, 0, 1024 },
    { "angle", "spread", offsetof(physarum_model, spread), PHYSARUM_SINGLE, 0, 3.1416 },
    { "strength", "blend", offsetof(physarum_model, blend), PHYSARUM_DOUBLE, 0, 1 },
    { "decay", "decay", offsetof(physarum_model, decay), PHYSARUM_DOUBLE, 0, 1 },
    { "deposit", "deposit", offsetof(physarum_model, deposit), PHYSARUM_DOUBLE, 0, 1e6 },
    { "diffusion", "blur", offsetof(physarum_model, blur), PHYSARUM_CELLS, 3, 5 },
};

const physarum_number *physarum_number_find(const char *name, size_t length)
{
    for (int i = 0; i < PHYSARUM_N_NUMBERS; i++)
        if (strlen(physarum_numbers[i].name) == length &&
            memcmp(name, physarum_numbers[i].name, length) == 0)
            return &physarum_numbers[i];
    return NULL;
}

bool physarum_number_read(const physarum_number *n, const char *word, double *value,
                          char why[PHYSARUM_NUMBER_REASON])
{
    char *end;

    *value = strtod(word, &end);
    if (end != word && *end == 0 && *value >= n->least && *value <= n->most &&
        (n->type != PHYSARUM_CELLS || *value == 3 || *value == 5))
        return true;
    if (n->type == PHYSARUM_CELLS)
        (void)snprintf(why, PHYSARUM_NUMBER_REASON, "3 or 5, cells along a side");
    else
        (void)snprintf(why, PHYSARUM_NUMBER_REASON, "a number from %g to %g", n->least, n->most);
    return false;
}

void physarum_number_set(const physarum_number *n, double value, physarum_model *m)
{
    char *const place  = (char *)m + n->place;
    const float single = (float)value;
    const int   cells  = (int)value;

    if (n->type == PHYSARUM_SINGLE)
        memcpy(place, &single, sizeof single);
    if (n->type == PHYSARUM_DOUBLE)
        memcpy(place, &value, sizeof value);
    if (n->type == PHYSARUM_CELLS)
        memcpy(place, &cells, sizeof cells);
}
