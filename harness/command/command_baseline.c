/* assay baseline: decisions of people. Rows are added, never changed; the newest row of a name
 * counts. */
#include "cli.h"

#include "base/text.h"
#include "gate/run_standing.h"
#include "machine/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words of a person ---- */

/* Copies the text into a field of fixed size. A text that is too long is refused, since half a
 * sentence may say the opposite. */
static assay_status take_text(const char *option, const char *text, char *to, size_t size)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(text && text[strspn(text, " \t\n")], ASSAY_E_USAGE, "baseline needs --%s",
                  option);
    ASSAY_REQUIRE(strlen(text) < size, ASSAY_E_USAGE, "--%s is longer than %zu characters", option,
                  size - 1);
    (void)assay_text_set(to, size, "%s", text);
out:
    return st;
}

/* --who, or the user of this process. */
static assay_status take_who(const assay_cli *cli, char *to, size_t size)
{
    assay_status  st  = ASSAY_OK;
    assay_run_row row = { .seed = 0 };

    if (cli->accept.who)
        return take_text("who", cli->accept.who, to, size);
    ASSAY_CHECK(assay_environment_fill(cli->argc, cli->argv, assay_store_library(), &row));
    (void)assay_text_set(to, size, "%s", row.user);
out:
    return st;
}

/* Refuses an option that belongs to another of the words and would have no effect here. */
static assay_status require_options(const assay_cli *cli, const char *word)
{
    const bool accepts = strcmp(word, "accept") == 0, annotates = strcmp(word, "annotate") == 0;
    const struct {
        const char *option;
        bool        is_given, is_taken;
    } options[] = {
        { "run", cli->which_run != NULL, accepts || annotates },
        { "point", cli->selection.n_points > 0, annotates },
        { "name", cli->accept.name != NULL, accepts },
        { "why", cli->accept.why != NULL, accepts },
        { "text", cli->accept.text != NULL, annotates },
        { "who", cli->accept.who != NULL, accepts || annotates },
        { "known-failures", cli->known_failures != NULL, accepts },
    };

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
        if (options[i].is_given && !options[i].is_taken)
            return ASSAY_FAIL(ASSAY_E_USAGE, "'baseline %s' takes no --%s", word,
                              options[i].option);
    return ASSAY_OK;
}

/* ---- accept ---- */

/* A baseline run has to be right, complete and timed. */
static assay_status require_sound(const assay_run_standing *run)
{
    assay_status    st = ASSAY_OK;
    const long long id = (long long)run->run_id;

    ASSAY_REQUIRE(run->has_ended && run->tally.n_ready == 0, ASSAY_E_USAGE,
                  "run %lld is not finished (%" PRId64 " points left): %s does the rest", id,
                  run->tally.n_ready,
                  run->is_of_program ? "its own command line with --resume" : "'assay resume'");
    ASSAY_REQUIRE(run->tally.n_failed == 0, ASSAY_E_USAGE,
                  "run %lld has %" PRId64 " failed points: a run with failures cannot be a "
                  "baseline ('assay report --run %lld' shows them)",
                  id, run->tally.n_failed, id);
    ASSAY_REQUIRE(run->n_measurements > 0, ASSAY_E_USAGE,
                  "run %lld has no times: a baseline is a run of 'assay bench', 'run' or 'gate'",
                  id);
out:
    return st;
}

static assay_status choose_run(const assay_cli *cli, assay_store *store, int64_t *run_id)
{
    assay_status st    = ASSAY_OK;
    bool         found = true;

    ASSAY_CHECK(assay_cli_find_run(cli, store, run_id));
    if (*run_id == 0)
        ASSAY_CHECK(assay_run_standing_newest(store, NULL, run_id, &found));
    ASSAY_REQUIRE(found, ASSAY_E_USAGE, "%s holds no run with times: 'assay bench' makes one",
                  cli->database);
out:
    return st;
}

