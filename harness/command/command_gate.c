/* assay gate: checks, times, compares with a baseline, and times again what is slower. */
#include "gate_internal.h"

#include "base/text.h"
#include "command_run.h"
#include "machine/environment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what is asked for ---- */

/* Does the word name cases of this program? */
static bool is_registered(assay_case_table cases, const char *word)
{
    for (; *cases; cases++)
        if (assay_registry_matches(*cases, word))
            return true;
    return false;
}

/* Turns the words for cases and groups into names of cases, so that the selection of a run also
 * applies to a stored run. */
static assay_status fill_filter(gate *g)
{
    const assay_selection *s  = &g->cli->selection;
    assay_status           st = ASSAY_OK;

    g->filter = (assay_side_filter) { .variants   = s->variants,
                                      .n_variants = s->n_variants,
                                      .axes       = s->axes,
                                      .n_axes     = s->n_axes,
                                      .point      = s->points[0] };
    g->cases =
        calloc((size_t)assay_registry_count(g->cli->cases) + ASSAY_MAX_WORDS, sizeof *g->cases);
    ASSAY_REQUIRE(g->cases, ASSAY_E_MEMORY, "no memory for the names of cases");
    for (int w = 0; w < s->n_cases; w++) {
        if (g->cli->gate.no_run && !is_registered(g->cli->cases, s->cases[w])) {
            g->cases[g->filter.n_cases++] = s->cases[w]; /* it may be a case of a stored run */
            continue;
        }
        ASSAY_CHECK(assay_registry_require(g->cli->cases, s->cases[w]));
        for (assay_case_table c = g->cli->cases; *c; c++) {
            bool is_there = !assay_registry_matches(*c, s->cases[w]);

            for (int i = 0; i < g->filter.n_cases; i++)
                is_there |= strcmp(g->cases[i], (*c)->name) == 0;
            if (!is_there)
                g->cases[g->filter.n_cases++] = (*c)->name;
        }
    }
    g->filter.cases = g->cases;
out:
    return st;
}

/* Reads the baseline before anything runs: a name that does not exist must not cost an hour of
 * timing. */
static assay_status read_baseline(gate *g)
{
    const char  *path = g->cli->gate.against ? g->cli->gate.against : g->cli->database;
    char         word[ASSAY_NAME_SIZE + 16], file[2048] = "", name[4 * ASSAY_NAME_SIZE + 3] = "";
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(g->cli->gate.baseline && g->cli->gate.baseline[0], ASSAY_E_USAGE,
                  "gate needs --baseline NAME; 'assay baseline list' shows the names");
    ASSAY_REQUIRE(strlen(g->cli->gate.baseline) < ASSAY_NAME_SIZE, ASSAY_E_USAGE,
                  "the name of a baseline is at most %d characters long", ASSAY_NAME_SIZE - 1);
    assay_environment_quote(path, file, sizeof file);
    assay_environment_quote(g->cli->gate.baseline, name, sizeof name);
    ASSAY_REQUIRE(access(path, F_OK) == 0, ASSAY_E_USAGE,
                  "%s does not exist: time with `assay bench --db %s`, then declare the run with "
                  "`assay baseline accept --name %s --why ... --db %s`",
                  path, file, name, file);
    (void)assay_text_set(word, sizeof word, "baseline:%s", g->cli->gate.baseline);
    ASSAY_CHECK(assay_side_read(word, path, &g->filter, &g->baseline));
    ASSAY_REQUIRE(g->cli->gate.no_run || !*assay_gate_program(g), ASSAY_E_USAGE,
                  "%s is a run of %s, which assay cannot start: start it, then hold its new run "
                  "against this one with --no-run",
                  word, assay_gate_program(g));
out:
    return st;
}

/* ---- running ---- */

void assay_gate_requests(const assay_cli *cli, assay_run_request *check, assay_run_request *timing)
{
    assay_cli_request(cli, ASSAY_RUN_CHECK, check);
    assay_cli_request(cli, ASSAY_RUN_BENCH, timing);
    check->outputs.is_part = timing->outputs.is_part = true;
}

/* Executes one run as a part of the gate. Returns its exit status; *run_id is 0 if it ended before
 * anything was stored. */
static int run_part(const assay_run_request *request, int64_t *run_id)
{
    assay_run_outcome  outcome;
    const assay_status st = assay_run_execute(request, &outcome);

    *run_id = outcome.run_id;
    if (st != ASSAY_OK)
        (void)assay_cli_failed(st);
    return outcome.exit_status;
}

static int run_named(const assay_run_request *request, int64_t *run_id)
{
    if (!request->outputs.is_quiet)
        (void)fprintf(stderr, "assay: gate: %s\n", request->verb);
    return run_part(request, run_id);
}

static void run_all(gate *g)
{
    g->check_status = run_named(&g->check_request, &g->check_id);
    if (g->check_status != ASSAY_EXIT_USAGE)
        g->run_status = run_named(&g->timing_request, &g->run_id);
}

