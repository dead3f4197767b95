/* doctor on a database. */
#ifndef ASSAY_DOCTOR_STORE_H
#define ASSAY_DOCTOR_STORE_H

#include "command/findings.h"

/* Reports whether it can be read, is sound and keeps the rules: one line, and one for each of the
 * first problems. False if the file exists and has a problem. */
bool assay_doctor_store(const char *path, assay_findings *findings);

#endif
