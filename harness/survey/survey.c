/* A survey as a whole: tools, a file of our own, then all files, several at a time. */
#include "survey_internal.h"

#include "base/parallel.h"
#include "base/places.h"
#include "base/text.h"

#include <errno.h>
#include <fts.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- where things are ---- */

/* The folder of the file, without the slash. */
static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');

    if (slash)
        *slash = '\0';
}

static bool set_readable(char *to, size_t size, const char *folder, const char *name, int mode)
{
    const int n = snprintf(to, size, "%s/%s", folder, name);

    return n > 0 && (size_t)n < size && access(to, mode) == 0;
}

static bool find_in_path(char *to, size_t size)
{
    const char *folder = getenv("PATH");
    char        one[PATH_MAX];

    while (folder && *folder) {
        const size_t length = strcspn(folder, ":");

        (void)assay_text_set(one, sizeof one, "%.*s", (int)length, folder);
        if (length > 0 && set_readable(to, size, one, "assay-cc", X_OK))
            return true;
        folder += length + (folder[length] == ':');
    }
    return false;
}

/* Beside this program, as it was built or installed; else of the PATH, for a program of somebody
 * else's suite. Its headers are where its build or its installation has put them. */
static assay_status locate(assay_survey_tools *tools)
{
    static const char *const places[] = { "include/assay", "../include/assay" };
    assay_status             st       = ASSAY_OK;
    char                     self[PATH_MAX], *real = NULL, probe[PATH_MAX + 16];

    (void)assay_places_program(self, sizeof self);
    ASSAY_REQUIRE(set_readable(tools->cc, sizeof tools->cc, self, "assay-cc", X_OK) ||
                      find_in_path(tools->cc, sizeof tools->cc),
                  ASSAY_E_IO, "there is no assay-cc beside this program, nor in $PATH");
    real = realpath(tools->cc, NULL);
    ASSAY_REQUIRE(real, ASSAY_E_IO, "cannot find %s: %s", tools->cc, strerror(errno));
    cut_name(real);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (set_readable(tools->headers, sizeof tools->headers, real, places[i], R_OK) &&
            set_readable(probe, sizeof probe, tools->headers, "kernel.h", R_OK))
            goto out;
    st = ASSAY_FAIL(ASSAY_E_IO, "there are no headers of %s at %s or %s from its folder", tools->cc,
                    places[0], places[1]);
out:
    free(real);
    return st;
}

/* ---- a folder for what compilers write ---- */

static assay_status make_folder(assay_survey_tools *tools)
{
    assay_status st    = ASSAY_OK;
    const char  *place = getenv("TMPDIR");
    const int    n     = snprintf(tools->folder, sizeof tools->folder, "%s/assay-survey-XXXXXX",
                           place && place[0] ? place : "/tmp");
    const bool   is_made =
        n > 0 && (size_t)n < sizeof tools->folder && mkdtemp(tools->folder) != NULL;

    if (!is_made)
        tools->folder[0] = '\0';
    ASSAY_REQUIRE(is_made, ASSAY_E_IO, "cannot make a folder for what compilers write: %s",
                  strerror(errno));
    /* Messages in English with plain quotes; a compiler that is killed leaves its files there. */
    ASSAY_REQUIRE(setenv("LC_ALL", "C", 1) == 0 && setenv("TMPDIR", tools->folder, 1) == 0 &&
                      setenv("ASSAY_CC_KEEP", "1", 1) == 0,
                  ASSAY_E_MEMORY, "no memory for the environment of compilers");
out:
    return st;
}

static void remove_folder(assay_survey_tools *tools)
{
    char *const roots[] = { tools->folder, NULL };
    FTS        *tree = tools->folder[0] ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
    FTSENT     *entry;

    while (tree && (entry = fts_read(tree)) != NULL)
        if (entry->fts_info != FTS_D)
            (void)remove(entry->fts_path);
    if (tree)
        (void)fts_close(tree);
}

/* ---- signals ---- */

static volatile sig_atomic_t is_over;

static void note_end(int signal)
{
    (void)signal;
    is_over = 1;
}

bool assay_survey_is_over(void) { return is_over != 0; }

/* The second one ends this process at once. */
static assay_status heed_signals(void)
{
    static const int       signals[] = { SIGINT, SIGTERM, SIGHUP };
    const struct sigaction action    = { .sa_handler = note_end, .sa_flags = (int)SA_RESETHAND };
    assay_status           st        = ASSAY_OK;

    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        ASSAY_REQUIRE(sigaction(signals[i], &action, NULL) == 0, ASSAY_E_INTERNAL,
                      "cannot handle signals: %s", strerror(errno));
out:
    return st;
}

