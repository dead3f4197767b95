/* Reads and writes whole messages on a pipe, with a limit on silence. */
#include "pipe.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static const double LONGEST_WAIT_S = 3600; /* of one call of poll, which takes an int */

assay_status assay_pipe_write(int fd, const void *bytes, size_t size)
{
    const char *from = bytes;

    while (size > 0) {
        const ssize_t n = write(fd, from, size);

        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return ASSAY_FAIL(ASSAY_E_IO, "cannot write to a pipe: %s", strerror(errno));
        from += n;
        size -= (size_t)n;
    }
    return ASSAY_OK;
}

/* Waits until fd can be read, or sets *timed_out. */
static assay_status wait_readable(int fd, assay_patience *patience, bool *timed_out)
{
    for (;;) {
        struct pollfd p       = { .fd = fd, .events = POLLIN };
        const double  wait_s  = patience ? assay_patience_wait_s(patience) : LONGEST_WAIT_S;
        const int     wait_ms = (int)ceil(fmin(wait_s, LONGEST_WAIT_S) * 1e3);
        const int     n_ready = poll(&p, 1, wait_ms);

        if (n_ready > 0)
            return ASSAY_OK;
        if (n_ready < 0 && errno != EINTR)
            return ASSAY_FAIL(ASSAY_E_IO, "cannot wait for a pipe: %s", strerror(errno));
        if (n_ready == 0 && patience && assay_patience_is_over(patience)) {
            *timed_out = true;
            return ASSAY_OK;
        }
    }
}

assay_status assay_pipe_read(int fd, void *bytes, size_t size, assay_patience *patience,
                             bool *ended, bool *timed_out)
{
    assay_status st   = ASSAY_OK;
    char        *to   = bytes;
    size_t       done = 0;

    *ended = *timed_out = false;
    while (done < size) {
        ASSAY_CHECK(wait_readable(fd, patience, timed_out));
        if (*timed_out)
            goto out;
        const ssize_t n = read(fd, to + done, size - done);

        if (n < 0 && errno == EINTR)
            continue;
        ASSAY_REQUIRE(n >= 0, ASSAY_E_IO, "cannot read from a pipe: %s", strerror(errno));
        if (n == 0) {
            *ended = true;
            ASSAY_REQUIRE(done == 0, ASSAY_E_IO, "a message broke off after %zu of %zu bytes", done,
                          size);
            goto out;
        }
        done += (size_t)n;
    }
out:
    return st;
}
