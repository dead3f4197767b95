/* Keeps the end of what another process writes, and reads all of it. */
#include "tail.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

enum {
    ROOM       = ASSAY_TAIL_BYTES - 1,
    MOST_AFTER = 1 << 20, /* bytes read after the end: more than a pipe can hold */
};

struct assay_tail {
    pthread_t thread;
    bool      is_running;
    int       read_fd, end_fd;
    size_t    n_read;     /* bytes read in all */
    char      kept[ROOM]; /* a ring buffer: byte i is at i modulo its size */
};

static void keep(assay_tail *o, const char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        o->kept[o->n_read++ % ROOM] = bytes[i];
}

/* Reads what is there without waiting. False: no more will come. */
static bool read_some(assay_tail *o, size_t most)
{
    char    part[16384];
    size_t  taken = 0;
    ssize_t n     = 0;

    do {
        n = read(o->read_fd, part, sizeof part);
        if (n > 0)
            keep(o, part, (size_t)n);
        taken += n > 0 ? (size_t)n : 0;
    } while ((n > 0 && taken < most) || (n < 0 && errno == EINTR));
    return n > 0 || (n < 0 && errno == EAGAIN);
}

static void *drain(void *context)
{
    assay_tail *o       = context;
    bool        is_open = true, is_over = false;

    while (!is_over) {
        struct pollfd ready[] = { { .fd = o->end_fd, .events = POLLIN },
                                  { .fd = is_open ? o->read_fd : -1, .events = POLLIN } };

        if (poll(ready, 2, -1) < 0 && errno != EINTR)
            break;
        is_over = ready[0].revents != 0;
        if (is_open && (is_over || ready[1].revents))
            is_open = read_some(o, MOST_AFTER);
    }
    return NULL;
}

assay_status assay_tail_open(assay_tail **tail, int *write_fd)
{
    assay_status st      = ASSAY_OK;
    int          ends[2] = { -1, -1 };
    assay_tail  *o       = calloc(1, sizeof *o);

    *tail     = NULL;
    *write_fd = -1;
    ASSAY_REQUIRE(o, ASSAY_E_MEMORY, "no memory for a process's output");
    o->end_fd = eventfd(0, EFD_CLOEXEC);
    ASSAY_REQUIRE(pipe2(ends, O_CLOEXEC) == 0 && o->end_fd >= 0 &&
                      fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0,
                  ASSAY_E_IO, "cannot keep a process's output: %s", strerror(errno));
    o->read_fd    = ends[0];
    o->is_running = pthread_create(&o->thread, NULL, drain, o) == 0;
    ASSAY_REQUIRE(o->is_running, ASSAY_E_IO, "cannot start a thread for a process's output");
    *tail     = o;
    *write_fd = ends[1];
    return ASSAY_OK;
out:
    for (int i = 0; i < 2; i++)
        if (ends[i] >= 0)
            (void)close(ends[i]);
    if (o && o->end_fd >= 0)
        (void)close(o->end_fd);
    free(o);
    return st;
}

static void stop(assay_tail *o)
{
    const uint64_t one = 1;

    if (o->is_running && write(o->end_fd, &one, sizeof one) == (ssize_t)sizeof one) {
        (void)pthread_join(o->thread, NULL);
        o->is_running = false;
    }
}

void assay_tail_end(assay_tail *tail, char *text, size_t size)
{
    size_t n = 0;

    text[0] = '\0';
    if (!tail)
        return;
    stop(tail);
    n = tail->n_read < ROOM ? tail->n_read : ROOM;
    n = n < size - 1 ? n : size - 1;
    for (size_t i = 0; i < n; i++)
        text[i] = tail->kept[(tail->n_read - n + i) % ROOM];
    text[n] = '\0';
}

void assay_tail_free(assay_tail *tail)
{
    if (!tail)
        return;
    stop(tail);
    if (tail->is_running) /* the thread was not told to end, so its memory stays */
        return;
    (void)close(tail->read_fd);
    (void)close(tail->end_fd);
    free(tail);
}
