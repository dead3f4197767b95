/* The check of one point: several runs for each input class. */
#include "run_internal.h"

#include "base/kept_memory.h"
#include "base/process_state.h"
#include "base/text.h"
#include "check/fill.h"
#include "machine/environment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double KEPT_SHARE        = 0.15; /* of free host memory, for one input class */
static const double REFERENCE_LIMIT_S = 900;  /* the reference of a large point is plain loops */

enum {
    RUNS_UNDER_A_TOOL =
        2 /* once with fresh scratch, once with what the first run left; a tool is slow */
};

static const uint64_t DRAWS = 0xd7a3; /* a separate stream, for seeds of further contents */

/* Keeps inputs of other classes for the next variant while they need little of the free memory;
 * drops those of other axis values. */
static void make_room(progress *p)
{
    const int64_t one_class = assay_point_host_bytes(p->point, 0);
    const bool is_large = (double)one_class > KEPT_SHARE * (double)assay_environment_free_bytes();

    for (int other = 0; other <= ASSAY_N_INPUTS; other++) {
        assay_inputs *kept =
            other < ASSAY_N_INPUTS ? &p->runner->inputs[other] : &p->runner->redrawn;
        assay_point same = *p->point;

        same.seed = kept->seed;
        if (kept != p->inputs && (is_large || !assay_inputs_fit(kept, &same, kept->input)))
            assay_inputs_free(kept);
    }
    assay_kept_release();
}

/* Are these inputs needed by every process that times the point? */
static bool is_shared(const progress *p, assay_input input, uint64_t draw)
{
    return p->point->is_timed && draw < ASSAY_N_DRAWS && input == assay_run_timed_input(p->point);
}

assay_status assay_run_prepare(progress *p, assay_input input, uint64_t draw)
{
    assay_status st    = ASSAY_OK;
    assay_point  drawn = *p->point;
    const int    fd    = is_shared(p, input, draw) ? p->runner->shared_fd : 0;

    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "inputs", REFERENCE_LIMIT_S));
    if (draw != 0)
        drawn.seed = assay_random(p->point->seed, DRAWS, draw);
    p->inputs = draw == 0 ? &p->runner->inputs[input] : &p->runner->redrawn;
    if (!assay_inputs_fit(p->inputs, &drawn, input))
        make_room(p);
    ASSAY_CHECK(assay_inputs_make(p->inputs, &drawn, input, fd));
out:
    return st;
}

assay_status assay_run_expect(progress *p)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "reference", REFERENCE_LIMIT_S));
    ASSAY_CHECK(assay_inputs_expect(p->inputs));
out:
    return st;
}

void assay_run_free_outputs(run_outputs *outputs)
{
    /* Backwards, since later runs may share the memory of the first. */
    for (int r = ASSAY_MAX_RUNS - 1; r >= 0; r--)
        assay_collected_free(&outputs->run[r]);
    outputs->n = 0;
}

assay_status assay_run_once(progress *p, int run, bool keeps_scratch, run_outputs *outputs)
{
    assay_status  st                        = ASSAY_OK;
    assay_inputs *inputs                    = p->inputs;
    assay_verdict verdict                   = ASSAY_PASS;
    char          reason[ASSAY_REASON_SIZE] = "";
    assay_fault   fault;

    ASSAY_CHECK(assay_buffers_arm(&p->buffers, inputs, run, keeps_scratch));
    ASSAY_CHECK(assay_run_launch(p, run, &fault));
    assay_run_add_fault(p, &fault);
    if (fault.kind != ASSAY_FAULT_NONE)
        goto out;
    ASSAY_CHECK(p->sink->note(p->sink->context, p->place, "check", REFERENCE_LIMIT_S));
    st = assay_buffers_collect(&p->buffers, inputs, run, run > 0 ? &outputs->run[0] : NULL,
                               &outputs->run[run], &verdict, reason, sizeof reason);
    assay_run_add_finding(p, verdict, reason); /* also if the rest could not be copied */
    ASSAY_CHECK(st);
    outputs->n = run + 1;
out:
    return st;
}

static assay_status put_check(void *context, const assay_check_row *row)
{
    progress *p = context;
    char      text[ASSAY_REASON_SIZE + ASSAY_NAME_SIZE + 32];

    (void)assay_text_set(text, sizeof text, "%s input, '%s': %s", assay_input_text(row->input),
                         row->output, row->reason);
    if (row->verdict > ASSAY_PASS)
        assay_run_add_finding(p, row->verdict, text);
    return p->keeps_checks ? ASSAY_OK : assay_run_put(p, ASSAY_ROW_CHECK, row);
}

static assay_status judge_outputs(progress *p, const assay_check_data *data)
{
    return assay_check_all(data, put_check, p);
}

