/* Rows and sentences that check_*.c share. Private to them. */
#ifndef ASSAY_CHECK_ROW_H
#define ASSAY_CHECK_ROW_H

#include "check.h"

enum {
    ASSAY_VALUE_SIZE = 64
};

/* A row that says nothing yet: NaN, -1, PASS. */
void assay_check_row_start(const assay_check_data *data, const char *output, assay_check_row *row);

/* The rule as applied. */
void assay_check_row_rule(const assay_tolerance *tol, assay_input input, assay_check_row *row);

/* Element i as text: enough digits to tell any two values apart. */
void assay_check_value_text(const void *from, assay_type type, int64_t i,
                            char text[ASSAY_VALUE_SIZE]);

/* NONDETERMINISTIC into *row, with the first element of output b that differs between runs, where
 * the variant is ASSAY_DETERMINISTIC and *row has nothing worse. */
void assay_check_determinism(const assay_check_data *data, int b, assay_check_row *row);

/* Are the runs and outputs in *data such that output b can be judged? */
assay_status assay_check_data_usable(const assay_check_data *data, int b);

bool assay_check_is_output(const assay_buffer *buffer);

#endif
