/* Presets of hardware counters, selections by name, and numbers that follow from values. */
#include "counters.h"

#include "base/nearest.h"
#include "base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- presets ---- */

#define SASS_THREADS(op) "smsp__sass_thread_inst_executed_op_" op "_pred_on.sum"
#define PIPE_BUSY(pipe)  "sm__inst_executed_pipe_" pipe ".avg.pct_of_peak_sustained_active"
#define STALLED(reason)  "smsp__average_warps_issue_stalled_" reason "_per_issue_active.ratio"

static const char *const core_metrics[] = {
    "gpu__time_duration.sum",
    "gpc__cycles_elapsed.avg.per_second",
    ASSAY_METRIC_DRAM_READ,
    ASSAY_METRIC_DRAM_WRITE,
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "smsp__inst_executed.sum",
    "smsp__thread_inst_executed.sum",
    "smsp__thread_inst_executed_pred_on.sum",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__inst_executed.avg.per_cycle_active",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "lts__t_sectors_op_atom.sum",
    "lts__t_sectors_op_red.sum",
    "lts__t_sector_hit_rate.pct",
    "l1tex__t_sector_hit_rate.pct",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    NULL,
};

static const char *const memory_metrics[] = {
    ASSAY_METRIC_DRAM_READ,
    ASSAY_METRIC_DRAM_WRITE,
    "dram__bytes.sum.per_second",
    "dram__cycles_elapsed.avg.per_second",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "lts__t_bytes.sum",
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sectors_op_read.sum",
    "lts__t_sectors_op_write.sum",
    "lts__t_sectors_aperture_sysmem_op_read.sum",
    "lts__t_sectors_aperture_sysmem_op_write.sum",
    "lts__t_sector_hit_rate.pct",
    "lts__t_sector_op_read_hit_rate.pct",
    "lts__t_sector_op_write_hit_rate.pct",
    "l1tex__t_sector_hit_rate.pct",
    "l1tex__t_sector_pipe_lsu_mem_global_op_ld_hit_rate.pct",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
    "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
    NULL,
};

static const char *const compute_metrics[] = {
    SASS_THREADS("fadd"),
    SASS_THREADS("fmul"),
    SASS_THREADS("ffma"),
    SASS_THREADS("dadd"),
    SASS_THREADS("dmul"),
    SASS_THREADS("dfma"),
    "smsp__inst_executed.sum",
    "smsp__average_thread_inst_executed_pred_on_per_inst_executed.ratio",
    "sm__inst_executed.avg.per_cycle_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active",
    "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active",
    PIPE_BUSY("alu"),
    PIPE_BUSY("fma"),
    PIPE_BUSY("fp64"),
    PIPE_BUSY("xu"),
    PIPE_BUSY("lsu"),
    NULL,
};

static const char *const atomics_metrics[] = {
    "lts__t_requests_op_atom.sum",
    "lts__t_requests_op_red.sum",
    "lts__t_sectors_op_atom.sum",
    "lts__t_sectors_op_red.sum",
    "lts__t_requests_op_atom_dot_cas.sum",
    "lts__t_requests_op_atom_dot_alu.sum",
    "lts__d_atomic_input_cycles_active.avg.pct_of_peak_sustained_elapsed",
    "lts__t_sector_op_atom_hit_rate.pct",
    "lts__t_sector_op_red_hit_rate.pct",
    "smsp__inst_executed_op_generic_atom.sum",
    "smsp__inst_executed_op_generic_atom_dot_alu.sum",
    "smsp__inst_executed_op_generic_atom_dot_cas.sum",
    "smsp__inst_executed_op_global_red.sum",
    "smsp__inst_executed_op_shared_atom.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "sm__sass_inst_executed_op_global_atom.sum",
    "sm__sass_inst_executed_op_global_red.sum",
    NULL,
};

static const char *const occupancy_metrics[] = {
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.avg.per_cycle_active",
    "sm__cycles_active.avg.pct_of_peak_sustained_elapsed",
    "sm__cycles_active.min",
    "sm__cycles_active.max",
    "sm__ctas_launched.sum",
    "sm__warps_launched.sum",
    "sm__threads_launched.sum",
    "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__inst_executed_op_local_ld.sum",
    "smsp__inst_executed_op_local_st.sum",
    NULL,
};

static const char *const stalls_metrics[] = {
    STALLED("long_scoreboard"),
    STALLED("short_scoreboard"),
    STALLED("barrier"),
    STALLED("membar"),
    STALLED("lg_throttle"),
    STALLED("mio_throttle"),
    STALLED("tex_throttle"),
    STALLED("math_pipe_throttle"),
    STALLED("sleeping"),
    STALLED("wait"),
    STALLED("not_selected"),
    STALLED("selected"),
    STALLED("no_instruction"),
    STALLED("branch_resolving"),
    STALLED("dispatch_stall"),
    STALLED("drain"),
    STALLED("imc_miss"),
    STALLED("misc"),
    NULL,
};

const assay_preset assay_presets[] = {
    { "core", "time, clock, DRAM and L2 traffic, hit rates, occupancy, instructions",
      core_metrics },
    { "memory", "DRAM, L2 by operation, L1, coalescing, spills, shared memory", memory_metrics },
    { "compute", "floating-point operations and how busy each pipe is", compute_metrics },
    { "atomics", "atomic operations at the SM and at L2", atomics_metrics },
    { "occupancy", "warps, blocks, balance between SMs, spills", occupancy_metrics },
    { "stalls", "what warps wait for, in warps for each issued instruction", stalls_metrics },
    { NULL, NULL, NULL },
};

