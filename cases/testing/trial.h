/* The check counter of the stand-alone programs. */
#ifndef ASSAY_TRIAL_H
#define ASSAY_TRIAL_H

#include <stdbool.h>

/* Under a sanitizer fewer trials are enough: a few reach all places of the code where memory can be
 * misused. The build without one checks that the answers are right. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRIAL_IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TRIAL_IS_SANITIZED true
#endif
#endif
#ifndef TRIAL_IS_SANITIZED
#define TRIAL_IS_SANITIZED false
#endif

/* Counts the check and prints the sentence if it does not hold; returns `holds`. */
bool trial_expect(bool holds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints "checks, failures" and returns the exit status: 0, or 1 after a failure or if there was no
 * check. */
int trial_finish(const char *program);

#endif
