/* The calls of libc that may fail, as a table: kind, call, result after a failure, and errno. */
#include "fault.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

/* X(kind, result, call, parameters, arguments, what it returns, errno) */
#define CALL_MAP(X)                                                                                \
    X("memory", void *, malloc, (size_t size), (size), NULL, ENOMEM)                               \
    X("memory", void *, calloc, (size_t n, size_t size), (n, size), NULL, ENOMEM)                  \
    X("memory", void *, realloc, (void *old, size_t size), (old, size), NULL, ENOMEM)              \
    X("memory", void *, aligned_alloc, (size_t to, size_t size), (to, size), NULL, ENOMEM)         \
    X("memory", int, posix_memalign, (void **memory, size_t to, size_t size), (memory, to, size),  \
      ENOMEM, 0)                                                                                   \
    X("memory", void *, mmap,                                                                      \
      (void *at, size_t size, int access, int flags, int file, off_t offset),                      \
      (at, size, access, flags, file, offset), MAP_FAILED, ENOMEM)                                 \
    X("memory", int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, ENFILE)  \
    X("write", ssize_t, pwrite, (int file, const void *data, size_t size, off_t at),               \
      (file, data, size, at), -1, ENOSPC)                                                          \
    X("write", ssize_t, pwrite64, (int file, const void *data, size_t size, off64_t at),           \
      (file, data, size, at), -1, ENOSPC)                                                          \
    X("write", ssize_t, send, (int file, const void *data, size_t size, int flags),                \
      (file, data, size, flags), -1, ENOBUFS)                                                      \
    X("write", int, ftruncate, (int file, off_t size), (file, size), -1, EIO)                      \
    X("write", int, ftruncate64, (int file, off64_t size), (file, size), -1, EIO)                  \
    X("write", int, posix_fallocate, (int file, off_t at, off_t size), (file, at, size), ENOSPC,   \
      0)                                                                                           \
    X("write", int, fallocate, (int file, int mode, off_t at, off_t size), (file, mode, at, size), \
      -1, ENOSPC)                                                                                  \
    X("write", int, rename, (const char *from, const char *to), (from, to), -1, EIO)               \
    X("sync", int, fsync, (int file), (file), -1, EIO)                                             \
    X("sync", int, fdatasync, (int file), (file), -1, EIO)                                         \
    X("open", FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)     \
    X("open", FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EMFILE)   \
    X("open", DIR *, opendir, (const char *path), (path), NULL, EMFILE)                            \
    X("open", int, mkstemp, (char *path), (path), -1, EMFILE)                                      \
    X("open", char *, mkdtemp, (char *path), (path), NULL, EACCES)                                 \
    X("open", int, mkdir, (const char *path, mode_t mode), (path, mode), -1, EACCES)               \
    X("open", int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)                     \
    X("open", int, socketpair, (int domain, int type, int protocol, int ends[2]),                  \
      (domain, type, protocol, ends), -1, EMFILE)                                                  \
    X("open", int, dup2, (int from, int to), (from, to), -1, EBUSY)                                \
    X("process", pid_t, fork, (void), (), -1, EAGAIN)                                              \
    X("process", int, posix_spawnp,                                                                \
      (pid_t * child, const char *file, const posix_spawn_file_actions_t *actions,                 \
       const posix_spawnattr_t *attributes, char *const words[], char *const variables[]),         \
      (child, file, actions, attributes, words, variables), EAGAIN, 0)                             \
    X("process", int, pthread_create,                                                              \
      (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *data),  \
      (thread, attributes, start, data), EAGAIN, 0)

