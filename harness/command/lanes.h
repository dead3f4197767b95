/* Which lanes there are, and which program runs the checks of each. */
#ifndef ASSAY_LANES_H
#define ASSAY_LANES_H

#include "case.h"
#include "findings.h"

#include <stdbool.h>
#include <stddef.h>

/* Which lanes a person wants. */
typedef struct assay_lane_choice {
    assay_lane lanes[ASSAY_N_LANES];
    int        n;      /* 0: not given */
    bool       is_all; /* those that are here */
} assay_lane_choice;

/* "all", or names of lanes separated by commas; each counts once. False: it is neither. */
bool assay_lanes_parse(const char *words, assay_lane_choice *choice);

/* Writes the path of the program of a lane, of which `self` is the one without a sanitizer. */
void assay_lane_program(const char *self, assay_lane lane, char *path, size_t size);

/* Can that lane be run here? If not, `why` says so. */
bool assay_lane_is_here(const char *self, assay_lane lane, char *why, size_t size);

/* What doctor says of the lanes under a sanitizer. */
void assay_doctor_lanes(assay_findings *findings);

#endif
