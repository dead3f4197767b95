/* Some steps of the model as a map: from agents, cells and the numbers of a step to the field. */
#ifndef PHYSARUM_STEP_MAP_H
#define PHYSARUM_STEP_MAP_H

#include "physarum_map.h"
#include "physarum_test.h"

/* Coordinates, in this order: */
typedef enum physarum_kind {
    PHYSARUM_HEADING, /* of each agent */
    PHYSARUM_PLACE,   /* two of each agent */
    PHYSARUM_CELL,    /* of the field */
    PHYSARUM_STRENGTH,
    PHYSARUM_DECAY,
    PHYSARUM_DEPOSIT,
    PHYSARUM_STEP,
    PHYSARUM_DISTANCE,
    PHYSARUM_SPREAD,
    PHYSARUM_N_KINDS
} physarum_kind;
extern const char *const physarum_kind_words[PHYSARUM_N_KINDS];

/* `steps` steps from `start`. Pieces: which cells agents deposit in, step by step; on one piece the
 * field is a polynomial of cells and of strength, decay and deposit, and does not depend on where
 * agents are. */
typedef struct physarum_step_map {
    const physarum_model *m;
    const physarum_owned *start;
    int64_t               steps;
    physarum_owned        run; /* is overwritten */
} physarum_step_map;
physarum_map   physarum_step_map_of(physarum_step_map *s);
physarum_group physarum_step_map_group(const physarum_step_map *s, physarum_kind kind);

/* What the field's sum changes by, over eps, as the toy model of totals has it (physarum_toy.h): on
 * a torus exactly, but for roundings. */
double physarum_step_map_toy_sum(const physarum_step_map *s, physarum_kind kind, double eps);

#endif
