/* What a program says of a point, kept until the end of its group. */
#include "program_internal.h"

#include "base/text.h"
#include "rows/metric.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NULL: its verdict is there already. */
static assay_status find_state(assay_program *program, int64_t point, program_state **state)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(point >= program->first && point < program->end, ASSAY_E_USAGE,
                  "point %" PRId64 " is not of the group that was taken", point);
    *state = program->states[point].is_ready ? &program->states[point] : NULL;
out:
    return st;
}

/* ---- checks ---- */

/* NaN, and anything that has no bound, is beyond all. */
static double ratio_of(const assay_program_check *check)
{
    if (check->bound > 0 && isfinite(check->error))
        return check->error / check->bound;
    return check->error == 0 ? 0 : (double)INFINITY;
}

static void fill_check(const assay_program_point *p, const assay_program_check *check,
                       assay_check_row *row)
{
    const bool is_exact = check->bound == 0;

    *row = (assay_check_row) { .input              = ASSAY_INPUT_RANDOM,
                               .is_invariant       = !is_exact,
                               .verdict            = ASSAY_PASS,
                               .seed               = p->seed,
                               .n_runs             = 1,
                               .rule               = is_exact ? ASSAY_RULE_EXACT : ASSAY_RULE_OWN,
                               .count              = 1,
                               .first_bad_index    = -1,
                               .first_bad_value    = (double)NAN,
                               .first_bad_expected = (double)NAN,
                               .worst_ratio        = ratio_of(check),
                               .max_abs_error      = check->error,
                               .max_abs_expected   = (double)NAN,
                               .max_ulp_error      = (double)NAN,
                               .relative_l2        = (double)NAN,
                               .exempt_share_predicted = (double)NAN };
    (void)assay_text_set(row->output, sizeof row->output, "%s", check->output);
    (void)assay_text_set(row->why, sizeof row->why, "%s", check->why);
    if (check->error <= check->bound)
        return;
    row->verdict  = ASSAY_WRONG_VALUE;
    row->n_failed = 1;
    (void)assay_text_set(row->reason, sizeof row->reason, "is off by %.3g, allowed is %.3g",
                         check->error, check->bound);
}

/* The first failure is that of the point. */
static void judge(program_state *state, const assay_check_row *row)
{
    if (state->verdict.verdict > ASSAY_PASS)
        return;
    state->verdict.verdict = row->verdict;
    if (row->verdict != ASSAY_PASS)
        (void)assay_text_set(state->verdict.reason, sizeof state->verdict.reason, "'%s' %s",
                             row->output, row->reason);
}

assay_status assay_program_put_check(assay_program *program, int64_t point,
                                     const assay_program_check *check)
{
    program_state  *state = NULL;
    assay_check_row row;
    assay_status    st = ASSAY_OK;

    if (!program)
        return ASSAY_OK;
    ASSAY_CHECK(find_state(program, point, &state));
    ASSAY_REQUIRE(
        check->output && *check->output && strlen(check->output) < ASSAY_NAME_SIZE && check->why &&
            *check->why && check->bound >= 0 && isfinite(check->bound) && !(check->error < 0),
        ASSAY_E_USAGE,
        "a check has an output of 1 to %d characters, a reason for its bound, and a finite "
        "bound and an error that are not below 0",
        ASSAY_NAME_SIZE - 1);
    if (!state)
        goto out;
    ASSAY_REQUIRE(!state->is_skipped, ASSAY_E_USAGE,
                  "point %" PRId64 " was skipped: it is not checked", point);
    fill_check(&program->points[point], check, &row);
    ASSAY_CHECK(assay_record_check(&state->record, &row));
    judge(state, &row);
out:
    return st;
}

