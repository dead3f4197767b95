/* A peer as a variant. It is started when it is first needed, asked to compute instead of launched,
 * and timed by its own events. */
#include "run_internal.h"

#include "base/clock.h"
#include "base/text.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double START_LIMIT_S = 400; /* for all interpreters, one after the other */
static const double JOB_LIMIT_S   = 180; /* for one answer, which may include a compiler's work */
static const double SLACK_S       = 60;  /* for copies, and for ending a peer that was too slow */
/* For all samples of a point, since steps take milliseconds. */
static const double LEAST_TIME_S = 0.6;

static const assay_regime regimes[] = { ASSAY_REGIME_COLD, ASSAY_REGIME_HOT };

enum {
    N_REGIMES = sizeof regimes / sizeof regimes[0]
};

static bool is_of_gpu(const progress *p) { return strcmp(p->runner->info.kind, "cuda") == 0; }

static double job_limit_s(const progress *p)
{
    return p->variant->time_limit_s > 0 ? p->variant->time_limit_s : JOB_LIMIT_S;
}

static assay_status note(const progress *p, const char *what, double limit_s)
{
    return p->sink->note(p->sink->context, p->place, what, limit_s + SLACK_S);
}

/* Without an answer, nothing passes. */
void assay_run_add_peer_finding(progress *p, const assay_peer_finding *finding)
{
    if (finding->verdict == ASSAY_NOT_RUN)
        return;
    if (p->row.verdict == ASSAY_PASS)
        p->row.verdict = ASSAY_NOT_RUN;
    assay_run_add_finding(p, finding->verdict, finding->reason);
}

bool assay_run_is_going_well(const progress *p)
{
    return p->row.verdict == ASSAY_NOT_RUN || p->row.verdict == ASSAY_PASS;
}

/* ---- start and end ---- */

/* Both number the GPUs as CUDA does. A peer on another GPU must not be compared. */
static void require_same_gpu(progress *p)
{
    const char *there = assay_peer_whom(p->runner->peer)->device;

    if (!is_of_gpu(p) || strcmp(there, p->runner->info.name) == 0)
        return;
    (void)assay_text_set(p->runner->peer_why, sizeof p->runner->peer_why,
                         "the peer computes on '%s', this run on '%s'", there,
                         p->runner->info.name);
    assay_peer_end(p->runner->peer);
    p->runner->peer = NULL;
}

static assay_status start(progress *p)
{
    assay_status       st     = ASSAY_OK;
    assay_runner      *runner = p->runner;
    char               device[32];
    assay_peer_finding finding;

    (void)assay_text_set(device, sizeof device, is_of_gpu(p) ? "cuda:%d" : "cpu",
                         runner->device_index);
    ASSAY_CHECK(note(p, "peer", START_LIMIT_S));
    ASSAY_CHECK(
        assay_peer_start(&p->variant->peer, device, runner->interpreter, &runner->peer, &finding));
    (void)assay_text_set(runner->peer_why, sizeof runner->peer_why, "%s", finding.reason);
    if (runner->peer)
        require_same_gpu(p);
out:
    return st;
}

static bool is_same(const assay_peer_script *a, const assay_peer_script *b)
{
    return strcmp(a->script, b->script) == 0 &&
           strcmp(a->file ? a->file : "", b->file ? b->file : "") == 0;
}

assay_status assay_run_find_peer(progress *p)
{
    assay_status             st     = ASSAY_OK;
    assay_runner            *runner = p->runner;
    const assay_peer_script *script = &p->variant->peer;

    if (!script->script)
        return ASSAY_OK;
    if (assay_peer_is_alive(runner->peer) && assay_peer_runs(runner->peer, script))
        return ASSAY_OK;
    assay_peer_end(runner->peer);
    runner->peer = NULL;
    /* If a peer could not be started once, it is not tried again for each point. */
    if (runner->peer_why[0] == '\0' || !is_same(&runner->peer_script, script))
        ASSAY_CHECK(start(p));
    runner->peer_script = *script;
    if (!runner->peer)
        assay_run_add_finding(p, ASSAY_SKIPPED, runner->peer_why);
out:
    return st;
}

/* ---- a job ---- */

assay_status assay_run_open_peer(progress *p)
{
    assay_status       st      = ASSAY_OK;
    assay_peer_finding finding = { .verdict = ASSAY_NOT_RUN };

    p->peer_job = (assay_peer_job) { .case_name = p->point->definition->name,
                                     .word      = p->variant->peer.word,
                                     .axes      = p->point->definition->axes,
                                     .axis      = p->point->axis,
                                     .shape     = &p->inputs->shape,
                                     .data      = p->buffers.data,
                                     .limit_s   = job_limit_s(p),
                                     .l2_bytes  = p->runner->info.l2_bytes };
    ASSAY_CHECK(note(p, "peer", job_limit_s(p)));
    ASSAY_CHECK(assay_peer_open(p->runner->peer, &p->peer_job, &finding));
    assay_run_add_peer_finding(p, &finding);
out:
    return st;
}

