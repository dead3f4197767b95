/* The comparer of photon_propagate, and its facts. */
#ifndef PHOTON_PROPAGATE_COMPARE_H
#define PHOTON_PROPAGATE_COMPARE_H

#include "case.h"

/* Every photon ends once, and those that took another's place have rows of their own. Every record
 * has the weight of its place. The tally is that of the records. */
assay_verdict photon_propagate_compare(const assay_evidence *e, char *reason, size_t size);

/* Largest difference between a tally and the reference's; 0 if it is within six deviations of what
 * photons in doubt may do. */
assay_invariant_result photon_propagate_tally_drift(const assay_evidence *e);

/* Ends of each kind, for each photon of the source. */
extern const assay_fact photon_propagate_facts[];

#endif