assay_status assay_program_skip(assay_program *program, int64_t point, const char *reason)
{
    program_state *state = NULL;
    assay_status   st    = ASSAY_OK;

    if (!program)
        return ASSAY_OK;
    ASSAY_CHECK(find_state(program, point, &state));
    ASSAY_REQUIRE(reason && *reason, ASSAY_E_USAGE, "point %" PRId64 " is skipped without a reason",
                  point);
    if (!state)
        goto out;
    ASSAY_REQUIRE(state->verdict.verdict == ASSAY_NOT_RUN, ASSAY_E_USAGE,
                  "point %" PRId64 " was checked: it is not skipped", point);
    state->is_skipped      = true;
    state->verdict.verdict = ASSAY_SKIPPED;
    (void)assay_text_set(state->verdict.reason, sizeof state->verdict.reason, "%s", reason);
out:
    return st;
}

/* ---- numbers ---- */

static assay_status require_passed(const program_state *state, int64_t point, const char *what)
{
    if (state->verdict.verdict == ASSAY_PASS)
        return ASSAY_OK;
    return ASSAY_FAIL(ASSAY_E_USAGE, "no verdict, no number: point %" PRId64 " %s, and has no %s",
                      point,
                      state->is_skipped                         ? "was skipped"
                      : state->verdict.verdict == ASSAY_NOT_RUN ? "was not checked"
                                                                : "is wrong",
                      what);
}

static bool has_fact(const program_state *state, const char *name)
{
    for (int64_t i = 0; i < state->record.n_metrics; i++)
        if (strcmp(state->record.metrics[i].name, name) == 0)
            return true;
    return false;
}

assay_status assay_program_put_fact(assay_program *program, int64_t point, const char *name,
                                    double value)
{
    program_state   *state = NULL;
    assay_metric_row row   = { .status = "ok", .value = value, .replay = "check" };
    assay_status     st    = ASSAY_OK;

    if (!program)
        return ASSAY_OK;
    ASSAY_CHECK(find_state(program, point, &state));
    ASSAY_REQUIRE(name && *name && strlen(name) < ASSAY_NAME_SIZE && !name[strcspn(name, ".;= ")],
                  ASSAY_E_USAGE,
                  "the name of a fact is 1 to %d characters without a blank, '.', ';' and '='",
                  ASSAY_NAME_SIZE - 1);
    if (!state)
        goto out;
    ASSAY_CHECK(require_passed(state, point, "facts"));
    ASSAY_REQUIRE(!has_fact(state, name), ASSAY_E_USAGE,
                  "point %" PRId64 " has a fact '%s' already", point, name);
    (void)assay_text_set(row.name, sizeof row.name, "%s", name);
    if (isfinite(value))
        ASSAY_CHECK(assay_record_put(&state->record, ASSAY_ROW_METRIC, &row));
out:
    return st;
}

/* ---- times ---- */

/* Nothing but the number of samples ends a block. */
static assay_policy policy_of(const assay_program *program, const assay_samples *samples)
{
    assay_policy policy = assay_policy_default();

    policy.n_processes           = program->words.n_processes;
    policy.n_blocks              = (int)samples->n_blocks;
    policy.budget_s              = 0;
    policy.target_relative_error = 0;
    policy.min_samples = policy.max_samples = samples->n / samples->n_blocks;
    return policy;
}

assay_measurement_row assay_program_measurement(const assay_program *program, int64_t point,
                                                assay_regime regime, assay_clock clock,
                                                const assay_samples *samples, int64_t calls)
{
    const assay_program_point *p = &program->points[point];

    return (assay_measurement_row) { .regime              = regime,
                                     .clock               = clock,
                                     .n_samples           = samples->n,
                                     .n_blocks            = samples->n_blocks,
                                     .launches_per_sample = calls,
                                     .stop_reason         = "samples",
                                     .nvml                = "not read",
                                     .bytes_declared      = p->bytes,
                                     .bytes_moved       = p->bytes_moved > 0 ? p->bytes_moved : -1,
                                     .working_set_bytes = p->bytes,
                                     .policy            = policy_of(program, samples) };
}

