/* What the files of the definition check share. */
#ifndef ASSAY_CHECK_DEFINITION_H
#define ASSAY_CHECK_DEFINITION_H

#include "case.h"
#include "status.h"

/* Names become parts of keys, columns and options: letters, digits, '_', '-' and '.'. */
bool assay_definition_is_name(const char *text);

/* Checks the tuning axes of one variant. ASSAY_E_CASE names the variant, the axis and what is
 * wrong. */
assay_status assay_definition_check_tuning(const assay_case *c, const assay_variant *variant);

/* Checks the names that a shape gives to params and scalars. Returns what is wrong and the name in
 * *which, or NULL. */
const char *assay_definition_wrong_with_names(const assay_case *c, const assay_shape *s,
                                              const char **which);

/* Checks the facts of a case. ASSAY_E_CASE names what is wrong. */
assay_status assay_definition_check_facts(const assay_case *c);

/* Checks the tolerances of a case. ASSAY_E_CASE names which and what is wrong. */
assay_status assay_definition_check_tolerances(const assay_case *c);
/* Returns the index of an output in .tol_for; -1: it is not there. */
int  assay_definition_tolerance_of(const assay_case *c, const char *output);
bool assay_definition_is_tolerance_set(const assay_tolerance *t);

/* Checks the wrong answers that a case accepts. ASSAY_E_CASE names which and what is wrong. Whether
 * each is needed is found out by making them (corrupt/corrupt.h). */
assay_status assay_definition_check_waivers(const assay_case *c);
/* Checks the rows .unseen in the same way. */
assay_status assay_definition_check_unseen(const assay_case *c);

/* Returns what is wrong with a variant as a peer; NULL: nothing, or it is not a peer. */
const char *assay_definition_wrong_with_peer(const assay_variant *variant);

#endif
