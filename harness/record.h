/* The rows of the point under way, kept until its verdict: then they go into the store in one short
 * transaction, so that the file is not locked while a kernel runs. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include "store.h"
#include "timer.h"

typedef struct assay_record_measurement {
    assay_measurement_row row;
    assay_samples         samples;
} assay_record_measurement;

typedef struct assay_record {
    assay_check_row          *checks;
    int64_t                   n_checks;
    assay_record_measurement *measurements;
    int64_t                   n_measurements;
} assay_record;

/* Rows are copied, samples too. */
assay_status assay_record_check(assay_record *record, const assay_check_row *row);
assay_status assay_record_measure(assay_record *record, const assay_measurement_row *row,
                                  const assay_samples *samples);

/* Writes everything and the verdict as one transaction and empties the record. Measurements are
 * left out unless the verdict is PASS. */
assay_status assay_record_store(assay_record *record, assay_store *store, int64_t point_id,
                                const assay_verdict_row *verdict);
void         assay_record_clear(assay_record *record); /* accepts NULL */

#endif
