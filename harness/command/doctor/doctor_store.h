/* What doctor says of a database. */
#ifndef ASSAY_DOCTOR_STORE_H
#define ASSAY_DOCTOR_STORE_H

#include "command/findings.h"

/* Tells whether it can be read, is whole and keeps its own rules: a line, and one for each of the
 * first problems. False if it is there and not all of that is so. */
bool assay_doctor_store(const char *path, assay_findings *findings);

#endif
