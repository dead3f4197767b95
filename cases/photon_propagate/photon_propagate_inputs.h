/* Inputs of photon_propagate. */
#ifndef PHOTON_PROPAGATE_INPUTS_H
#define PHOTON_PROPAGATE_INPUTS_H

#include "case.h"

/* Builds the detector and the tables, and the states that a step begins with. */
void photon_propagate_prepare(const assay_prepare_args *args);

#endif
