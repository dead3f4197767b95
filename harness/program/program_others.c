/* The other processes that time a group: this program once more, each with a database of its own
 * that is gone as soon as it was read. */
#include "program_internal.h"

#include "base/places.h"
#include "base/text.h"
#include "process/tool.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One of them. */
typedef struct other {
    assay_program *program;
    int            place; /* among all, from 1 */
    int64_t        first, end;
    char           folder[64], path[80]; /* of its database */
    char           range[48];
    char           ended[ASSAY_REASON_SIZE]; /* how: a piece of a sentence */
} other;

static bool is_timed_by_several(const assay_program *program, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        if (program->words.n_processes > 1 && program->states[i].is_ready &&
            program->points[i].is_timed && assay_program_can_time(program, i))
            return true;
    return false;
}

/* ---- running one ---- */

static assay_status make_folder(other *o)
{
    (void)assay_text_set(o->folder, sizeof o->folder, "/tmp/assay-program-XXXXXX");
    if (!mkdtemp(o->folder))
        return ASSAY_FAIL(ASSAY_E_IO, "cannot make a folder in /tmp: %s", strerror(errno));
    (void)assay_text_set(o->path, sizeof o->path, "%s/x.db", o->folder);
    return ASSAY_OK;
}

/* With all that SQLite may have left beside it. */
static void remove_folder(const other *o)
{
    static const char *const ends[] = { "", "-wal", "-shm", "-journal" };
    char                     path[sizeof o->path + 16];

    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        (void)assay_text_set(path, sizeof path, "%s%s", o->path, ends[i]);
        (void)unlink(path);
    }
    (void)rmdir(o->folder);
}

/* Its words are those of this process, and then its own: of several the last one counts. */
static assay_status make_words(other *o, char *self, char ***words)
{
    static char db[] = "--db", processes[] = "--processes", one[] = "1", only[] = "--only";
    const assay_program_words *ours   = &o->program->words;
    char *const                last[] = { db, o->path, processes, one, only, o->range };
    const int                  n      = ours->argc > 1 ? ours->argc : 1;
    int                        k      = 0;

    *words = calloc((size_t)n + sizeof last / sizeof last[0] + 1, sizeof **words);
    if (!*words)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a command line");
    (*words)[k++] = self;
    for (int i = 1; i < n; i++)
        if (strcmp(ours->argv[i], "--resume") != 0)
            (*words)[k++] = ours->argv[i];
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++)
        (*words)[k++] = last[i];
    return ASSAY_OK;
}

/* Cuts what follows it. */
static char *last_line(char *text)
{
    size_t n = strlen(text);
    char  *start;

    while (n > 0 && text[n - 1] == '\n')
        text[--n] = '\0';
    start = strrchr(text, '\n');
    return start ? start + 1 : text;
}

/* Whether it did its part is seen from its database. */
static assay_status start(other *o)
{
    assay_tools  tools = { .signal_fd = -1 };
    assay_tool   tool  = { .output = NULL };
    char         self[1024], **words = NULL;
    assay_status st = ASSAY_OK;

    (void)assay_text_set(o->range, sizeof o->range, "%" PRId64 ":%" PRId64, o->first,
                         o->end - o->first);
    ASSAY_REQUIRE(assay_places_self(self, sizeof self), ASSAY_E_IO,
                  "cannot find out this program's path, to start it again");
    ASSAY_CHECK(make_words(o, self, &words));
    ASSAY_CHECK(assay_tools_begin(&tools));
    (void)fprintf(stderr,
                  "%s: process %d of %d times points %" PRId64 " to %" PRId64 " of %" PRId64 "\n",
                  o->program->name, o->place + 1, o->program->words.n_processes, o->first + 1,
                  o->end, o->program->n);
    ASSAY_CHECK(assay_tool_run(&tools, words, &tool));
    ASSAY_REQUIRE(!tools.is_stopped, ASSAY_E_IO, "stopped while another process was at work");
    (void)assay_text_set(o->ended, sizeof o->ended, "process %d of %d ended with status %d (%s)",
                         o->place + 1, o->program->words.n_processes, tool.exit_status,
                         assay_text_make_safe(last_line(tool.errors)));
    ASSAY_REQUIRE(access(o->path, F_OK) == 0, ASSAY_E_IO, "%s, and stored nothing", o->ended);
out:
    assay_tools_end(&tools);
    assay_tool_free(&tool);
    free(words);
    return st;
}

/* ---- reading what it stored ---- */

