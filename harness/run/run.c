/* The course of one point. assay_run_point makes sure of "no verdict, no number". */
#include "run_internal.h"

#include "base/clock.h"
#include "base/sanitizer.h"
#include "base/text.h"
#include "machine/environment.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MEMORY_SHARE = 0.9; /* of free memory; the rest is for other programs */

assay_lane assay_lane_of(const char *kind)
{
    const char *sanitizer = assay_sanitizer_here();

    if (strcmp(sanitizer, "address") == 0)
        return ASSAY_LANE_ASAN;
    if (strcmp(sanitizer, "thread") == 0)
        return ASSAY_LANE_TSAN;
    return strcmp(kind, "cuda") == 0 ? ASSAY_LANE_CUDA : ASSAY_LANE_HOST;
}

/* Broken kernels run in more schedules, to show their faults. On a GPU, which chooses its own
 * schedule, a point of the full tier runs twice and one of the quick tier three times. */
int assay_run_count(const assay_point *point, assay_lane lane)
{
    if (point->definition->variants[point->variant].expect[lane])
        return 6;
    return lane == ASSAY_LANE_CUDA && point->tier == ASSAY_FULL ? 2 : 3;
}

/* ---- what cannot be run ---- */

static void require_memory(progress *p, const char *where, int64_t needed, int64_t available)
{
    char reason[ASSAY_REASON_SIZE];

    if (available == 0 || (double)needed <= MEMORY_SHARE * (double)available)
        return; /* 0: unknown */
    (void)assay_text_set(reason, sizeof reason, "needs %.1f GB of %s memory, %.1f GB are free",
                         (double)needed / 1e9, where, (double)available / 1e9);
    assay_run_add_finding(p, ASSAY_SKIPPED, reason);
}

static void find_obstacles(progress *p)
{
    const char   *unsupported  = assay_point_unsupported(p->point);
    const bool    is_cuda      = p->memory.api && p->runner->lane == ASSAY_LANE_CUDA;
    const int     n_runs       = assay_run_count(p->point, p->runner->lane);
    const int64_t device_bytes = assay_point_device_bytes(p->point);
    const int64_t host_bytes   = assay_point_host_bytes(p->point, n_runs);
    /* A peer gets its data through shared memory. */
    const int64_t shared_bytes = assay_variant_is_peer(p->variant) ? device_bytes : 0;

    if (unsupported)
        assay_run_add_finding(p, ASSAY_UNSUPPORTED, unsupported);
    else if (p->variant->gpu_only && !is_cuda)
        assay_run_add_finding(p, ASSAY_UNSUPPORTED, p->variant->gpu_only);
    else if ((p->variant->flags & ASSAY_THREADED) && p->runner->lane == ASSAY_LANE_TSAN)
        assay_run_add_finding(p, ASSAY_SKIPPED,
                              "OpenMP's runtime is not instrumented for ThreadSanitizer");
    else if (p->point->is_timed && !p->variant->cpu && !p->runner->info.can_time)
        assay_run_add_finding(p, ASSAY_SKIPPED,
                              "the host device checks kernels and never times them");
    else if (is_cuda)
        require_memory(p, "device", device_bytes, p->memory.api->free_bytes(p->runner->device));
    if (p->row.verdict == ASSAY_NOT_RUN)
        require_memory(p, "host", host_bytes + shared_bytes + (is_cuda ? 0 : device_bytes),
                       assay_environment_free_bytes());
}

static assay_status run_stages(progress *p)
{
    assay_status st = ASSAY_OK;

    find_obstacles(p);
    if (p->row.verdict == ASSAY_NOT_RUN)
        ASSAY_CHECK(assay_run_find_peer(p));
    if (p->row.verdict != ASSAY_NOT_RUN)
        goto out;
    /* Not earlier: a variant that cannot run on this device need not be in its module. */
    ASSAY_CHECK(assay_module_resolve(&p->runner->module, p->variant, &p->launcher));
    ASSAY_CHECK(assay_run_check_all(p));
out:
    /* A buffer that cannot be allocated after all (a workspace, fragmented memory), or a setup that
     * lacks something, is a reason and not a failure. Findings until then stay. */
    if (st == ASSAY_E_MEMORY || st == ASSAY_E_DEVICE_MEMORY || st == ASSAY_E_UNSUPPORTED) {
        if (!assay_run_has_failed(p)) {
            p->row.verdict = ASSAY_NOT_RUN;
            assay_run_add_finding(p, st == ASSAY_E_UNSUPPORTED ? ASSAY_UNSUPPORTED : ASSAY_SKIPPED,
                                  assay_status_message());
        }
        assay_status_reset();
        st = ASSAY_OK;
    }
    return st;
}

