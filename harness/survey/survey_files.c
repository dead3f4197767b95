/* The .cu files below some folders. */
#include "survey_internal.h"

#include "base/text.h"

#include <errno.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_cuda(const char *path)
{
    const size_t n = strlen(path);

    return n > 3 && strcmp(path + n - 3, ".cu") == 0;
}

static assay_status add(assay_survey *survey, const char *path)
{
    assay_status st = ASSAY_OK;

    if (survey->n_files == survey->capacity) {
        const size_t       capacity = survey->capacity ? 2 * survey->capacity : 64;
        assay_survey_file *files    = realloc(survey->files, capacity * sizeof *files);

        ASSAY_REQUIRE(files, ASSAY_E_MEMORY, "no memory for the names of %zu files", capacity);
        survey->files    = files;
        survey->capacity = capacity;
    }
    survey->files[survey->n_files] = (assay_survey_file) { .path = strdup(path) };
    ASSAY_REQUIRE(survey->files[survey->n_files].path, ASSAY_E_MEMORY,
                  "no memory for the name of a file");
    survey->n_files++;
out:
    return st;
}

static void note_unread(assay_survey *survey, const char *path, int error)
{
    char name[512];

    (void)assay_text_make_safe(assay_text_set(name, sizeof name, "%s", path));
    (void)fprintf(stderr, "assay: note: cannot read %s: %s\n", name, strerror(error));
    survey->n_unread++;
}

static bool is_file_behind(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

static assay_status take_entry(assay_survey *survey, const FTSENT *entry)
{
    switch (entry->fts_info) {
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        note_unread(survey, entry->fts_path, entry->fts_errno);
        return ASSAY_OK;
    case FTS_F:
        return is_cuda(entry->fts_path) ? add(survey, entry->fts_path) : ASSAY_OK;
    case FTS_SL:
        if (is_cuda(entry->fts_path) && is_file_behind(entry->fts_path))
            return add(survey, entry->fts_path);
        return ASSAY_OK;
    default:
        return ASSAY_OK;
    }
}

static assay_status walk(assay_survey *survey, const char *root)
{
    assay_status  st      = ASSAY_OK;
    char         *roots[] = { strdup(root), NULL };
    FTS          *tree    = NULL;
    const FTSENT *entry;

    ASSAY_REQUIRE(roots[0], ASSAY_E_MEMORY, "no memory for the name of a folder");
    tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
    ASSAY_REQUIRE(tree, ASSAY_E_IO, "cannot read %s: %s", root, strerror(errno));
    while ((entry = fts_read(tree)) != NULL)
        ASSAY_CHECK(take_entry(survey, entry));
    ASSAY_REQUIRE(errno == 0, ASSAY_E_IO, "cannot read %s: %s", root, strerror(errno));
out:
    if (tree)
        (void)fts_close(tree);
    free(roots[0]);
    return st;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const assay_survey_file *)a)->path, ((const assay_survey_file *)b)->path);
}

/* Folders that were named may lie in each other. */
static void sort_and_unite(assay_survey *survey)
{
    size_t kept = 0;

    if (survey->n_files > 0)
        qsort(survey->files, survey->n_files, sizeof *survey->files, by_path);
    for (size_t i = 0; i < survey->n_files; i++) {
        if (kept > 0 && by_path(&survey->files[kept - 1], &survey->files[i]) == 0)
            free(survey->files[i].path);
        else
            survey->files[kept++] = survey->files[i];
    }
    survey->n_files = kept;
}

static assay_status require_root(const char *root)
{
    assay_status st = ASSAY_OK;
    struct stat  about;

    ASSAY_REQUIRE(stat(root, &about) == 0, ASSAY_E_USAGE, "cannot read %s: %s", root,
                  strerror(errno));
    ASSAY_REQUIRE(S_ISDIR(about.st_mode) || (S_ISREG(about.st_mode) && is_cuda(root)),
                  ASSAY_E_USAGE, "%s is neither a folder nor a .cu file", root);
out:
    return st;
}

assay_status assay_survey_find(const char *const *roots, int n, assay_survey *survey)
{
    assay_status st = ASSAY_OK;

    *survey = (assay_survey) { .files = NULL };
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(require_root(roots[i]));
    for (int i = 0; i < n; i++)
        ASSAY_CHECK(walk(survey, roots[i]));
    sort_and_unite(survey);
out:
    return st;
}

void assay_survey_free(assay_survey *survey)
{
    for (size_t i = 0; i < survey->n_files; i++) {
        free(survey->files[i].path);
        free(survey->files[i].unknown);
    }
    free(survey->files);
    *survey = (assay_survey) { .files = NULL };
}
