/* The cost of contention, from the counts and clock stamps of the watched flow. */
#ifndef PHOTON_QUEUE_FACTS_H
#define PHOTON_QUEUE_FACTS_H

#include "case.h"

extern const assay_fact photon_queue_facts[];

#endif
