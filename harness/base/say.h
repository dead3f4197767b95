/* Messages for the person at the terminal. A progress line may be on the terminal; the part that
 * wrote it registers a writer, which removes the line before a message. */
#ifndef ASSAY_SAY_H
#define ASSAY_SAY_H

#include <stdarg.h>

typedef void assay_say_fn(void *context, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* Prints a message on standard error, through the registered writer. For any thread. */
void assay_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Registers `say` as the writer of messages, called once at a time; NULL: none. Waits for a call
 * that is running. `say` must not call these functions. */
void assay_say_through(assay_say_fn *say, void *context);

#endif