progress assay_run_begin(assay_runner *runner, const assay_point *point, const assay_sink *sink,
                         int place)
{
    progress p = { .runner   = runner,
                   .point    = point,
                   .variant  = &point->definition->variants[point->variant],
                   .sink     = sink,
                   .place    = place,
                   .first_ns = NAN,
                   .row      = { .launches = -1, .peak_bytes = -1 } };

    if (assay_variant_is_launched(p.variant))
        p.memory = (assay_memory_space) { runner->module.api, runner->device, runner->tool };
    return p;
}

assay_status assay_run_put(const progress *p, assay_row_kind kind, const void *row)
{
    return p->sink->row(p->sink->context, p->place, kind, row);
}

assay_status assay_run_point(assay_runner *runner, const assay_point *point, const assay_sink *sink)
{
    assay_status st    = ASSAY_OK;
    const double start = assay_clock_s();
    progress     p     = assay_run_begin(runner, point, sink, 0);

    assay_run_note_traces(&p);
    st = run_stages(&p);
    assay_run_erase_traces(&p);
    ASSAY_CHECK(st);
    p.row.wall_s = assay_clock_s() - start;
    ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
out:
    return st;
}

/* ---- the device of the process ---- */

const assay_metric_name *assay_run_device_metrics(const assay_runner *runner)
{
    static const assay_metric_name by_event[]  = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_EVENT },
                                                   { ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT },
                                                   { ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH },
                                                   { ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE } };
    static const assay_metric_name by_record[] = { { ASSAY_REGIME_COLD, ASSAY_CLOCK_RECORD },
                                                   { ASSAY_REGIME_HOT, ASSAY_CLOCK_RECORD },
                                                   { ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE } };

    return runner->records ? by_record : by_event;
}

assay_status assay_run_device_status(const assay_runner *runner, assay_status status)
{
    return status == ASSAY_OK ? status : ASSAY_FAIL(status, "%s", runner->module.api->message());
}

/* Called before the device is opened: code that is loaded earlier cannot be recorded. */
static assay_status start_cupti(assay_runner *runner, assay_cupti_use use)
{
    assay_status           st    = ASSAY_OK;
    const assay_cupti_api *cupti = NULL;
    char                   why[ASSAY_REASON_SIZE];

    runner->cupti_use = use;
    if (use != ASSAY_CUPTI_RECORDS && use != ASSAY_CUPTI_TRACE)
        return ASSAY_OK;
    cupti = assay_cupti_load(why, sizeof why);
    ASSAY_REQUIRE(cupti, ASSAY_E_DEVICE, "%s", why);
    runner->records = calloc(1, sizeof *runner->records);
    ASSAY_REQUIRE(runner->records, ASSAY_E_MEMORY, "no memory for activity records");
    st = cupti->activity_start(use == ASSAY_CUPTI_TRACE);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", cupti->message());
    runner->records->cupti = cupti;
out:
    return st;
}

static void open_nvml(assay_runner *runner)
{
    if (strcmp(runner->info.kind, "cuda") == 0)
        runner->nvml = assay_nvml_open(NULL, runner->info.pci_bus_id, runner->nvml_why,
                                       sizeof runner->nvml_why);
    else
        (void)assay_text_set(runner->nvml_why, sizeof runner->nvml_why, "no GPU");
}

assay_status assay_runner_open(assay_runner *runner, const char *module_path, int index,
                               assay_cupti_use use)
{
    assay_status st = ASSAY_OK;

    memset(runner, 0, sizeof *runner);
    ASSAY_CHECK(start_cupti(runner, use));
    ASSAY_CHECK(assay_module_open(module_path, &runner->module));
    st = runner->module.api->open(index, &runner->device, &runner->info);
    ASSAY_REQUIRE(st == ASSAY_OK, st, "%s", runner->module.api->message());
    runner->device_index = index;
    runner->lane         = assay_lane_of(runner->info.kind);
    open_nvml(runner);
out:
    if (st != ASSAY_OK)
        assay_runner_close(runner);
    return st;
}

void assay_runner_close(assay_runner *runner)
{
    if (!runner)
        return;
    for (int input = 0; input < ASSAY_N_INPUTS; input++)
        assay_inputs_free(&runner->inputs[input]);
    assay_inputs_free(&runner->redrawn);
    assay_peer_end(runner->peer);
    if (runner->device)
        runner->module.api->close(runner->device);
    if (runner->records && runner->records->cupti)
        runner->records->cupti->activity_stop();
    assay_record_source_free(runner->records);
    assay_nvml_close(runner->nvml);
    assay_module_close(&runner->module);
    memset(runner, 0, sizeof *runner);
}
