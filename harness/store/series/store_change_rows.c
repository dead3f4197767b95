/* Comparisons as they are stored. */
#include "store_compare.h"

#include "base/text.h"

#include <math.h>
#include <stdlib.h>

#define SET(to, ...) ((void)assay_text_set((to), sizeof(to), __VA_ARGS__))

static const char *newest(const assay_side *side)
{
    return side->n_runs > 0 ? side->runs[side->n_runs - 1].uuid : "";
}

static void write_row(const assay_change *change, const assay_change_table *table,
                      assay_change_row *row)
{
    const assay_compared *c = &change->result;

    SET(row->from_key, "%s", change->point_a->key);
    SET(row->to_key, "%s", change->point_b->key);
    SET(row->verdict, "%s", assay_compare_verdict_name(c->verdict));
    SET(row->reason, "%s%s%s", c->reason, change->why[0] ? "; " : "", change->why);
    row->regime        = assay_change_regime(change);
    row->clock         = assay_change_clock(change);
    row->effect        = c->time.relative;
    row->lo            = c->time.lo;
    row->hi            = c->time.hi;
    row->p             = c->time.p;
    row->p_corrected   = c->p_corrected;
    row->cycles_effect = c->has_cycles ? c->cycles.relative : (double)NAN;
    row->threshold     = table->rule.threshold;
    row->band          = change->known.band > 0        ? change->known.band
                         : change->known.case_band > 0 ? change->known.case_band
                                                       : (double)NAN;
}

assay_status assay_change_rows(const assay_change_table *table, const assay_side *a,
                               const assay_side *b, assay_change_row **rows, int64_t *n)
{
    assay_status st = ASSAY_OK;

    *n    = 0;
    *rows = calloc((size_t)table->n + 1, sizeof **rows);
    ASSAY_REQUIRE(*rows, ASSAY_E_MEMORY, "out of memory for %lld comparisons", (long long)table->n);
    for (int64_t i = 0; i < table->n; i++) {
        assay_change_row *row = &(*rows)[*n];

        if (table->rows[i].kind != ASSAY_CHANGE_COMPARED)
            continue;
        SET(row->from_run, "%s", newest(a));
        SET(row->to_run, "%s", newest(b));
        write_row(&table->rows[i], table, row);
        ++*n;
    }
out:
    return st;
}
