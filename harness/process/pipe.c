/* Whole reads and writes on a pipe, with a deadline. */
#include "pipe.h"

#include "base/clock.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

static const double LONGEST_WAIT_S = 3600; /* of one call of poll, which counts in int */

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

/* Waits until fd can be read or the end; *timed_out when `end_s` passes (never if it is negative).
 */
static assay_status wait_readable(int fd, double end_s, bool *timed_out)
{
    for (;;) {
        struct pollfd p      = { .fd = fd, .events = POLLIN };
        const double  left_s = end_s < 0 ? LONGEST_WAIT_S : end_s - assay_clock_s();
        const int     n_ready =
            left_s > 0 ? poll(&p, 1, (int)(fmin(left_s, LONGEST_WAIT_S) * 1e3) + 1) : 0;

        if (n_ready > 0)
            return ASSAY_OK;
        if (n_ready < 0 && errno != EINTR)
            return ASSAY_FAIL(ASSAY_E_IO, "cannot wait for a pipe: %s", strerror(errno));
        if (n_ready == 0 && end_s >= 0 && assay_clock_s() >= end_s) {
            *timed_out = true;
            return ASSAY_OK;
        }
    }
}

assay_status assay_pipe_read(int fd, void *bytes, size_t size, double deadline_s, bool *ended,
                             bool *timed_out)
{
    assay_status st    = ASSAY_OK;
    const double end_s = deadline_s < 0 ? -1 : assay_clock_s() + deadline_s;
    char        *to    = bytes;
    size_t       done  = 0;

    *ended = *timed_out = false;
    while (done < size) {
        ASSAY_CHECK(wait_readable(fd, end_s, timed_out));
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
