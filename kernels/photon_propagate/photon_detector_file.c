/* Finds the materials file of a mesh, and reads both. */
#include "photon_detector_file.h"

#include "photon_detector.h"
#include "photon_mesh_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char SUFFIX[] = ".materials";

/* ---- what the mesh names */

/* A word of the text. */
typedef struct word {
    const char *at;
    size_t      size;
} word;

static word next_word(const char **p, const char *end)
{
    word w = { *p, 0 };

    while (w.at < end && strchr(" \t\r", *w.at) && *w.at != '\0')
        w.at++;
    while (w.at + w.size < end && !strchr(" \t\r", w.at[w.size]))
        w.size++;
    *p = w.at + w.size;
    return w;
}

static bool is_materials(word w)
{
    const size_t n = sizeof SUFFIX - 1;

    return w.size > n && memcmp(w.at + w.size - n, SUFFIX, n) == 0;
}

/* Finds the materials file in a line such as `mtllib colours.mtl tank.materials`; colour files
 * belong to other programs. A second materials file is counted and ignored. */
static int find_in_line(const char *line, const char *end, word *found)
{
    word w = next_word(&line, end);
    int  n = 0;

    if (w.size != 6 || memcmp(w.at, "mtllib", 6) != 0)
        return 0;
    for (w = next_word(&line, end); w.size > 0 && w.at[0] != '#'; w = next_word(&line, end))
        if (is_materials(w) && n++ == 0)
            *found = w;
    return n;
}

static int find_named(const char *text, size_t size, word *found)
{
    int n = 0;

    for (const char *line = text; line < text + size;) {
        const char *const newline = memchr(line, '\n', (size_t)(text + size - line));
        const char *const end     = newline ? newline : text + size;
        word              w       = { "", 0 };
        const int         here    = find_in_line(line, end, &w);

        if (here > 0 && n == 0)
            *found = w;
        n += here;
        line = end + 1;
    }
    return n;
}

/* ---- where it is: in the folder of the mesh */

/* Bytes of the file's folder, including its last slash. */
static size_t folder_of(const char *file)
{
    const char *const slash = strrchr(file, '/');

    return slash ? (size_t)(slash - file) + 1 : 0;
}

static char *joined(const char *file, size_t n, word w, const char *suffix)
{
    char *const path = malloc(n + w.size + strlen(suffix) + 1);

    if (path) {
        memcpy(path, file, n);
        memcpy(path + n, w.at, w.size);
        strcpy(path + n + w.size, suffix);
    }
    return path;
}

/* For tank.obj: tank.materials. */
static char *default_path(const char *file)
{
    const char *const name = file + folder_of(file), *const dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - file) : strlen(file);

    return joined(file, n, (word) { "", 0 }, SUFFIX);
}

/* *path is the caller's to free. It is NULL if there is no such file, or on a failure. */
static photon_status find_path(const char *file, const char *text, size_t size, char **path,
                               char reason[PHOTON_REASON_SIZE])
{
    word        named = { "", 0 };
    struct stat is;
    const int   n = find_named(text, size, &named);

    *path = NULL;
    if (n > 1 || (n == 1 && memchr(named.at, '/', named.size))) {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "%.80s: mtllib names %s", file,
                       n > 1 ? "more than one file of materials"
                             : "a file of materials that is not in its folder");
        return PHOTON_INVALID;
    }
    *path = n == 1 ? joined(file, folder_of(file), named, "") : default_path(file);
    if (!*path) {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "no memory for a file's name");
        return PHOTON_NO_MEMORY;
    }
    if (n == 0 && stat(*path, &is) != 0 && errno == ENOENT) {
        free(*path);
        *path = NULL;
    }
    return PHOTON_OK;
}

/* ---- reading */

static photon_status read_materials(const char *path, photon_materials **materials,
                                    char reason[PHOTON_REASON_SIZE])
{
    char         *text;
    size_t        size;
    photon_status status = photon_file_read(path, PHOTON_MATERIALS_FILE_MOST, &text, &size, reason);

    if (status != PHOTON_OK)
        return status;
    *materials = malloc(sizeof **materials);
    if (*materials) {
        status = photon_materials_read(path, text, size, *materials, reason);
    } else {
        (void)snprintf(reason, PHOTON_REASON_SIZE, "no memory for materials");
        status = PHOTON_NO_MEMORY;
    }
    free(text);
    return status;
}

photon_status photon_detector_file_read(const char *file, photon_detector_file *d,
                                        char reason[PHOTON_REASON_SIZE])
{
    char         *text, *path = NULL;
    size_t        size;
    photon_status status = photon_file_read(file, PHOTON_MESH_FILE_MOST, &text, &size, reason);

    *d = (photon_detector_file) { .materials = NULL };
    if (status == PHOTON_OK)
        status = find_path(file, text, size, &path, reason);
    if (status == PHOTON_OK && path)
        status = read_materials(path, &d->materials, reason);
    if (status == PHOTON_OK)
        status = photon_mesh_read_text(file, text, size,
                                       d->materials ? d->materials->names : photon_detector_names,
                                       &d->mesh, reason);
    if (status != PHOTON_OK)
        photon_detector_file_free(d);
    free(path);
    free(text);
    return status;
}

void photon_detector_file_free(photon_detector_file *d)
{
    if (!d)
        return;
    photon_mesh_free(&d->mesh);
    free(d->materials);
    d->materials = NULL;
}

int photon_detector_file_source(const photon_detector_file *d)
{
    if (d->materials)
        return d->materials->source;
    for (int64_t t = 0; t < d->mesh.n_triangles; t++)
        if ((d->mesh.face[t].codes & 0xffu) == PHOTON_MEDIUM_VESSEL ||
            (d->mesh.face[t].codes >> 8 & 0xffu) == PHOTON_MEDIUM_VESSEL)
            return PHOTON_MEDIUM_VESSEL;
    return PHOTON_MEDIUM_TANK;
}