/* Passes on the facts: numbers that outputs hold besides the answer. */
static assay_status put_facts(progress *p, const assay_check_data *data)
{
    assay_status      st    = ASSAY_OK;
    const assay_case *c     = p->point->definition;
    const assay_fact *facts = c->facts;

    for (int f = 0; facts && facts[f].name; f++) {
        assay_metric_row row = { .value = 0 };

        ASSAY_CHECK(assay_check_fact(data, f, &row.value));
        if (isnan(row.value))
            continue;
        (void)assay_text_set(row.name, sizeof row.name, "%s", facts[f].name);
        (void)assay_text_set(row.status, sizeof row.status, "ok");
        (void)assay_text_set(row.replay, sizeof row.replay, "%s",
                             c->input_fact && strcmp(facts[f].name, c->input_fact) == 0 ? "input"
                                                                                        : "check");
        ASSAY_CHECK(assay_run_put(p, ASSAY_ROW_METRIC, &row));
    }
out:
    return st;
}

typedef assay_status judge_fn(progress *p, const assay_check_data *data);

static assay_status with_data(progress *p, run_outputs *outputs, judge_fn *judge)
{
    const assay_inputs *inputs                = p->inputs;
    const void         *in[ASSAY_MAX_BUFFERS] = { NULL };
    const void         *out[ASSAY_MAX_RUNS][ASSAY_MAX_BUFFERS];
    assay_check_data    data = { .definition = p->point->definition,
                                 .variant    = p->variant,
                                 .shape      = &inputs->shape,
                                 .input      = inputs->input,
                                 .seed       = inputs->seed,
                                 .in         = in,
                                 .expected   = inputs->expected,
                                 .n_runs     = outputs->n };

    for (int b = 0; b < inputs->n_buffers; b++)
        in[b] = inputs->initial[b];
    for (int r = 0; r < outputs->n; r++) {
        for (int b = 0; b < ASSAY_MAX_BUFFERS; b++)
            out[r][b] = outputs->run[r].out[b];
        data.out[r] = out[r];
    }
    (void)assay_float_mode_reset(NULL); /* in case a library has changed it meanwhile */
    return judge(p, &data);
}

assay_status assay_run_judge(progress *p, run_outputs *outputs)
{
    return with_data(p, outputs, judge_outputs);
}

/* Reads the facts of the class that the case names; not for trials. */
static assay_status read_facts(progress *p, assay_input input, run_outputs *outputs)
{
    if (!p->point->definition->facts || input != p->point->definition->facts_input ||
        p->keeps_checks || assay_run_has_failed(p) || outputs->n == 0)
        return ASSAY_OK;
    return with_data(p, outputs, put_facts);
}

/* Is the check of this point over? Its device or peer is gone, or it is refused. */
static bool has_stopped(const progress *p)
{
    const assay_verdict v = p->row.verdict;

    return p->runner->is_spent || v == ASSAY_LAUNCH_FAILED || v == ASSAY_SKIPPED ||
           v == ASSAY_UNSUPPORTED ||
           (assay_variant_is_peer(p->variant) && !assay_peer_is_alive(p->runner->peer));
}

/* Timed blocks get other contents in the same buffers. Here the variant is checked with such
 * contents. */
static assay_status check_redrawn(progress *p, assay_input input)
{
    assay_status st      = ASSAY_OK;
    run_outputs  outputs = { .n = 0 };
    char         reason[ASSAY_REASON_SIZE];

    ASSAY_CHECK(assay_run_prepare(p, input, 1));
    ASSAY_CHECK(assay_run_expect(p));
    assay_run_bind(p);
    p->keeps_checks = true;
    ASSAY_CHECK(assay_run_once(p, 0, true, &outputs));
    if (!has_stopped(p))
        ASSAY_CHECK(assay_run_judge(p, &outputs));
    if (assay_run_has_failed(p)) {
        (void)assay_text_set(reason, sizeof reason, "%s", p->row.reason);
        (void)assay_text_set(p->row.reason, sizeof p->row.reason,
                             "called again with other inputs at the same addresses: %s", reason);
    } else if (!has_stopped(p)) {
        ASSAY_CHECK(assay_run_keep_judged(p, &p->row.judged.of_draw[1]));
    }
out:
    p->keeps_checks = false;
    assay_run_free_outputs(&outputs);
    return st;
}

/* Keeps the digests of the outputs of the last launch, which are still in the buffers and were
 * judged right. */
static assay_status keep_judged(progress *p, assay_input input)
{
    assay_status st = ASSAY_OK;

    if (!p->point->is_timed || p->runner->is_spent || assay_run_has_failed(p) ||
        input != assay_run_timed_input(p->point))
        return ASSAY_OK;
    ASSAY_CHECK(assay_run_keep_judged(p, &p->row.judged.of_draw[0]));
    if (!assay_variant_is_peer(p->variant))
        ASSAY_CHECK(check_redrawn(p, input));
out:
    return st;
}