assay_status assay_run_ask_peer(progress *p, assay_fault *fault)
{
    assay_status       st       = ASSAY_OK;
    const bool         is_first = !assay_peer_has_run(p->runner->peer);
    double             took_ns;
    assay_peer_finding finding;

    ASSAY_CHECK(note(p, "launch", job_limit_s(p)));
    assay_peer_run(p->runner->peer, &took_ns, &finding);
    if (is_first)
        p->first_ns = took_ns;
    assay_run_add_peer_finding(p, &finding);
    if (finding.verdict != ASSAY_NOT_RUN)
        fault->kind = ASSAY_FAULT_PEER;
out:
    return st;
}

/* ---- timing ---- */

/* One regime of one point in this process. */
typedef struct metric {
    assay_samples samples; /* owned */
    int64_t       n_warmup;
    double        wall_s;
    bool          is_full; /* of some block: the number of samples ended it */
} metric;

static assay_status make_room(metric *m, int n_blocks)
{
    const size_t n  = (size_t)n_blocks * ASSAY_PEER_MOST_SAMPLES;
    assay_status st = ASSAY_OK;

    m->samples.time_ns      = calloc(n, sizeof *m->samples.time_ns);
    m->samples.sm_clock_mhz = calloc(n, sizeof *m->samples.sm_clock_mhz);
    m->samples.blocks       = calloc((size_t)n_blocks, sizeof *m->samples.blocks);
    m->samples.capacity     = (int64_t)n;
    ASSAY_REQUIRE(m->samples.time_ns && m->samples.sm_clock_mhz && m->samples.blocks,
                  ASSAY_E_MEMORY, "no memory for the samples of a peer");
out:
    return st;
}

static assay_status add_block(metric *m, const assay_peer_times *times, int process, int order,
                              double start_s)
{
    assay_status   st    = ASSAY_OK;
    assay_samples *s     = &m->samples;
    assay_block   *block = &s->blocks[s->n_blocks];

    *block = (assay_block) { .n_samples      = times->n,
                             .process        = process,
                             .order          = order,
                             .start_s        = start_s,
                             .median_cycles  = NAN,
                             .sm_clock_mhz   = NAN,
                             .reasons        = -1,
                             .power_before_w = NAN,
                             .power_after_w  = NAN,
                             .energy_j       = NAN,
                             .calls          = 1 };
    ASSAY_CHECK(
        assay_stats_middle(times->time_ns, times->n, ASSAY_SAME_TICK_NS, &block->median_ns));
    memcpy(s->time_ns + s->n, times->time_ns, (size_t)times->n * sizeof *s->time_ns);
    for (int64_t i = 0; i < times->n; i++)
        s->sm_clock_mhz[s->n + i] = NAN;
    s->n += times->n;
    s->n_blocks++;
    m->n_warmup += times->n_warmup;
    m->is_full = m->is_full || times->n == ASSAY_PEER_MOST_SAMPLES;
out:
    return st;
}

/* The work of one process: its blocks, which take the regimes in turn. */
typedef struct peer_timing {
    const assay_policy *policy;
    int                 process;
    double              began_s;
    metric              metrics[N_REGIMES];
    assay_peer_times    times;
    assay_peer_fact     facts[ASSAY_PEER_MOST_FACTS]; /* of the last block that reported any */
    int                 n_facts;
} peer_timing;

static assay_status take_block(progress *p, peer_timing *t, int regime, int order)
{
    assay_status       st      = ASSAY_OK;
    const double       wall_s  = fmax(t->policy->budget_s, LEAST_TIME_S) / N_REGIMES;
    const double       start_s = assay_clock_s();
    metric            *m       = &t->metrics[regime];
    assay_peer_finding finding;

    ASSAY_CHECK(note(p, "timing", job_limit_s(p) + wall_s));
    assay_peer_time(p->runner->peer, regimes[regime], wall_s / t->policy->n_blocks, &t->times,
                    &finding);
    assay_run_add_peer_finding(p, &finding);
    m->wall_s += assay_clock_s() - start_s;
    if (finding.verdict != ASSAY_NOT_RUN)
        goto out;
    if (t->times.peak_bytes > p->row.peak_bytes)
        p->row.peak_bytes = t->times.peak_bytes;
    if (t->times.n_facts > 0) {
        memcpy(t->facts, t->times.facts, sizeof t->facts);
        t->n_facts = t->times.n_facts;
    }
    ASSAY_CHECK(add_block(m, &t->times, t->process, order, start_s - t->began_s));
out:
    return st;
}

static assay_status take_blocks(progress *p, peer_timing *t)
{
    assay_status st    = ASSAY_OK;
    int          order = 0;

    for (int r = 0; r < N_REGIMES; r++)
        ASSAY_CHECK(make_room(&t->metrics[r], t->policy->n_blocks));
    for (int block = 0; block < t->policy->n_blocks; block++)
        for (int r = 0; r < N_REGIMES && assay_run_is_going_well(p); r++)
            ASSAY_CHECK(take_block(p, t, r, order++));
out:
    return st;
}

