/* Are a worker's messages valid? Its kernels run in its memory, so they may have damaged any
 * message. Nothing of a message is used before it was checked here. */
#include "pipe.h"

#include "rows/columns.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static const double  LONGEST_S    = 1e8;
static const int64_t MOST_SAMPLES = INT64_C(1) << 27, MOST_BLOCKS = 1000, MOST_CALLS = 1000;

/* ---- do texts end? ---- */

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

static const text_field spin_texts[] = { TEXT(assay_spin_row, name), END };

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

/* ---- are numbers inside their enumerations? ---- */

/* Values of an enumeration are compared as numbers, since values outside it are what is looked for.
 */
static bool is_below(unsigned value, unsigned end) { return value < end; }

/* Returns how many values the enumeration has; 0: there is no such kind. */
static unsigned values_of(assay_column_kind kind)
{
    switch (kind) {
    case ASSAY_COLUMN_REGIME:
        return ASSAY_N_REGIMES;
    case ASSAY_COLUMN_CLOCK:
        return ASSAY_N_CLOCKS;
    case ASSAY_COLUMN_VERDICT:
        return ASSAY_N_VERDICTS;
    case ASSAY_COLUMN_INPUT:
        return ASSAY_N_INPUTS;
    case ASSAY_COLUMN_RULE:
        return ASSAY_RULE_OWN + 1;
    case ASSAY_COLUMN_GROWTH:
        return ASSAY_G_LINEAR + 1;
    default:
        return 0;
    }
}

static bool is_column_sound(const assay_column *column, const char *member)
{
    const unsigned n = values_of(column->kind);
    unsigned       value;

    if (column->kind == ASSAY_COLUMN_TEXT)
        return memchr(member, '\0', column->size) != NULL;
    if (column->kind == ASSAY_COLUMN_TRUTH)
        return is_below((unsigned char)*member, 2);
    if (n == 0)
        return true;
    memcpy(&value, member, sizeof value);
    return is_below(value, n);
}

/* Checks what is stored of a row: texts end, and numbers are inside their enumerations. */
static bool are_columns_sound(assay_table_id id, const void *row)
{
    const assay_row_table *table = &assay_row_tables[id];

    for (int c = 0; c < table->n; c++)
        if (!is_column_sound(&table->columns[c], (const char *)row + table->columns[c].offset))
            return false;
    return true;
}

static bool is_spin_sound(const assay_spin_row *row)
{
    return do_texts_end(row, spin_texts) && is_below((unsigned)row->regime, ASSAY_N_REGIMES) &&
           is_below((unsigned)row->clock, ASSAY_N_CLOCKS);
}

static bool is_draw_sound(const assay_judged *judged)
{
    if (judged->n_small < 0 || judged->n_small > ASSAY_MAX_SMALL)
        return false;
    for (int i = 0; i < judged->n_small; i++)
        if (!is_below((unsigned)judged->small[i].buffer, ASSAY_MAX_BUFFERS) ||
            judged->small[i].count < 0 || judged->small[i].count > ASSAY_SMALL_OUTPUT)
            return false;
    return true;
}

static bool is_judged_sound(const assay_judged_draws *judged)
{
    for (int draw = 0; draw < ASSAY_N_DRAWS; draw++)
        if (!is_draw_sound(&judged->of_draw[draw]))
            return false;
    return true;
}

static bool is_row_sound(assay_row_kind kind, const assay_any_row *row)
{
    static const assay_table_id tables[ASSAY_N_ROWS] = {
        [ASSAY_ROW_CHECK] = ASSAY_TABLE_CHECK,     [ASSAY_ROW_VERDICT] = ASSAY_TABLE_VERDICT,
        [ASSAY_ROW_CEILING] = ASSAY_TABLE_CEILING, [ASSAY_ROW_LAUNCH] = ASSAY_TABLE_LAUNCH,
        [ASSAY_ROW_SECTION] = ASSAY_TABLE_SECTION, [ASSAY_ROW_METRIC] = ASSAY_TABLE_METRIC,
        [ASSAY_ROW_TRIAL] = ASSAY_TABLE_TRIAL,     [ASSAY_ROW_COMPARISON] = ASSAY_TABLE_COMPARISON,
    };

    if (kind == ASSAY_ROW_SPIN)
        return is_spin_sound(&row->spin);
    if (!are_columns_sound(tables[kind], row))
        return false;
    if (kind == ASSAY_ROW_VERDICT)
        return is_judged_sound(&row->verdict.judged);
    if (kind == ASSAY_ROW_METRIC && strcmp(row->metric.replay, "first") == 0)
        return row->metric.value > 0 && row->metric.value <= LONGEST_S * 1e9;
    return true;
}

static bool is_measurement_sound(const assay_measurement_row *row)
{
    return are_columns_sound(ASSAY_TABLE_MEASUREMENT, row) && row->n_samples >= 0 &&
           row->n_samples <= MOST_SAMPLES && row->n_blocks >= 0 && row->n_blocks <= MOST_BLOCKS &&
           row->launches_per_sample >= 1 && row->launches_per_sample <= MOST_CALLS &&
           row->wall_s >= 0 && row->wall_s <= LONGEST_S;
}

/* ---- whole messages ---- */

static const char *judge_row(const assay_message *m, int n_points)
{
    const bool needs_point = m->row_kind != ASSAY_ROW_CEILING && m->row_kind != ASSAY_ROW_SPIN;

    if (!is_below((unsigned)m->row_kind, ASSAY_N_ROWS) || m->row_kind == ASSAY_ROW_COMPARISON)
        return "a row of unknown kind";
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

    return is_known && do_texts_end(m->failure.text, texts) ? NULL : "a failure of unknown kind";
}

/* In a request without a point, the index is 0. */
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
    return "a message of unknown kind";
}
