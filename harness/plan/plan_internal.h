/* What the files of this folder share. */
#ifndef ASSAY_PLAN_INTERNAL_H
#define ASSAY_PLAN_INTERNAL_H

#include "plan.h"

bool assay_plan_wants_case(const assay_selection *selection, const assay_case *c);

/* ASSAY_E_USAGE for a case, variant or axis of the selection that no selected case has; names the
 * nearest one. */
assay_status assay_plan_require_words(assay_case_table cases, const assay_selection *selection);

#endif
