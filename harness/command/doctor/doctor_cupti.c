/* Findings of doctor on CUPTI: is it there, and who may count. */
#include "doctor_cupti.h"

#include "base/text.h"
#include "cupti/cupti.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool assay_doctor_read_restriction(const char *params, bool *is_restricted)
{
    const char *line = strstr(params, "RmProfilingAdminOnly:");

    if (!line)
        return false;
    line += strlen("RmProfilingAdminOnly:");
    while (*line == ' ')
        line++;
    *is_restricted = *line != '0';
    return *line == '0' || *line == '1';
}

/* If the driver's file does not say it, only counting can show it. */
static const char *permission(bool *is_free)
{
    char  params[16384] = "";
    bool  is_restricted = false;
    FILE *file          = fopen("/proc/driver/nvidia/params", "re");
    bool  is_known;

    *is_free = false;
    if (!file)
        return "CUPTI is here, but no driver: nothing can be counted or traced";
    params[fread(params, 1, sizeof params - 1, file)] = '\0';
    (void)fclose(file); /* it was only read */
    is_known = assay_doctor_read_restriction(params, &is_restricted);
    if (!is_known)
        return "it is not known here who may count";
    *is_free = !is_restricted || geteuid() == 0;
    if (!is_restricted)
        return "everybody may count";
    return geteuid() == 0
               ? "only the administrator may count, and this is root"
               : "only the administrator may count: run as root, or load the driver with "
                 "NVreg_RestrictProfilingToAdminUsers=0; the record clock and traces work without";
}

static void put(assay_findings *findings, const char *state, const char *text)
{
    assay_finding_put(findings, "cupti", state, "%s", text);
}

/* Counters need a library beside libcupti. To find out, this asks for a metric that every chip
 * has. */
static void note_counters(assay_findings *findings, const assay_cupti_api *api)
{
    assay_metric_value metric   = { .name = "sm__cycles_elapsed.sum" };
    int                n_passes = 0;

    if (api->counters_validate("GH100", &metric, 1, &n_passes) != ASSAY_OK)
        put(findings, "note", api->message());
}

void assay_doctor_cupti(assay_findings *findings)
{
    char                   why[1024];
    bool                   is_free = false;
    const char            *text    = permission(&is_free);
    const assay_cupti_api *api     = assay_cupti_load(why, sizeof why);

    if (!api) {
        put(findings, "missing", why);
        return;
    }
    put(findings, is_free ? "ok" : "note", text);
    note_counters(findings, api);
}
