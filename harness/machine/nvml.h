/* What the driver's management library (NVML) tells of one GPU: clock event reasons, power,
 * temperature, energy. It is loaded at run time, every symbol is optional, and without it all
 * values are unknown. */
#ifndef ASSAY_NVML_H
#define ASSAY_NVML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bits of the clock event reasons (names and values as in NVML's nvmlClocksEventReason*). */
#define ASSAY_NVML_SW_POWER_CAP   0x4u
#define ASSAY_NVML_HW_SLOWDOWN    0x8u
#define ASSAY_NVML_SW_THERMAL     0x20u
#define ASSAY_NVML_HW_THERMAL     0x40u
#define ASSAY_NVML_HW_POWER_BRAKE 0x80u
/* A sample that was taken while one of these was set is invalid. */
#define ASSAY_NVML_THROTTLED                                                                       \
    (ASSAY_NVML_SW_POWER_CAP | ASSAY_NVML_HW_SLOWDOWN | ASSAY_NVML_SW_THERMAL |                    \
     ASSAY_NVML_HW_THERMAL | ASSAY_NVML_HW_POWER_BRAKE)

typedef struct assay_nvml assay_nvml;

/* One reading of the GPU. Unknown: -1 for integers, NaN for reals. */
typedef struct assay_nvml_reading {
    int64_t reasons; /* clock event reasons, as bits; -1 unknown */
    int     sm_mhz, memory_mhz, temperature_c;
    double  power_w; /* the board's average over up to a second; of older drivers, the momentary
                        value */
    double energy_j; /* since the driver was loaded: only differences have a meaning */
} assay_nvml_reading;

/* Values that do not change during a run. Unknown: "", -1, NaN. */
typedef struct assay_nvml_facts {
    char   driver[80], nvml_version[80], vbios[32], name[96];
    int    mig_is_on, persistence_is_on, ecc_is_on; /* 0, 1 or -1 */
    int    max_sm_mhz, max_memory_mhz;
    int    compute_mode; /* 0 default, 2 prohibited, 3 exclusive process, -1 */
    double power_limit_w, power_limit_default_w;       /* the first is the one enforced */
    int    application_sm_mhz, application_memory_mhz; /* clocks set for applications */
} assay_nvml_facts;

/* Loads the library (`path` NULL or "": $ASSAY_NVML_LIBRARY, else libnvidia-ml.so.1) and finds the
 * GPU at `pci_bus_id` ("0000:1B:00.0"). NULL with a sentence in `why` if that cannot be, about 150
 * characters and the path; else `why` is "". Caller closes. */
assay_nvml *assay_nvml_open(const char *path, const char *pci_bus_id, char *why, size_t why_size);
void        assay_nvml_close(assay_nvml *nvml); /* accepts NULL */

/* Reads all values of one moment. This takes up to milliseconds, so never call it within a timed
 * interval. NULL nvml: all unknown. */
void assay_nvml_read(assay_nvml *nvml, assay_nvml_reading *reading);
/* Reads only the reasons (quick); -1 unknown. NULL nvml: -1. */
int64_t assay_nvml_reasons(assay_nvml *nvml);
/* NULL nvml: all unknown. */
void assay_nvml_read_facts(assay_nvml *nvml, assay_nvml_facts *facts);

/* "power cap, thermal slowdown", "none", "unknown (-1)"; bits without a name as "0x200". Returns
 * text. */
char *assay_nvml_reasons_text(int64_t reasons, char *text, size_t size);
bool  assay_nvml_is_throttled(int64_t reasons); /* false if unknown */

#ifdef __cplusplus
}
#endif
#endif
