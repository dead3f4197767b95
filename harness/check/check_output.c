/* The verdict on one output: ranks what the scan found, and writes it as a row and a sentence. */
#include "check_row.h"
#include "check_scan.h"
#include "fill.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    ASSAY_ORIGIN_SIZE = 96
};

/* One output being judged. */
typedef struct judged {
    const assay_check_data *data;
    const assay_buffer     *buffer;
    const assay_expected   *expected;
    assay_tolerance         tol;
    assay_scan_job          job;
    assay_scan              found;
    int64_t                 exempt_limit;
} judged;

/* ---- sentences ---- */

/* The type in which expected integers are stored: 64-bit patterns. */
static assay_type expected_type(assay_type type) { return type == ASSAY_U64 ? type : ASSAY_I64; }

static void expected_text(const judged *j, int64_t i, char text[ASSAY_VALUE_SIZE])
{
    const bool   is_float = assay_type_is_float(j->job.type);
    const double rounded  = is_float ? assay_law_round(j->job.type, j->expected->value[i]) : 0;

    if (!is_float)
        assay_check_value_text(j->expected->integer, expected_type(j->job.type), i, text);
    else if (j->expected->law[i] == ASSAY_MUST_BE_NAN)
        (void)snprintf(text, ASSAY_VALUE_SIZE, "NaN");
    else if (j->job.rule == ASSAY_RULE_BOUND && isfinite(rounded))
        (void)snprintf(text, ASSAY_VALUE_SIZE, "%.10g", j->expected->value[i]);
    else
        (void)snprintf(text, ASSAY_VALUE_SIZE, "%.*g", assay_type_digits(j->job.type), rounded);
}

/* By how much it is wrong: " +- 1e-07 (ratio 3)", " within 1 ULP (off by 5)" or nothing. */
static void margin_text(const judged *j, int64_t i, int run, char text[128])
{
    const bool   is_float = assay_type_is_float(j->job.type);
    const double expected = is_float ? j->expected->value[i] : 0;
    double       got, ratio;

    text[0] = '\0';
    if (!is_float || j->expected->law[i] == ASSAY_MUST_BE_NAN || j->job.rule == ASSAY_RULE_EXACT)
        return;
    got = assay_type_load(j->job.type, j->job.run[run], i);
    (void)assay_law_holds(j->job.rule, j->job.type, &j->job.law, got, expected,
                          assay_law_round(j->job.type, expected), j->expected->magnitude[i],
                          &ratio);
    if (j->job.rule == ASSAY_RULE_ULP)
        (void)snprintf(text, 128, " within %.0f ULP (off by %.0f)", j->job.law.max_ulp,
                       assay_check_ulp(j->job.type, got, expected));
    else
        (void)snprintf(text, 128, " +- %.3g (err/bound %.3g)",
                       assay_law_bound(&j->job.law, expected, j->expected->magnitude[i]), ratio);
}

/* The run that is wrong, if there are several and the first was right. Also tells whether poison
 * was left in one run alone. */
static void run_text(const judged *j, int64_t i, int run, char text[96])
{
    const bool left = j->job.is_poisoned && assay_check_is_left(&j->job, i, run);

    text[0] = '\0';
    if (run > 0 || (left && j->job.n_runs > 1))
        (void)snprintf(text, 96, " in run %d of %d%s", run, j->job.n_runs,
                       left ? ", where it was not written" : "");
}

/* Where a NaN comes from, if its payload tells: arithmetic keeps the payload on most machines. */
static void origin_text(const judged *j, int64_t i, int run, char text[ASSAY_ORIGIN_SIZE])
{
    const assay_shape *shape = j->data->shape;
    assay_nan_origin   o;
    const char        *name = "workspace";

    text[0] = '\0';
    if (!assay_fill_nan_origin(j->job.run[run], j->job.type, i, &o))
        return;
    if (o.is_shared) {
        (void)snprintf(text, ASSAY_ORIGIN_SIZE, " (of shared memory that nobody had written)");
        return;
    }
    if (o.launch != run || o.input != j->job.input)
        return;
    if (o.buffer < ASSAY_MAX_BUFFERS)
        name = shape->buf[o.buffer].name;
    if (name)
        (void)snprintf(text, ASSAY_ORIGIN_SIZE,
                       o.is_guard ? " (read outside '%s')" : " (of '%s' before it was written)",
                       name);
}