/* The last ones are as long as the others, or by one longer: n samples in n_blocks. */
static assay_status fill_block(const assay_program_times *times, int64_t k, assay_block *block)
{
    const int64_t first = k * times->n / times->n_blocks;
    const int64_t end   = (k + 1) * times->n / times->n_blocks;

    *block = (assay_block) { .n_samples      = end - first,
                             .order          = (int)k,
                             .start_s        = (double)NAN,
                             .median_cycles  = (double)NAN,
                             .sm_clock_mhz   = (double)NAN,
                             .reasons        = -1,
                             .memory_mhz     = -1,
                             .temperature_c  = -1,
                             .power_before_w = (double)NAN,
                             .power_after_w  = (double)NAN,
                             .energy_j       = (double)NAN,
                             .calls          = times->calls };
    return assay_stats_middle(times->time_ns + first, end - first, ASSAY_SAME_TICK_NS,
                              &block->median_ns);
}

static const struct {
    assay_regime regime;
    assay_clock  clock;
} clocks[] = {
    [ASSAY_PROGRAM_WALL]  = { ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST },
    [ASSAY_PROGRAM_EVENT] = { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
};

static assay_status check_times(const assay_program_times *times)
{
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE((size_t)times->clock < sizeof clocks / sizeof clocks[0], ASSAY_E_USAGE,
                  "%d is not a clock of a program", (int)times->clock);
    ASSAY_REQUIRE(times->n_blocks >= 1 && times->n_blocks <= times->n && times->n_blocks <= 1000 &&
                      times->calls >= 1,
                  ASSAY_E_USAGE,
                  "%" PRId64 " samples of %" PRId64 " calls each do not make %" PRId64
                  " blocks (1 to 1000)",
                  times->n, times->calls, times->n_blocks);
    for (int64_t i = 0; i < times->n; i++)
        ASSAY_REQUIRE(isfinite(times->time_ns[i]) && times->time_ns[i] > 0, ASSAY_E_USAGE,
                      "sample %" PRId64 " is %g ns: that is not a time above 0", i,
                      times->time_ns[i]);
out:
    return st;
}

/* Copied; of one process, whose number its starter gives. */
static assay_status keep_times(assay_program *program, int64_t point,
                               const assay_program_times *times)
{
    const size_t          n       = (size_t)times->n;
    assay_samples         samples = { .n = times->n, .n_blocks = times->n_blocks };
    assay_measurement_row row =
        assay_program_measurement(program, point, clocks[times->clock].regime,
                                  clocks[times->clock].clock, &samples, times->calls);
    assay_status st = ASSAY_OK;

    samples.time_ns = malloc(n * sizeof *samples.time_ns);
    samples.blocks  = calloc((size_t)times->n_blocks, sizeof *samples.blocks);
    ASSAY_REQUIRE(samples.time_ns && samples.blocks, ASSAY_E_MEMORY,
                  "no memory for %" PRId64 " samples", times->n);
    memcpy(samples.time_ns, times->time_ns, n * sizeof *samples.time_ns);
    for (int64_t k = 0; k < times->n_blocks; k++)
        ASSAY_CHECK(fill_block(times, k, &samples.blocks[k]));
    for (size_t i = 0; i < n; i++)
        row.wall_s += times->time_ns[i] * (double)times->calls * 1e-9;
    ASSAY_CHECK(assay_record_measure(&program->states[point].record, &row, &samples));
out:
    assay_samples_free(&samples);
    return st;
}

assay_status assay_program_put_times(assay_program *program, int64_t point,
                                     const assay_program_times *times)
{
    program_state *state = NULL;
    assay_status   st    = ASSAY_OK;

    if (!program)
        return ASSAY_OK;
    ASSAY_CHECK(find_state(program, point, &state));
    ASSAY_CHECK(check_times(times));
    ASSAY_REQUIRE(program->points[point].is_timed, ASSAY_E_USAGE,
                  "point %" PRId64 " was not planned to be timed", point);
    if (!state)
        goto out;
    ASSAY_CHECK(require_passed(state, point, "times"));
    if (assay_program_can_time(program, point))
        ASSAY_CHECK(keep_times(program, point, times));
out:
    return st;
}