static assay_status hand_over(progress *p, peer_timing *t, int regime)
{
    metric               *m   = &t->metrics[regime];
    assay_measurement_row row = { .n_samples = 0 };
    assay_status          st  = ASSAY_OK;

    row.regime = regimes[regime];
    row.clock  = ASSAY_CLOCK_PEER;
    (void)assay_text_set(row.stop_reason, sizeof row.stop_reason, "%s",
                         m->is_full ? "samples" : "budget");
    ASSAY_CHECK(assay_samples_summarize(&m->samples, &row));
    row.launches_per_sample = 1;
    row.flush_bytes = row.regime == ASSAY_REGIME_COLD ? 2 * (double)p->runner->info.l2_bytes : 0;
    row.n_warmup    = m->n_warmup;
    row.wall_s      = m->wall_s;
    assay_run_describe(p, t->policy, &row);
    (void)assay_text_set(row.nvml, sizeof row.nvml, "not read while a peer is timed");
    ASSAY_CHECK(p->sink->measurement(p->sink->context, p->place, &row, &m->samples));
out:
    return st;
}

void assay_run_end_used_peer(const progress *p)
{
    assay_peer **peer = &p->runner->peer;

    if (!*peer || !assay_peer_has_run(*peer))
        return;
    assay_peer_end(*peer);
    *peer = NULL;
}

assay_status assay_run_put_told(const progress *p, const char *name, double value)
{
    assay_metric_row row = { .status = "ok", .replay = ASSAY_TOLD_BY_PEER, .value = value };

    (void)assay_text_set(row.name, sizeof row.name, "%s", name);
    return assay_run_put(p, ASSAY_ROW_METRIC, &row);
}

static assay_status put_facts(const progress *p, const peer_timing *t)
{
    assay_status st = ASSAY_OK;

    for (int i = 0; i < t->n_facts && assay_run_is_going_well(p); i++)
        ASSAY_CHECK(assay_run_put_told(p, t->facts[i].name, t->facts[i].value));
out:
    return st;
}

/* The point is judged, timed, and judged again on the same inputs. Its numbers are passed on only
 * if it is right both times. */
static assay_status time_one(progress *p, const assay_timed_point *timed, peer_timing *t)
{
    assay_status st = ASSAY_OK;

    /* The time of a first call needs a process that has run nothing else. */
    if (!assay_run_has_launched(p))
        assay_run_end_used_peer(p);
    ASSAY_CHECK(assay_run_find_peer(p));
    if (assay_run_is_going_well(p))
        ASSAY_CHECK(assay_run_arm_timed(p));
    if (assay_run_is_going_well(p))
        ASSAY_CHECK(assay_run_verify(p, &timed->judged.of_draw[0]));
    if (assay_run_is_going_well(p))
        ASSAY_CHECK(take_blocks(p, t));
    if (assay_run_is_going_well(p)) {
        ASSAY_CHECK(assay_buffers_rearm(&p->buffers, p->inputs, 0));
        ASSAY_CHECK(assay_run_verify(p, &timed->judged.of_draw[0]));
    }
    for (int r = 0; r < N_REGIMES && assay_run_is_going_well(p); r++)
        ASSAY_CHECK(hand_over(p, t, r));
    ASSAY_CHECK(put_facts(p, t));
    if (assay_run_is_going_well(p))
        ASSAY_CHECK(assay_run_put_first_call(p));
    if (assay_run_is_going_well(p))
        assay_run_add_finding(p, ASSAY_PASS, "");
out:
    if (st == ASSAY_E_MEMORY && !assay_run_has_failed(p)) {
        p->row.verdict = ASSAY_SKIPPED;
        (void)assay_text_set(p->row.reason, sizeof p->row.reason, "no room to time it: %s",
                             assay_status_message());
        assay_status_reset();
        st = ASSAY_OK;
    }
    return st;
}

assay_status assay_run_time_peers(assay_runner *runner, const assay_timed_point *points, int n,
                                  const assay_policy *policy, int process, const assay_sink *sink)
{
    assay_status st = ASSAY_OK;
    peer_timing *t  = calloc(1, sizeof *t);

    ASSAY_REQUIRE(t, ASSAY_E_MEMORY, "no memory to time a peer");
    for (int i = 0; i < n; i++) {
        progress p = assay_run_begin(runner, &points[i].point, sink, i);

        *t = (peer_timing) { .policy = policy, .process = process, .began_s = assay_clock_s() };
        st = time_one(&p, &points[i], t);
        assay_run_tear_down(&p);
        for (int r = 0; r < N_REGIMES; r++)
            assay_samples_free(&t->metrics[r].samples);
        ASSAY_CHECK(st);
        ASSAY_CHECK(assay_run_put(&p, ASSAY_ROW_VERDICT, &p.row));
    }
out:
    free(t);
    return st;
}
