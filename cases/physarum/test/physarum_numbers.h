/* The numbers of a step, as the programs beside the cases let users set them. */
#ifndef PHYSARUM_NUMBERS_H
#define PHYSARUM_NUMBERS_H

#include "../../../reference/physarum/physarum.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum physarum_number_type {
    PHYSARUM_SINGLE,
    PHYSARUM_DOUBLE,
    PHYSARUM_CELLS /* the width of the mean's square: an int, 3 or 5 */
} physarum_number_type;

typedef struct physarum_number {
    const char *name, *key; /* name: the article's; key: short, for a word with other numbers */
    size_t      place;      /* in physarum_model */
    physarum_number_type type;
    double               least, most;
} physarum_number;

/* Step, distance of the sensors, angle between them and of a turn (one number in the article, too),
 * strength (the weight of the mean in the new field), decay, deposit, and diffusion (cells of the
 * mean's width). */
enum {
    PHYSARUM_N_NUMBERS     = 7,
    PHYSARUM_NUMBER_REASON = 64
};
extern const physarum_number physarum_numbers[PHYSARUM_N_NUMBERS];

/* Finds a number by the `length` letters of its name; NULL: there is none. */
const physarum_number *physarum_number_find(const char *name, size_t length);

/* False: the word is not one of its values; `why` then describes these: "a number from 0 to 1". */
bool physarum_number_read(const physarum_number *n, const char *word, double *value,
                          char why[PHYSARUM_NUMBER_REASON]);
void physarum_number_set(const physarum_number *n, double value, physarum_model *m);

#endif
