/* Writes a text to a file or to standard output, completely or not at all. */
#include "output.h"

#include "stream.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is `path` a database, or one of the files that SQLite keeps beside one? The latter come and go,
 * so names are compared too. */
static bool is_part_of(const char *path, const char *database)
{
    static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
    struct stat              here, there;
    const bool               exists = stat(path, &here) == 0;
    char                     beside[PATH_MAX + 16];

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        (void)assay_text_set(beside, sizeof beside, "%s%s", database, endings[i]);
        if (strcmp(beside, path) == 0)
            return true;
        if (exists && stat(beside, &there) == 0 && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return true;
    }
    return false;
}

static assay_status write_stream(FILE *file, const char *text, size_t size, const char *name)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(fwrite(text, 1, size, file) == size && fflush(file) == 0, ASSAY_E_IO,
                  "cannot write %s: %s", name, strerror(errno));
out:
    return st;
}

static assay_status write_path(const char *path, const char *mode, const char *text, size_t size)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, mode);

    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    ASSAY_CHECK(write_stream(file, text, size, path));
out:
    if (file && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    return st;
}

/* Writes a new file beside the old one, then renames it. */
static assay_status replace(const char *path, const char *text, size_t size)
{
    struct stat  older;
    const bool   exists = stat(path, &older) == 0;
    assay_status st     = ASSAY_OK;
    char         beside[PATH_MAX + 32];

    (void)assay_text_set(beside, sizeof beside, "%s.tmp-%ld", path, (long)getpid());
    (void)unlink(beside); /* left by a killed process with the same number */
    ASSAY_CHECK(write_path(beside, "wx", text, size));
    ASSAY_REQUIRE(!exists || chmod(beside, older.st_mode & 0777) == 0, ASSAY_E_IO,
                  "cannot write %s: %s", beside, strerror(errno));
    ASSAY_REQUIRE(rename(beside, path) == 0, ASSAY_E_IO, "cannot write %s: %s", path,
                  strerror(errno));
out:
    if (st != ASSAY_OK)
        (void)unlink(beside);
    return st;
}

static assay_status write_text(const char *path, const char *text, size_t size,
                               const char *const *keep, int n)
{
    assay_status st   = ASSAY_OK;
    char        *real = NULL; /* after symbolic links are followed */
    struct stat  about;

    if (!path)
        return write_stream(stdout, text, size, "the report");
    for (int i = 0; i < n; i++)
        ASSAY_REQUIRE(!keep[i] || !is_part_of(path, keep[i]), ASSAY_E_USAGE,
                      "--output %s is the database %s itself: the report needs another file", path,
                      keep[i]);
    real = realpath(path, NULL);
    /* Without memory to follow it, a link or a device would be replaced. */
    ASSAY_REQUIRE(real || errno == ENOENT, ASSAY_E_IO, "cannot write %s: %s", path,
                  strerror(errno));
    if (!real || stat(real, &about) != 0)
        ASSAY_CHECK(replace(path, text, size));
    else if (S_ISREG(about.st_mode))
        ASSAY_CHECK(replace(real, text, size));
    else /* a pipe or a device has no contents to lose, and must stay one */
        ASSAY_CHECK(write_path(path, "w", text, size));
out:
    free(real);
    return st;
}

assay_status assay_output_open(assay_output *output)
{
    *output      = (assay_output) { .file = NULL };
    output->file = assay_stream_open(&output->text, &output->size);
    return output->file ? ASSAY_OK : ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the report");
}

assay_status assay_output_write(assay_output *output, const char *path, const char *const *keep,
                                int n)
{
    if (fflush(output->file) != 0 || ferror(output->file))
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the report");
    return write_text(path, output->text, output->size, keep, n);
}

void assay_output_free(assay_output *output)
{
    if (output->file)
        (void)fclose(output->file);
    free(output->text);
    *output = (assay_output) { .file = NULL };
}
