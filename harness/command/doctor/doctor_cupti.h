/* doctor on CUPTI: is it there, and who may count. */
#ifndef ASSAY_DOCTOR_CUPTI_H
#define ASSAY_DOCTOR_CUPTI_H

#include "command/findings.h"

void assay_doctor_cupti(assay_findings *findings);

/* Reads the text of the driver's parameters: are counters reserved for the administrator? False if
 * the text does not say. */
bool assay_doctor_read_restriction(const char *params, bool *is_restricted);

#endif
