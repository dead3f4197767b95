/* Reads a mesh from a file. What a user names may be anything, or nothing. */
#include "photon_mesh_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAME_SHOWN = 80 /* bytes of a file's name in a sentence: its end says more than its beginning */
};

static photon_status fail(const char *file, photon_status status, char reason[PHOTON_REASON_SIZE],
                          const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Writes "detector.obj: " and the sentence. */
static photon_status fail(const char *file, photon_status status, char reason[PHOTON_REASON_SIZE],
                          const char *format, ...)
{
    const size_t length = strlen(file), hidden = length > NAME_SHOWN ? length - NAME_SHOWN : 0;
    const int    n =
        snprintf(reason, PHOTON_REASON_SIZE, "%s%s: ", hidden > 0 ? "..." : "", file + hidden);
    va_list arguments;

    if (n < 0 || n >= PHOTON_REASON_SIZE)
        return status;
    va_start(arguments, format);
    (void)vsnprintf(reason + n, (size_t)(PHOTON_REASON_SIZE - n), format, arguments);
    va_end(arguments);
    return status;
}

/* The size of a regular file, if it may be read. */
static photon_status size_of(const char *file, int descriptor, size_t most, size_t *size,
                             char reason[PHOTON_REASON_SIZE])
{
    struct stat is;

    if (fstat(descriptor, &is) != 0)
        return fail(file, PHOTON_NO_FILE, reason, "%s", strerror(errno));
    if (!S_ISREG(is.st_mode))
        return fail(file, PHOTON_NO_FILE, reason,
                    S_ISDIR(is.st_mode) ? "is a directory" : "is no regular file");
    if ((uint64_t)is.st_size > most)
        return fail(file, PHOTON_TOO_LARGE, reason, "has %lld bytes, more than %zu",
                    (long long)is.st_size, most);
    *size = (size_t)is.st_size;
    return PHOTON_OK;
}

/* Reads all of it, or less if the file was cut off meanwhile. */
static photon_status read_text(const char *file, int descriptor, char *text, size_t *size,
                               char reason[PHOTON_REASON_SIZE])
{
    size_t n = 0;

    while (n < *size) {
        const ssize_t got = read(descriptor, text + n, *size - n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(file, PHOTON_NO_FILE, reason, "%s", strerror(errno));
        if (got == 0)
            break;
        n += (size_t)got;
    }
    *size = n;
    return PHOTON_OK;
}

photon_status photon_file_read(const char *file, size_t most, char **text, size_t *size,
                               char reason[PHOTON_REASON_SIZE])
{
    /* A pipe without a writer must not keep the program waiting. */
    const int     descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    photon_status status;

    *text = NULL;
    *size = 0;
    if (descriptor < 0)
        return fail(file, PHOTON_NO_FILE, reason, "%s", strerror(errno));
    status = size_of(file, descriptor, most, size, reason);
    if (status == PHOTON_OK) {
        *text  = malloc(*size + 1);
        status = *text ? read_text(file, descriptor, *text, size, reason)
                       : fail(file, PHOTON_NO_MEMORY, reason, "no memory for its text");
    }
    (void)close(descriptor); /* nothing was written */
    if (status != PHOTON_OK) {
        free(*text);
        *text = NULL;
    }
    return status;
}

photon_status photon_mesh_read_text(const char *file, const char *text, size_t size,
                                    const photon_mesh_name *names, photon_mesh *mesh,
                                    char reason[PHOTON_REASON_SIZE])
{
    char                why[PHOTON_REASON_SIZE] = "";
    const photon_status status = photon_mesh_read_obj(text, size, names, mesh, why);

    return status == PHOTON_OK ? status : fail(file, status, reason, "%s", why);
}

photon_status photon_mesh_read_file(const char *file, const photon_mesh_name *names,
                                    photon_mesh *mesh, char reason[PHOTON_REASON_SIZE])
{
    char         *text;
    size_t        size;
    photon_status status = photon_file_read(file, PHOTON_MESH_FILE_MOST, &text, &size, reason);

    *mesh = (photon_mesh) { 0 };
    if (status == PHOTON_OK)
        status = photon_mesh_read_text(file, text, size, names, mesh, reason);
    free(text);
    return status;
}
