/* Draws points that no case lists: values of axes from the allowed ranges, and simpler points, to
 * reduce a failing one. Pure functions: no device, no database. */
#ifndef ASSAY_DRAW_H
#define ASSAY_DRAW_H

#include "plan/plan.h"

/* Makes draw number `index` under `seed`: values of all axes, and the first variant. Numbers are
 * between .least and .most of their axis, or between the extremes of its quick tier. They are drawn
 * by class: listed values, powers of two, edges of tiles, primes, ends of the range, any. Words are
 * listed ones. False: the combination is excluded (.excluded), or its buffers together need more
 * than most_bytes. */
bool assay_draw_point(const assay_case *c, uint64_t seed, uint64_t index, int64_t most_bytes,
                      assay_point *point);

/* Draws tuning values for the point's variant; every other draw has the defaults. */
void assay_draw_tuning(uint64_t seed, uint64_t index, assay_point *point);

/* Gives point number `i` of those that are simpler in one respect: the smallest number of an axis;
 * a number less by a half, a quarter and so on, or by one; the first word; a default of a tuning
 * axis. `simpler` equals the point if that changes nothing. False: there are no more. */
bool assay_draw_simpler(const assay_point *point, int i, assay_point *simpler);

#endif
