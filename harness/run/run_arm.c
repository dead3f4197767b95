/* Arms a point for timing, counting or tracing, and verifies it before and after. */
#include "run_internal.h"

#include "base/text.h"

#include <string.h>

static void note_peak(progress *p, int64_t free_before)
{
    const assay_device_api *api = p->memory.api;
    int64_t                 free_now;

    if (!api || free_before <= 0)
        return;
    free_now          = api->free_bytes(p->runner->device);
    p->row.peak_bytes = free_now > 0 ? free_before - free_now : -1;
}

assay_status assay_run_arm_timed(progress *p)
{
    assay_status            st          = ASSAY_OK;
    const assay_device_api *api         = p->memory.api;
    const int64_t           free_before = api ? api->free_bytes(p->runner->device) : 0;

    ASSAY_CHECK(assay_module_resolve(&p->runner->module, p->variant, &p->launcher));
    ASSAY_CHECK(assay_run_prepare(p, assay_run_timed_input(p->point), 0));
    ASSAY_CHECK(assay_run_set_up(p));
    note_peak(p, free_before);
    ASSAY_CHECK(assay_buffers_arm(&p->buffers, p->inputs, 0, false));
out:
    return st;
}

/* Judges by the reference: the buffers still hold what the launch wrote. */
static assay_status judge_in_full(progress *p)
{
    assay_status  st      = ASSAY_OK;
    run_outputs   outputs = { .n = 0 };
    assay_verdict verdict = ASSAY_PASS;
    char          reason[ASSAY_REASON_SIZE];

    ASSAY_CHECK(assay_run_expect(p));
    st = assay_buffers_collect(&p->buffers, p->inputs, 0, NULL, &outputs.run[0], &verdict, reason,
                               sizeof reason);
    assay_run_add_finding(p, verdict, reason);
    ASSAY_CHECK(st);
    outputs.n = 1;
    ASSAY_CHECK(assay_run_judge(p, &outputs));
out:
    assay_run_free_outputs(&outputs);
    return st;
}

/* ---- comparison with outputs that were judged before ---- */

static bool is_small(const assay_buffer *buffer)
{
    return (buffer->role == ASSAY_OUT || buffer->role == ASSAY_INOUT) &&
           buffer->count <= ASSAY_SMALL_OUTPUT;
}

static void keep_small(const assay_expected *e, int buffer, int count, assay_small_output *small)
{
    const size_t n = (size_t)count;

    *small = (assay_small_output) {
        .buffer = buffer, .count = count, .terms = e->terms, .exempt_share = e->exempt_share
    };
    if (e->value)
        memcpy(small->value, e->value, n * sizeof *e->value);
    if (e->integer)
        memcpy(small->integer, e->integer, n * sizeof *e->integer);
    memcpy(small->magnitude, e->magnitude, n * sizeof *e->magnitude);
    memcpy(small->law, e->law, n * sizeof *e->law);
}

assay_status assay_run_keep_judged(progress *p, assay_judged *judged)
{
    const assay_inputs *inputs = p->inputs;
    assay_status        st     = ASSAY_OK;

    *judged = (assay_judged) { .n_small = 0 };
    ASSAY_CHECK(assay_buffers_digest(&p->buffers, inputs, true, judged->digest));
    for (int b = 0; b < p->buffers.n && judged->n_small < ASSAY_MAX_SMALL; b++)
        if (is_small(&inputs->shape.buf[b]) && inputs->expected[b].law)
            keep_small(&inputs->expected[b], b, (int)inputs->count[b],
                       &judged->small[judged->n_small++]);
    judged->is_there = true;
out:
    return st;
}

/* Judges one small output element by element, with the expectation from the check. */
static assay_status judge_small(progress *p, const assay_small_output *small, bool *is_right)
{
    assay_status       st                           = ASSAY_OK;
    unsigned char      home[ASSAY_SMALL_OUTPUT * 8] = { 0 };
    const void        *in[ASSAY_MAX_BUFFERS]        = { NULL };
    const void        *out[ASSAY_MAX_BUFFERS]       = { NULL };
    assay_expected     expected[ASSAY_MAX_BUFFERS]  = { { .value = NULL } };
    assay_small_output copy                         = *small;
    const int          b                            = small->buffer;
    assay_check_data   data                         = { .definition = p->point->definition,
                                                        .variant    = p->variant,
                                                        .shape      = &p->inputs->shape,
                                                        .input      = p->inputs->input,
                                                        .seed       = p->inputs->seed,
                                                        .in         = in,
                                                        .expected   = expected,
                                                        .n_runs     = 1,
                                                        .out        = { out } };
    assay_check_row    row;

    ASSAY_CHECK(assay_buffers_download(&p->buffers, b, home, sizeof home));
    out[b]      = home;
    expected[b] = (assay_expected) { .value        = copy.value,
                                     .integer      = copy.integer,
                                     .magnitude    = copy.magnitude,
                                     .law          = copy.law,
                                     .terms        = copy.terms,
                                     .exempt_share = copy.exempt_share };
    ASSAY_CHECK(assay_check_output(&data, b, &row));
    *is_right = row.verdict == ASSAY_PASS;
out:
    return st;
}

/* Has every output the bits that were judged right, or is it small and right by its own rule?
 * differs: the outputs with other bits. */
