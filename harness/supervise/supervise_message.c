/* The messages of a worker, and the meaning of its silence. */
#include "supervise_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "process/spin_place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages ---- */

assay_status assay_supervise_take_note(void *context, int place, const char *what, double limit_s)
{
    supervisor *s = context;

    (void)limit_s;
    s->place     = place;
    s->has_begun = true;
    s->has_launched |= strcmp(what, "inputs") != 0 && strcmp(what, "reference") != 0;
    assay_supervise_switch(s, what);
    assay_supervise_show(s, s->n_asked == 0 ? "ceilings" : what);
    return ASSAY_OK;
}

/* Stages that are host work even if kernels run on a GPU: before and after the launch, and what a
 * launcher does until everything is enqueued. */
static const char *const host_work[] = { "inputs", "reference", "probe", "launch", "check" };

bool assay_supervise_counts_cpu(assay_lane lane, const char *what)
{
    for (size_t i = 0; i < sizeof host_work / sizeof host_work[0]; i++)
        if (strcmp(what, host_work[i]) == 0)
            return true;
    return lane != ASSAY_LANE_CUDA;
}

assay_status assay_supervise_keep_ceiling(void *context, const assay_ceiling_row *row)
{
    supervisor        *s = context;
    assay_ceiling_row *grown =
        realloc(s->ceilings, ((size_t)s->n_ceilings + 1) * sizeof *s->ceilings);
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(grown, ASSAY_E_MEMORY, "no memory for a ceiling");
    s->ceilings                  = grown;
    s->ceilings[s->n_ceilings++] = *row;
out:
    return st;
}

static assay_status take_ceiling(supervisor *s, const assay_ceiling_row *row)
{
    assay_status st = assay_store_put_ceiling(s->store, s->run_id, row);

    return st == ASSAY_OK ? assay_supervise_keep_ceiling(s, row) : st;
}

static assay_status take_spin(supervisor *s, const assay_spin_row *row)
{
    assay_spin_row *grown = realloc(s->spins, ((size_t)s->n_spins + 1) * sizeof *s->spins);

    if (!grown)
        return ASSAY_FAIL(ASSAY_E_MEMORY, "no memory for a spin");
    s->spins               = grown;
    s->spins[s->n_spins++] = *row;
    return ASSAY_OK;
}

assay_status assay_supervise_take_row(void *context, int place, assay_row_kind kind,
                                      const void *row)
{
    supervisor  *s  = context;
    assay_status st = ASSAY_OK;

    if (kind == ASSAY_ROW_CEILING)
        return take_ceiling(s, row);
    if (kind == ASSAY_ROW_SPIN)
        return take_spin(s, row);
    ASSAY_REQUIRE(place >= 0 && place < s->n_asked, ASSAY_E_INTERNAL, "a row for point %d of %d",
                  place, s->n_asked);
    if (kind == ASSAY_ROW_VERDICT) {
        s->asked[place]->answer     = *(const assay_verdict_row *)row;
        s->asked[place]->has_answer = true;
        goto out;
    }
    ASSAY_CHECK(assay_record_put(&s->asked[place]->staged, kind, row));
out:
    return st;
}

assay_status assay_supervise_take_measurement(void *context, int place,
                                              const assay_measurement_row *row,
                                              const assay_samples         *samples)
{
    supervisor  *s  = context;
    assay_status st = ASSAY_OK;

    ASSAY_REQUIRE(place >= 0 && place < s->n_asked, ASSAY_E_INTERNAL,
                  "a measurement for point %d of %d", place, s->n_asked);
    ASSAY_CHECK(assay_record_measure(&s->asked[place]->staged, row, samples));
out:
    return st;
}

/* ---- through the pipe ---- */

/* Pairing uses the medians of blocks, so they are checked here. Returns NULL, or what is wrong. */
static const char *judge_samples(const assay_measurement_row *row, const assay_samples *samples,
                                 int process)
{
    if (!assay_record_is_sound(row, samples))
        return "samples that do not fit their blocks, or are no times";
    for (int64_t k = 0; k < samples->n_blocks; k++) {
        const assay_block *block = &samples->blocks[k];

        if (block->process != process)
            return "a block of another process";
        if (block->n_samples > 0 && !(isfinite(block->median_ns) && block->median_ns >= 0))
            return "a block whose median is not a valid time";
    }
    return NULL;
}

/* *broke_off: the worker died within a message; *timed_out: it stalled. */
static assay_status receive_samples(supervisor *s, assay_child *child, const assay_message *m,
                                    bool *broke_off, bool *timed_out, const char **nonsense)
{
    const assay_measurement_row *row     = &m->measurement;
    assay_samples                samples = { .n = row->n_samples, .n_blocks = row->n_blocks };
    const size_t                 size    = (size_t)row->n_samples * sizeof *samples.time_ns;
    const size_t                 blocks  = (size_t)row->n_blocks * sizeof *samples.blocks;
    assay_status                 st      = ASSAY_OK;

    samples.time_ns      = malloc(size + 1);
    samples.sm_clock_mhz = malloc(size + 1);
    samples.blocks       = malloc(blocks + 1);
    ASSAY_REQUIRE(samples.time_ns && samples.sm_clock_mhz && samples.blocks, ASSAY_E_MEMORY,
                  "no memory for samples");
    *broke_off =
        !assay_child_receive(child, samples.time_ns, size, ASSAY_FIRST_NOTE_LIMIT_S, timed_out) ||
        !assay_child_receive(child, samples.sm_clock_mhz, size, ASSAY_FIRST_NOTE_LIMIT_S,
                             timed_out) ||
        !assay_child_receive(child, samples.blocks, blocks, ASSAY_FIRST_NOTE_LIMIT_S, timed_out);
    if (!*broke_off)
        *nonsense = judge_samples(row, &samples, s->process);
    if (!*broke_off && !*nonsense)
        ASSAY_CHECK(assay_supervise_take_measurement(s, m->place, row, &samples));
out:
    assay_samples_free(&samples);
    return st;
}

