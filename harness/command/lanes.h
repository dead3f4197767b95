/* Which lanes there are, and which program runs the checks of each. */
#ifndef ASSAY_LANES_H
#define ASSAY_LANES_H

#include "case.h"
#include "findings.h"

#include <stdbool.h>
#include <stddef.h>

/* The lanes that a person selects. */
typedef struct assay_lane_choice {
    assay_lane lanes[ASSAY_N_LANES];
    int        n;      /* 0: not given */
    bool       is_all; /* all that can run here */
} assay_lane_choice;

/* Parses "all", or names of lanes separated by commas; each counts once. False: it is neither. */
bool assay_lanes_parse(const char *words, assay_lane_choice *choice);

/* Writes the path of a lane's program; `self` is the program without a sanitizer. */
void assay_lane_program(const char *self, assay_lane lane, char *path, size_t size);

/* Can that lane run here? If not, `why` says why. */
bool assay_lane_is_here(const char *self, assay_lane lane, char *why, size_t size);

/* doctor on the lanes with a sanitizer. */
void assay_doctor_lanes(assay_findings *findings);

#endif