static assay_status is_as_judged(progress *p, const assay_judged *judged, bool *is_right,
                                 bool differs[ASSAY_MAX_BUFFERS])
{
    assay_status st = ASSAY_OK;
    uint64_t     digest[ASSAY_MAX_BUFFERS];

    *is_right = judged && judged->is_there;
    if (!*is_right)
        goto out;
    ASSAY_CHECK(assay_buffers_digest(&p->buffers, p->inputs, true, digest));
    for (int b = 0; b < p->buffers.n; b++)
        differs[b] = digest[b] != judged->digest[b];
    for (int b = 0; b < p->buffers.n && *is_right; b++) {
        if (!differs[b])
            continue;
        *is_right = false;
        /* A case with a comparer has no rule for single outputs; a variant that promised the same
         * bits has to keep the promise. */
        for (int i = 0; i < judged->n_small && !p->point->definition->compare &&
                        !(p->variant->flags & ASSAY_DETERMINISTIC);
             i++)
            if (judged->small[i].buffer == b)
                ASSAY_CHECK(judge_small(p, &judged->small[i], is_right));
    }
out:
    return st;
}

/* Do bits differ from the check in an output that the reference judges in full? If some element is
 * not judged, the difference may be there, and no promise is broken. */
static bool breaks_promise(const assay_inputs *inputs, const bool differs[ASSAY_MAX_BUFFERS])
{
    for (int b = 0; b < inputs->n_buffers; b++) {
        const uint8_t *law = inputs->expected[b].law;

        if (differs[b] && !(law && memchr(law, ASSAY_ANYTHING, (size_t)inputs->count[b])))
            return true;
    }
    return false;
}

assay_status assay_run_verify_left(progress *p, const assay_judged *judged)
{
    assay_status  st       = ASSAY_OK;
    assay_verdict verdict  = ASSAY_PASS;
    bool          is_right = false, differs[ASSAY_MAX_BUFFERS] = { false };
    uint64_t      inputs[ASSAY_MAX_BUFFERS];
    char          reason[ASSAY_REASON_SIZE] = "";

    ASSAY_CHECK(
        assay_buffers_judge_guards(&p->buffers, p->inputs, 0, &verdict, reason, sizeof reason));
    assay_run_add_finding(p, verdict, reason);
    ASSAY_CHECK(assay_buffers_digest(&p->buffers, p->inputs, false, inputs));
    if (memcmp(inputs, p->buffers.armed_digest, sizeof inputs) != 0)
        assay_run_add_finding(p, ASSAY_INPUT_CHANGED,
                              "an input was changed while the point was timed");
    ASSAY_CHECK(is_as_judged(p, judged, &is_right, differs));
    if (!is_right)
        ASSAY_CHECK(judge_in_full(p));
    /* The outputs may be right, but they are not the bits that its check has seen. */
    if (!is_right && judged && judged->is_there && (p->variant->flags & ASSAY_DETERMINISTIC) &&
        breaks_promise(p->inputs, differs))
        assay_run_add_finding(p, ASSAY_NONDETERMINISTIC,
                              "the outputs are not bit for bit those of its check");
out:
    return st;
}

assay_status assay_run_verify(progress *p, const assay_judged *judged)
{
    assay_status st = ASSAY_OK;
    assay_fault  fault;

    ASSAY_CHECK(assay_run_launch(p, 0, &fault));
    assay_run_add_fault(p, &fault);
    if (fault.kind == ASSAY_FAULT_NONE)
        ASSAY_CHECK(assay_run_verify_left(p, judged));
out:
    return st;
}

assay_status assay_run_judge_shortcut(progress *p, assay_timer *timer)
{
    assay_status st    = ASSAY_OK;
    bool         found = false;
    char         reason[ASSAY_REASON_SIZE];
    assay_fault  fault;

    ASSAY_CHECK(assay_timer_find_shortcut(timer, &found, reason, sizeof reason, &fault));
    assay_run_add_fault(p, &fault);
    if (found)
        assay_run_add_finding(p, ASSAY_SUSPECT, reason);
out:
    return st;
}

void assay_run_describe(const progress *p, const assay_policy *policy, assay_measurement_row *row)
{
    const assay_shape *shape = &p->inputs->shape;

    row->policy         = *policy;
    row->bytes_declared = shape->bytes_read + shape->bytes_written;
    row->bytes_moved    = p->variant->bytes_moved ? p->variant->bytes_moved(shape) : -1;
    row->flops          = shape->flops;
    for (int b = 0; b < p->buffers.n; b++)
        if (shape->buf[b].role != ASSAY_WORK)
            row->working_set_bytes += (int64_t)p->buffers.bytes[b];
    (void)assay_text_set(row->nvml, sizeof row->nvml, "%s", p->runner->nvml_why);
    (void)assay_point_tuning_text(p->point, row->tuning, sizeof row->tuning);
}

assay_timer_job assay_run_timer_job(progress *p)
{
    const bool has_restore = assay_buffers_need_restore(&p->buffers);

    return (assay_timer_job) { .api           = p->memory.api,
                               .device        = p->runner->device,
                               .launch        = p->launcher.launch,
                               .args          = &p->args,
                               .restore       = has_restore ? assay_buffers_restore : NULL,
                               .spoil         = assay_buffers_spoil,
                               .context       = &p->buffers,
                               .is_repeatable = (p->variant->flags & ASSAY_REPEATABLE) != 0,
                               .l2_bytes      = p->runner->info.l2_bytes,
                               .nvml          = p->runner->nvml };
}
