/* Reads the settings of the device, from its driver's library and from the system. */
#include "environment.h"

#include "base/text.h"
#include "nvml.h"

#include <string.h>

void assay_environment_fill_device(const assay_device_info *info, assay_run_row *row)
{
    const bool             is_cuda = strcmp(info->kind, "cuda") == 0;
    char                   why[512];
    assay_nvml            *nvml = NULL;
    assay_device_settings *to   = &row->device;
    assay_nvml_facts       facts;

    if (is_cuda)
        nvml = assay_nvml_open(NULL, info->pci_bus_id, why, sizeof why);
    assay_nvml_read_facts(nvml, &facts);
    assay_nvml_close(nvml);
    *to = (assay_device_settings) { .mig                    = facts.mig_is_on,
                                    .persistence            = facts.persistence_is_on,
                                    .compute_mode           = facts.compute_mode,
                                    .power_limit_w          = facts.power_limit_w,
                                    .power_limit_default_w  = facts.power_limit_default_w,
                                    .application_sm_mhz     = facts.application_sm_mhz,
                                    .application_memory_mhz = facts.application_memory_mhz,
                                    .numa_node              = -1 };
    (void)assay_text_set(to->nvml, sizeof to->nvml, "%s", facts.nvml_version);
    (void)assay_text_set(to->vbios, sizeof to->vbios, "%s", facts.vbios);
    if (is_cuda)
        to->numa_node = assay_environment_numa_node(info->pci_bus_id, "/sys/bus/pci/devices");
}
