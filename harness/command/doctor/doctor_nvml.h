/* What doctor says of NVML. */
#ifndef ASSAY_DOCTOR_NVML_H
#define ASSAY_DOCTOR_NVML_H

#include "command/findings.h"

/* What it says of GPU `index` of CUDA; missing NVML is a fact to report, and no failure. */
void assay_doctor_nvml(int index, assay_findings *findings);

#endif
