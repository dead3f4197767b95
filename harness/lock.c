/* A lock file per GPU, held by flock: it goes with the process, whatever happens to that. */
#include "lock.h"

#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* Name of the lock file: the same for every user of the host. */
static void lock_path(const char *uuid, char *path, size_t size)
{
    (void)assay_text_set(path, size, "/tmp/assay-timing-%s.lock", uuid);
    for (char *c = path + strlen("/tmp/"); *c; c++)
        if (*c == '/')
            *c = '_';
}

/* The holder writes its process number for whoever waits. */
static void say_who_holds(int fd, const char *path)
{
    char          holder[32] = "";
    const ssize_t n          = pread(fd, holder, sizeof holder - 1, 0);

    holder[n > 0 ? n : 0] = '\0';
    (void)fprintf(stderr, "assay: process %s is timing on this GPU; waiting for it (%s)\n",
                  holder[0] ? holder : "(unknown)", path);
}

assay_status assay_lock_take(const char *uuid, int *fd)
{
    assay_status st = ASSAY_OK;
    char         path[256], self[32];

    lock_path(uuid, path, sizeof path);
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    ASSAY_REQUIRE(*fd >= 0, ASSAY_E_IO, "cannot open the lock file %s: %s", path, strerror(errno));
    if (flock(*fd, LOCK_EX | LOCK_NB) != 0) {
        ASSAY_REQUIRE(errno == EWOULDBLOCK, ASSAY_E_IO, "cannot lock %s: %s", path,
                      strerror(errno));
        say_who_holds(*fd, path);
        while (flock(*fd, LOCK_EX) != 0)
            ASSAY_REQUIRE(errno == EINTR, ASSAY_E_IO, "cannot lock %s: %s", path, strerror(errno));
    }
    const int length = snprintf(self, sizeof self, "%ld", (long)getpid());

    ASSAY_REQUIRE(ftruncate(*fd, 0) == 0 && pwrite(*fd, self, (size_t)length, 0) == length,
                  ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
out:
    if (st != ASSAY_OK) {
        assay_lock_release(*fd);
        *fd = -1;
    }
    return st;
}

void assay_lock_release(int fd)
{
    if (fd >= 0)
        (void)close(fd);
}
