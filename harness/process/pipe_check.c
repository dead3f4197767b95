/* Is what a worker says sensible? Its kernels run in its memory, so anything may have become of a
 * message: nothing of it is used before it was looked at here. */
#include "pipe.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double  LONGEST_S    = 1e8;
static const int64_t MOST_SAMPLES = INT64_C(1) << 27, MOST_BLOCKS = 1000, MOST_CALLS = 1000;

/* ---- texts end ---- */

typedef struct text_field {
    size_t offset, size;
} text_field;

#define TEXT(type, field)                                                                          \
    {                                                                                              \
        offsetof(type, field), sizeof((type *)NULL)->field                                         \
    }
#define END                                                                                        \
    {                                                                                              \
        0, 0                                                                                       \
    }

static const text_field row_texts[ASSAY_N_ROWS][5] = {
    [ASSAY_ROW_CHECK]   = { TEXT(assay_check_row, output), TEXT(assay_check_row, reason),
                            TEXT(assay_check_row, why), END },
    [ASSAY_ROW_VERDICT] = { TEXT(assay_verdict_row, reason), END },
    [ASSAY_ROW_CEILING] = { TEXT(assay_ceiling_row, kind), END },
    [ASSAY_ROW_SPIN]    = { TEXT(assay_spin_row, name), END },
    [ASSAY_ROW_LAUNCH] = { TEXT(assay_launch_row, kernel), TEXT(assay_launch_row, code_hash), END },
    [ASSAY_ROW_SECTION] = { TEXT(assay_section_row, name), END },
    [ASSAY_ROW_METRIC]  = { TEXT(assay_metric_row, name), TEXT(assay_metric_row, status),
                            TEXT(assay_metric_row, reason), TEXT(assay_metric_row, replay), END },
    [ASSAY_ROW_TRIAL]   = { TEXT(assay_trial_row, tuning), TEXT(assay_trial_row, reason), END },
};

static const text_field measurement_texts[] = {
    TEXT(assay_measurement_row, stop_reason),
    TEXT(assay_measurement_row, nvml),
    TEXT(assay_measurement_row, tuning),
    TEXT(assay_measurement_row, decision),
    END,
};

static const text_field info_texts[] = {
    TEXT(assay_device_info, kind),   TEXT(assay_device_info, name),
    TEXT(assay_device_info, uuid),   TEXT(assay_device_info, pci_bus_id),
    TEXT(assay_device_info, driver), END,
};

static bool do_texts_end(const void *structure, const text_field *fields)
{
    for (; fields->size > 0; fields++)
        if (!memchr((const char *)structure + fields->offset, '\0', fields->size))
            return false;
    return true;
}

/* ---- numbers that pick something ---- */

/* Values of an enumeration are compared as numbers: those outside it are what is looked for. */
static bool is_below(unsigned value, unsigned end) { return value < end; }

static bool is_verdict(assay_verdict verdict)
{
    return is_below((unsigned)verdict, ASSAY_N_VERDICTS);
}

static bool is_metric(assay_regime regime, assay_clock clock)
{
    return is_below((unsigned)regime, ASSAY_N_REGIMES) && is_below((unsigned)clock, ASSAY_N_CLOCKS);
}

static bool is_judged_sound(const assay_judged *judged)
{
    if (judged->n_small < 0 || judged->n_small > ASSAY_MAX_SMALL)
        return false;
    for (int i = 0; i < judged->n_small; i++)
        if (!is_below((unsigned)judged->small[i].buffer, ASSAY_MAX_BUFFERS) ||
            judged->small[i].count < 0 || judged->small[i].count > ASSAY_SMALL_OUTPUT)
            return false;
    return true;
}