static assay_status accept(const assay_cli *cli, assay_store *store)
{
    assay_status         st    = ASSAY_OK;
    assay_accepted_row   row   = { .name = "" };
    assay_known_failures known = { .n = 0 };
    assay_run_standing   run;
    int64_t              run_id = 0;

    ASSAY_CHECK(take_text("name", cli->accept.name, row.name, sizeof row.name));
    ASSAY_CHECK(take_text("why", cli->accept.why, row.why, sizeof row.why));
    ASSAY_CHECK(take_who(cli, row.who, sizeof row.who));
    ASSAY_CHECK(assay_known_failures_read(cli->known_failures, &known));
    ASSAY_CHECK(choose_run(cli, store, &run_id));
    ASSAY_CHECK(assay_run_standing_read(store, run_id, &known, stderr, &run));
    ASSAY_CHECK(require_sound(&run));
    (void)assay_text_set(row.run_uuid, sizeof row.run_uuid, "%s", run.uuid);
    ASSAY_CHECK(assay_store_accept(store, &row));
    (void)printf("%s is run %" PRId64 " (%s) from now on\n", row.name, run_id, run.uuid);
    if (run.is_dirty)
        (void)fprintf(stderr,
                      "assay: its build had uncommitted changes, so it cannot be built again\n");
out:
    assay_known_failures_free(&known);
    return st;
}

/* ---- annotate ---- */

/* The series of a point by the clocks that decide; each is a text. */
typedef struct series_list {
    char **texts; /* owned, and so is each text */
    int    n;
} series_list;

static void free_series(series_list *list)
{
    for (int i = 0; i < list->n; i++)
        free(list->texts[i]);
    free(list->texts);
}

static assay_status add_series(series_list *list, const char *text)
{
    char **grown = realloc(list->texts, ((size_t)list->n + 1) * sizeof *grown);

    if (grown) {
        list->texts    = grown;
        grown[list->n] = strdup(text);
    }
    if (!grown || !grown[list->n])
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the series of a point");
    list->n++;
    return ASSAY_OK;
}

static assay_status find_series(assay_store *store, const char *key, series_list *list)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;

    ASSAY_CHECK(assay_store_query(store, "series_of_points", 0, &cursor));
    while (assay_cursor_next(cursor, &st))
        if (strcmp(assay_row_text(cursor, "key"), key) == 0)
            ASSAY_CHECK(add_series(list, assay_row_text(cursor, "series")));
    if (st != ASSAY_OK)
        goto out;
    ASSAY_REQUIRE(list->n > 0, ASSAY_E_USAGE,
                  "nothing was timed under the key '%s' by a clock that decides", key);
out:
    assay_cursor_close(cursor);
    return st;
}

static assay_status annotate_series(assay_store *store, const series_list *list,
                                    assay_annotation_row *row)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < list->n; i++) {
        ASSAY_REQUIRE(strlen(list->texts[i]) < sizeof row->series, ASSAY_E_USAGE,
                      "the name of a series is too long to be annotated");
        (void)assay_text_set(row->series, sizeof row->series, "%s", list->texts[i]);
        ASSAY_CHECK(assay_store_annotate(store, row));
    }
out:
    return st;
}

/* --run alone annotates the run, --point alone the series of the point, both the series at that
 * run. */
static assay_status annotate(const assay_cli *cli, assay_store *store)
{
    assay_status         st     = ASSAY_OK;
    assay_annotation_row row    = { .text = "" };
    assay_known_failures none   = { .n = 0 };
    series_list          series = { .n = 0 };
    assay_run_standing   run;
    int64_t              run_id = 0;

    ASSAY_REQUIRE(cli->which_run || cli->selection.points[0], ASSAY_E_USAGE,
                  "baseline annotate needs --run RUN, --point KEY, or both");
    ASSAY_CHECK(take_text("text", cli->accept.text, row.text, sizeof row.text));
    ASSAY_CHECK(take_who(cli, row.who, sizeof row.who));
    ASSAY_CHECK(assay_cli_find_run(cli, store, &run_id));
    if (run_id > 0) {
        ASSAY_CHECK(assay_run_standing_read(store, run_id, &none, NULL, &run));
        (void)assay_text_set(row.run_uuid, sizeof row.run_uuid, "%s", run.uuid);
    }
    if (cli->selection.n_points == 0) {
        ASSAY_CHECK(assay_store_annotate(store, &row));
        (void)printf("run %" PRId64 " is annotated\n", run_id);
        goto out;
    }
    ASSAY_CHECK(find_series(store, cli->selection.points[0], &series));
    ASSAY_CHECK(annotate_series(store, &series, &row));
    (void)printf("%d series of %s annotated\n", series.n, cli->selection.points[0]);
out:
    free_series(&series);
    return st;
}

/* ---- list ---- */