/* Checks one input class: several runs, then all outputs are judged. */
static assay_status check_input(progress *p, assay_input input, bool is_first)
{
    assay_status st      = ASSAY_OK;
    run_outputs  outputs = { .n = 0 };
    const int    n_runs =
        p->runner->tool ? RUNS_UNDER_A_TOOL : assay_run_count(p->point, p->runner->lane);

    ASSAY_CHECK(assay_run_prepare(p, input, 0));
    ASSAY_CHECK(assay_run_expect(p));
    ASSAY_CHECK(assay_run_set_up(p));
    if (is_first && !has_stopped(p)) {
        ASSAY_CHECK(assay_buffers_arm(&p->buffers, p->inputs, 0, false));
        ASSAY_CHECK(assay_run_probe(p));
    }
    for (int run = 0; run < n_runs; run++) {
        if (has_stopped(p))
            goto out;
        ASSAY_CHECK(assay_run_once(p, run, run == n_runs - 1, &outputs));
    }
    if (!has_stopped(p))
        ASSAY_CHECK(assay_run_judge(p, &outputs));
    ASSAY_CHECK(read_facts(p, input, &outputs));
    if (input == assay_run_timed_input(p->point) && !assay_run_has_failed(p))
        ASSAY_CHECK(assay_run_put_files(p));
    ASSAY_CHECK(keep_judged(p, input));
out:
    assay_run_free_outputs(&outputs);
    assay_run_tear_down(p);
    return st;
}

assay_input assay_run_timed_input(const assay_point *point)
{
    int input = (int)point->definition->timed_input;

    if (assay_point_wants_input(point, (assay_input)input))
        return (assay_input)input;
    for (input = 0; !assay_point_wants_input(point, (assay_input)input); input++)
        ASSAY_ASSERT(input + 1 < ASSAY_N_INPUTS); /* it has passed a check of some class */
    return (assay_input)input;
}

static assay_status check_inputs(progress *p)
{
    assay_status st       = ASSAY_OK;
    bool         is_first = true;

    for (int input = 0; input < ASSAY_N_INPUTS; input++) {
        if (!assay_point_wants_input(p->point, (assay_input)input))
            continue;
        ASSAY_CHECK(check_input(p, (assay_input)input, is_first));
        is_first = false;
        if (assay_run_has_failed(p) || has_stopped(p))
            goto out;
    }
    assay_run_add_finding(p, is_first ? ASSAY_SKIPPED : ASSAY_PASS,
                          is_first ? "no input class applies at these axis values" : "");
out:
    return st;
}

/* What a kernel's host code leaves behind would affect later points. So this process ends, and the
 * next point gets a new one. */
static assay_status find_leftovers(progress *p, const assay_process_state *before)
{
    assay_status st      = ASSAY_OK;
    bool         is_same = true;
    char         what[ASSAY_REASON_SIZE / 2], reason[ASSAY_REASON_SIZE];

    ASSAY_CHECK(assay_process_state_compare(before, (p->variant->flags & ASSAY_THREADED) != 0,
                                            &is_same, what, sizeof what));
    if (is_same)
        goto out;
    (void)assay_text_set(reason, sizeof reason, "its host code leaves the process changed: %s",
                         what);
    assay_run_add_finding(p, ASSAY_SUSPECT, reason);
    p->runner->is_spent = true;
out:
    return st;
}

/* Adds what the device has seen that may explain a wrong answer. */
static void append_remark(progress *p)
{
    char reason[ASSAY_REASON_SIZE];

    if (!p->remark[0] || !assay_run_has_failed(p))
        return;
    (void)assay_text_set(reason, sizeof reason, "%s", p->row.reason);
    (void)assay_text_set(p->row.reason, sizeof p->row.reason, "%s; %s", reason, p->remark);
}

assay_status assay_run_check_all(progress *p)
{
    assay_status         st     = ASSAY_OK;
    assay_process_state *before = NULL;

    /* Under a tool, threads and handlers may be the tool's. */
    if (assay_variant_is_peer(p->variant) || p->runner->tool)
        return check_inputs(p);
    ASSAY_CHECK(assay_process_state_take(&before));
    ASSAY_CHECK(check_inputs(p));
    append_remark(p);
    ASSAY_CHECK(find_leftovers(p, before));
    if (p->row.verdict == ASSAY_PASS)
        (void)assay_text_set(p->row.reason, sizeof p->row.reason, "%s", p->note);
out:
    assay_process_state_free(before);
    return st;
}
