/* The record of the first failure, and the texts of all statuses. */
#include "status.h"

#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local struct {
    bool is_set;
    char message[1024];
    char where[256];
} first_failure;

const char *assay_status_text(assay_status status)
{
    static const char *const texts[] = {
#define X(name, text) [ASSAY_##name] = (text),
        ASSAY_STATUS_MAP(X)
#undef X
    };
    const size_t n = sizeof texts / sizeof texts[0];

    return (size_t)status < n ? texts[status] : "unknown status";
}

assay_status assay_fail(assay_status status, const char *file, int line, const char *format, ...)
{
    const char *slash = strrchr(file, '/');
    va_list     list;

    if (first_failure.is_set)
        return status;
    first_failure.is_set = true;
    va_start(list, format);
    (void)vsnprintf(first_failure.message, sizeof first_failure.message, format, list);
    va_end(list);
    /* The sentence contains file names, and texts from databases and workers. */
    (void)assay_text_make_safe(first_failure.message);
    (void)snprintf(first_failure.where, sizeof first_failure.where, "%s:%d",
                   slash ? slash + 1 : file, line);
    return status;
}

const char *assay_status_message(void) { return first_failure.message; }

const char *assay_status_where(void) { return first_failure.where; }

void assay_status_reset(void) { memset(&first_failure, 0, sizeof first_failure); }

void assay_abort(const char *file, int line, const char *what)
{
    (void)fprintf(stderr, "assay: broken invariant at %s:%d: %s\n", file, line, what);
    abort();
}
