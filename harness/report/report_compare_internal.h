/* What the files that report comparisons share. No other module includes this. */
#ifndef ASSAY_REPORT_COMPARE_INTERNAL_H
#define ASSAY_REPORT_COMPARE_INTERNAL_H

#include "report_compare.h"

/* Is the row shown in full? SAME is not, unless all are, or it was compared across a difference. */
bool assay_change_is_shown(const assay_change *row, bool all);

/* Says why the time of a side, by these names of the two, cannot be trusted as it is, and that a
 * change rests on time alone; "" if there is nothing to say. */
const char *assay_change_note(const assay_change *row, const char *name_a, const char *name_b,
                              char *text, size_t size);

void         assay_report_change_csv(const assay_change_table *table, FILE *out);
void         assay_report_change_json(const assay_change_table *table, const assay_side *a,
                                      const assay_side *b, FILE *out);
assay_status assay_report_change_html(const assay_change_table *table, const assay_side *a,
                                      const assay_side *b, FILE *out);

#endif