#define X(kind, result, call, parameters, arguments, failed, number)                               \
    result call parameters                                                                         \
    {                                                                                              \
        static __typeof__(&call) real;                                                             \
                                                                                                   \
        if (fault_now(kind, #call)) {                                                              \
            if (number)                                                                            \
                errno = number;                                                                    \
            return failed;                                                                         \
        }                                                                                          \
        if (!real)                                                                                 \
            *(void **)&real = fault_real(#call);                                                   \
        return real arguments;                                                                     \
    }
CALL_MAP(X)
#undef X

/* ---- the mode is there only with O_CREAT ---- */

#define OPEN(call)                                                                                 \
    int call(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        static __typeof__(&call) real;                                                             \
        va_list                  more;                                                             \
        mode_t                   mode = 0;                                                         \
                                                                                                   \
        if (fault_now("open", #call)) {                                                            \
            errno = EMFILE;                                                                        \
            return -1;                                                                             \
        }                                                                                          \
        va_start(more, flags);                                                                     \
        if (__OPEN_NEEDS_MODE(flags))                                                              \
            mode = va_arg(more, mode_t);                                                           \
        va_end(more);                                                                              \
        if (!real)                                                                                 \
            *(void **)&real = fault_real(#call);                                                   \
        return real(path, flags, mode);                                                            \
    }
OPEN(open)
OPEN(open64)

/* ---- writes to a file or a pipe; a failure to write to stderr cannot be reported ---- */

ssize_t write(int file, const void *data, size_t size)
{
    static __typeof__(&write) real;

    if (file != STDERR_FILENO && fault_now("write", "write")) {
        errno = ENOSPC;
        return -1;
    }
    if (!real)
        *(void **)&real = fault_real("write");
    return real(file, data, size);
}

enum {
    STREAM_FAILED = 0x20 /* _IO_ERR_SEEN, which ferror reads */
};

/* Does a write to this stream fail? Streams in memory fail only where memory does, and NULL means
 * all streams. Not inlined, since the compiler would assume that fflush's stream is not NULL. */
__attribute__((noinline)) static bool stream_fails(FILE *stream, const char *call)
{
    if (!stream || stream == stderr || fileno(stream) < 0 || fileno(stream) == STDERR_FILENO ||
        !fault_now("write", call))
        return false;
    stream->_flags |= STREAM_FAILED;
    errno = ENOSPC;
    return true;
}

/* X(call, parameters, arguments, the stream, what it returns) */
#define STREAM_MAP(X)                                                                              \
    X(int, fflush, (FILE * stream), (stream), stream, EOF)                                         \
    X(int, fputs, (const char *text, FILE *stream), (text, stream), stream, EOF)                   \
    X(int, fputc, (int c, FILE *stream), (c, stream), stream, EOF)                                 \
    X(int, putc, (int c, FILE *stream), (c, stream), stream, EOF)                                  \
    X(int, puts, (const char *text), (text), stdout, EOF)                                          \
    X(int, putchar, (int c), (c), stdout, EOF)                                                     \
    X(size_t, fwrite, (const void *data, size_t size, size_t n, FILE *stream),                     \
      (data, size, n, stream), stream, 0)

#undef putc
#define X(result, call, parameters, arguments, to, failed)                                         \
    result call parameters                                                                         \
    {                                                                                              \
        static __typeof__(&call) real;                                                             \
                                                                                                   \
        if (stream_fails(to, #call))                                                               \
            return failed;                                                                         \
        if (!real)                                                                                 \
            *(void **)&real = fault_real(#call);                                                   \
        return real arguments;                                                                     \
    }
STREAM_MAP(X)
#undef X

int fclose(FILE *stream)
{
    static __typeof__(&fclose) real;
    const bool                 fails = stream_fails(stream, "fclose");

    if (!real)
        *(void **)&real = fault_real("fclose");
    if (real(stream) != 0 || !fails)
        return fails ? EOF : 0;
    errno = ENOSPC;
    return EOF;
}

int fprintf(FILE *stream, const char *format, ...)
{
    va_list more;
    int     n;

    if (stream_fails(stream, "fprintf"))
        return -1;
    va_start(more, format);
    n = vfprintf(stream, format, more);
    va_end(more);
    return n;
}

int printf(const char *format, ...)
{
    va_list more;
    int     n;

    if (stream_fails(stdout, "printf"))
        return -1;
    va_start(more, format);
    n = vfprintf(stdout, format, more);
    va_end(more);
    return n;
}

/* ---- a kernel module, as it is looked at ---- */

void *dlsym(void *handle, const char *name)
{
    static __typeof__(&dlsym) real;
    void                     *found;

    if (!real)
        *(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
    found = real(handle, name);
    if (found && strcmp(name, "assay_module_api") == 0)
        fault_device_wrap(found);
    return found;
}
