/* A device of plain memory for the tests of run: launchers are functions of the test program, the
 * clock counts launches, memory can be scarce, and a test can order the next fault. */
#ifndef ASSAY_TOY_DEVICE_H
#define ASSAY_TOY_DEVICE_H

#include "device.h"

enum {
    TOY_LAUNCH_NS   = 1000, /* time of every launch; a launcher may add to clock_ns */
    TOY_N_BLOCKS    = 256,  /* of memory that exist at once */
    TOY_N_SCHEDULES = 16
};

typedef struct toy_device {
    assay_fault    next_fault; /* reported by the next wait */
    const char    *remark;     /* about each launch; NULL: none */
    int            n_launches, probe_waits;
    int64_t        mark_ns[ASSAY_N_MARKS], clock_ns;
    double         sm_clock_mhz;  /* 0: 1000 MHz */
    int64_t        bytes_allowed; /* memory that can be allocated in all; 0: no limit */
    int64_t        bytes_used, most_bytes_used;
    int            n_graphs, n_graphs_made; /* alive now; made in all */
    bool           is_replaying;            /* a graph */
    int            n_gates;                 /* times that the gate was closed */
    bool           forbids_graphs; /* a capture fails, as for a launcher that cannot be captured */
    bool           refuses_graphs; /* a capture ends with an error of the launcher */
    bool           gates_time_out;
    int64_t        n_uploads;
    int            n_schedules; /* schedules that were set; the first ones follow */
    assay_schedule schedules[TOY_N_SCHEDULES];
} toy_device;

extern toy_device             toy_gpu;
extern const assay_device_api memory_api;

/* The digest that device.h defines. */
uint64_t toy_digest(const void *memory, size_t bytes);

#endif
