/* Finds the runs of a file that a word means. */
#include "store_side.h"

#include "base/text.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- all runs of a file ---- */

typedef struct run_list {
    assay_side_run *runs;
    int64_t         n, capacity;
    assay_texts    *texts;
} run_list;

static assay_status add_run(void *context, assay_cursor *row)
{
    run_list    *list = context;
    assay_texts *t    = list->texts;

    if (!assay_grow((void **)&list->runs, list->n, &list->capacity, sizeof *list->runs))
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the runs of a file");
    list->runs[list->n++] = (assay_side_run) {
        .run_id          = assay_row_count(row, "run_id"),
        .build_id        = assay_row_count(row, "build_id"),
        .device_state_id = assay_row_count(row, "device_state_id"),
        .uuid            = assay_texts_keep(t, assay_row_text(row, "uuid")),
        .started_utc     = assay_texts_keep(t, assay_row_text(row, "started_utc")),
        .git_commit      = assay_texts_keep(t, assay_row_text(row, "git_commit")),
        .binary_id       = assay_texts_keep(t, assay_row_text(row, "binary_id")),
        .kernels_id      = assay_texts_keep(t, assay_row_text(row, "kernels_id")),
        .git_dirty       = assay_row_count(row, "git_dirty") != 0,
        .is_finished     = assay_row_count(row, "is_finished") != 0,
        .program         = assay_texts_keep(t, assay_row_text(row, "program")),
        .is_timed        = assay_row_count(row, "is_timed") != 0,
    };
    return t->status;
}

assay_status assay_side_list_runs(assay_store *store, assay_texts *texts, assay_side_run **runs,
                                  int64_t *n)
{
    run_list     list = { .texts = texts };
    assay_status st   = assay_store_each_row(store, "compare_runs", 0, add_run, &list);

    if (st != ASSAY_OK)
        free(list.runs);
    *runs = st == ASSAY_OK ? list.runs : NULL;
    *n    = st == ASSAY_OK ? list.n : 0;
    return st;
}

/* ---- selection ---- */

/* The search for a word among the runs of one file. The chosen runs are moved to the front of
 * `runs`. */
typedef struct lookup {
    assay_store    *store;
    const char     *path, *word;
    assay_side_run *runs;
    int64_t         n;
    int64_t         n_chosen;
    bool            wants_one; /* only one run, of this very file */
    const char     *baseline;  /* the name of the baseline while its run is searched */
    char            uuid[64];
} lookup;

static bool can_stand(const assay_side_run *run) { return run->is_finished && run->is_timed; }

/* Returns the newest run before `end`, of that program unless NULL; -1: none. */
static int64_t find_newest(const lookup *l, int64_t end, const char *program)
{
    int64_t i = end - 1;

    while (i >= 0 &&
           !(can_stand(&l->runs[i]) && (!program || strcmp(l->runs[i].program, program) == 0)))
        i--;
    return i;
}

static assay_status choose_one(lookup *l, int64_t i, const char *which)
{
    if (i < 0)
        return ASSAY_FAIL(ASSAY_E_USAGE, "%s: there is no %sfinished run with times in it", l->path,
                          which);
    l->runs[0]  = l->runs[i];
    l->n_chosen = 1;
    return ASSAY_OK;
}

static assay_status choose_latest(lookup *l)
{
    return choose_one(l, find_newest(l, l->n, NULL), "");
}

/* Runs of two programs have no point in common. */
static assay_status choose_previous(lookup *l)
{
    const int64_t latest = find_newest(l, l->n, NULL);

    return choose_one(l, latest < 0 ? -1 : find_newest(l, latest, l->runs[latest].program),
                      "second ");
}

/* Chooses all runs for which `is_meant` is true, in their order. */
static void choose(lookup     *l, bool (*is_meant)(const assay_side_run *run, const char *word),
                   const char *word)
{
    for (int64_t i = 0; i < l->n; i++)
        if (is_meant(&l->runs[i], word))
            l->runs[l->n_chosen++] = l->runs[i];
}

static bool has_uuid_prefix(const assay_side_run *run, const char *word)
{
    return assay_text_after(run->uuid, word) != NULL;
}

static bool has_number(const assay_side_run *run, const char *word)
{
    char number[32];

    return strcmp(assay_text_set(number, sizeof number, "%" PRId64, run->run_id), word) == 0;
}

