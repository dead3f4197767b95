/* Times points that have passed: all variants at the same axis values in turn, block by block. */
#include "base/nvtx.h"
#include "run_time_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "device/device_evidence.h"

#include <stdlib.h>
#include <string.h>

static const double GRACE_S = 60; /* for flushes, rests, readings of the card, a busy host */
/* No limit on the length of a sample, since the number of calls is given. */
static const double ANY_NS = 1e9;

enum {
    MOST_GAP_BYTES = 64 << 20,
    GRANTED_CALLS  = 4 /* calls beyond the budget, in a warm-up or block of a slow kernel */
};

/* The metrics that this process can read of a variant; ends with ASSAY_REGIME_NONE. */
static const assay_metric_name *metrics_of(const group *g, const progress *p)
{
    static const assay_metric_name by_host[] = { { ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST },
                                                 { ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE } };
    static const assay_metric_name none[]    = { { ASSAY_REGIME_NONE, ASSAY_CLOCK_NONE } };
    const bool is_host = !p->memory.api || (p->variant->flags & ASSAY_HOST_SYNC);

    if (is_host)
        return g->records ? none : by_host;
    return assay_run_device_metrics(g->runner);
}

/* ---- before ---- */

double assay_run_step_limit_s(const progress *p, double budget_s)
{
    return GRACE_S + budget_s + GRANTED_CALLS * assay_run_launch_limit_s(p);
}

double assay_run_timing_limit_s(const group *g, const point_timing *a)
{
    return assay_run_step_limit_s(&a->p, g->policy->budget_s / a->n_metrics);
}

/* If another process has chosen the calls per sample, this one takes the same number. */
static assay_policy agree(const group *g, const point_timing *a, assay_regime regime)
{
    const assay_calls calls  = a->timed->calls;
    assay_policy      policy = *g->policy;

    if (calls.hot > 0 && regime == ASSAY_REGIME_HOT) {
        policy.max_calls        = (int)calls.hot;
        policy.sample_target_ns = ANY_NS;
    } else if (calls.graph > 0 && regime == ASSAY_REGIME_GRAPH) {
        policy.graph_calls     = (int)calls.graph;
        policy.graph_target_ns = ANY_NS;
    }
    return policy;
}

static assay_status create_timers(group *g, point_timing *a)
{
    const assay_metric_name *names = metrics_of(g, &a->p);
    int                      n     = 0;
    assay_status             st    = ASSAY_OK;

    while (names[n].regime)
        n++;
    a->job           = assay_run_timer_job(&a->p);
    a->job.recorder  = g->records;
    a->job.origin_ns = g->origin_ns;
    for (; a->n_metrics < n; a->n_metrics++) {
        const int m = a->n_metrics;

        a->policy[m] = agree(g, a, names[m].regime);
        ASSAY_CHECK(assay_timer_create(&a->job, &a->policy[m], names[m].regime, names[m].clock,
                                       g->policy->budget_s / n, &a->timer[m]));
    }
out:
    return st;
}

static assay_status warm_up(const group *g, point_timing *a)
{
    assay_fault  fault;
    assay_status st = ASSAY_OK;

    for (int m = 0; m < a->n_metrics && !assay_run_has_failed(&a->p); m++) {
        ASSAY_CHECK(a->p.sink->note(a->p.sink->context, a->p.place, "warm-up",
                                    assay_run_timing_limit_s(g, a)));
        ASSAY_CHECK(assay_timer_warm_up(a->timer[m], &fault));
        assay_run_add_fault(&a->p, &fault);
    }
out:
    return st;
}

static bool is_nearly_full(const group *g, const point_timing *a)
{
    const int64_t free_bytes = a->p.memory.api->free_bytes(g->runner->device);

    return free_bytes > 0 && free_bytes < 2 * assay_point_device_bytes(a->p.point) + MOST_GAP_BYTES;
}

/* The addresses of buffers change what caches and memory banks do, by a percent or more. Without
 * gaps they would be the same in every process, and an interval over processes would not include
 * that effect. So each process leaves gaps of different sizes, below a page and of whole pages.
 * There are none if the device is nearly full. */
static void leave_gaps(const group *g, point_timing *a)
{
    const assay_device_api *api = a->p.memory.api;
    const uint64_t mixed = assay_evidence_digest((uint64_t)g->process, (uint32_t)(a - g->timings));
    const size_t   bytes[ASSAY_N_GAPS] = { (size_t)(1 + mixed % 4096) * 256,
                                           (size_t)(1 + (mixed >> 12) % 16) << 21 };

    for (int i = 0; i < ASSAY_N_GAPS && api && !is_nearly_full(g, a); i++)
        if (api->alloc(g->runner->device, bytes[i], &a->gap[i]) != ASSAY_OK)
            a->gap[i] = NULL;
}

static void close_gaps(const group *g, point_timing *a)
{
    for (int i = 0; i < ASSAY_N_GAPS && a->p.memory.api; i++) {
        a->p.memory.api->release(g->runner->device, a->gap[i]);
        a->gap[i] = NULL;
    }
}

