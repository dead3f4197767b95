/* Results of CUPTI calls as statuses of metrics, each with a reason. */
#include "cupti_counters_internal.h"

#include <math.h>
#include <stdio.h>

void assay_cupti_reset_metrics(assay_metric_value *metrics, int n)
{
    for (int i = 0; i < n; i++) {
        metrics[i].status    = ASSAY_METRIC_OK;
        metrics[i].value     = NAN;
        metrics[i].reason[0] = '\0';
    }
}

void assay_cupti_refuse(assay_metric_value *metrics, int n, assay_metric_status status,
                        const char *reason)
{
    for (int i = 0; i < n; i++) {
        if (metrics[i].status != ASSAY_METRIC_OK)
            continue;
        metrics[i].status = status;
        metrics[i].value  = NAN;
        (void)snprintf(metrics[i].reason, sizeof metrics[i].reason, "%s", reason);
    }
}

void assay_cupti_refuse_result(assay_metric_value *metrics, int n, CUptiResult result,
                               const char *call)
{
    static const struct {
        CUptiResult         result;
        assay_metric_status status;
        const char         *reason;
    } outcomes[] = {
        { CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, ASSAY_METRIC_NO_PERMISSION,
          "run as root, or load the NVIDIA driver with NVreg_RestrictProfilingToAdminUsers=0" },
        { CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES, ASSAY_METRIC_NO_PERMISSION,
          "the host of this virtual GPU does not let it be profiled" },
        { CUPTI_ERROR_HARDWARE_BUSY, ASSAY_METRIC_FAILED,
          "another profiler holds the counters (ncu, nsys, DCGM): end it first" },
        { CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED, ASSAY_METRIC_FAILED,
          "another profiler is attached to this process" },
        { CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "a virtual GPU of this kind cannot be profiled" },
        { CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "a GPU in confidential computing mode cannot be profiled" },
        { CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "a mining processor cannot be profiled" },
        { CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "this MIG instance cannot be profiled" },
        { CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "GPUs joined by SLI cannot be profiled" },
        { CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED, ASSAY_METRIC_UNSUPPORTED,
          "this GPU cannot be profiled under WSL" },
    };
    char reason[sizeof metrics->reason];

    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++) {
        if (outcomes[i].result == result) {
            assay_cupti_refuse(metrics, n, outcomes[i].status, outcomes[i].reason);
            return;
        }
    }
    (void)assay_cupti_explain(result, call, reason, sizeof reason);
    assay_cupti_refuse(metrics, n, ASSAY_METRIC_FAILED, reason);
}

bool assay_cupti_has_ranges(assay_metric_value *metrics, int n)
{
    uint32_t version = 0;
    char     reason[sizeof metrics->reason];

    if (cuptiGetVersion(&version) == CUPTI_SUCCESS && version >= ASSAY_CUPTI_RANGE_API)
        return true;
    (void)snprintf(reason, sizeof reason,
                   "libcupti (interface %u) is older than CUDA 12.6, which brought counters",
                   version);
    assay_cupti_refuse(metrics, n, ASSAY_METRIC_UNSUPPORTED, reason);
    return false;
}