static bool is_row_sound(assay_row_kind kind, const assay_any_row *row)
{
    if (!do_texts_end(row, row_texts[kind]))
        return false;
    if (kind == ASSAY_ROW_CHECK)
        return is_verdict(row->check.verdict) &&
               is_below((unsigned)row->check.input, ASSAY_N_INPUTS) &&
               is_below((unsigned)row->check.rule, ASSAY_RULE_OWN + 1) &&
               is_below((unsigned)row->check.growth, ASSAY_G_LINEAR + 1);
    if (kind == ASSAY_ROW_VERDICT)
        return is_verdict(row->verdict.verdict) && is_judged_sound(&row->verdict.judged);
    if (kind == ASSAY_ROW_TRIAL)
        return is_verdict(row->trial.verdict) && is_metric(row->trial.regime, row->trial.clock);
    if (kind == ASSAY_ROW_CEILING)
        return is_metric(row->ceiling.regime, row->ceiling.clock);
    if (kind == ASSAY_ROW_SPIN)
        return is_metric(row->spin.regime, row->spin.clock);
    if (kind == ASSAY_ROW_METRIC && strcmp(row->metric.replay, "first") == 0)
        return row->metric.value > 0 && row->metric.value <= LONGEST_S * 1e9;
    return true;
}

static bool is_measurement_sound(const assay_measurement_row *row)
{
    return do_texts_end(row, measurement_texts) && is_metric(row->regime, row->clock) &&
           row->n_samples >= 0 && row->n_samples <= MOST_SAMPLES && row->n_blocks >= 0 &&
           row->n_blocks <= MOST_BLOCKS && row->launches_per_sample >= 1 &&
           row->launches_per_sample <= MOST_CALLS && row->wall_s >= 0 && row->wall_s <= LONGEST_S;
}

/* ---- whole messages ---- */

static const char *judge_row(const assay_message *m, int n_points)
{
    const bool needs_point = m->row_kind != ASSAY_ROW_CEILING && m->row_kind != ASSAY_ROW_SPIN;

    if (!is_below((unsigned)m->row_kind, ASSAY_N_ROWS) || m->row_kind == ASSAY_ROW_COMPARISON)
        return "a row of no kind";
    if (needs_point != (n_points > 0))
        return "a row that was not asked for";
    return is_row_sound(m->row_kind, &m->row) ? NULL : "a row of impossible values";
}

static const char *judge_note(const assay_message *m)
{
    const text_field texts[] = { { 0, sizeof m->note.what }, END };
    const bool       is_time = m->note.limit_s > 0 && m->note.limit_s <= LONGEST_S;

    return is_time && do_texts_end(m->note.what, texts) ? NULL : "a note of impossible values";
}

static const char *judge_failure(const assay_message *m)
{
    const text_field texts[] = { { 0, sizeof m->failure.text }, END };
    const bool       is_known =
        (unsigned)m->failure.status <= ASSAY_E_INTERNAL && m->failure.status != ASSAY_OK;

    return is_known && do_texts_end(m->failure.text, texts) ? NULL : "a failure of no kind";
}

/* A request without a point is at place 0. */
static bool is_place(int place, int n_points)
{
    return place >= 0 && place < (n_points > 0 ? n_points : 1);
}

const char *assay_message_judge(const assay_message *m, int n_points)
{
    if (!is_place(m->place, n_points))
        return "a point that was not asked for";
    switch (m->kind) {
    case ASSAY_MESSAGE_HELLO:
        return do_texts_end(&m->info, info_texts) ? NULL : "a device of impossible values";
    case ASSAY_MESSAGE_NOTE:
        return judge_note(m);
    case ASSAY_MESSAGE_ROW:
        return judge_row(m, n_points);
    case ASSAY_MESSAGE_MEASUREMENT:
        return n_points > 0 && is_measurement_sound(&m->measurement) ? NULL
                                                                     : "an impossible measurement";
    case ASSAY_MESSAGE_DONE:
        return NULL;
    case ASSAY_MESSAGE_FAILURE:
        return judge_failure(m);
    }
    return "a message of no kind";
}