/* ---- our own file ---- */

/* Whatever keeps this one from being taken is no fault of anybody's files. */
static assay_status probe(const assay_survey_options *options, const assay_survey_tools *tools)
{
    static const char    text[] = "__global__ void probe(float *x) { *x = 1; }\n";
    assay_status         st     = ASSAY_OK;
    char                 path[PATH_MAX + 16];
    assay_survey_file    own   = { .path = path };
    FILE                *file  = NULL;
    assay_survey_options plain = *options;

    plain.n_includes = plain.n_defines = 0;
    plain.limit_s                      = 600; /* the person's is for their files */
    (void)assay_text_set(path, sizeof path, "%s/probe.cu", tools->folder);
    file = fopen(path, "we");
    ASSAY_REQUIRE(file && fputs(text, file) >= 0, ASSAY_E_IO, "cannot write %s: %s", path,
                  strerror(errno));
    ASSAY_REQUIRE(fclose(file) == 0, ASSAY_E_IO, "cannot write %s: %s", path, strerror(errno));
    file = NULL;
    ASSAY_CHECK(assay_survey_compile(&plain, tools, 0, &own));
    ASSAY_REQUIRE(own.reason.kind == ASSAY_SURVEY_TAKEN && own.n_kernels == 1, ASSAY_E_IO,
                  "%s with %s does not compile a kernel of one line: %s", tools->cc, options->cxx,
                  own.reason.sentence[0] ? own.reason.sentence : "it does not translate");
out:
    if (file)
        (void)fclose(file);
    free(own.unknown);
    return st;
}

/* ---- all files ---- */

typedef struct survey_work {
    const assay_survey_options *options;
    const assay_survey_tools   *tools;
    assay_survey               *survey;
    pthread_mutex_t             lock; /* of what follows */
    size_t                      n_done;
    assay_status                status; /* the first failure of a thread, with its sentence */
    char                        sentence[1024];
} survey_work;

static void show_progress(const survey_work *w)
{
    if (isatty(STDERR_FILENO))
        (void)fprintf(stderr, "\r%zu of %zu files%s", w->n_done, w->survey->n_files,
                      w->n_done == w->survey->n_files ? "\r\033[K" : "");
}

/* Failures are recorded thread by thread. */
static void finish_one(survey_work *w, assay_status st)
{
    (void)pthread_mutex_lock(&w->lock);
    if (st != ASSAY_OK && w->status == ASSAY_OK) {
        w->status = st;
        (void)assay_text_set(w->sentence, sizeof w->sentence, "%s", assay_status_message());
    }
    w->n_done++;
    show_progress(w);
    (void)pthread_mutex_unlock(&w->lock);
    assay_status_reset();
}

static void judge_one(void *context, int64_t chunk, int64_t begin, int64_t end)
{
    survey_work *w = context;

    (void)chunk;
    for (int64_t i = begin; i < end && !is_over; i++)
        finish_one(w,
                   assay_survey_compile(w->options, w->tools, (size_t)i + 1, &w->survey->files[i]));
}

static assay_status judge_all(const assay_survey_options *options, const assay_survey_tools *tools,
                              assay_survey *survey)
{
    assay_status st = ASSAY_OK;
    survey_work  w  = {
          .options = options, .tools = tools, .survey = survey, .lock = PTHREAD_MUTEX_INITIALIZER
    };

    assay_parallel_limit(options->n_jobs, 0);
    assay_parallel_for((int64_t)survey->n_files, 1, judge_one, &w);
    assay_parallel_limit(0, -1);
    ASSAY_REQUIRE(!is_over, ASSAY_E_IO, "ended by a signal: %zu of %zu files were looked at",
                  w.n_done, survey->n_files);
    ASSAY_REQUIRE(w.status == ASSAY_OK, w.status, "%s", w.sentence);
out:
    return st;
}

assay_status assay_survey_run(const assay_survey_options *options, assay_survey *survey)
{
    assay_status       st    = ASSAY_OK;
    assay_survey_tools tools = { .folder = "" };

    ASSAY_CHECK(assay_survey_find(options->roots, options->n_roots, survey));
    ASSAY_REQUIRE(survey->n_files > 0, ASSAY_E_NOTHING, "there is no .cu file in %s%s",
                  options->roots[0], options->n_roots > 1 ? " and the others" : "");
    ASSAY_CHECK(locate(&tools));
    ASSAY_CHECK(heed_signals());
    ASSAY_CHECK(make_folder(&tools));
    ASSAY_CHECK(probe(options, &tools));
    ASSAY_CHECK(judge_all(options, &tools, survey));
out:
    remove_folder(&tools);
    return st;
}