/* If there is no memory beside the others, that is not a finding: *fits is false, and what was
 * allocated is freed. If there is none although it is alone, the point cannot be timed here. */
static assay_status bring_up(group *g, point_timing *a, bool is_alone, bool *fits)
{
    assay_status st = ASSAY_OK;

    *fits    = true;
    a->is_up = true;
    leave_gaps(g, a);
    ASSAY_CHECK(assay_run_arm_timed(&a->p));
    ASSAY_CHECK(assay_run_verify(&a->p, &a->timed->judged.of_draw[0]));
    if (assay_run_has_failed(&a->p))
        goto out;
    ASSAY_CHECK(create_timers(g, a));
    ASSAY_CHECK(warm_up(g, a));
out:
    if (st == ASSAY_E_DEVICE_MEMORY || st == ASSAY_E_MEMORY) {
        if (is_alone && !assay_run_has_failed(&a->p)) {
            a->p.row.verdict = ASSAY_SKIPPED;
            (void)assay_text_set(a->p.row.reason, sizeof a->p.row.reason, "no room to time it: %s",
                                 assay_status_message());
        }
        assay_status_reset();
        *fits = false;
        st    = ASSAY_OK;
    }
    return st;
}

static void take_down(const group *g, point_timing *a)
{
    for (int m = 0; m < a->n_metrics; m++)
        assay_timer_free(a->timer[m]);
    a->n_metrics = 0;
    free(a->launches);
    a->launches   = NULL;
    a->n_launches = 0;
    if (a->is_up)
        assay_run_tear_down(&a->p);
    close_gaps(g, a);
    a->is_up = false;
}

/* ---- the blocks ---- */

/* Keeps the kernels of a call, which the records of the last samples tell. */
static assay_status keep_launches(const group *g, point_timing *a)
{
    const assay_record_source *records = g->runner->records;
    assay_status               st      = ASSAY_OK;

    if (!g->records || a->n_metrics == 0 || records->n_launches == 0)
        return ASSAY_OK;
    free(a->launches);
    a->n_launches = records->n_launches;
    a->launches   = calloc((size_t)a->n_launches, sizeof *a->launches);
    ASSAY_REQUIRE(a->launches, ASSAY_E_MEMORY, "no memory for %d launches", a->n_launches);
    memcpy(a->launches, records->launches, (size_t)a->n_launches * sizeof *a->launches);
out:
    return st;
}

static assay_status take_blocks(group *g, point_timing *a)
{
    assay_fault  fault;
    char         key[ASSAY_KEY_SIZE];
    assay_status st = ASSAY_OK;

    assay_nvtx_push("block", assay_point_key(a->p.point, key, sizeof key));
    for (int m = 0; m < a->n_metrics && !assay_run_has_failed(&a->p); m++) {
        ASSAY_CHECK(a->p.sink->note(a->p.sink->context, a->p.place, "timing",
                                    assay_run_timing_limit_s(g, a)));
        ASSAY_CHECK(assay_timer_take_block(a->timer[m], g->process, g->order++, &fault));
        assay_run_add_fault(&a->p, &fault);
    }
    ASSAY_CHECK(keep_launches(g, a));
    ASSAY_CHECK(assay_run_prove_block(g, a));
out:
    assay_nvtx_pop();
    return st;
}

/* Forwards, backwards, forwards, ... The next process begins in the other direction. */
static assay_status alternate(group *g, int first, int end)
{
    assay_status st = ASSAY_OK;

    for (int block = 0; block < g->policy->n_blocks; block++) {
        const bool backwards = (block + g->process) % 2 != 0;

        ASSAY_CHECK(assay_run_redraw(g, first, end, (uint64_t)block % ASSAY_N_DRAWS));
        for (int i = first; i < end && !g->runner->is_spent; i++)
            ASSAY_CHECK(take_blocks(g, &g->timings[backwards ? end - 1 - (i - first) : i]));
    }
out:
    return st;
}

/* ---- after ---- */

static assay_status hand_over_metric(point_timing *a, const group *g, assay_timer *timer)
{
    assay_measurement_row row     = { .n_samples = 0 };
    assay_samples         samples = { .n = 0 };
    assay_status          st      = ASSAY_OK;

    ASSAY_CHECK(assay_timer_finish(timer, &row, &samples));
    assay_run_describe(&a->p, g->policy, &row);
    for (int64_t k = 0; k < samples.n_blocks; k++)
        samples.blocks[k].calls = row.launches_per_sample;
    ASSAY_CHECK(a->p.sink->measurement(a->p.sink->context, a->p.place, &row, &samples));
out:
    assay_samples_free(&samples);
    return st;
}

/* A launch that is right alone may be wrong when a graph replays it. */
static assay_status verify_graphs(point_timing *a)
{
    assay_fault  fault;
    bool         has = false;
    assay_status st  = ASSAY_OK;

    for (int m = 0; m < a->n_metrics && !assay_run_has_failed(&a->p); m++) {
        ASSAY_CHECK(assay_buffers_rearm(&a->p.buffers, a->p.inputs, 0));
        ASSAY_CHECK(assay_timer_replay(a->timer[m], &has, &fault));
        assay_run_add_fault(&a->p, &fault);
        if (has && !assay_run_has_failed(&a->p))
            ASSAY_CHECK(assay_run_verify_left(&a->p, &a->timed->judged.of_draw[0]));
    }
out:
    return st;
}

