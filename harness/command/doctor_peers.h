/* What doctor says of peers. */
#ifndef ASSAY_DOCTOR_PEERS_H
#define ASSAY_DOCTOR_PEERS_H

#include "plan/registry.h"

#include <stdio.h>

/* Are the scripts here that the cases name, and which frameworks has each python that would run
 * them? */
void assay_doctor_peers(assay_case_table cases, FILE *out);

#endif
