/* A stream into memory that does not lose text silently. */
#include "stream.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct stream {
    char  **text;
    size_t *size, room;
    bool    has_lost;
} stream;

static bool make_room(stream *s, size_t more)
{
    size_t room = s->room;
    char  *text;

    if (more >= SIZE_MAX / 2 - *s->size)
        return false;
    while (room <= *s->size + more)
        room *= 2;
    if (room == s->room)
        return true;
    text = realloc(*s->text, room);
    if (text) {
        *s->text = text;
        s->room  = room;
    }
    return text;
}

/* After a write that returned 0, all later writes fail too, so the text has no gap. */
static ssize_t put(void *cookie, const char *bytes, size_t n)
{
    stream *s = cookie;

    if (s->has_lost || !make_room(s, n)) {
        s->has_lost = true;
        errno       = ENOMEM;
        return 0;
    }
    memcpy(*s->text + *s->size, bytes, n);
    *s->size += n;
    (*s->text)[*s->size] = '\0';
    return (ssize_t)n;
}

static int end(void *cookie)
{
    stream    *s        = cookie;
    const bool has_lost = s->has_lost;

    free(s);
    if (has_lost)
        errno = ENOMEM;
    return has_lost ? -1 : 0;
}

FILE *assay_stream_open(char **text, size_t *size)
{
    enum {
        FIRST_ROOM = 256
    };
    stream *s    = malloc(sizeof *s);
    FILE   *file = NULL;

    *size = 0;
    *text = s ? calloc(1, FIRST_ROOM) : NULL;
    if (*text) {
        *s   = (stream) { text, size, FIRST_ROOM, false };
        file = fopencookie(s, "w", (cookie_io_functions_t) { .write = put, .close = end });
    }
    if (!file) {
        free(*text);
        free(s);
        *text = NULL;
    }
    return file;
}
