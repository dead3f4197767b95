/* Lock files, held by flock: the kernel releases them when the process ends, in whatever way. */
#include "lock.h"

#include "say.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The path of a lock file. It is the same for every user of the host. */
static void lock_path(const char *kind, const char *uuid, char *path, size_t size)
{
    (void)assay_text_set(path, size, "/tmp/assay-%s-%s.lock", kind, uuid);
    for (char *c = path + strlen("/tmp/"); *c; c++)
        if (*c == '/')
            *c = '_';
}

/* The holder writes its process number into the file, for those who wait. Any user may have written
 * there. */
static void read_holder(int fd, char *holder, size_t size)
{
    const ssize_t n = pread(fd, holder, size - 1, 0);

    holder[n > 0 ? n : 0]                = '\0';
    holder[strspn(holder, "0123456789")] = '\0';
    if (!holder[0])
        (void)assay_text_set(holder, size, "(unknown)");
}

/* Opens an existing file without O_CREAT, which Linux may refuse for another user's file in /tmp
 * (fs.protected_regular). Read access is enough to lock. Symbolic links are not followed, since any
 * user may have put one there. */
static int open_existing(const char *path)
{
    const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const int fd    = open(path, O_RDWR | flags);

    return fd < 0 && errno == EACCES ? open(path, O_RDONLY | flags) : fd;
}

static int create(const char *path)
{
    const int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);

    if (fd >= 0)
        (void)fchmod(fd,
                     0666); /* against the umask; others can lock a file that they may only read */
    return fd;
}

/* Returns -1 and sets errno on failure. */
static int open_lock(const char *path)
{
    int fd = -1;

    /* Tries again if another process makes or removes the file meanwhile. */
    for (int attempt = 0; attempt < 100; attempt++) {
        fd = open_existing(path);
        if (fd >= 0 || errno != ENOENT)
            return fd;
        fd = create(path);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return fd;
}

/* Writes the process number for those who wait. The lock is good without it. */
static void say_who_i_am(int fd)
{
    char      self[32];
    const int length = snprintf(self, sizeof self, "%ld", (long)getpid());

    if (ftruncate(fd, 0) == 0 && pwrite(fd, self, (size_t)length, 0) != length)
        (void)ftruncate(fd, 0);
}

/* Is this file still the one at the path? The holder removes the file when it is done, and a
 * process that waited for it then holds a file that nobody else can find. */
static bool is_current(int fd, const char *path)
{
    struct stat held, found;

    return fstat(fd, &held) == 0 && lstat(path, &found) == 0 && held.st_dev == found.st_dev &&
           held.st_ino == found.st_ino;
}

static assay_status open_regular(const char *path, int *fd)
{
    assay_status st = ASSAY_OK;
    struct stat  facts;

    *fd = open_lock(path);
    ASSAY_REQUIRE(*fd >= 0, ASSAY_E_IO, "cannot open the lock file %s: %s", path,
                  errno == ELOOP ? "it is a symbolic link" : strerror(errno));
    ASSAY_REQUIRE(fstat(*fd, &facts) == 0 && S_ISREG(facts.st_mode), ASSAY_E_IO,
                  "the lock file %s is no regular file", path);
out:
    return st;
}

/* Locks without waiting; *is_free says whether that worked. */
static assay_status try_lock(int fd, const char *path, bool *is_free)
{
    *is_free = flock(fd, LOCK_EX | LOCK_NB) == 0;
    if (!*is_free && errno != EWOULDBLOCK)
        return ASSAY_FAIL(ASSAY_E_IO, "cannot lock %s: %s", path, strerror(errno));
    return ASSAY_OK;
}

static assay_status wait_for_lock(int fd, const char *path)
{
    assay_status st = ASSAY_OK;
    char         holder[32];

    read_holder(fd, holder, sizeof holder);
    assay_say("assay: process %s is timing on this GPU; waiting for it (%s)\n", holder, path);
    while (flock(fd, LOCK_EX) != 0)
        ASSAY_REQUIRE(errno == EINTR, ASSAY_E_IO, "cannot lock %s: %s", path, strerror(errno));
out:
    return st;
}

static void close_lock(int *fd)
{
    if (*fd >= 0)
        (void)close(*fd);
    *fd = -1;
}

assay_status assay_lock_take(const char *uuid, int *fd)
{
    assay_status st = ASSAY_OK;
    char         path[256];
    bool         is_free = false, is_mine = false;

    lock_path("timing", uuid, path, sizeof path);
    while (!is_mine) {
        ASSAY_CHECK(open_regular(path, fd));
        ASSAY_CHECK(try_lock(*fd, path, &is_free));
        if (!is_free)
            ASSAY_CHECK(wait_for_lock(*fd, path));
        is_mine = is_current(*fd, path);
        if (!is_mine)
            close_lock(fd);
    }
    say_who_i_am(*fd);
out:
    if (st != ASSAY_OK)
        close_lock(fd);
    return st;
}

/* Removes lock files of runs that were killed. Nobody holds them, and a process that resumes such a
 * run makes a new one. Files of other users cannot be removed, and need not be. */
static void sweep(void)
{
    glob_t found = { 0 };

    if (glob("/tmp/assay-run-*.lock", GLOB_NOSORT, NULL, &found) != 0)
        return;
    for (size_t i = 0; i < found.gl_pathc; i++) {
        int         fd = open_existing(found.gl_pathv[i]);
        struct stat facts;

        if (fd >= 0 && fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode) &&
            facts.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
            is_current(fd, found.gl_pathv[i]))
            (void)unlink(found.gl_pathv[i]);
        close_lock(&fd);
    }
    globfree(&found);
}

assay_status assay_lock_try(const char *run_uuid, int *fd, char *holder, size_t size)
{
    assay_status st = ASSAY_OK;
    char         path[256];
    bool         is_free = true, is_mine = false;

    *fd       = -1;
    holder[0] = '\0';
    sweep();
    lock_path("run", run_uuid, path, sizeof path);
    while (is_free && !is_mine) {
        close_lock(fd);
        ASSAY_CHECK(open_regular(path, fd));
        ASSAY_CHECK(try_lock(*fd, path, &is_free));
        is_mine = is_free && is_current(*fd, path);
    }
    if (is_free)
        say_who_i_am(*fd);
    else
        read_holder(*fd, holder, size);
out:
    if (st != ASSAY_OK || !is_free)
        close_lock(fd);
    return st;
}

/* The file is removed while the lock is still held: see is_current. */
static void drop(const char *kind, const char *uuid, int fd)
{
    char path[256];

    if (fd < 0)
        return;
    lock_path(kind, uuid, path, sizeof path);
    if (is_current(fd, path))
        (void)unlink(path);
    (void)close(fd);
}

void assay_lock_drop(const char *run_uuid, int fd) { drop("run", run_uuid, fd); }

void assay_lock_release(const char *uuid, int fd) { drop("timing", uuid, fd); }