const assay_preset *assay_counters_preset(const char *name)
{
    for (const assay_preset *p = assay_presets; p->name; p++)
        if (strcmp(p->name, name) == 0)
            return p;
    return NULL;
}

/* ---- selections ---- */

typedef struct selection {
    assay_metric_value *metrics; /* room for ASSAY_MAX_METRICS */
    int                 n;
} selection;

static assay_status add_metric(selection *s, const char *name)
{
    for (int i = 0; i < s->n; i++)
        if (strcmp(s->metrics[i].name, name) == 0)
            return ASSAY_OK;
    if (s->n == ASSAY_MAX_METRICS)
        return ASSAY_FAIL(ASSAY_E_USAGE, "more than %d metrics in one selection",
                          ASSAY_MAX_METRICS);
    assay_metric_value *metric = &s->metrics[s->n++];

    metric->status = ASSAY_METRIC_OK;
    metric->value  = NAN;
    (void)assay_text_set(metric->name, sizeof metric->name, "%s", name);
    return ASSAY_OK;
}

static assay_status add_preset(selection *s, const char *name)
{
    assay_status        st      = ASSAY_OK;
    const assay_preset *preset  = assay_counters_preset(name);
    assay_nearest       nearest = { .word = name };
    char                hint[128];

    for (const assay_preset *p = assay_presets; p->name; p++)
        assay_nearest_try(&nearest, p->name);
    ASSAY_REQUIRE(preset, ASSAY_E_USAGE,
                  "there is no preset '%s'%s; a metric is written like " ASSAY_METRIC_DRAM_READ,
                  name, assay_nearest_hint(&nearest, hint, sizeof hint));
    for (const char *const *m = preset->metrics; *m; m++)
        ASSAY_CHECK(add_metric(s, *m));
out:
    return st;
}

static assay_status add_word(selection *s, const char *word, size_t length)
{
    char name[ASSAY_METRIC_NAME_SIZE];

    if (length == 0)
        return ASSAY_FAIL(ASSAY_E_USAGE, "--metrics has an empty name in its list");
    if (length >= sizeof name)
        return ASSAY_FAIL(ASSAY_E_USAGE, "no metric has a name of %zu characters: '%.40s...'",
                          length, word);
    memcpy(name, word, length);
    name[length] = '\0';
    return strstr(name, "__") ? add_metric(s, name) : add_preset(s, name);
}

assay_status assay_counters_parse(const char *list, assay_metric_value **metrics, int *n)
{
    assay_status st = ASSAY_OK;
    selection    s  = { .n = 0 };
    const char  *p  = list ? list : "core";

    *metrics  = NULL;
    *n        = 0;
    s.metrics = calloc(ASSAY_MAX_METRICS, sizeof *s.metrics);
    ASSAY_REQUIRE(s.metrics, ASSAY_E_MEMORY, "no memory for a list of metrics");
    for (;;) {
        const size_t length = strcspn(p, ",");

        ASSAY_CHECK(add_word(&s, p, length));
        if (p[length] == '\0')
            break;
        p += length + 1;
    }
    *metrics  = s.metrics;
    *n        = s.n;
    s.metrics = NULL;
out:
    free(s.metrics);
    return st;
}

/* ---- values ---- */

double assay_counters_value(const assay_metric_value *metrics, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (metrics[i].status == ASSAY_METRIC_OK && strcmp(metrics[i].name, name) == 0)
            return metrics[i].value;
    return NAN;
}

assay_flops assay_counters_flops(const assay_metric_value *metrics, int n)
{
    const assay_flops flops = {
        .fp32 = assay_counters_value(metrics, n, SASS_THREADS("fadd")) +
                assay_counters_value(metrics, n, SASS_THREADS("fmul")) +
                2 * assay_counters_value(metrics, n, SASS_THREADS("ffma")),
        .fp64 = assay_counters_value(metrics, n, SASS_THREADS("dadd")) +
                assay_counters_value(metrics, n, SASS_THREADS("dmul")) +
                2 * assay_counters_value(metrics, n, SASS_THREADS("dfma")),
    };

    return flops;
}

/* ---- statuses ---- */

static const struct {
    const char *text, *remedy;
} statuses[] = {
    [ASSAY_METRIC_OK]            = { "ok", "" },
    [ASSAY_METRIC_UNSUPPORTED]   = { "unsupported",
                                     "'assay profile --list-metrics --chip NAME' lists what a chip "
                                       "can count" },
    [ASSAY_METRIC_NO_PERMISSION] = { "no permission", "run as root, or load the NVIDIA driver with "
                                                      "NVreg_RestrictProfilingToAdminUsers=0" },
    [ASSAY_METRIC_FAILED]        = { "failed", "the reason beside the metric says what to do; "
                                                      "everything else of the run stands" },
};

static bool is_status(assay_metric_status status)
{
    return (size_t)status < sizeof statuses / sizeof statuses[0];
}

const char *assay_metric_status_text(assay_metric_status status)
{
    return is_status(status) ? statuses[status].text : "unknown status";
}

const char *assay_counters_remedy(assay_metric_status status)
{
    return is_status(status) ? statuses[status].remedy : "";
}