static assay_status find_baseline(void *context, assay_cursor *row)
{
    lookup *l = context;

    if (strcmp(assay_row_text(row, "name"), l->baseline) == 0)
        (void)assay_text_set(l->uuid, sizeof l->uuid, "%s", assay_row_text(row, "run_uuid"));
    return ASSAY_OK;
}

static assay_status choose_baseline(lookup *l)
{
    assay_status st = ASSAY_OK;

    l->baseline = assay_text_after(l->word, "baseline:");
    ASSAY_CHECK(assay_store_each_row(l->store, "compare_baselines", 0, find_baseline, l));
    ASSAY_REQUIRE(l->uuid[0], ASSAY_E_USAGE, "%s has no accepted baseline '%s'", l->path,
                  l->baseline);
    choose(l, has_uuid_prefix, l->uuid);
    ASSAY_REQUIRE(l->n_chosen > 0, ASSAY_E_USAGE,
                  "%s: the run of the baseline '%s' is in another file; merge that one first",
                  l->path, l->baseline);
out:
    return st;
}

static bool is_of_build(const assay_side_run *run, const char *prefix)
{
    return can_stand(run) &&
           (assay_text_after(run->git_commit, prefix) || assay_text_after(run->binary_id, prefix) ||
            assay_text_after(run->kernels_id, prefix));
}

/* Is it one build, or the same unchanged commit built several times? */
static bool is_one_build(const assay_side_run *a, const assay_side_run *b)
{
    return a->build_id == b->build_id || (!a->git_dirty && !b->git_dirty && a->git_commit[0] &&
                                          strcmp(a->git_commit, b->git_commit) == 0);
}

static assay_status choose_build(lookup *l)
{
    const char  *prefix = assay_text_after(l->word, "build:");
    assay_status st     = ASSAY_OK;

    ASSAY_REQUIRE(prefix[0], ASSAY_E_USAGE,
                  "build: takes the beginning of a commit or of a build id");
    choose(l, is_of_build, prefix);
    ASSAY_REQUIRE(l->n_chosen > 0, ASSAY_E_USAGE,
                  "%s has no finished run with times of a build '%s'", l->path, prefix);
    for (int64_t i = 1; i < l->n_chosen; i++)
        ASSAY_REQUIRE(is_one_build(&l->runs[0], &l->runs[i]), ASSAY_E_USAGE,
                      "'%s' begins the ids of several builds (commits %.12s%s and %.12s%s): give "
                      "more of it, or of the program's id (%.12s, %.12s)",
                      prefix, l->runs[0].git_commit, l->runs[0].git_dirty ? " with changes" : "",
                      l->runs[i].git_commit, l->runs[i].git_dirty ? " with changes" : "",
                      l->runs[0].binary_id, l->runs[i].binary_id);
out:
    return st;
}

/* A run by its number or by a prefix of its uuid. */
static assay_status choose_run(lookup *l)
{
    assay_status st = ASSAY_OK;

    choose(l, has_number, l->word);
    if (l->n_chosen == 0 && l->word[0])
        choose(l, has_uuid_prefix, l->word);
    ASSAY_REQUIRE(l->n_chosen > 0, ASSAY_E_USAGE,
                  "%s has no run '%s': give its number or the beginning of its uuid, latest, "
                  "previous%s",
                  l->path, l->word,
                  l->wants_one ? " or baseline:NAME" : ", baseline:NAME, build:PREFIX, or a file");
    ASSAY_REQUIRE(l->n_chosen == 1, ASSAY_E_USAGE,
                  "%s: the uuids of %" PRId64 " runs begin with '%s': give more of it", l->path,
                  l->n_chosen, l->word);
out:
    return st;
}

static assay_status look_up(lookup *l)
{
    static const struct {
        const char *start;
        bool        is_whole;
        assay_status (*choose)(lookup *l);
    } words[] = {
        { "latest", true, choose_latest },
        { "previous", true, choose_previous },
        { "baseline:", false, choose_baseline },
        { "build:", false, choose_build },
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const char *rest = assay_text_after(l->word, words[i].start);

        if (rest && (!words[i].is_whole || !*rest))
            return words[i].choose(l);
    }
    return choose_run(l);
}

/* ---- file and word ---- */

