/* A device of plain memory for the tests of run: launchers are functions of the test program, the
 * clock counts launches, and the next fault can be ordered. */
#ifndef ASSAY_TOY_DEVICE_H
#define ASSAY_TOY_DEVICE_H

#include "device.h"

typedef struct toy_device {
    assay_fault next_fault; /* reported by the next wait */
    int         n_launches, probe_waits;
    int64_t     mark_ns[ASSAY_N_MARKS], clock_ns;
} toy_device;

extern toy_device             device;
extern const assay_device_api memory_api;

#endif