static int64_t count_failed(const assay_scan *found)
{
    return found->n[ASSAY_FOUND_WRONG] + found->n[ASSAY_FOUND_NOT_FINITE] +
           found->n[ASSAY_FOUND_UNWRITTEN];
}

static void write_reason(const judged *j, assay_finding finding, assay_check_row *row)
{
    const int64_t i   = j->found.first[finding];
    const int     run = j->found.first_run[finding];
    char          got[ASSAY_VALUE_SIZE], expected[ASSAY_VALUE_SIZE], margin[128], in_run[96];
    char          origin[ASSAY_ORIGIN_SIZE];

    origin_text(j, i, run, origin);
    assay_check_value_text(j->job.run[run], j->job.type, i, got);
    expected_text(j, i, expected);
    margin_text(j, i, run, margin);
    run_text(j, i, run, in_run);
    if (finding == ASSAY_FOUND_UNWRITTEN)
        (void)snprintf(row->reason, sizeof row->reason,
                       "element %" PRId64 " was never written, expected %s; %" PRId64 " of %" PRId64
                       " unwritten, %" PRId64 " fail",
                       i, expected, j->found.n[finding], j->job.count, row->n_failed);
    else if (finding == ASSAY_FOUND_EXEMPT)
        (void)snprintf(
            row->reason, sizeof row->reason,
            "%" PRId64 " of %" PRId64
            " elements are exempt and differ, but the predicted share of %.3g allows only %" PRId64
            "; the first is element %" PRId64 ": %s%s, expected %s%s",
            j->found.n[finding], j->job.count, j->expected->exempt_share, j->exempt_limit, i, got,
            in_run, expected, margin);
    else
        (void)snprintf(row->reason, sizeof row->reason,
                       "element %" PRId64 " is %s%s%s, expected %s%s%s; %" PRId64 " of %" PRId64
                       " fail",
                       i, got, origin, in_run, *margin ? "" : "exactly ", expected, margin,
                       row->n_failed, j->job.count);
}

/* ---- verdict ---- */

static const assay_verdict verdict_of[ASSAY_N_FINDINGS] = {
    [ASSAY_FOUND_RIGHT] = ASSAY_PASS,          [ASSAY_FOUND_EXEMPT] = ASSAY_WRONG_VALUE,
    [ASSAY_FOUND_WRONG] = ASSAY_WRONG_VALUE,   [ASSAY_FOUND_NOT_FINITE] = ASSAY_NOT_FINITE,
    [ASSAY_FOUND_UNWRITTEN] = ASSAY_UNWRITTEN,
};

static assay_finding highest(const judged *j)
{
    for (int f = ASSAY_N_FINDINGS - 1; f > ASSAY_FOUND_EXEMPT; f--)
        if (j->found.n[f] > 0)
            return (assay_finding)f;
    return j->found.n[ASSAY_FOUND_EXEMPT] > j->exempt_limit ? ASSAY_FOUND_EXEMPT
                                                            : ASSAY_FOUND_RIGHT;
}

static void write_numbers(const judged *j, assay_check_row *row)
{
    const assay_scan *found = &j->found;
    double            worst = 0;

    row->count                  = j->job.count;
    row->n_failed               = count_failed(found);
    row->n_exempt               = found->n[ASSAY_FOUND_EXEMPT];
    row->exempt_share_predicted = j->expected->exempt_share;
    row->terms                  = j->expected->terms;
    if (found->n_compared == 0)
        return;
    for (int r = 0; r < j->job.n_runs; r++)
        worst = fmax(worst, assay_squares_ratio(&found->error[r], &found->expected));
    row->relative_l2      = worst;
    row->worst_ratio      = found->worst_ratio;
    row->max_abs_error    = found->max_abs_error;
    row->max_abs_expected = found->max_abs_expected;
    if (assay_type_is_float(j->job.type))
        row->max_ulp_error = found->max_ulp_error;
}

