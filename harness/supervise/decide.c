/* Decides which clock counts, and what a number is compared with. */
#include "decide.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

static bool is_of(const assay_measurement_row *row, assay_regime regime, assay_clock clock)
{
    return row->regime == regime && row->clock == clock;
}

/* NULL: it does not exist, or has no valid sample. */
static const assay_measurement_row *find(const assay_measured *m, int n, assay_regime regime,
                                         assay_clock clock)
{
    for (int i = 0; i < n; i++)
        if (is_of(m[i].row, regime, clock) && m[i].row->n_samples > 0)
            return m[i].row;
    return NULL;
}

static void set(assay_measurement_row *row, bool decides, const char *decision)
{
    row->decides = decides;
    (void)assay_text_set(row->decision, sizeof row->decision, "%s", decision);
}

/* Does the graph confirm the event clock? Graphs are timed without records. Both are compared in
 * the regime hot. */
static bool has_witness(const assay_measured *m, int n)
{
    const assay_measurement_row *event = find(m, n, ASSAY_REGIME_HOT, ASSAY_CLOCK_EVENT);
    const assay_measurement_row *graph = find(m, n, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH);

    return event && graph &&
           fabs(event->median_ns - graph->median_ns) <=
               event->policy.clock_gap_share * event->median_ns;
}

/* Each clock reads too long in its own way. An event interval includes the launch; a record is
 * slowed by being written if there are many blocks. So of two that agree, the smaller one is closer
 * to the truth; for a short kernel that must be the record. If records are slowed so much that the
 * two disagree, the event needs the graph as a witness. */
static const char *judge_pair(const assay_measurement_row *event,
                              const assay_measurement_row *record, bool is_witnessed,
                              assay_clock *decider)
{
    const assay_policy *policy   = &(event ? event : record)->policy;
    const bool          is_short = !event || event->median_ns < policy->short_ns;
    double              gap_ns, allowed_ns;

    *decider = ASSAY_CLOCK_NONE;
    if (!event)
        return "no event time to compare the records with";
    if (!record) {
        *decider = is_short ? ASSAY_CLOCK_NONE : ASSAY_CLOCK_EVENT;
        return is_short ? "too short for events, and there are no records"
                        : "long, no records: event decides";
    }
    gap_ns     = event->median_ns - record->median_ns;
    allowed_ns = fmax(policy->clock_gap_ns, policy->clock_gap_share * event->median_ns);
    if (fabs(gap_ns) > allowed_ns) {
        *decider = !is_short && gap_ns < 0 && is_witnessed ? ASSAY_CLOCK_EVENT : ASSAY_CLOCK_NONE;
        return *decider ? "long, records slowed, graph agrees with event: event decides"
                        : "event and record disagree";
    }
    if (is_short && gap_ns < 0)
        return "the record is longer than the event: tracing leaves gaps between the kernels of a "
               "call";
    *decider = is_short || gap_ns > policy->clock_tie * event->median_ns ? ASSAY_CLOCK_RECORD
                                                                         : ASSAY_CLOCK_EVENT;
    return is_short                         ? "short: record decides"
           : *decider == ASSAY_CLOCK_RECORD ? "long, record smaller: record decides"
                                            : "long, event no larger: event decides";
}

static void decide_pair(const assay_measured *m, int n, assay_regime regime)
{
    const assay_measurement_row *event  = find(m, n, regime, ASSAY_CLOCK_EVENT);
    const assay_measurement_row *record = find(m, n, regime, ASSAY_CLOCK_RECORD);
    assay_clock                  decider;
    const char                  *decision;

    if (!event && !record)
        return;
    decision = judge_pair(event, record, has_witness(m, n), &decider);
    for (int i = 0; i < n; i++)
        if (m[i].row->regime == regime && m[i].row->n_samples > 0)
            set(m[i].row, m[i].row->clock == decider, decision);
}

/* All processes should take the same number of calls per sample. If a gate could not hold so many,
 * samples differ in that, and the row has the smallest number. */
static void note_calls(const assay_measured *m)
{
    int64_t least = INT64_MAX, most = 0;
    size_t  length;

    for (int64_t k = 0; m->samples && k < m->samples->n_blocks; k++) {
        const int64_t calls = m->samples->blocks[k].calls;

        least = calls > 0 && calls < least ? calls : least;
        most  = calls > most ? calls : most;
    }
    if (most <= least)
        return;
    length = strlen(m->row->decision);
    (void)assay_text_set(m->row->decision + length, sizeof m->row->decision - length,
                         "; %lld to %lld calls in a sample", (long long)least, (long long)most);
}

static void decide_graph(assay_measurement_row *row)
{
    const bool is_short =
        row->median_ns * (double)row->launches_per_sample < row->policy.short_ns &&
        row->launches_per_sample < ASSAY_MIN_GRAPH_CALLS;

    set(row, !is_short,
        is_short ? "too few calls in the graph for so short a kernel" : "graph: its own clock");
}

