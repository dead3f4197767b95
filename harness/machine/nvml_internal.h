/* The part of NVML's interface that is used. Only nvml.c and nvml_facts.c include it. The
 * prototypes are our own, so that no header of the driver is needed. */
#ifndef ASSAY_NVML_INTERNAL_H
#define ASSAY_NVML_INTERNAL_H

#include "nvml.h"

#include <assert.h>

enum {
    NVML_SUCCESS   = 0,
    NVML_NO_ANSWER = -1 /* none of its codes */
};

typedef struct nvml_gpu nvml_gpu; /* NVML's handle points to it */

typedef struct temperature {
    unsigned version; /* bytes of this, and 1 << 24 */
    int      sensor;
    int      value_c;
} temperature;

typedef struct field {
    unsigned  id, scope;
    long long timestamp, latency_us;
    int       type, code;
    union {
        double             real;
        unsigned           number;
        unsigned long long wide_number;
    } value;
} field;
static_assert(sizeof(field) == 40, "NVML fills an array of fields of this size");

typedef int         plain_fn(void);
typedef const char *error_fn(int);
typedef int         version_fn(char *, unsigned);
typedef int         find_fn(const char *, nvml_gpu **);
typedef int         text_fn(nvml_gpu *, char *, unsigned);
typedef int         number_fn(nvml_gpu *, unsigned *);
typedef int         wide_fn(nvml_gpu *, unsigned long long *);
typedef int         indexed_fn(nvml_gpu *, int, unsigned *); /* of a clock or a sensor */
typedef int         mode_fn(nvml_gpu *, unsigned *, unsigned *);
typedef int         temperature_fn(nvml_gpu *, temperature *);
typedef int         fields_fn(nvml_gpu *, int, field *);

/* The functions of the library; NULL for those that it lacks. */
typedef struct functions {
    plain_fn       *init, *shutdown;
    error_fn       *error;
    find_fn        *find;
    version_fn     *driver, *version;
    text_fn        *vbios, *name;
    indexed_fn     *clock, *max_clock, *application_clock, *old_temperature;
    temperature_fn *temperature;
    wide_fn        *reasons, *old_reasons, *energy;
    number_fn      *power, *power_limit, *default_power_limit, *persistence, *compute_mode;
    fields_fn      *fields;
    mode_fn        *mig, *ecc;
} functions;

struct assay_nvml {
    void     *library;
    bool      is_started;
    nvml_gpu *gpu;
    functions call;
};

#endif