static bool is_keyword(const char *word)
{
    return strcmp(word, "latest") == 0 || strcmp(word, "previous") == 0 ||
           assay_text_after(word, "baseline:") || assay_text_after(word, "build:");
}

static bool is_file(const char *path)
{
    struct stat about;

    return stat(path, &about) == 0 && S_ISREG(about.st_mode);
}

/* Divides FILE or FILE:WORD. It is a file if one exists; of several colons, the first one after an
 * existing file counts. A number is always a number. */
static assay_status split(const char *word, const char *database, char *path, size_t size,
                          const char **rest)
{
    const bool is_number = word[0] && strspn(word, "0123456789") == strlen(word);

    *rest = word;
    (void)assay_text_set(path, size, "%s", database);
    if (is_keyword(word) || is_number)
        return ASSAY_OK;
    if (strlen(word) >= size)
        return ASSAY_FAIL(ASSAY_E_USAGE, "a word of %zu characters means no run", strlen(word));
    if (is_file(word)) {
        (void)assay_text_set(path, size, "%s", word);
        *rest = "latest";
        return ASSAY_OK;
    }
    for (const char *colon = strchr(word, ':'); colon; colon = strchr(colon + 1, ':')) {
        (void)assay_text_set(path, size, "%.*s", (int)(colon - word), word);
        *rest = colon + 1;
        if (is_file(path))
            return ASSAY_OK;
    }
    *rest = word;
    (void)assay_text_set(path, size, "%s", database);
    return ASSAY_OK;
}

/* "run 3 of results/assay.db (2026-11-28T07:31, abcdef012345)" */
static void name_side(assay_side *side, const char *path)
{
    const assay_side_run *run = &side->runs[side->n_runs - 1];
    char                  text[PATH_MAX + 256], count[64];

    (void)assay_text_set(count, sizeof count, "%" PRId64 " runs of one build, the newest ",
                         side->n_runs);
    (void)assay_text_set(text, sizeof text, "%srun %" PRId64 " of %s (%.16s, commit %.12s%s%s)",
                         side->n_runs > 1 ? count : "", run->run_id, path, run->started_utc,
                         run->git_commit[0] ? run->git_commit : "unknown",
                         run->git_dirty ? " with changes" : "",
                         run->is_finished ? "" : ", not finished");
    side->path = assay_texts_keep(&side->texts, path);
    side->name = assay_texts_keep(&side->texts, text);
}

assay_status assay_side_read(const char *word, const char *database,
                             const assay_side_filter *filter, assay_side *side)
{
    char         path[PATH_MAX];
    assay_store *store = NULL;
    assay_texts  texts = { .n = 0 };
    lookup       l     = { .path = path };
    assay_status st    = ASSAY_OK;

    *side = (assay_side) { .n_runs = 0 };
    ASSAY_CHECK(split(word, database, path, sizeof path, &l.word));
    ASSAY_REQUIRE(is_file(path), ASSAY_E_USAGE, "'%s': there is no such file, and no database %s",
                  word, path);
    ASSAY_CHECK(assay_store_open(path, ASSAY_STORE_READ, &store));
    l.store = store;
    ASSAY_CHECK(assay_side_list_runs(store, &texts, &l.runs, &l.n));
    ASSAY_CHECK(look_up(&l));
    ASSAY_CHECK(assay_side_read_runs(store, l.runs, l.n_chosen, filter, side));
    ASSAY_CHECK(assay_side_read_known(store, side));
    name_side(side, path);
    ASSAY_CHECK(side->texts.status);
out:
    free(l.runs);
    assay_texts_free(&texts);
    assay_store_close(store);
    return st;
}

assay_status assay_side_find_run(assay_store *store, const char *path, const char *word,
                                 int64_t *run_id)
{
    assay_texts  texts = { .n = 0 };
    lookup       l     = { .store = store, .path = path, .word = word, .wants_one = true };
    assay_status st    = ASSAY_OK;

    ASSAY_REQUIRE(!assay_text_after(word, "build:"), ASSAY_E_USAGE,
                  "'%s' may mean several runs, and one is wanted", word);
    ASSAY_CHECK(assay_side_list_runs(store, &texts, &l.runs, &l.n));
    ASSAY_CHECK(look_up(&l));
    *run_id = l.runs[0].run_id;
out:
    free(l.runs);
    assay_texts_free(&texts);
    return st;
}
