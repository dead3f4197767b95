/* What the files of the definition check share. */
#ifndef ASSAY_CHECK_DEFINITION_H
#define ASSAY_CHECK_DEFINITION_H

#include "case.h"
#include "status.h"

/* Names become parts of keys, columns and options: letters, digits, '_', '-' and '.'. */
bool assay_definition_is_name(const char *text);

/* The tuning axes of one variant; ASSAY_E_CASE names the variant, the axis and what is wrong. */
assay_status assay_definition_check_tuning(const assay_case *c, const assay_variant *variant);

/* The names that a shape gives its params and scalars; NULL: nothing is wrong. *which: the name. */
const char *assay_definition_wrong_with_names(const assay_case *c, const assay_shape *s,
                                              const char **which);

/* The facts of a case; ASSAY_E_CASE names what is wrong. */
assay_status assay_definition_check_facts(const assay_case *c);

/* The tolerances of a case; ASSAY_E_CASE names which and what is wrong. */
assay_status assay_definition_check_tolerances(const assay_case *c);
/* The place in .tol_for that an output has; -1: none. */
int  assay_definition_tolerance_of(const assay_case *c, const char *output);
bool assay_definition_is_tolerance_set(const assay_tolerance *t);

/* The wrong answers that a case accepts; ASSAY_E_CASE names which and what is wrong. That each is
 * needed is seen by making them (corrupt/corrupt.h). */
assay_status assay_definition_check_waivers(const assay_case *c);
/* ... its rows .unseen */
assay_status assay_definition_check_unseen(const assay_case *c);

/* What is wrong with a variant as a peer; NULL: nothing, or it is none. */
const char *assay_definition_wrong_with_peer(const assay_variant *variant);

#endif