/* What it found wrong is wrong. */
static assay_status blame(const other *o, int64_t point, assay_cursor *row)
{
    program_state  *state = &o->program->states[point];
    assay_check_row check = { .input           = ASSAY_INPUT_RANDOM,
                              .verdict         = ASSAY_WRONG_VALUE,
                              .seed            = o->program->points[point].seed,
                              .n_runs          = 1,
                              .rule            = ASSAY_RULE_EXACT,
                              .why             = "every process must be right",
                              .count           = 1,
                              .n_failed        = 1,
                              .first_bad_index = -1,
                              .worst_ratio     = (double)INFINITY };

    (void)assay_text_set(check.output, sizeof check.output, "process_%d", o->place + 1);
    (void)assay_text_set(check.reason, sizeof check.reason, "%s", assay_row_text(row, "reason"));
    (void)assay_text_set(state->blame, sizeof state->blame, "process %d: %s", o->place + 1,
                         check.reason);
    return assay_record_check(&state->record, &check);
}

static assay_status read_verdicts(const other *o, assay_store *store, int64_t run_id)
{
    assay_cursor *row   = NULL;
    int64_t       point = 0;
    const char   *outcome;
    assay_status  st = ASSAY_OK;

    ASSAY_CHECK(assay_store_query(store, "run_points", run_id, &row));
    for (; assay_cursor_next(row, &st); point++) {
        if (point < o->first || point >= o->end || !o->program->states[point].is_ready)
            continue;
        outcome = assay_row_text(row, "outcome");
        ASSAY_REQUIRE(strcmp(outcome, "ready") != 0, ASSAY_E_IO, "%s before %s had a verdict",
                      o->ended, assay_row_text(row, "key"));
        if (strcmp(outcome, "failed") == 0)
            ASSAY_CHECK(blame(o, point, row));
    }
out:
    assay_cursor_close(row);
    return st;
}

static assay_status read_measurement(const other *o, assay_store *store, assay_cursor *row)
{
    const int64_t         point  = assay_row_count(row, "ordinal");
    assay_stored_samples  stored = { .n_samples = 0 };
    assay_samples         samples;
    assay_measurement_row measured;
    assay_regime          regime = ASSAY_REGIME_NONE;
    assay_clock           clock  = ASSAY_CLOCK_NONE;
    assay_status          st     = ASSAY_OK;

    if (point < o->first || point >= o->end || !o->program->states[point].is_ready)
        return ASSAY_OK;
    ASSAY_REQUIRE(assay_regime_find(assay_row_text(row, "regime"), &regime) &&
                      assay_clock_find(assay_row_text(row, "clock"), &clock),
                  ASSAY_E_INTERNAL, "another process measured by an unknown clock");
    ASSAY_CHECK(assay_store_read_samples(store, assay_row_count(row, "measurement_id"), &stored));
    for (int64_t k = 0; k < stored.n_blocks; k++)
        stored.blocks[k].process = o->place;
    samples  = (assay_samples) { .time_ns  = stored.time_ns,
                                 .n        = stored.n_samples,
                                 .blocks   = stored.blocks,
                                 .n_blocks = stored.n_blocks };
    measured = assay_program_measurement(o->program, point, regime, clock, &samples,
                                         assay_row_count(row, "launches_per_sample"));
    ASSAY_CHECK(assay_record_measure(&o->program->states[point].record, &measured, &samples));
out:
    assay_stored_samples_free(&stored);
    return st;
}

static assay_status read_measurements(const other *o, assay_store *store, int64_t run_id)
{
    assay_cursor *row = NULL;
    assay_status  st  = ASSAY_OK;

    ASSAY_CHECK(assay_store_query(store, "run_measurements", run_id, &row));
    while (assay_cursor_next(row, &st))
        ASSAY_CHECK(read_measurement(o, store, row));
out:
    assay_cursor_close(row);
    return st;
}

static assay_status read_all(const other *o)
{
    assay_store *store  = NULL;
    int64_t      run_id = 0;
    bool         found  = false;
    assay_status st     = ASSAY_OK;

    ASSAY_CHECK(assay_store_open(o->path, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_store_latest_run(store, &run_id, &found));
    ASSAY_REQUIRE(found, ASSAY_E_IO, "%s before any point had a verdict", o->ended);
    ASSAY_CHECK(read_verdicts(o, store, run_id));
    ASSAY_CHECK(read_measurements(o, store, run_id));
out:
    assay_store_close(store);
    return st;
}

assay_status assay_program_run_others(assay_program *program, int64_t first, int64_t end)
{
    other        o  = { .program = program, .place = 1, .first = first, .end = end };
    assay_status st = ASSAY_OK;

    if (!is_timed_by_several(program, first, end))
        return ASSAY_OK;
    for (; o.place < program->words.n_processes; o.place++) {
        ASSAY_CHECK(make_folder(&o));
        st = start(&o);
        if (st == ASSAY_OK)
            st = read_all(&o);
        remove_folder(&o);
        ASSAY_CHECK(st);
    }
out:
    for (int64_t i = first; st != ASSAY_OK && i < end; i++)
        assay_record_clear(&program->states[i].record);
    return st;
}
