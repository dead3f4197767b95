/* Steps backwards: which parts of a state follow from the next state, and which from its field
 * alone. Canonical semantics. */
#ifndef PHYSARUM_BACKWARD_H
#define PHYSARUM_BACKWARD_H

#include "physarum_test.h"

/* Finds the field from which blur, blend and decay made `field`, in double. They are linear, and
 * have an inverse while a cell keeps more of itself than its mean may take, that is for blend below
 * 3/4. With the article's numbers, an error of `field` grows to at most (1 / 0.99) / 0.733 times
 * that error. [cells]. False: there is no such inverse. */
bool physarum_unblur(const physarum_model *m, const double *field, double *before);

/* A picture with which a field begins: 256 levels of grey, times 3 as in the article. */
double physarum_level(double v);

/* A state in double, with agents in the reference's order; `error`: how far cells may be off. */
typedef struct physarum_back {
    double *pos, *angle, *field;
    double  error;
} physarum_back;
physarum_back physarum_back_create(const physarum_model *m, const physarum_owned *state);
void          physarum_back_free(physarum_back *b);

/* One step backwards, in place. An agent's place and heading determine where it came from, and in
 * which cell it deposited. How it turned is one of three cases, by the heading it had before. What
 * each heading would have sensed rules some out. Of the others, the one is taken for which the cell
 * of the agent's previous deposit stands out most from its surroundings. *open: agents for which
 * sensing leaves more than one heading, or none. False: there is no inverse. */
bool physarum_step_back(const physarum_model *m, physarum_back *b, int64_t *open);

/* Finds the first field from the last one, if the agents' beginning is known, and that the first
 * field is a picture. The agents walk from a guess of it. What they deposit on their ways is
 * subtracted from the last field on the way back, and the result, in levels, is the next guess.
 * This is repeated `rounds` times, or until a guess comes again. `field`: the last field, [cells];
 * `first`: the guess to begin with, and the answer. Returns the rounds, or -1: there is no
 * inverse. */
int physarum_find_first(const physarum_model *m, const physarum_owned *start, const double *field,
                        int64_t steps, int rounds, double *first);

/* The strength in 0..0.7 with which `steps` steps from `start` come nearest to `field`: the best of
 * 33 values, then of 33 around it, four times, each time in a sixteenth of the range. */
double physarum_find_strength(const physarum_model *m, const physarum_owned *start,
                              const float *field, int64_t steps);

#endif
