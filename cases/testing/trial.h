/* The check counter of the stand-alone programs. */
#ifndef ASSAY_TRIAL_H
#define ASSAY_TRIAL_H

#include <stdbool.h>

/* Counts the check and prints the sentence if it does not hold; returns `holds`. */
bool trial_expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "checks, failures" and returns the exit status: 0, or 1 after a failure or no check. */
int trial_finish(const char *program);

#endif
