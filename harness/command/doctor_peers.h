/* What doctor says of peers. */
#ifndef ASSAY_DOCTOR_PEERS_H
#define ASSAY_DOCTOR_PEERS_H

#include <stdio.h>

/* Which python would compute them, with which torch; or what is missing. */
void assay_doctor_peers(FILE *out);

#endif
