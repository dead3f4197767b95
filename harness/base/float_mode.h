/* The floating-point mode of a thread: rounding, traps, whether numbers near 0 are taken for 0.
 * What is judged is computed in the default one, whoever changed it before. */
#ifndef ASSAY_FLOAT_MODE_H
#define ASSAY_FLOAT_MODE_H

#include <fenv.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ASSAY_FLOAT_MODE_SIZE = 96
}; /* of the words for a mode */

/* Keeps the calling thread's mode and sets the default one: to nearest, no traps, no flushing. */
void assay_float_mode_enter(fenv_t *kept);
/* Sets back what enter has kept. False if the mode was no longer the default one; then `what` (of
 * ASSAY_FLOAT_MODE_SIZE, NULL: not wanted) says what it was: "flushes denormals to zero". */
bool assay_float_mode_leave(const fenv_t *kept, char *what);

/* Sets the default mode. False, and `what`, if it was another. */
bool assay_float_mode_reset(char *what);

/* Calls fn on every thread of OpenMP's pool. A suite whose cases are built with OpenMP has it (see
 * cmake/AssaySuite.cmake); NULL in other programs. */
void assay_each_openmp_thread(void (*fn)(void)) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
