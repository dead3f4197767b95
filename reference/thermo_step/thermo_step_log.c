/* The log that the step's reference expects: every source of NaN, attempt by attempt. Sources are
 * cells that were deposited inadmissible, and cells that became so from an admissible stencil. If
 * rounding decides whether a cell is a source, no log can be expected: the law of the count says
 * so. */
#include "thermo_step_internal.h"

#include <stdlib.h>
#include <string.h>

/* The results of an attempt's two stages for a cell. */
typedef struct cell_sources {
    answer is_source[2]; /* by stage */
    number u[2][5];
} cell_sources;

typedef struct log_entry {
    int64_t cell;
    int     stage;
    number  u[5], dt;
} log_entry;

struct step_log {
    int64_t       cells, count;
    cell_sources *of_cell;
    log_entry     kept[GAS_LOG_CAPACITY]; /* a ring */
    bool          is_doubtful;
};

step_log *step_log_create(int64_t cells)
{
    step_log *const log = allocate(1, sizeof *log);

    log->cells   = cells;
    log->of_cell = allocate(cells, sizeof *log->of_cell);
    return log;
}

void step_log_free(step_log *log)
{
    if (log != NULL)
        free(log->of_cell);
    free(log);
}

void step_log_note(step_log *log, int stage, int64_t cell, const point *c)
{
    const answer  became = c->is_there == YES ? NO : c->is_there == NO ? YES : MAYBE;
    cell_sources *to     = &log->of_cell[cell];

    to->is_source[stage - 1] = c->stencil == YES ? became : c->stencil;
    memcpy(to->u[stage - 1], c->u, sizeof c->u);
}

static void add_entry(step_log *log, int64_t cell, int stage, const number u[5], number dt)
{
    log_entry *const to = &log->kept[log->count++ % GAS_LOG_CAPACITY];

    to->cell  = cell;
    to->stage = stage;
    to->dt    = dt;
    memcpy(to->u, u, sizeof to->u);
}

void step_log_add_attempt(step_log *log, const step *s)
{
    for (int64_t cell = 0; cell < log->cells; cell++) {
        const answer given = is_admissible(s->u0[cell].u);

        log->is_doubtful = log->is_doubtful || given == MAYBE;
        if (given == NO)
            add_entry(log, cell, 0, s->u0[cell].u, s->dt);
    }
    for (int stage = 1; stage <= 2; stage++)
        for (int64_t cell = 0; cell < log->cells; cell++) {
            const cell_sources *c = &log->of_cell[cell];

            log->is_doubtful = log->is_doubtful || c->is_source[stage - 1] == MAYBE;
            if (c->is_source[stage - 1] == YES)
                add_entry(log, cell, stage, c->u[stage - 1], s->dt);
        }
}

/* The bits of a float in one word, and how far a computed one may be from it. */
static void expect_word(const assay_expected *e, int64_t i, number x)
{
    const float single = (float)x.v;
    uint32_t    bits;

    memcpy(&bits, &single, sizeof bits);
    e->integer[i]   = bits;
    e->magnitude[i] = x.e;
}

void step_log_expect(const step_log *log, const assay_reference_args *args)
{
    const assay_expected *count = &args->expect[STEP_BUF_LOG_COUNT];
    const assay_expected *e     = &args->expect[STEP_BUF_LOG];
    const int64_t         kept  = log->count < GAS_LOG_CAPACITY ? log->count : GAS_LOG_CAPACITY;

    count->integer[0] = log->count;
    if (log->is_doubtful)
        count->law[0] = ASSAY_MUST_BE_NAN; /* which no integer is: the check ends with that */
    memset(e->integer, 0, (size_t)args->count[STEP_BUF_LOG] * sizeof *e->integer);
    for (int64_t i = 0; i < kept; i++) {
        const log_entry *from = &log->kept[i];
        const int64_t    at   = i * GAS_LOG_WORDS;

        e->integer[at + GAS_LOG_CELL]   = from->cell;
        e->integer[at + GAS_LOG_STAGE]  = from->stage;
        e->integer[at + GAS_LOG_REASON] = why_inadmissible(from->u);
        e->integer[at + GAS_LOG_TURN]   = (log->count - 1 - i) / GAS_LOG_CAPACITY + 1;
        expect_word(e, at + GAS_LOG_DT, from->dt);
        for (int q = 0; q < 5; q++)
            expect_word(e, at + GAS_LOG_STATE + q, from->u[q]);
    }
}