/* Prints a text that a person wrote on one line of a terminal. */
static void print_text(const char *text)
{
    bool is_shown = false;

    while (*text) {
        const size_t n = assay_text_character(text, &is_shown);

        (void)printf("%.*s", is_shown ? (int)n : 1, is_shown ? text : " ");
        text += n;
    }
}

static void print_column(assay_cursor *cursor, const char *name, const char *before)
{
    (void)fputs(before, stdout);
    print_text(assay_row_text(cursor, name));
}

static void print_run(assay_cursor *cursor)
{
    if (assay_row_text(cursor, "run_id")[0])
        print_column(cursor, "run_id", "run ");
    else
        print_column(cursor, "run_uuid", "run of another file ");
}

static void print_accepted(assay_cursor *cursor)
{
    print_column(cursor, "name", assay_row_count(cursor, "is_current") > 0 ? "" : "  before: ");
    (void)fputs(": ", stdout);
    print_run(cursor);
    print_column(cursor, "started_utc", ", of ");
    print_column(cursor, "git_commit", ", commit ");
    print_column(cursor, "why", "; ");
    print_column(cursor, "who", " (");
    print_column(cursor, "accepted_utc", ", ");
    (void)puts(")");
}

static void print_annotation(assay_cursor *cursor)
{
    const char *series = assay_row_text(cursor, "series");
    const char *uuid   = assay_row_text(cursor, "run_uuid");

    (void)fputs("  ", stdout);
    print_text(series);
    if (uuid[0]) {
        (void)fputs(series[0] ? " at " : "", stdout);
        print_run(cursor);
    }
    print_column(cursor, "text", ": ");
    print_column(cursor, "who", " (");
    print_column(cursor, "written_utc", ", ");
    (void)puts(")");
}

static assay_status print_each(assay_store *store, const char                  *query,
                               void (*print)(assay_cursor *cursor), const char *heading, int64_t *n)
{
    assay_status  st     = ASSAY_OK;
    assay_cursor *cursor = NULL;

    *n = 0;
    ASSAY_CHECK(assay_store_query(store, query, 0, &cursor));
    while (assay_cursor_next(cursor, &st)) {
        if (*n == 0)
            (void)fputs(heading, stdout);
        ++*n;
        print(cursor);
    }
out:
    assay_cursor_close(cursor);
    return st;
}

static assay_status list(const assay_cli *cli, assay_store *store)
{
    assay_status st          = ASSAY_OK;
    int64_t      n_baselines = 0, n_annotations = 0;

    ASSAY_CHECK(print_each(store, "accepted", print_accepted, "", &n_baselines));
    if (n_baselines == 0)
        (void)printf("%s holds no baseline; 'assay baseline accept' declares one\n", cli->database);
    ASSAY_CHECK(
        print_each(store, "annotations", print_annotation, "\nannotations\n", &n_annotations));
out:
    return st;
}

/* ---- all of it ---- */

int assay_command_baseline(const assay_cli *cli)
{
    static const struct {
        const char      *word;
        assay_store_mode mode;
        assay_status (*run)(const assay_cli *cli, assay_store *store);
    } words[]          = { { "accept", ASSAY_STORE_WRITE, accept },
                           { "annotate", ASSAY_STORE_WRITE, annotate },
                           { "list", ASSAY_STORE_READ, list } };
    const char  *word  = cli->selection.n_cases == 1 ? cli->selection.cases[0] : "";
    assay_store *store = NULL;
    assay_status st    = ASSAY_OK;
    size_t       i     = 0;

    while (i < sizeof words / sizeof words[0] && strcmp(words[i].word, word) != 0)
        i++;
    ASSAY_REQUIRE(i < sizeof words / sizeof words[0], ASSAY_E_USAGE,
                  "baseline takes one of the words accept, annotate and list%s%s%s",
                  word[0] ? ", not '" : "", word, word[0] ? "'" : "");
    ASSAY_CHECK(require_options(cli, word));
    ASSAY_REQUIRE(access(cli->database, F_OK) == 0, ASSAY_E_USAGE, "%s does not exist",
                  cli->database);
    ASSAY_CHECK(assay_store_open(cli->database, words[i].mode, &store));
    ASSAY_CHECK(words[i].run(cli, store));
out:
    assay_store_close(store);
    return st == ASSAY_OK ? ASSAY_EXIT_PASS : assay_cli_failed(st);
}
