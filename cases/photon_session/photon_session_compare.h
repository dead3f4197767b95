/* The comparer of photon_session. */
#ifndef PHOTON_SESSION_COMPARE_H
#define PHOTON_SESSION_COMPARE_H

#include "case.h"

/* The comparer of photon_propagate, for each event. */
assay_verdict photon_session_compare(const assay_evidence *evidence, char *reason, size_t size);

#endif