void assay_decide(const assay_measured *m, int n)
{
    for (int i = 0; i < n; i++)
        set(m[i].row, false, "no valid sample");
    decide_pair(m, n, ASSAY_REGIME_COLD);
    decide_pair(m, n, ASSAY_REGIME_HOT);
    for (int i = 0; i < n; i++) {
        if (m[i].row->n_samples == 0)
            continue;
        if (is_of(m[i].row, ASSAY_REGIME_GRAPH, ASSAY_CLOCK_GRAPH))
            decide_graph(m[i].row);
        else if (is_of(m[i].row, ASSAY_REGIME_E2E, ASSAY_CLOCK_HOST))
            set(m[i].row, true, "end to end: host decides");
        else if (m[i].row->clock == ASSAY_CLOCK_PEER)
            set(m[i].row, true, "peer: events of its own process, without a gate");
        note_calls(&m[i]);
    }
}

int64_t assay_decide_trial(const assay_trial_row *trials, int64_t n)
{
    int64_t best = -1;

    for (int64_t i = 0; i < n; i++)
        if (trials[i].verdict == ASSAY_PASS && isfinite(trials[i].median_ns) &&
            (best < 0 || trials[i].median_ns < trials[best].median_ns))
            best = i;
    return best;
}

/* ---- floor and ceilings ---- */

/* If it is so much faster than the largest working set, a cache serves it and not memory. */
static const double CACHE_FACTOR = 1.1;

static bool is_bandwidth(const assay_ceiling_row *c)
{
    return c->working_set_bytes > 0 && isfinite(c->rate);
}

/* A peer reads events of the same card. */
static bool is_read_as(const assay_ceiling_row *c, const assay_measurement_row *row)
{
    const bool is_peer = row->clock == ASSAY_CLOCK_PEER;

    return c->regime == row->regime && c->clock == (is_peer ? ASSAY_CLOCK_EVENT : row->clock);
}

/* A pass that does not touch some buffers of its case needs less of the cache than all of them. */
static int64_t bytes_touched(const assay_measurement_row *row)
{
    return row->bytes_declared > 0 && row->bytes_declared < row->working_set_bytes
               ? row->bytes_declared
               : row->working_set_bytes;
}

/* Of the measured working sets: the largest one not above what the row touches, the smallest one
 * not below it, and the largest of all. */
typedef struct neighbours {
    int64_t below, above, largest;
} neighbours;

static neighbours find_neighbours(const assay_measurement_row *row, const assay_ceiling_row *c,
                                  int n)
{
    const int64_t touched = bytes_touched(row);
    neighbours    found   = { .above = INT64_MAX };

    for (int i = 0; i < n; i++) {
        const int64_t bytes = c[i].working_set_bytes;

        if (!is_bandwidth(&c[i]) || !is_read_as(&c[i], row))
            continue;
        if (bytes <= touched && bytes > found.below)
            found.below = bytes;
        if (bytes >= touched && bytes < found.above)
            found.above = bytes;
        if (bytes > found.largest)
            found.largest = bytes;
    }
    return found;
}

/* Takes the better one of the neighbours. If a cache serves these, the bandwidth between them
 * depends on the size too, so the best of all counts. */
static double best_rate(const assay_measurement_row *row, const assay_ceiling_row *c, int n)
{
    const neighbours at   = find_neighbours(row, c, n);
    double           near = NAN, memory = NAN, best = NAN;

    for (int i = 0; i < n; i++) {
        const int64_t bytes = c[i].working_set_bytes;

        if (!is_bandwidth(&c[i]) || !is_read_as(&c[i], row))
            continue;
        best = fmax(best, c[i].rate);
        if (bytes == at.below || bytes == at.above)
            near = fmax(near, c[i].rate);
        if (bytes == at.largest)
            memory = fmax(memory, c[i].rate);
    }
    return near > CACHE_FACTOR * memory ? best : near;
}

void assay_decide_limits(assay_measurement_row *row, const assay_ceiling_row *ceilings, int n)
{
    row->floor_ns = row->ceiling_flops = NAN;
    row->ceiling_bytes_per_s           = best_rate(row, ceilings, n);
    for (int i = 0; i < n; i++) {
        const assay_ceiling_row *c = &ceilings[i];

        if (!is_read_as(c, row))
            continue;
        if (strcmp(c->kind, "null") == 0)
            row->floor_ns = c->median_ns;
        else if (strcmp(c->kind, "fma") == 0)
            row->ceiling_flops = c->rate;
    }
    row->is_below_floor =
        row->n_samples > 0 && row->median_ns < row->policy.floor_factor * row->floor_ns;
}

bool assay_decide_is_too_fast(const assay_measurement_row *row, char *reason, size_t size)
{
    const double rate = (double)row->bytes_declared / row->median_ns * 1e9;

    if (!row->decides || !(rate > (1 + row->policy.ceiling_margin) * row->ceiling_bytes_per_s))
        return false;
    (void)assay_text_set(
        reason, size,
        "faster than physics: %.4g GB/s of compulsory traffic (%s, %s clock), where "
        "this machine was measured to move %.4g GB/s",
        rate * 1e-9, assay_regime_text(row->regime), assay_clock_text(row->clock),
        row->ceiling_bytes_per_s * 1e-9);
    return true;
}
