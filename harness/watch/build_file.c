/* What the build wrote beside a program, and what it says when it fails. */
#include "build_file.h"

#include "base/text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the file ---- */

static assay_status read_text(const char *path, char **text)
{
    assay_status st    = ASSAY_OK;
    FILE        *in    = fopen(path, "r");
    size_t       size  = 0;
    int          error = errno;

    ASSAY_REQUIRE(in, ASSAY_E_USAGE,
                  "cannot read %s (%s): CMake writes it beside a program that it builds, and says "
                  "there how; run the program in its build folder",
                  path, strerror(error));
    if (getdelim(text, &size, '\0', in) < 0) {
        error = errno;
        ASSAY_REQUIRE(!ferror(in), ASSAY_E_IO, "cannot read %s: %s", path, strerror(error));
        st = ASSAY_FAIL(ASSAY_E_USAGE, "%s is empty: configure the build again", path);
    }
out:
    if (in)
        (void)fclose(in);
    return st;
}

static int count_lines(const char *text)
{
    int n = 1;

    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static assay_status take_command(assay_build_file *file, const char *path, char *words)
{
    int n = 0;

    for (char *word; (word = strsep(&words, "\t"));) {
        if (n == ASSAY_BUILD_WORDS)
            return ASSAY_FAIL(ASSAY_E_USAGE, "%s: a command of more than %d words", path,
                              ASSAY_BUILD_WORDS);
        file->command[n++] = word;
    }
    file->command[n] = NULL;
    return ASSAY_OK;
}

static assay_status take_line(assay_build_file *file, const char *path, const char *kind,
                              char *line)
{
    const char *what = strsep(&line, "\t");
    const char *name = strsep(&line, "\t");

    if (!line || !*line)
        return ASSAY_FAIL(ASSAY_E_USAGE, "%s: a line that says nothing: '%s'", path, what);
    if (strcmp(what, "source") == 0)
        file->sources[file->n_sources++] = (assay_build_source) { name, line };
    else if (strcmp(what, "build") != 0)
        return ASSAY_FAIL(ASSAY_E_USAGE, "%s: unknown word '%s'", path, what);
    else if (strcmp(name, kind) == 0)
        return take_command(file, path, line);
    return ASSAY_OK;
}

assay_status assay_build_file_read(const char *path, const char *kind, assay_build_file *file)
{
    assay_status st   = ASSAY_OK;
    char        *rest = NULL;

    *file = (assay_build_file) { .text = NULL };
    ASSAY_CHECK(read_text(path, &file->text));
    file->sources = calloc((size_t)count_lines(file->text), sizeof *file->sources);
    ASSAY_REQUIRE(file->sources, ASSAY_E_MEMORY, "no memory for %s", path);
    rest = file->text;
    for (char *line; (line = strsep(&rest, "\n"));)
        if (*line)
            ASSAY_CHECK(take_line(file, path, kind, line));
    ASSAY_REQUIRE(file->command[0], ASSAY_E_USAGE, "%s: this build has no kernel module for '%s'",
                  path, kind);
out:
    if (st != ASSAY_OK)
        assay_build_file_free(file);
    return st;
}

void assay_build_file_free(assay_build_file *file)
{
    if (!file)
        return;
    free(file->text);
    free(file->sources);
    *file = (assay_build_file) { .text = NULL };
}

/* ---- a build that fails ---- */

/* Not "error" alone: command lines hold -Werror. */
static const char *const error_words[] = {
    "error:", "error :", "Error:", "CMake Error", "undefined reference", "assay-cc:", "*** ", NULL
};

static bool is_error(const char *line)
{
    for (const char *const *word = error_words; *word; word++)
        if (strstr(line, *word))
            return true;
    return false;
}

void assay_build_error(const char *output, char *line, size_t size)
{
    char *copy = strdup(output), *rest = copy;

    (void)assay_text_set(line, size, "it says nothing");
    for (char *one; rest && (one = strsep(&rest, "\n"));) {
        if (one[strspn(one, " \t\r")] == '\0')
            continue;
        (void)assay_text_set(line, size, "%s", one);
        if (is_error(one))
            break;
    }
    free(copy);
    (void)assay_text_make_safe(line);
}
