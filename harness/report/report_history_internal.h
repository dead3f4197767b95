/* What the files that report histories share. No other module includes this. */
#ifndef ASSAY_REPORT_HISTORY_INTERNAL_H
#define ASSAY_REPORT_HISTORY_INTERNAL_H

#include "report_compare.h"

void assay_report_history_csv(const assay_history *history, FILE *out);
void assay_report_history_json(const assay_history *history, FILE *out);
/* Writes the members "segments" and "steps" of a series, with a comma before them: those that begin
 * at the run `last_run` or before (0: all). */
void assay_report_history_marks(const assay_history_series *series, int64_t last_run, FILE *out);

#endif
