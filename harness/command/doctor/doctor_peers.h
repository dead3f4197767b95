/* doctor on peers. */
#ifndef ASSAY_DOCTOR_PEERS_H
#define ASSAY_DOCTOR_PEERS_H

#include "command/findings.h"
#include "plan/registry.h"

/* Are the scripts that cases name here, and which frameworks has each python that can run them? */
void assay_doctor_peers(assay_case_table cases, assay_findings *findings);

#endif