/* ---- lost workers ---- */

static bool is_expected(const supervisor *s, const entry *e, assay_verdict verdict)
{
    assay_point_row point;

    assay_point_row_fill(e->point, s->options->lane, &point);
    return (point.expect & (1u << verdict)) != 0;
}

/* The verdict on a kernel whose worker was lost. As long as nothing was launched, the failure is
 * that of the harness, the reference or the host. */
static void take_loss(supervisor *s, const assay_verdict_row *row)
{
    if (!s->has_launched || s->place < 0 || s->place >= s->n_asked) {
        assay_supervise_fail(s, ASSAY_E_INTERNAL, row->reason);
        return;
    }
    s->asked[s->place]->answer     = *row;
    s->asked[s->place]->has_answer = true;
}

void assay_supervise_take_stall(supervisor *s, assay_child *child)
{
    assay_verdict_row row = { .verdict    = ASSAY_TIMED_OUT,
                              .launches   = -1,
                              .peak_bytes = -1,
                              .wall_s     = assay_clock_s() - s->request_s };

    char place[128] = "";

    if (!s->options->is_cuda)
        (void)assay_spin_place(child->pid, s->options->module_path, place, sizeof place);
    (void)assay_text_set(row.reason, sizeof row.reason, "no answer to '%s' %s%s%s", s->doing,
                         child->silence, place[0] ? "; it spins at " : "", place);
    assay_child_kill(child, false);
    take_loss(s, &row);
}

void assay_supervise_take_death(supervisor *s, assay_child *child)
{
    assay_verdict_row         row = { .launches   = -1,
                                      .peak_bytes = -1,
                                      .wall_s     = assay_clock_s() - s->request_s };
    char                      cause[ASSAY_REASON_SIZE];
    static _Thread_local char output[ASSAY_TAIL_BYTES];
    bool                      is_wanted = false;

    row.verdict = assay_child_autopsy(child, cause, sizeof cause, output, sizeof output);
    (void)assay_text_set(row.reason, sizeof row.reason, "during '%s': %s", s->doing, cause);
    if (s->has_launched && s->place < s->n_asked)
        is_wanted = is_expected(s, s->asked[s->place], row.verdict);
    if (!is_wanted)
        assay_supervise_say(s, "%s", assay_text_make_safe(output));
    if (row.verdict == ASSAY_NOT_RUN)
        assay_supervise_fail(
            s, strcmp(cause, ASSAY_CHILD_GAVE_UP) == 0 ? ASSAY_E_IO : ASSAY_E_MEMORY, row.reason);
    else
        take_loss(s, &row);
}

/* Code in the memory of its worker can write over the worker's messages. */
static void examine_nonsense(supervisor *s, assay_child *child, const char *what)
{
    assay_verdict_row row = { .verdict    = ASSAY_CRASHED,
                              .launches   = -1,
                              .peak_bytes = -1,
                              .wall_s     = assay_clock_s() - s->request_s };

    (void)assay_text_set(row.reason, sizeof row.reason,
                         "during '%s': its worker broke the protocol: %s", s->doing, what);
    assay_child_kill(child, true);
    take_loss(s, &row);
}

assay_status assay_supervise_handle(supervisor *s, assay_child *child, const assay_message *m,
                                    double *limit_s, bool *finished)
{
    assay_status st        = ASSAY_OK;
    bool         broke_off = false, timed_out = false;
    const char  *nonsense =
        m->nonce == child->nonce ? assay_message_judge(m, s->n_asked) : ASSAY_FOREIGN_MESSAGE;

    if (nonsense) {
        *finished = true;
        examine_nonsense(s, child, nonsense);
        return ASSAY_OK;
    }
    *finished = m->kind == ASSAY_MESSAGE_DONE || m->kind == ASSAY_MESSAGE_FAILURE;
    if (m->kind == ASSAY_MESSAGE_NOTE) {
        *limit_s          = m->note.limit_s;
        child->counts_cpu = assay_supervise_counts_cpu(s->options->lane, m->note.what);
        st                = assay_supervise_take_note(s, m->place, m->note.what, m->note.limit_s);
    } else if (m->kind == ASSAY_MESSAGE_ROW) {
        st = assay_supervise_take_row(s, m->place, m->row_kind, &m->row);
    } else if (m->kind == ASSAY_MESSAGE_MEASUREMENT) {
        st = receive_samples(s, child, m, &broke_off, &timed_out, &nonsense);
    } else if (m->kind == ASSAY_MESSAGE_DONE) {
        if (m->is_spent)
            assay_child_end(child, false);
    } else if (m->kind == ASSAY_MESSAGE_FAILURE) {
        assay_supervise_fail(s, m->failure.status, m->failure.text);
        if (assay_supervise_is_worn_out(m->failure.status))
            assay_child_end(child, false);
    }
    if (nonsense) {
        *finished = true;
        examine_nonsense(s, child, nonsense);
    } else if (broke_off) {
        *finished = true;
        if (timed_out)
            assay_supervise_take_stall(s, child);
        else
            assay_supervise_take_death(s, child);
    }
    return st;
}

bool assay_supervise_is_worn_out(assay_status status)
{
    return status == ASSAY_E_DEVICE || status == ASSAY_E_INTERNAL;
}
