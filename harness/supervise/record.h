/* The rows of the point in progress, kept until its verdict. Then they go into the store in one
 * short transaction, so that the file is not locked while a kernel runs. Several processes may time
 * the point one after the other; what they measure of one metric is one measurement. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include "store/store.h"
#include "time/timer.h"

typedef struct assay_record_measurement {
    assay_measurement_row row;
    assay_samples         samples;
} assay_record_measurement;

typedef struct assay_record {
    assay_check_row          *checks;
    int64_t                   n_checks;
    assay_record_measurement *measurements;
    int64_t                   n_measurements;
    assay_comparison_row     *comparisons;
    int64_t                   n_comparisons;
    assay_launch_row         *launches;
    int64_t                   n_launches;
    assay_section_row        *sections;
    int64_t                   n_sections;
    assay_metric_row         *metrics;
    int64_t                   n_metrics;
    assay_trial_row          *trials;
    int64_t                   n_trials;
} assay_record;

/* Rows and samples are copied. put takes rows of any kind except verdicts and ceilings, which do
 * not wait for a verdict. */
assay_status assay_record_put(assay_record *record, assay_row_kind kind, const void *row);
/* Puts a number that several processes or stages may report. Of one name and kind there is one row,
 * with the largest value. */
assay_status assay_record_tell(assay_record *record, const assay_metric_row *row);
assay_status assay_record_check(assay_record *record, const assay_check_row *row);
/* Keeps the first row of a regime and clock. A later row, from the next process, adds its samples
 * and blocks, its warm-up and wall time, the weaker stop reason and the smaller number of calls per
 * sample. The statistics are always those of all valid samples. */
assay_status assay_record_measure(assay_record *record, const assay_measurement_row *row,
                                  const assay_samples *samples);
/* Do the blocks divide exactly these samples, and are all samples above 0 and finite? */
bool assay_record_is_sound(const assay_measurement_row *row, const assay_samples *samples);
/* Returns NULL if there is none. The caller may change it in place. Valid until the next
 * assay_record_measure. */
assay_record_measurement *assay_record_find(assay_record *record, assay_regime regime,
                                            assay_clock clock);

/* Writes all rows and the verdict in one transaction, and empties the record. Numbers are left out
 * unless the verdict is PASS; tuning trials then stay without their times. */
assay_status assay_record_store(assay_record *record, assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict);
void         assay_record_clear(assay_record *record); /* accepts NULL */

#endif
