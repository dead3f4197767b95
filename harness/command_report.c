/* assay report and assay doctor. */
#include "cli.h"

#include "report.h"
#include "select.h"
#include "store.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is `output` the database, or one of the files that SQLite keeps beside it? By name as well: the
 * latter come and go. */
static bool is_part_of_database(const char *output, const char *database)
{
    static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
    struct stat              here, there;
    const bool               exists = stat(output, &here) == 0;
    char                     path[PATH_MAX + 16];

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        (void)assay_text_set(path, sizeof path, "%s%s", database, endings[i]);
        if (strcmp(path, output) == 0)
            return true;
        if (exists && stat(path, &there) == 0 && here.st_dev == there.st_dev &&
            here.st_ino == there.st_ino)
            return true;
    }
    return false;
}

static assay_status write_to(const assay_cli *cli, FILE *file)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_report_write(cli->database, cli->run_id, cli->format, file));
    ASSAY_REQUIRE(fflush(file) == 0, ASSAY_E_IO, "cannot write the report: %s", strerror(errno));
out:
    return st;
}

/* Opens `path`, writes the report into it and closes it. */
static assay_status write_path(const assay_cli *cli, const char *path, const char *mode)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, mode);

    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    ASSAY_CHECK(write_to(cli, file));
out:
    if (file && fclose(file) != 0 && st == ASSAY_OK)
        st = ASSAY_FAIL(ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    return st;
}

/* Writes beside the file and renames, so that a report that fails leaves the older one whole. */
static assay_status replace_file(const assay_cli *cli, const char *path, const struct stat *older)
{
    assay_status st = ASSAY_OK;
    char         beside[PATH_MAX + 32];

    (void)assay_text_set(beside, sizeof beside, "%s.tmp-%ld", path, (long)getpid());
    (void)unlink(beside); /* of a process with the same number that was killed */
    ASSAY_CHECK(write_path(cli, beside, "wx"));
    ASSAY_REQUIRE(!older || chmod(beside, older->st_mode & 0777) == 0, ASSAY_E_IO,
                  "cannot write %s: %s", beside, strerror(errno));
    ASSAY_REQUIRE(rename(beside, path) == 0, ASSAY_E_IO, "cannot write %s: %s", path,
                  strerror(errno));
out:
    if (st != ASSAY_OK)
        (void)unlink(beside);
    return st;
}

static assay_status write_report(const assay_cli *cli)
{
    assay_status st   = ASSAY_OK;
    char        *path = NULL; /* with symbolic links followed; freed here */
    struct stat  older;

    if (!cli->output)
        return write_to(cli, stdout);
    ASSAY_REQUIRE(!is_part_of_database(cli->output, cli->database), ASSAY_E_USAGE,
                  "--output %s is the database %s itself: the report needs another file",
                  cli->output, cli->database);
    path = realpath(cli->output, NULL);
    if (!path || stat(path, &older) != 0)
        ASSAY_CHECK(replace_file(cli, cli->output, NULL));
    else if (S_ISREG(older.st_mode))
        ASSAY_CHECK(replace_file(cli, path, &older));
    else /* a pipe or a device holds nothing to lose, and must stay one */
        ASSAY_CHECK(write_path(cli, cli->output, "w"));
out:
    free(path);
    return st;
}

int assay_command_report(const assay_cli *cli)
{
    const assay_status st = write_report(cli);

    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}

/* ---- doctor ---- */

/* False if the device cannot be used. */
static bool print_device(const char *kind, int index)
{
    char         text[1024];
    bool         is_usable = false;
    assay_status st        = assay_target_describe(kind, index, text, sizeof text, &is_usable);

    if (st != ASSAY_OK) {
        (void)assay_text_set(text, sizeof text, "%s", assay_status_message());
        assay_status_reset();
    }
    (void)printf("%-10s %-8s %s\n", kind, is_usable ? "ok" : "missing", text);
    return is_usable;
}

/* False if it is there and cannot be read. */
static bool print_database(const char *path)
{
    assay_store *store = NULL;
    bool         is_ok = true;

    if (access(path, F_OK) != 0) {
        (void)printf("%-10s %-8s %s does not exist yet; the first run makes it\n", "database", "ok",
                     path);
        return true;
    }
    is_ok = assay_store_open(path, ASSAY_STORE_READ, &store) == ASSAY_OK;
    if (is_ok) {
        (void)printf("%-10s %-8s %s, schema %d\n", "database", "ok", path, ASSAY_SCHEMA_VERSION);
    } else {
        (void)printf("%-10s %-8s %s\n", "database", "broken", assay_status_message());
        assay_status_reset();
    }
    assay_store_close(store);
    return is_ok;
}

/* A missing GPU is a fact to report; it is a failure only if it was asked for by number. */
int assay_command_doctor(const assay_cli *cli)
{
    const bool   wants_gpu = cli->gpu >= 0;
    const bool   has_gpu   = print_device("cuda", wants_gpu ? cli->gpu : 0);
    assay_status st        = ASSAY_OK;

    (void)print_device("host", 0);
    if (!print_database(cli->database))
        st = ASSAY_FAIL(ASSAY_E_DATABASE, "the database %s cannot be used: name another with --db",
                        cli->database);
    (void)printf("%-10s %-8s %d cases\n", "cases", "ok", assay_registry_count(cli->cases));
    if (wants_gpu && !has_gpu)
        st = ASSAY_FAIL(ASSAY_E_USAGE, "there is no usable GPU %d here", cli->gpu);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
