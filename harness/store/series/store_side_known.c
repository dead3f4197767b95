/* What a file knows from comparing builds with themselves, and what of it holds for two sides. */
#include "store_side.h"

#include <math.h>
#include <string.h>

/* The spread between processes is known with its degrees of freedom, or not at all. It belongs to a
 * point, since a spread pooled over different points is right for none. */
static void set_spread(assay_cursor *row, assay_side_known *known)
{
    const double  sd = assay_row_number(row, "process_sd");
    const int64_t df = assay_row_count(row, "process_df");

    known->process_sd = (double)NAN;
    if (known->key[0] && sd > 0 && isfinite(sd) && df > 0) {
        known->process_sd = sd;
        known->process_df = df;
    }
}

static assay_status add_known(void *context, assay_cursor *row)
{
    assay_side       *side = context;
    assay_texts      *t    = &side->texts;
    assay_side_known *known;

    if (!assay_grow((void **)&side->known, side->n_known, &side->known_capacity, sizeof *known))
        return ASSAY_FAIL(ASSAY_E_MEMORY, "out of memory for the calibrations of a file");
    known  = &side->known[side->n_known++];
    *known = (assay_side_known) {
        .case_name    = assay_texts_keep(t, assay_row_text(row, "case_name")),
        .device_kind  = assay_texts_keep(t, assay_row_text(row, "device_kind")),
        .device_name  = assay_texts_keep(t, assay_row_text(row, "device_name")),
        .key          = assay_texts_keep(t, assay_row_text(row, "key")),
        .tuning       = assay_texts_keep(t, assay_row_text(row, "tuning")),
        .case_version = assay_row_count(row, "case_version"),
        .band         = assay_row_number(row, "band"),
    };
    set_spread(row, known);
    return t->status == ASSAY_OK ? assay_cell_metric(row, &known->regime, &known->clock)
                                 : t->status;
}

assay_status assay_side_read_known(assay_store *store, assay_side *side)
{
    return assay_store_each_row(store, "compare_calibrated", 0, add_known, side);
}

static bool is_of_device(const assay_side_known *known, const assay_side_time *time)
{
    return strcmp(known->device_kind, time->device_kind) == 0 &&
           strcmp(known->device_name, time->device_name) == 0;
}

static bool is_of_tuning(const assay_side_known *known, const assay_side_time *time)
{
    return strcmp(known->tuning, time->conditions.value[ASSAY_CONDITION_TUNING]) == 0;
}

/* key "": all points of the case together, with any tuning. NULL: nothing is known. */
static const assay_side_known *find(const assay_side *side, const char *key,
                                    const assay_side_point *point, const assay_side_time *time_a,
                                    const assay_side_time *time_b)
{
    for (int64_t i = 0; i < side->n_known; i++) {
        const assay_side_known *k = &side->known[i];

        if (strcmp(k->key, key) == 0 && k->case_version == point->case_version &&
            strcmp(k->case_name, point->case_name) == 0 && k->regime == time_b->regime &&
            k->clock == time_b->clock && is_of_device(k, time_a) && is_of_device(k, time_b) &&
            (!key[0] || (is_of_tuning(k, time_a) && is_of_tuning(k, time_b))))
            return k;
    }
    return NULL;
}

assay_compare_known assay_side_find_known(const assay_side *a, const assay_side *b,
                                          const assay_side_point *point,
                                          const assay_side_time  *time_a,
                                          const assay_side_time  *time_b)
{
    assay_compare_known     known    = { (double)NAN, (double)NAN, (double)NAN, 0 };
    const assay_side_known *of_point = find(b, point->key, point, time_a, time_b);
    const assay_side_known *of_case  = find(b, "", point, time_a, time_b);

    const assay_side_known *of_point_a = find(a, point->key, point, time_a, time_b);

    /* The first comparisons of a point give it a spread, but no band yet. */
    if (!of_point || (!(of_point->band > 0) && of_point_a && of_point_a->band > 0))
        of_point = of_point_a;
    if (!of_case)
        of_case = find(a, "", point, time_a, time_b);
    if (of_point)
        known = (assay_compare_known) { of_point->band, (double)NAN, of_point->process_sd,
                                        of_point->process_df };
    if (of_case)
        known.case_band = of_case->band;
    return known;
}
