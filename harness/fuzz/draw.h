/* Points that nobody listed: values of the axes drawn from what a case takes, and simpler ones on
 * the way back from a failure. Pure: no device, no database. */
#ifndef ASSAY_DRAW_H
#define ASSAY_DRAW_H

#include "plan/plan.h"

/* Draw number `index` under `seed`: values of all axes, the variant is the first one. Numbers lie
 * between .least and .most of their axis, or between the extremes of its quick tier; they are drawn
 * by class: beside listed ones, powers of two, edges of tiles, primes, ends of the range, any.
 * Words are listed ones. False: that combination is none (.excluded), or its buffers together take
 * more than most_bytes. */
bool assay_draw_point(const assay_case *c, uint64_t seed, uint64_t index, int64_t most_bytes,
                      assay_point *point);

/* Tuning values for the point's variant: the defaults in every other draw. */
void assay_draw_tuning(uint64_t seed, uint64_t index, assay_point *point);

/* Number `i` of the points that are simpler than this one in one respect: the least number of an
 * axis, less by a half, a quarter and so on, one less, the first word, a default of a tuning axis.
 * `simpler` is the point itself where that says nothing. False: there are no more. */
bool assay_draw_simpler(const assay_point *point, int i, assay_point *simpler);

#endif
