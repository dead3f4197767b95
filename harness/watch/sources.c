/* The files that a case is made of. */
#include "sources.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool has_path(const assay_sources *sources, const char *path)
{
    for (int i = 0; i < sources->n; i++)
        if (strcmp(sources->paths[i], path) == 0)
            return true;
    return false;
}

/* Takes over `path`. */
static assay_status append(assay_sources *sources, char *path)
{
    assay_status st = ASSAY_OK;

    if (sources->n == sources->capacity) {
        const int capacity = sources->capacity > 0 ? 2 * sources->capacity : 16;
        char    **paths    = realloc(sources->paths, (size_t)capacity * sizeof *paths);

        ASSAY_REQUIRE(paths, ASSAY_E_MEMORY, "no memory for %d sources", capacity);
        sources->paths    = paths;
        sources->capacity = capacity;
    }
    sources->paths[sources->n++] = path;
    path                         = NULL;
out:
    free(path);
    return st;
}

/* What stands between the quotation marks of an include: its length; 0 for any other line. */
static int included(const char *line, const char **name)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return 0;
    line += 1 + strspn(line + 1, " \t");
    if (strncmp(line, "include", 7) != 0)
        return 0;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"')
        return 0;
    *name = line + 1;
    return (int)strcspn(*name, "\"\n");
}

static assay_status add_included(assay_sources *sources, const char *path)
{
    assay_status st   = ASSAY_OK;
    FILE        *in   = fopen(path, "r");
    char        *line = NULL;
    size_t       size = 0;

    while (in && getline(&line, &size, in) >= 0) {
        const char *name   = NULL;
        const int   length = included(line, &name);
        char        wanted[PATH_MAX];

        if (length == 0)
            continue;
        const int n = snprintf(wanted, sizeof wanted, "%.*s/%.*s", (int)(strrchr(path, '/') - path),
                               path, length, name);

        if (n > 0 && (size_t)n < sizeof wanted && access(wanted, F_OK) == 0)
            ASSAY_CHECK(assay_sources_add(sources, wanted));
    }
out:
    free(line);
    if (in)
        (void)fclose(in);
    return st;
}

/* Without links; also of a file that is not there, if its folder is: it may come back. */
static char *real_path(const char *path)
{
    const char *slash  = strrchr(path, '/');
    char       *real   = realpath(path, NULL);
    char       *folder = !real && slash ? strndup(path, (size_t)(slash - path)) : NULL;
    char       *within = folder ? realpath(*folder ? folder : "/", NULL) : NULL;

    if (within && asprintf(&real, "%s/%s", within, slash + 1) < 0)
        real = NULL;
    free(within);
    free(folder);
    return real;
}

assay_status assay_sources_add(assay_sources *sources, const char *path)
{
    const int    first = sources->n;
    assay_status st    = ASSAY_OK;
    char        *real  = real_path(path);

    if (!real || has_path(sources, real)) {
        free(real);
        return ASSAY_OK;
    }
    ASSAY_CHECK(append(sources, real));
    ASSAY_CHECK(add_included(sources, sources->paths[first]));
out:
    return st;
}

bool assay_sources_have(const assay_sources *sources, const char *folder, const char *name)
{
    const size_t length = strlen(folder);

    for (int i = 0; i < sources->n; i++)
        if (strncmp(sources->paths[i], folder, length) == 0 && sources->paths[i][length] == '/' &&
            strcmp(sources->paths[i] + length + 1, name) == 0)
            return true;
    return false;
}

void assay_sources_free(assay_sources *sources)
{
    if (!sources)
        return;
    for (int i = 0; i < sources->n; i++)
        free(sources->paths[i]);
    free(sources->paths);
    *sources = (assay_sources) { .paths = NULL };
}
