#include "failing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static assay_status append(assay_failing *found, const char *key, uint64_t seed)
{
    assay_status         st = ASSAY_OK;
    assay_failing_point *grown =
        realloc(found->points, ((size_t)found->n + 1) * sizeof *found->points);

    ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a list of points");
    found->points        = grown;
    grown[found->n].seed = seed;
    grown[found->n].key  = strdup(key);
    ASSAY_REQUIRE(grown[found->n].key, ASSAY_E_MEMORY, "no memory for a point");
    found->n++;
out:
    return st;
}

/* KEY SEED, a comment, or nothing. */
static assay_status read_line(const char *path, int line, char *text, assay_failing *found)
{
    assay_status st   = ASSAY_OK;
    char        *rest = NULL, *end = NULL;
    const char  *key  = strtok_r(text, " \t\r\n", &rest);
    const char  *seed = key && *key != '#' ? strtok_r(NULL, " \t\r\n", &rest) : NULL;
    uint64_t     value;

    if (!key || *key == '#')
        return ASSAY_OK;
    errno = 0;
    value = seed && *seed >= '0' && *seed <= '9' ? strtoull(seed, &end, 10) : 0;
    ASSAY_REQUIRE(end && *end == '\0' && errno == 0 && !strtok_r(NULL, " \t\r\n", &rest),
                  ASSAY_E_USAGE, "%s:%d: a line is a point and its seed, as assay fuzz writes it",
                  path, line);
    ASSAY_CHECK(append(found, key, value));
out:
    return st;
}

assay_status assay_failing_read(const char *path, assay_failing *found)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, "r");
    char        *text = NULL;
    size_t       size = 0;

    *found = (assay_failing) { .n = 0 };
    if (!file && errno == ENOENT)
        return ASSAY_OK;
    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
    for (int line = 1; getline(&text, &size, file) >= 0; line++)
        ASSAY_CHECK(read_line(path, line, text, found));
    ASSAY_REQUIRE(!ferror(file), ASSAY_E_IO, "cannot read %s: %s", path, strerror(errno));
out:
    if (file)
        (void)fclose(file);
    free(text);
    if (st != ASSAY_OK)
        assay_failing_free(found);
    return st;
}

assay_status assay_failing_add(const char *path, const char *key, uint64_t seed)
{
    assay_status st   = ASSAY_OK;
    FILE        *file = fopen(path, "a");
    bool         is_written;

    ASSAY_REQUIRE(file, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    is_written = fprintf(file, "%s %" PRIu64 "\n", key, seed) > 0;
    is_written = fclose(file) == 0 && is_written;
    ASSAY_REQUIRE(is_written, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
out:
    return st;
}

void assay_failing_free(assay_failing *found)
{
    if (!found)
        return;
    for (int64_t i = 0; i < found->n; i++)
        free(found->points[i].key);
    free(found->points);
    *found = (assay_failing) { .n = 0 };
}
