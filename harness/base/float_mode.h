/* The floating-point mode of a thread: rounding, traps, flushing of denormals to zero. The harness
 * computes everything that it judges in the default mode. */
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
}; /* bytes of the text that describes a mode */

/* Saves the calling thread's mode and sets the default one: round to nearest, no traps, no
 * flushing. */
void assay_float_mode_enter(fenv_t *kept);
/* Restores the mode that enter saved. Returns false if the mode was no longer the default one.
 * `what` then describes it: "flushes denormals to zero". `what` has ASSAY_FLOAT_MODE_SIZE bytes or
 * is NULL. */
bool assay_float_mode_leave(const fenv_t *kept, char *what);

/* Sets the default mode. Returns false if the mode was another one, which `what` then describes. */
bool assay_float_mode_reset(char *what);

/* Calls fn on every thread of OpenMP's pool. Defined in programs whose cases are built with OpenMP
 * (cmake/AssaySuite.cmake); NULL in others. */
void assay_each_openmp_thread(void (*fn)(void)) __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
