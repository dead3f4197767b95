/* The speed-up of one variant over another, paired block by block. */
#include "base/text.h"
#include "decide.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

enum {
    MIN_PROCESSES = 3
};

static const assay_measured *find(const assay_measured *m, int n, assay_regime regime,
                                  assay_clock clock)
{
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime && m[i].row->clock == clock && m[i].row->n_samples > 0)
            return &m[i];
    return NULL;
}

static const assay_measured *find_decider(const assay_measured *m, int n, assay_regime regime)
{
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime && m[i].row->decides)
            return &m[i];
    return NULL;
}

static bool is_measured(const assay_measured *m, int n, assay_regime regime)
{
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime)
            return true;
    return false;
}

/* ---- one clock for both ---- */

static const char *why_not(const assay_measured *m, int n, assay_regime regime)
{
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime)
            return m[i].row->decision;
    return "not measured in this regime";
}

static bool is_short(const assay_measured *m, int n, assay_regime regime)
{
    const assay_measured *event = find(m, n, regime, ASSAY_CLOCK_EVENT);

    return !event || event->row->median_ns < event->row->policy.short_ns;
}

static bool is_by_peer(const assay_measured *m) { return m->row->clock == ASSAY_CLOCK_PEER; }

/* The two measurements to compare. They have the same clock, except with a peer, whose clock
 * nothing else has. */
typedef struct pair {
    const assay_measured *v, *b;
    assay_clock           clock;
} pair;

/* NULL, or the reason why there is no speed-up. If the two decide by different clocks, one clock
 * serves both: the event if both are long, else the record. Against a peer, each keeps the clock
 * that decides for it. */
static const char *choose_pair(const assay_measured *v, int n_v, const assay_measured *b, int n_b,
                               assay_regime regime, pair *p)
{
    p->v = find_decider(v, n_v, regime);
    p->b = find_decider(b, n_b, regime);
    if (!p->v)
        return why_not(v, n_v, regime);
    if (!p->b)
        return why_not(b, n_b, regime);
    p->clock = p->v->row->clock;
    if (p->clock == p->b->row->clock)
        return NULL;
    if (is_by_peer(p->v) || is_by_peer(p->b)) {
        p->clock = ASSAY_CLOCK_PEER;
        return NULL;
    }
    p->clock = is_short(v, n_v, regime) || is_short(b, n_b, regime) ? ASSAY_CLOCK_RECORD
                                                                    : ASSAY_CLOCK_EVENT;
    p->v     = find(v, n_v, regime, p->clock);
    p->b     = find(b, n_b, regime, p->clock);
    return p->v && p->b ? NULL
                        : "one is too short for events, and there are no records of the other";
}

/* ---- pairs ---- */

typedef struct means {
    double sum, squares; /* of the mean log-ratios of processes, by Welford's method */
    int    n_processes, n_pairs;
} means;

static int64_t count_blocks(const assay_samples *s, int64_t first)
{
    int64_t n = 0;

    while (first + n < s->n_blocks && s->blocks[first + n].process == s->blocks[first].process)
        n++;
    return n;
}

/* The first block of a process; -1: it has none. */
static int64_t find_process(const assay_samples *s, int process)
{
    for (int64_t k = 0; k < s->n_blocks; k++)
        if (s->blocks[k].process == process)
            return k;
    return -1;
}

static bool is_paired(const assay_block *v, const assay_block *b)
{
    return v->n_samples > 0 && b->n_samples > 0 && v->median_ns > 0 && b->median_ns > 0;
}

static void add_process(means *m, const assay_samples *v, int64_t v_first, const assay_samples *b,
                        int64_t b_first)
{
    const int64_t n_v = count_blocks(v, v_first), n_b = count_blocks(b, b_first);
    double        sum = 0, delta;
    int           n   = 0;

    for (int64_t k = 0; k < n_v && k < n_b; k++) {
        const assay_block *bv = &v->blocks[v_first + k], *bb = &b->blocks[b_first + k];

        if (!is_paired(bv, bb))
            continue;
        sum += log(bb->median_ns / bv->median_ns);
        n++;
    }
    if (n == 0)
        return;
    m->n_pairs += n;
    m->n_processes++;
    delta = sum / n - m->sum;
    m->sum += delta / m->n_processes;
    m->squares += delta * (sum / n - m->sum);
}

static void pair_up(const assay_samples *v, const assay_samples *b, means *m)
{
    *m = (means) { .n_pairs = 0 };
    for (int64_t first = 0; first < v->n_blocks; first += count_blocks(v, first)) {
        const int64_t other = find_process(b, v->blocks[first].process);

        if (other >= 0)
            add_process(m, v, first, b, other);
    }
}

/* The relative uncertainty from the ticks of a device's clock: none if the samples are on several
 * ticks, half a tick if at least half of them are on one. */
static double half_tick(const assay_measurement_row *row)
{
    if (row->clock == ASSAY_CLOCK_HOST || row->q3_ns - row->q1_ns > ASSAY_SAME_TICK_NS)
        return 0;
    return ASSAY_DEVICE_TICK_NS / 2.0 / (double)row->launches_per_sample / row->median_ns;
}

static void set_interval(const means *m, const assay_measurement_row *v,
                         const assay_measurement_row *b, assay_comparison_row *row)
{
    const int    df        = m->n_processes - 1;
    const double by_spread = assay_stats_t975(df) * sqrt(m->squares / df / m->n_processes);
    const double half      = hypot(by_spread, hypot(half_tick(v), half_tick(b)));

    row->lo = row->hi = NAN;
    if (m->n_processes < MIN_PROCESSES)
        return;
    row->lo = exp(m->sum - half);
    row->hi = exp(m->sum + half);
}

bool assay_decide_speedup(const assay_measured *variant, int n_variant,
                          const assay_measured *baseline, int n_baseline, assay_regime regime,
                          assay_comparison_row *row)
{
    pair        p = { .clock = ASSAY_CLOCK_NONE };
    means       m = { .n_pairs = 0 };
    const char *why;

    if (!is_measured(variant, n_variant, regime) && !is_measured(baseline, n_baseline, regime))
        return false;
    row->ratio = row->lo = row->hi = NAN;
    row->is_known                  = false;
    row->n_pairs = row->n_processes = 0;
    row->regime                     = regime;
    why = choose_pair(variant, n_variant, baseline, n_baseline, regime, &p);
    if (!why) {
        pair_up(p.v->samples, p.b->samples, &m);
        row->n_pairs     = m.n_pairs;
        row->n_processes = m.n_processes;
        row->is_known    = m.n_pairs > 0;
        set_interval(&m, p.v->row, p.b->row, row);
        why = m.n_pairs > 0 ? "" : "no two blocks of one process to pair";
    }
    if (row->is_known)
        row->ratio = exp(m.sum);
    row->clock = p.clock;
    (void)assay_text_set(row->reason, sizeof row->reason, "%s", why);
    return true;
}
