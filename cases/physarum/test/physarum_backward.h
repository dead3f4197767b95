/* Steps backwards: what of a state can be had from the one after it, and what from the field alone.
 * Canonical semantics. */
#ifndef PHYSARUM_BACKWARD_H
#define PHYSARUM_BACKWARD_H

#include "physarum_test.h"

/* The field that blur, blend and decay made `field` of, in double: they are linear, and have an
 * inverse while a cell keeps more of itself than its mean may take, which is for blend below 3/4.
 * What is known of `field` to some error is known of the field before to (1 / 0.99) / 0.733 times
 * that error at worst, with the article's numbers. [cells]. false: there is no such inverse. */
bool physarum_unblur(const physarum_model *m, const double *field, double *before);

/* A picture that a field begins with: 256 levels of grey, times 3 as in the article. */
double physarum_level(double v);

/* A state in double, of agents in the reference's order; `error`: what cells may be off by. */
typedef struct physarum_back {
    double *pos, *angle, *field;
    double  error;
} physarum_back;
physarum_back physarum_back_create(const physarum_model *m, const physarum_owned *state);
void          physarum_back_free(physarum_back *b);

/* One step backwards, in place. Where an agent came from, and which cell it deposited in, follow
 * from its place and heading. How it turned is left to the three headings that it may have had:
 * what each would have sensed rules some out, and of the others that is taken by which the cell
 * that it deposited in one step earlier stands out most from those around. *open: agents with more
 * than one, or none, that senses leave. false: there is no inverse. */
bool physarum_step_back(const physarum_model *m, physarum_back *b, int64_t *open);

/* The first field by the last one, where the agents' beginning is known, and that it is a picture:
 * their ways are those that they go from a guess of it, and what they deposit on them is taken off
 * the last field on the way back, which in levels is the next guess; `rounds` times, or until a
 * guess comes again.
 * `field`: the last field, [cells]; `first`: the guess to begin with, and the answer. Returns the
 * rounds, or -1: there is no inverse. */
int physarum_find_first(const physarum_model *m, const physarum_owned *start, const double *field,
                        int64_t steps, int rounds, double *first);

/* The strength in 0..0.7 by which `steps` steps from `start` come nearest to `field`: the best of
 * 33 values, then of 33 about it, four times, each time in a sixteenth of the range. */
double physarum_find_strength(const physarum_model *m, const physarum_owned *start,
                              const float *field, int64_t steps);

#endif
