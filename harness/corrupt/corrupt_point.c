/* One point: under each class of input the right answer passes, and each wrong one is judged. */
#include "base/float_mode.h"
#include "base/text.h"
#include "check/fill.h"
#include "corrupt_internal.h"
#include "corruptions.h"
#include "run/inputs.h"

#include <stdlib.h>
#include <string.h>

enum {
    N_RUNS = 2 /* each with its poison, as launches of a check have */
};

static const uint64_t RANDOM_STREAM = 0xc0de; /* of the elements that are picked */

/* Of one corruption of one output, over the classes of input of one point. */
typedef struct outcome {
    bool        is_made, is_rejected;
    int64_t     n_judged; /* elements, in the class that has most */
    const char *none_why; /* why the last that could not be made could not */
} outcome;

/* A point under one class of input, and what its kernel is supposed to have written. */
typedef struct subject {
    const assay_point    *point;
    assay_inputs          now, other; /* of another seed */
    void                 *truth[ASSAY_MAX_BUFFERS], *stale[ASSAY_MAX_BUFFERS];
    void                 *run[N_RUNS][ASSAY_MAX_BUFFERS];
    assay_corrupt_result *result;
    outcome (*outcomes)[ASSAY_N_CORRUPTIONS]; /* by output of the result */
} subject;

static bool is_output(const assay_buffer *buffer)
{
    return buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT;
}

/* ---- right answers ---- */

static assay_status make_truth(const assay_inputs *inputs, int b, void **truth)
{
    const assay_buffer *buffer = &inputs->shape.buf[b];

    *truth = calloc((size_t)buffer->count + 1, assay_type_size(buffer->type));
    if (!*truth)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for %lld elements of '%s'",
                          (long long)buffer->count, buffer->name);
    assay_corrupt_write_truth(buffer->type, &inputs->expected[b], buffer->count, *truth);
    return ASSAY_OK;
}

static assay_status make_inputs(const assay_point *point, assay_input input, assay_inputs *inputs)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(assay_inputs_make(inputs, point, input, 0));
    ASSAY_CHECK(assay_inputs_expect(inputs));
out:
    return st;
}

static assay_status make_subject(subject *s, assay_input input)
{
    assay_status st    = ASSAY_OK;
    assay_point  other = *s->point;

    other.seed++;
    ASSAY_CHECK(make_inputs(s->point, input, &s->now));
    ASSAY_CHECK(make_inputs(&other, input, &s->other));
    for (int b = 0; b < s->now.n_buffers; b++) {
        if (!is_output(&s->now.shape.buf[b]))
            continue;
        ASSAY_CHECK(make_truth(&s->now, b, &s->truth[b]));
        if (s->other.count[b] == s->now.count[b])
            ASSAY_CHECK(make_truth(&s->other, b, &s->stale[b]));
        for (int r = 0; r < N_RUNS; r++)
            ASSAY_CHECK(make_truth(&s->now, b, &s->run[r][b]));
    }
out:
    return st;
}

static void free_subject(subject *s)
{
    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        free(s->truth[b]);
        free(s->stale[b]);
        for (int r = 0; r < N_RUNS; r++)
            free(s->run[r][b]);
    }
    assay_inputs_free(&s->now);
    assay_inputs_free(&s->other);
}

/* ---- judging ---- */

static assay_status take_worst(void *context, const assay_check_row *row)
{
    assay_check_row *worst = context;

    if (row->verdict > worst->verdict)
        *worst = *row;
    return ASSAY_OK;
}

/* The worst row of all that a check of this point judges. */
static assay_status judge(const subject *s, assay_check_row *worst)
{
    static const assay_variant variant = { .name = "corrupt" };
    const void                *out[N_RUNS][ASSAY_MAX_BUFFERS];
    const void                *in[ASSAY_MAX_BUFFERS];
    assay_check_data           data = { .definition = s->point->definition,
                                        .variant    = &variant,
                                        .shape      = &s->now.shape,
                                        .input      = s->now.input,
                                        .seed       = s->now.seed,
                                        .in         = in,
                                        .expected   = s->now.expected,
                                        .n_runs     = N_RUNS };

    for (int b = 0; b < ASSAY_MAX_BUFFERS; b++) {
        in[b] = s->now.initial[b];
        for (int r = 0; r < N_RUNS; r++)
            out[r][b] = s->run[r][b];
    }
    for (int r = 0; r < N_RUNS; r++)
        data.out[r] = out[r];
    *worst = (assay_check_row) { .verdict = ASSAY_PASS };
    (void)assay_float_mode_reset(NULL);
    return assay_check_all(&data, take_worst, worst);
}

