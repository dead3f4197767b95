/* Rows and sentences that check_*.c share. Only they include it. */
#ifndef ASSAY_CHECK_ROW_H
#define ASSAY_CHECK_ROW_H

#include "check.h"

enum {
    ASSAY_VALUE_SIZE = 64
};

/* An empty row: NaN, -1, PASS. */
void assay_check_row_start(const assay_check_data *data, const char *output, assay_check_row *row);

/* The rule that is applied. */
void assay_check_row_rule(const assay_tolerance *tol, assay_input input, assay_check_row *row);

/* Writes element i as text, with enough digits to tell all values apart. */
void assay_check_value_text(const void *from, assay_type type, int64_t i,
                            char text[ASSAY_VALUE_SIZE]);

/* If the variant is ASSAY_DETERMINISTIC and *row has nothing worse: puts NONDETERMINISTIC into
 * *row, with the first element of output b in which runs differ. */
void assay_check_determinism(const assay_check_data *data, int b, assay_check_row *row);

/* Do the runs and outputs in *data allow output b to be judged? */
assay_status assay_check_data_usable(const assay_check_data *data, int b);

bool assay_check_is_output(const assay_buffer *buffer);

#endif
