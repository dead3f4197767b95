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

/* `steps` steps from `start`. A piece is the list of the cells that agents deposit in, step by
 * step. On one piece the field is a polynomial of cells and of strength, decay and deposit, and
 * does not depend on where agents are. */
typedef struct physarum_step_map {
    const physarum_model *m;
    const physarum_owned *start;
    int64_t               steps;
    physarum_owned        run; /* overwritten */
} physarum_step_map;
physarum_map   physarum_step_map_of(physarum_step_map *s);
physarum_group physarum_step_map_group(const physarum_step_map *s, physarum_kind kind);

/* The change of the field's sum, over eps, by the toy model of totals (physarum_toy.h): on a torus
 * it is exact, apart from roundings. */
double physarum_step_map_toy_sum(const physarum_step_map *s, physarum_kind kind, double eps);

#endif
