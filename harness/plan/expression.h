/* Expressions of declared launches (case_kernel.h), with the names of a point. */
#ifndef ASSAY_EXPRESSION_H
#define ASSAY_EXPRESSION_H

#include "plan.h"

typedef enum assay_term_kind {
    ASSAY_TERM_INTEGER,
    ASSAY_TERM_REAL,
    ASSAY_TERM_BUFFER, /* its number */
} assay_term_kind;

typedef struct assay_term {
    assay_term_kind kind;
    int64_t         integer;
    double          real;
    int             buffer;
} assay_term;

/* Evaluates a list of expressions for one point and its shape, whose buffers have n names. At most
 * `room` terms; *n_terms: how many there are. ASSAY_E_CASE says what is wrong, and where in the
 * text. */
assay_status assay_expression_list(const char *text, const assay_point *point,
                                   const assay_shape *shape, assay_term *terms, int room,
                                   int *n_terms);

#endif