static assay_status adopt_newest(gate *g)
{
    const char        *program = assay_gate_program(g);
    assay_store       *store   = NULL;
    assay_run_standing standing;
    bool               found = false;
    assay_status       st    = ASSAY_OK;

    ASSAY_CHECK(assay_store_open(g->cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_run_standing_newest(store, program, &g->run_id, &found));
    ASSAY_REQUIRE(found || !*program, ASSAY_E_USAGE, "%s holds no run of %s with times: start it",
                  g->cli->database, program);
    ASSAY_REQUIRE(found, ASSAY_E_USAGE, "%s holds no run with times: leave out --no-run",
                  g->cli->database);
    ASSAY_CHECK(assay_run_standing_read(store, g->run_id, &g->known, stderr, &standing));
    g->run_status = assay_tally_exit_status(&standing.tally);
out:
    assay_store_close(store);
    return st;
}

/* ---- timing again ---- */

/* Keys of points to be timed again, in the order of the run's plan, so that the points of a case
 * are consecutive. */
typedef struct key_list {
    char  **keys; /* owned, and so is each key */
    int64_t n;
} key_list;

static void free_keys(key_list *list)
{
    for (int64_t i = 0; i < list->n; i++)
        free(list->keys[i]);
    free(list->keys);
}

static bool is_slower(const assay_change *row)
{
    return row->kind == ASSAY_CHANGE_COMPARED && row->result.verdict == ASSAY_COMPARE_SLOWER;
}

static assay_status add_if_slower(const gate *g, const char *key, key_list *list)
{
    for (int64_t i = 0; i < g->table.n; i++) {
        if (!is_slower(&g->table.rows[i]) || strcmp(g->table.rows[i].point_b->key, key) != 0)
            continue;
        list->keys[list->n] = strdup(key);
        if (!list->keys[list->n])
            return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for the points to time again");
        list->n++;
        return ASSAY_OK;
    }
    return ASSAY_OK;
}

static assay_status list_slower(const gate *g, assay_store *store, key_list *list)
{
    assay_cursor *cursor = NULL;
    assay_status  st     = ASSAY_OK;

    list->keys = calloc((size_t)g->table.n_slower + 1, sizeof *list->keys);
    ASSAY_REQUIRE(list->keys, ASSAY_E_MEMORY, "no memory for the points to time again");
    ASSAY_CHECK(assay_store_query(store, "run_points", g->run_id, &cursor));
    while (assay_cursor_next(cursor, &st))
        ASSAY_CHECK(add_if_slower(g, assay_row_text(cursor, "key"), list));
out:
    assay_cursor_close(cursor);
    return st;
}

/* Timing again confirms nothing with another build or on another card. If so, g->no_repeat has the
 * reason. */
static assay_status require_same(gate *g, const assay_run_standing *run)
{
    assay_run_row now    = { .seed = 0 };
    assay_target  target = { .device_index = 0 };
    assay_status  st     = ASSAY_OK;

    ASSAY_CHECK(assay_environment_fill(g->cli->argc, g->cli->argv, assay_store_library(), &now));
    ASSAY_CHECK(assay_target_choose(&g->cli->target, &target));
    const struct {
        const char *what, *then, *now;
    } facts[] = {
        { "program", run->binary_id, now.binary_id },
        { "kernel module", run->kernels_id, target.kernels_id },
        { "device", run->device_uuid, target.info.uuid },
        { "lane", run->lane, assay_lane_text(target.lane) },
    };

    for (size_t i = 0; i < sizeof facts / sizeof facts[0] && !g->no_repeat[0]; i++)
        if (strcmp(facts[i].then, facts[i].now) != 0)
            (void)assay_text_set(g->no_repeat, sizeof g->no_repeat,
                                 "the run was made with another %s", facts[i].what);
out:
    return st;
}

/* Can the points be timed again? If so, lists them. */
static assay_status plan_repeat(gate *g, assay_run_standing *run, key_list *list)
{
    const assay_known_failures none  = { .n = 0 };
    assay_store               *store = NULL;
    assay_status               st    = ASSAY_OK;

    ASSAY_CHECK(assay_store_open(g->cli->database, ASSAY_STORE_READ, &store));
    ASSAY_CHECK(assay_run_standing_read(store, g->run_id, &none, NULL, run));
    if (g->cli->gate.no_repeat)
        (void)assay_text_set(g->no_repeat, sizeof g->no_repeat, "--no-repeat was given");
    else
        ASSAY_CHECK(require_same(g, run));
    if (!g->no_repeat[0])
        ASSAY_CHECK(list_slower(g, store, list));
out:
    assay_store_close(store);
    return st;
}

static assay_status read_run(const gate *g, int64_t run_id, assay_side *side)
{
    char word[32];

    (void)assay_text_set(word, sizeof word, "%" PRId64, run_id);
    return assay_side_read(word, g->cli->database, &g->filter, side);
}

static assay_status compare(const gate *g, const assay_side *side, assay_change_table *table)
{
    assay_compare_rule rule = assay_compare_rule_default();

    if (g->cli->look.threshold > 0)
        rule.threshold = g->cli->look.threshold;
    return assay_change_find(&g->baseline, side, &rule, NULL, table);
}

/* Compares with the run that confirms, whether it was made now or existed before. */
static assay_status compare_again(gate *g, int64_t run_id)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(read_run(g, run_id, &g->again));
    ASSAY_CHECK(compare(g, &g->again, &g->repeated));
out:
    return st;
}

