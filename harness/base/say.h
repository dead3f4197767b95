/* A word to the person at the terminal, while a line that is rewritten may stand there: whoever has
 * put that line there takes it away first. */
#ifndef ASSAY_SAY_H
#define ASSAY_SAY_H

#include <stdarg.h>

typedef void assay_say_fn(void *context, const char *format, va_list list)
    __attribute__((format(printf, 2, 0)));

/* On standard error, through whoever is registered. Any thread. */
void assay_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* From now on `say` writes what is said, one call at a time; NULL: nobody does. Waits for a call
 * that is under way. `say` does not call these functions. */
void assay_say_through(assay_say_fn *say, void *context);

#endif