/* Only in the first process of each kind of clock, since one clock may see what another does not. A
 * launcher that cheats would do it in any process, and the test needs many calls of a slow one. */
static assay_status judge_shortcuts(const group *g, point_timing *a)
{
    assay_status st = ASSAY_OK;

    for (int m = 0; m < a->n_metrics && g->process == 0; m++) {
        if (assay_run_has_failed(&a->p))
            break;
        ASSAY_CHECK(a->p.sink->note(a->p.sink->context, a->p.place, "shortcut",
                                    assay_run_timing_limit_s(g, a)));
        ASSAY_CHECK(assay_run_judge_shortcut(&a->p, a->timer[m]));
    }
out:
    return st;
}

/* Verifies the timed buffers once more. Only then are the numbers passed on. */
static assay_status finish(group *g, point_timing *a)
{
    assay_status st = ASSAY_OK;

    if (!a->is_up || assay_run_has_failed(&a->p) || g->runner->is_spent)
        goto out;
    ASSAY_CHECK(judge_shortcuts(g, a));
    if (assay_run_has_failed(&a->p))
        goto out;
    ASSAY_CHECK(verify_graphs(a));
    if (assay_run_has_failed(&a->p))
        goto out;
    ASSAY_CHECK(assay_buffers_rearm(&a->p.buffers, a->p.inputs, 0));
    ASSAY_CHECK(assay_run_verify(&a->p, &a->timed->judged.of_draw[0]));
    for (int m = 0; m < a->n_metrics && !assay_run_has_failed(&a->p); m++)
        ASSAY_CHECK(hand_over_metric(a, g, a->timer[m]));
    if (!g->records && a->n_metrics > 0) /* recording slows the loading of code */
        ASSAY_CHECK(assay_run_put_first_call(&a->p));
    for (int i = 0; i < a->n_launches && !assay_run_has_failed(&a->p); i++)
        ASSAY_CHECK(assay_run_put(&a->p, ASSAY_ROW_LAUNCH, &a->launches[i]));
    assay_run_add_finding(&a->p, ASSAY_PASS, "");
out:
    return st;
}

static assay_status hand_over(group *g, int first, int end)
{
    assay_status st = ASSAY_OK;

    for (int i = first; i < end; i++) {
        point_timing *a = &g->timings[i];

        ASSAY_CHECK(finish(g, a));
        ASSAY_CHECK(assay_run_put(&a->p, ASSAY_ROW_VERDICT, &a->p.row));
    }
out:
    return st;
}

/* Takes what is needed of all points after their blocks. Then they have their first inputs again.
 */
static assay_status take_all_blocks(group *g, int first, int end)
{
    assay_status st = ASSAY_OK;

    ASSAY_CHECK(alternate(g, first, end));
    ASSAY_CHECK(assay_run_judge_kept(g, first, end));
    ASSAY_CHECK(assay_run_redraw(g, first, end, 0));
out:
    return st;
}

/* Times as many points as fit on the device, from `first` on; one that does not even fit alone is
 * skipped. */
static assay_status time_some(group *g, int first, int *end)
{
    bool         fits = true;
    assay_status st   = ASSAY_OK;

    for (*end = first; *end < g->n && fits && !g->runner->is_spent; *end += fits) {
        ASSAY_CHECK(bring_up(g, &g->timings[*end], *end == first, &fits));
        if (!fits)
            take_down(g, &g->timings[*end]);
    }
    if (*end == first && !fits)
        *end = first + 1;
    else
        ASSAY_CHECK(take_all_blocks(g, first, *end));
    ASSAY_CHECK(hand_over(g, first, *end));
out:
    for (int i = first; i < g->n; i++)
        take_down(g, &g->timings[i]);
    return st;
}

assay_status assay_run_time(assay_runner *runner, const assay_timed_point *points, int n,
                            const assay_policy *policy, int process, const assay_sink *sink)
{
    assay_status st = ASSAY_OK;
    group        g  = { .runner    = runner,
                        .policy    = policy,
                        .process   = process,
                        .origin_ns = (int64_t)(assay_clock_s() * 1e9),
                        .recorder  = { runner->records, assay_record_collect },
                        .n         = n };

    g.records = runner->records ? &g.recorder : NULL;
    g.timings = calloc((size_t)n, sizeof *g.timings);
    ASSAY_REQUIRE(g.timings, ASSAY_E_MEMORY, "no memory to time %d points", n);
    for (int i = 0; i < n; i++) {
        g.timings[i].timed = &points[i];
        g.timings[i].kept  = (assay_shortcut) { .rule = &assay_shortcut_inputs };
        g.timings[i].p     = assay_run_begin(runner, &points[i].point, sink, i);
    }
    for (int first = 0, end = 0; first < n && !runner->is_spent; first = end)
        ASSAY_CHECK(time_some(&g, first, &end));
out:
    free(g.timings);
    return st;
}