/* Times the same points by the same program in new processes. The baseline cannot be timed again:
 * the program that it was timed with is not here. */
static assay_status repeat(gate *g)
{
    assay_run_request  part = g->timing_request;
    key_list           list = { .n = 0 };
    int64_t            before;
    assay_run_standing run;
    assay_status       st = ASSAY_OK;

    if (g->table.n_slower == 0)
        return ASSAY_OK;
    if (*assay_gate_program(g)) {
        ASSAY_CHECK(assay_gate_find_before(g, &before));
        return before ? compare_again(g, before) : ASSAY_OK;
    }
    ASSAY_CHECK(plan_repeat(g, &run, &list));
    if (list.n == 0)
        goto out;
    part.keys    = (const char *const *)list.keys;
    part.n_keys  = list.n;
    part.repeats = run.uuid;
    (void)fprintf(stderr, "assay: gate: %" PRId64 " points are slower; they are timed again\n",
                  list.n);
    g->again_status = run_part(&part, &g->again_id);
    if (g->again_status == ASSAY_EXIT_USAGE || g->again_id == 0) {
        (void)assay_text_set(g->no_repeat, sizeof g->no_repeat, "timing again broke off");
        goto out;
    }
    ASSAY_CHECK(compare_again(g, g->again_id));
out:
    free_keys(&list);
    return st;
}

/* ---- what is wrong ---- */

static assay_status note_failure(void *context, assay_cursor *row)
{
    gate                      *g     = context;
    const assay_known_failure *known = assay_known_failures_find(
        &g->known, assay_row_text(row, "case_name"), assay_row_text(row, "variant"));
    gate_failure *failure = g->failures + g->n_failures;

    if (strcmp(assay_row_text(row, "outcome"), "failed") != 0 || (known && !known->is_expired))
        return ASSAY_OK;
    if (g->n_failures++ >= GATE_MOST_LINES)
        return ASSAY_OK;
    failure->run_id = assay_row_count(row, "run_id");
    (void)assay_text_set(failure->key, sizeof failure->key, "%s", assay_row_text(row, "key"));
    (void)assay_text_set(failure->verdict, sizeof failure->verdict, "%s",
                         assay_row_text(row, "verdict"));
    (void)assay_text_set(failure->reason, sizeof failure->reason, "%s",
                         assay_row_text(row, "reason"));
    return ASSAY_OK;
}

static assay_status note_failures(gate *g)
{
    const int64_t runs[] = { g->check_id, g->run_id, g->again_id };
    assay_store  *store  = NULL;
    assay_status  st     = ASSAY_OK;

    if (g->check_id + g->run_id + g->again_id == 0)
        return ASSAY_OK;
    ASSAY_CHECK(assay_store_open(g->cli->database, ASSAY_STORE_READ, &store));
    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
        if (runs[i] > 0)
            ASSAY_CHECK(assay_store_each_row(store, "run_points", runs[i], note_failure, g));
out:
    assay_store_close(store);
    return st;
}

/* ---- all of it ---- */

/* There is nothing to compare if the run was skipped as a whole or never began. */
static assay_status hold_against(gate *g)
{
    assay_status st = ASSAY_OK;

    if (g->run_id == 0 || g->run_status == ASSAY_EXIT_SKIPPED)
        return ASSAY_OK;
    ASSAY_CHECK(read_run(g, g->run_id, &g->run));
    ASSAY_CHECK(compare(g, &g->run, &g->table));
    ASSAY_CHECK(repeat(g));
out:
    return st;
}

static void free_gate(gate *g)
{
    free(g->rows);
    assay_change_free(&g->repeated);
    assay_change_free(&g->table);
    assay_side_free(&g->again);
    assay_side_free(&g->run);
    assay_side_free(&g->baseline);
    assay_known_failures_free(&g->known);
    free(g->cases);
}

int assay_command_gate(const assay_cli *cli)
{
    gate         g  = { .cli = cli };
    assay_status st = ASSAY_OK;

    assay_gate_requests(cli, &g.check_request, &g.timing_request);
    ASSAY_CHECK(fill_filter(&g));
    ASSAY_CHECK(read_baseline(&g));
    ASSAY_CHECK(assay_known_failures_read(cli->known_failures, &g.known));
    assay_known_failures_warn(&g.known, cli->cases, stderr);
    if (cli->gate.no_run)
        ASSAY_CHECK(adopt_newest(&g));
    else
        run_all(&g);
    ASSAY_CHECK(hold_against(&g));
    ASSAY_CHECK(note_failures(&g));
    ASSAY_CHECK(assay_gate_judge(&g));
    if (!cli->is_quiet || g.exit_status != ASSAY_EXIT_PASS)
        ASSAY_CHECK(assay_gate_print(&g, stdout));
out:
    free_gate(&g);
    return st == ASSAY_OK ? g.exit_status : assay_cli_failed(st);
}
