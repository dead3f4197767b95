/* Groups of points that are compared with one another: they are taken and stored together. */
#include "program_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "supervise/decide.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    MAX_MEASURED = 4 /* clocks of a program, at most */
};

assay_status assay_program_take(assay_program *program, int64_t first, int64_t n, bool *is_wanted)
{
    assay_status st = ASSAY_OK;

    *is_wanted = !program;
    if (!program)
        return ASSAY_OK;
    ASSAY_REQUIRE(first >= 0 && n > 0 && n <= program->n - first, ASSAY_E_USAGE,
                  "points %" PRId64 " to %" PRId64 " are not all of the plan, which has %" PRId64,
                  first, first + n - 1, program->n);
    ASSAY_REQUIRE(program->end == 0, ASSAY_E_USAGE,
                  "points %" PRId64 " to %" PRId64 " were taken, and are not finished",
                  program->first, program->end - 1);
    if (assay_program_is_other(program) && first != program->words.first)
        goto out;
    for (int64_t i = first; i < first + n; i++)
        *is_wanted |= program->states[i].is_ready;
    if (!*is_wanted)
        goto out;
    ASSAY_CHECK(assay_program_run_others(program, first, first + n));
    program->first   = first;
    program->end     = first + n;
    program->taken_s = assay_clock_s();
out:
    *is_wanted = *is_wanted && st == ASSAY_OK;
    return st;
}

/* ---- judging ---- */

static int measured_of(program_state *state, assay_measured *m)
{
    int n = 0;

    for (; n < state->record.n_measurements && n < MAX_MEASURED; n++)
        m[n] = (assay_measured) { &state->record.measurements[n].row,
                                  &state->record.measurements[n].samples };
    return n;
}

/* What one process found wrong is wrong. */
static void decide(program_state *state)
{
    assay_measured m[MAX_MEASURED] = { { NULL, NULL } };
    const int      n               = measured_of(state, m);

    if (*state->blame && state->verdict.verdict == ASSAY_PASS) {
        state->verdict.verdict = ASSAY_WRONG_VALUE;
        (void)assay_text_set(state->verdict.reason, sizeof state->verdict.reason, "%s",
                             state->blame);
    }
    assay_decide(m, n);
    for (int i = 0; i < n; i++)
        assay_decide_limits(m[i].row, NULL, 0);
}

static assay_status compare(program_state *state, program_state *other, const char *baseline)
{
    static const assay_regime regimes[]       = { ASSAY_REGIME_HOT, ASSAY_REGIME_E2E };
    assay_measured            v[MAX_MEASURED] = { { NULL, NULL } };
    assay_measured            b[MAX_MEASURED] = { { NULL, NULL } };
    const int                 n_v = measured_of(state, v), n_b = other ? measured_of(other, b) : 0;
    assay_status              st = ASSAY_OK;

    for (size_t r = 0; r < sizeof regimes / sizeof regimes[0]; r++) {
        assay_comparison_row row = { .kind = "speedup" };

        if (!assay_decide_speedup(v, n_v, b, n_b, regimes[r], &row))
            continue;
        (void)assay_text_set(row.against, sizeof row.against, "%s", baseline);
        if (n_b == 0)
            (void)assay_text_set(row.reason, sizeof row.reason, "%s has no time in this group",
                                 baseline);
        ASSAY_CHECK(assay_record_put(&state->record, ASSAY_ROW_COMPARISON, &row));
    }
out:
    return st;
}

/* A group may be thousands of points that nobody times: only for others the baseline is looked for.
 */
static assay_status compare_with_baseline(assay_program *program, int64_t point)
{
    const assay_program_point *p     = &program->points[point];
    program_state             *state = &program->states[point];
    program_state             *other = NULL;
    int64_t                    at;

    if (!p->baseline || !p->is_timed || state->verdict.verdict != ASSAY_PASS)
        return ASSAY_OK;
    at    = assay_program_find_baseline(program, program->first, program->end, point);
    other = at >= 0 ? &program->states[at] : NULL;
    if (other && other->verdict.verdict != ASSAY_PASS)
        other = NULL;
    return compare(state, other, p->baseline);
}

/* ---- storing ---- */

static assay_status require_all(const assay_program *program)
{
    char         key[ASSAY_KEY_SIZE];
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(program->end > 0, ASSAY_E_USAGE, "no group was taken: nothing is finished");
    for (int64_t i = program->first; i < program->end; i++) {
        const program_state *state = &program->states[i];

        ASSAY_REQUIRE(!state->is_ready || state->verdict.verdict != ASSAY_NOT_RUN, ASSAY_E_USAGE,
                      "%s was neither checked nor skipped: it has no verdict",
                      assay_program_key(&program->points[i], key, sizeof key));
    }
out:
    return st;
}

static assay_status store_point(assay_program *program, program_state *state, double wall_s)
{
    assay_status st = ASSAY_OK;

    if (!state->is_ready)
        return ASSAY_OK;
    state->verdict.launches   = -1;
    state->verdict.peak_bytes = -1;
    state->verdict.wall_s     = wall_s;
    ASSAY_CHECK(assay_record_store(&state->record, program->store, state->id, &state->verdict));
out:
    return st;
}

/* Points that are compared with one another are stored together: a point that was stored before the
 * run was interrupted could not be a baseline any more. */
static assay_status store_group(assay_program *program, double wall_s)
{
    assay_status st = assay_store_begin_plan(program->store);

    if (st != ASSAY_OK)
        return st;
    for (int64_t i = program->first; i < program->end; i++)
        ASSAY_CHECK(store_point(program, &program->states[i], wall_s));
out:
    if (st == ASSAY_OK)
        return assay_store_end_plan(program->store, true);
    (void)assay_store_end_plan(program->store, false); /* the first failure stays the cause */
    return st;
}

/* Stored, or nothing is known of it any more: a verdict without what it stands on is none. */
static void forget_group(assay_program *program, bool is_stored)
{
    for (int64_t i = program->first; i < program->end; i++) {
        program_state *state = &program->states[i];

        assay_record_clear(&state->record);
        state->is_ready   = state->is_ready && !is_stored;
        state->is_skipped = false;
        state->verdict    = (assay_verdict_row) { .verdict = ASSAY_NOT_RUN };
        state->blame[0]   = '\0';
    }
    program->first = program->end = 0;
}

/* Who was started for a part is spoken of by its starter. */
static void say_progress(assay_program *program)
{
    const double now_s  = assay_clock_s();
    int64_t      n_done = 0;

    if (assay_program_is_other(program) || now_s - program->said_s < 1)
        return;
    program->said_s = now_s;
    for (int64_t i = 0; i < program->n; i++)
        n_done += !program->states[i].is_ready;
    (void)fprintf(stderr, "%s: %" PRId64 " of %" PRId64 " points are stored\n", program->name,
                  n_done, program->n);
}

assay_status assay_program_finish(assay_program *program)
{
    assay_status st = ASSAY_OK;
    double       wall_s;

    if (!program)
        return ASSAY_OK;
    ASSAY_CHECK(require_all(program));
    wall_s = (assay_clock_s() - program->taken_s) / (double)(program->end - program->first);
    for (int64_t i = program->first; i < program->end; i++)
        decide(&program->states[i]);
    for (int64_t i = program->first; i < program->end; i++)
        ASSAY_CHECK(compare_with_baseline(program, i));
    st = store_group(program, wall_s);
    forget_group(program, st == ASSAY_OK);
    if (st == ASSAY_OK)
        say_progress(program);
out:
    return st;
}