static assay_status judge_truth(const subject *s)
{
    assay_status    st = ASSAY_OK;
    char            key[ASSAY_KEY_SIZE];
    assay_check_row row;

    ASSAY_CHECK(judge(s, &row));
    if (row.verdict == ASSAY_PASS || s->result->refused[0])
        goto out;
    (void)assay_text_set(s->result->refused, sizeof s->result->refused,
                         "%s, %s input: the reference itself is %s in '%s': %s",
                         assay_point_key(s->point, key, sizeof key), assay_input_text(s->now.input),
                         assay_verdict_text(row.verdict), row.output, row.reason);
out:
    return st;
}

/* ---- wrong answers ---- */

/* One wrong answer in every launch; the output is right again afterwards. */
static assay_status try_one(subject *s, const assay_right *right, assay_corruption corruption,
                            outcome *o)
{
    assay_status    st       = ASSAY_OK;
    const int       b        = right->place;
    const int64_t   n_judged = assay_corrupt_count_judged(right);
    const char     *none_why = NULL;
    bool            changes  = false;
    assay_check_row row;

    for (int r = 0; r < N_RUNS && !none_why; r++) {
        none_why = assay_corruptions[corruption](right, s->run[r][b], r);
        changes  = changes || assay_corrupt_is_changed(right, s->run[r][b]);
    }
    if (!none_why && !changes)
        none_why = "changes nothing that is judged";
    if (none_why) {
        o->none_why = none_why;
        goto out;
    }
    ASSAY_CHECK(judge(s, &row));
    o->n_judged    = n_judged > o->n_judged ? n_judged : o->n_judged;
    o->is_made     = true;
    o->is_rejected = o->is_rejected || row.verdict != ASSAY_PASS;
out:
    for (int r = 0; r < N_RUNS; r++)
        memcpy(s->run[r][b], s->truth[b], assay_buffer_bytes(right->buffer));
    return st;
}

/* An axis value that divides the elements into rows, or else a square, without the elements behind
 * it; 0: too few. */
static int64_t find_rows(const assay_point *point, int64_t count)
{
    int64_t rows = 0;

    for (int a = 0; a < ASSAY_MAX_AXES && point->definition->axes[a].name; a++)
        for (int d = 0; d < 3 && point->definition->axes[a].kind != ASSAY_AXIS_TEXT; d++) {
            const int64_t extent = point->axis[a].i[d];

            if (extent > 1 && extent < count && count % extent == 0)
                return extent;
        }
    while ((rows + 1) * (rows + 1) <= count)
        rows++;
    return rows > 1 ? rows : 0;
}

static assay_right right_of(const subject *s, int b)
{
    const assay_case   *c      = s->point->definition;
    const assay_buffer *buffer = &s->now.shape.buf[b];

    return (assay_right) {
        .buffer      = buffer,
        .place       = b,
        .expected    = &s->now.expected[b],
        .tol         = assay_check_tolerance(c, buffer->name, buffer->type, s->now.input),
        .input       = s->now.input,
        .is_compared = assay_check_is_compared(c, buffer->name),
        .truth       = s->truth[b],
        .stale       = s->stale[b],
        .initial     = s->now.initial[b],
        .n_rows      = find_rows(s->point, buffer->count),
        .random      = assay_random(s->point->seed, RANDOM_STREAM + (uint64_t)b,
                                    (uint64_t)s->result->n_inputs),
    };
}

