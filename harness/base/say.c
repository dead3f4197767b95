/* Messages on standard error, through the registered writer. */
#include "say.h"

#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static assay_say_fn   *registered;
static void           *of_registered;

void assay_say(const char *format, ...)
{
    va_list list;

    va_start(list, format);
    (void)pthread_mutex_lock(&lock);
    if (registered)
        registered(of_registered, format, list);
    else
        (void)vfprintf(stderr, format, list);
    (void)pthread_mutex_unlock(&lock);
    va_end(list);
}

void assay_say_through(assay_say_fn *say, void *context)
{
    (void)pthread_mutex_lock(&lock);
    registered    = say;
    of_registered = context;
    (void)pthread_mutex_unlock(&lock);
}
