/* doctor on NVML. */
#ifndef ASSAY_DOCTOR_NVML_H
#define ASSAY_DOCTOR_NVML_H

#include "command/findings.h"

/* Reports on GPU `index` of CUDA. Missing NVML is a finding, not a failure. */
void assay_doctor_nvml(int index, assay_findings *findings);

#endif