/* The cells of an output, which gets some if it has none yet. */
static assay_status find_output(assay_corrupt_result *result, const char *name, int *o)
{
    assay_status st = ASSAY_OK;

    for (*o = 0; *o < result->n_outputs; ++*o)
        if (strcmp(result->output[*o], name) == 0)
            goto out;
    ASSAY_REQUIRE(*o < ASSAY_CORRUPT_MAX_OUTPUTS, ASSAY_E_CASE,
                  "case '%s': its outputs have more than %d names", result->definition->name,
                  ASSAY_CORRUPT_MAX_OUTPUTS);
    result->output[result->n_outputs++] = name;
out:
    return st;
}

/* A narrower type shows on random values: sums of small integers it holds as they are, and where
 * terms cancel their magnitude grants more. */
static bool applies(const assay_case *c, assay_corruption corruption, assay_input input)
{
    const bool has_random = (c->inputs & ASSAY_INPUT_BIT(RANDOM)) != 0;

    return corruption != ASSAY_CORRUPT_PRECISION ||
           input == (has_random ? ASSAY_INPUT_RANDOM : c->timed_input);
}

static assay_status try_all(subject *s)
{
    assay_status st = ASSAY_OK;
    int          o;

    for (int b = 0; b < s->now.n_buffers; b++) {
        const assay_buffer *buffer = &s->now.shape.buf[b];
        assay_right         right;

        if (!is_output(buffer))
            continue;
        ASSAY_CHECK(find_output(s->result, buffer->name, &o));
        if (buffer->count == 0)
            continue;
        right = right_of(s, b);
        for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
            if (applies(s->point->definition, (assay_corruption)k, s->now.input))
                ASSAY_CHECK(try_one(s, &right, (assay_corruption)k, &s->outcomes[o][k]));
    }
out:
    return st;
}

static assay_status try_input(const assay_point *point, assay_input input,
                              outcome (*outcomes)[ASSAY_N_CORRUPTIONS],
                              assay_corrupt_result *result)
{
    assay_status st = ASSAY_OK;
    subject     *s  = calloc(1, sizeof *s);

    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "no memory for a point");
    s->point    = point;
    s->outcomes = outcomes;
    s->result   = result;
    ASSAY_CHECK(make_subject(s, input));
    ASSAY_CHECK(judge_truth(s));
    ASSAY_CHECK(try_all(s));
    result->n_inputs++;
out:
    if (s)
        free_subject(s);
    free(s);
    return st;
}

/* ---- what a check of the point would say ---- */

static bool is_waived(const assay_point *point, const char *output, assay_corruption corruption)
{
    const assay_waiver *w = assay_corrupt_find_waiver(point->definition, output, corruption);

    return w && (!w->applies || w->applies(point->axis));
}

/* What one point says of a cell. */
static void note(const assay_point *point, const outcome *o, const char *output,
                 assay_corruption corruption, assay_corrupt_cell *cell)
{
    if (!o->is_made) {
        cell->none_why = o->none_why ? o->none_why : cell->none_why;
        return;
    }
    if (o->is_rejected) {
        cell->n_rejected++;
        return;
    }
    if (is_waived(point, output, corruption))
        cell->n_waived++;
    else if (o->n_judged < ASSAY_CORRUPT_FEW)
        cell->n_small++;
    else
        cell->n_accepted++;
    if (!cell->where[0])
        (void)assay_point_key(point, cell->where, sizeof cell->where);
}

assay_status assay_corrupt_point(const assay_point *point, assay_corrupt_result *result)
{
    assay_status st                         = ASSAY_OK;
    outcome(*outcomes)[ASSAY_N_CORRUPTIONS] = calloc(ASSAY_CORRUPT_MAX_OUTPUTS, sizeof *outcomes);

    ASSAY_REQUIRE(outcomes, ASSAY_E_MEMORY, "no memory for a point");
    for (int input = 0; input < ASSAY_N_INPUTS; input++)
        if (assay_point_wants_input(point, (assay_input)input))
            ASSAY_CHECK(try_input(point, (assay_input)input, outcomes, result));
    for (int o = 0; o < result->n_outputs; o++)
        for (int k = 0; k < ASSAY_N_CORRUPTIONS; k++)
            note(point, &outcomes[o][k], result->output[o], (assay_corruption)k,
                 &result->cell[o][k]);
    result->n_points++;
out:
    free(outcomes);
    return st;
}
