/* What the files that report histories share. No other module includes this. */
#ifndef ASSAY_REPORT_HISTORY_INTERNAL_H
#define ASSAY_REPORT_HISTORY_INTERNAL_H

#include "report_compare.h"

void assay_report_history_csv(const assay_history *history, FILE *out);
void assay_report_history_json(const assay_history *history, FILE *out);
/* The members "segments" and "steps" of a series, with a comma before them. */
void assay_report_history_marks(const assay_history_series *series, FILE *out);

#endif