/* Finds the kind of the first element that fails. `decides` is the gravest kind. */
static assay_finding first_failing(const assay_scan *found, assay_finding decides)
{
    assay_finding first = decides;

    for (int f = ASSAY_FOUND_WRONG; f < ASSAY_N_FINDINGS && decides != ASSAY_FOUND_EXEMPT; f++)
        if (found->n[f] > 0 && found->first[f] < found->first[first])
            first = (assay_finding)f;
    return first;
}

static void write_first_bad(const judged *j, assay_finding finding, assay_check_row *row)
{
    const int64_t i = j->found.first[finding];

    row->first_bad_index = i;
    row->first_bad_value = assay_type_load(j->job.type, j->job.run[j->found.first_run[finding]], i);
    if (!assay_type_is_float(j->job.type))
        row->first_bad_expected =
            assay_type_load(expected_type(j->job.type), j->expected->integer, i);
    else if (j->expected->law[i] != ASSAY_MUST_BE_NAN)
        row->first_bad_expected = j->expected->value[i];
}

static void decide(const judged *j, assay_check_row *row)
{
    const assay_finding finding = highest(j);

    write_numbers(j, row);
    row->verdict = verdict_of[finding];
    if (finding == ASSAY_FOUND_RIGHT)
        return;
    if (finding == ASSAY_FOUND_EXEMPT)
        row->n_failed = j->found.n[finding];
    write_first_bad(j, first_failing(&j->found, finding), row);
    write_reason(j, finding, row);
    if (row->first_bad_index != j->found.first[finding])
        (void)snprintf(row->reason + strlen(row->reason), sizeof row->reason - strlen(row->reason),
                       ", the first is element %" PRId64, row->first_bad_index);
}

/* ---- the output ---- */

static judged judged_of(const assay_check_data *data, int b)
{
    judged j = { .data = data, .buffer = &data->shape->buf[b], .expected = &data->expected[b] };

    j.tol = assay_check_tolerance(data->definition, j.buffer->name, j.buffer->type, data->input);
    if (!assay_type_is_float(j.buffer->type) && j.tol.rule != ASSAY_RULE_EXACT)
        j.tol = (assay_tolerance) { .rule = ASSAY_RULE_EXACT, .why = "integers compare exactly" };
    j.job = (assay_scan_job) {
        .type        = j.buffer->type,
        .input       = data->input,
        .buffer      = b,
        .is_poisoned = j.buffer->role == ASSAY_OUT,
        .rule        = j.tol.rule,
        .law         = assay_check_law_of(&j.tol, j.buffer->type, j.expected->terms),
        .expected    = j.expected,
        .count       = j.buffer->count,
        .n_runs      = data->n_runs,
    };
    for (int r = 0; r < data->n_runs; r++)
        j.job.run[r] = data->out[r] ? data->out[r][b] : NULL;
    j.exempt_limit = assay_check_exempt_limit(j.buffer->count, j.expected->exempt_share);
    return j;
}

assay_status assay_check_output(const assay_check_data *data, int b, assay_check_row *row)
{
    assay_status st   = ASSAY_OK;
    const char  *name = data->definition->name;
    judged       j;

    ASSAY_CHECK(assay_check_data_usable(data, b));
    j = judged_of(data, b);
    ASSAY_REQUIRE(j.expected->terms >= 1 && isfinite(j.expected->terms), ASSAY_E_CASE,
                  "case '%s': the reference gives output '%s' %g terms", name, j.buffer->name,
                  j.expected->terms);
    ASSAY_REQUIRE(j.expected->exempt_share >= 0 && j.expected->exempt_share < 1, ASSAY_E_CASE,
                  "case '%s': the reference predicts a share %g of exempt elements in '%s'", name,
                  j.expected->exempt_share, j.buffer->name);
    ASSAY_CHECK(assay_check_scan(&j.job, &j.found));
    ASSAY_REQUIRE(j.found.bad_reference < 0, ASSAY_E_CASE,
                  "case '%s': the reference left element %" PRId64
                  " of '%s' without a value, with an invalid magnitude, or with a law that its "
                  "type does not allow",
                  name, j.found.bad_reference, j.buffer->name);
    assay_check_row_start(data, j.buffer->name, row);
    assay_check_row_rule(&j.tol, data->input, row);
    decide(&j, row);
    assay_check_determinism(data, b, row);
out:
    return st;
}
