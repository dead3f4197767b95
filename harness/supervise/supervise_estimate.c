/* The groups of a plan, the likely cost of each (from an earlier run, or from its bytes), and what
 * a budget leaves out. */
#include "supervise_internal.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static const double TRIAL_TIME_S      = 0.06; /* time of one trial in a search */
static const double BYTES_PER_FLOP    = 0.1;  /* on one processor; a byte of a check takes 10 ns */
static const double PASSES_OF_A_CHECK = 4;    /* passes over the inputs: classes and launches */
static const double PEER_TIME_S = 1; /* time of a peer in one process, after its compiler is done */

enum {
    N_KINDS = 2 /* kinds of timing processes: with events, with records */
};

static int64_t group_end(const assay_point *points, int64_t first, int64_t n)
{
    const int64_t most = first + ASSAY_MAX_GROUP / 2; /* A/A times each point twice */
    int64_t       end  = first + 1;

    while (end < n && end < most && points[first].is_timed == points[end].is_timed &&
           assay_point_is_beside(&points[first], &points[end]))
        end++;
    return end;
}

static const assay_variant *variant_of(const assay_point *point)
{
    return &point->definition->variants[point->variant];
}

/* What the reference and variants on the CPU compute for a group, as the bytes that would cost the
 * same: some cases have few bytes and much arithmetic. */
static double work_bytes(const assay_point *points, int64_t first, int64_t end)
{
    const double n_cpus   = fmax((double)sysconf(_SC_NPROCESSORS_ONLN), 1);
    double       n_passes = PASSES_OF_A_CHECK;
    assay_shape  shape;

    for (int64_t i = first; i < end; i++)
        n_passes += variant_of(&points[i])->cpu ? PASSES_OF_A_CHECK : 0;
    assay_point_shape(&points[first], points[first].definition->timed_input, &shape);
    return shape.flops > 0 ? shape.flops * n_passes * BYTES_PER_FLOP / n_cpus : 0;
}

static double group_bytes(const assay_point *points, int64_t first, int64_t end)
{
    double bytes = work_bytes(points, first, end);

    for (int64_t i = first; i < end; i++)
        bytes += (double)assay_point_host_bytes(&points[i], 2);
    return bytes;
}

static int count_kinds(const supervisor *s)
{
    return s->options->is_cuda && !s->options->in_process && !s->has_no_records ? N_KINDS : 1;
}

/* The number of trials of the searches in a group. */
static double count_trials(const supervisor *s, const assay_point *points, const assay_batch *batch)
{
    double n = 0;

    for (int64_t i = batch->first; s->options->tunes && i < batch->end; i++)
        if (points[i].is_timed)
            n += (double)assay_point_tuning_count(variant_of(&points[i]));
    return n;
}

static double count_peers(const assay_point *points, const assay_batch *batch)
{
    double n = 0;

    for (int64_t i = batch->first; i < batch->end; i++)
        n += assay_variant_is_peer(variant_of(&points[i]));
    return n;
}

/* What a batch took in an earlier run, without its sample loops, if that is known for all its
 * points; else NaN. */
static double known_s(const supervisor *s, const assay_batch *batch)
{
    double time_s = s->options->took_s ? 0 : (double)NAN;

    for (int64_t i = batch->first; s->options->took_s && i < batch->end; i++)
        time_s += s->options->took_s[i];
    return time_s;
}

static void estimate(const supervisor *s, const assay_point *points, assay_batch *batch)
{
    const bool   is_timed = points[batch->first].is_timed && s->options->times;
    const int    twice    = s->options->against_itself ? 2 : 1;
    const double n_peers  = count_peers(points, batch);

    batch->known_s = (double)NAN;
    for (int64_t i = batch->first; s->options->doubt && i < batch->end; i++)
        batch->doubt = fmax(batch->doubt, s->options->doubt[i]);
    batch->bytes       = group_bytes(points, batch->first, batch->end);
    batch->goes_beside = assay_supervise_goes_beside(s, points, batch);
    if (!is_timed)
        return;
    batch->n_loops = ((double)(batch->end - batch->first) - n_peers) * twice *
                     s->policy.n_processes * count_kinds(s);
    batch->least_s    = batch->n_loops * ASSAY_LEAST_TIME_S;
    batch->searches_s = count_trials(s, points, batch) * TRIAL_TIME_S +
                        n_peers * s->policy.n_processes * PEER_TIME_S;
    batch->known_s = twice * known_s(s, batch);
}

assay_status assay_supervise_list_batches(supervisor *s, const assay_point *points)
{
    assay_status st = ASSAY_OK;

    s->budget = (assay_budget) { .total_s = s->options->budget_s };
    for (int64_t first = 0, end; first < s->n; first = end) {
        assay_batch batch  = { .first = first, .end = group_end(points, first, s->n) };
        const bool  is_new = first == 0 || points[first - 1].definition != points[first].definition;

        end              = batch.end;
        batch.case_place = s->budget.n_cases - !is_new;
        estimate(s, points, &batch);
        ASSAY_CHECK(assay_budget_add(&s->budget, &batch));
    }
    s->budget.begin_s = s->worst_start_s * s->policy.n_processes * count_kinds(s);
    ASSAY_CHECK(assay_budget_rank(&s->budget));
out:
    return st;
}

/* ---- what the budget leaves out, and what was used ---- */

static const double CALLS_OF_TIMING = 21; /* calls of a slow variant, in three processes */
static const double SHARES_OF_CPU   = 4;  /* shares of the budget, of one point each */

static bool is_kernel_among(const entry *entries, int n)
{
    for (int i = 0; i < n; i++)
        if (assay_entry_is_alive(&entries[i]) && !variant_of(entries[i].point)->cpu)
            return true;
    return false;
}

void assay_supervise_leave_room(const supervisor *s, entry *entries, int n)
{
    const double share_s = SHARES_OF_CPU * s->options->budget_s / (double)s->n;
    char         key[ASSAY_KEY_SIZE];

    if (!s->options->times || s->options->budget_s <= 0 || !is_kernel_among(entries, n))
        return;
    for (int i = 0; i < n; i++) {
        entry       *e       = &entries[i];
        const double needs_s = CALLS_OF_TIMING * e->call_s;

        if (!assay_entry_is_alive(e) || !variant_of(e->point)->cpu || needs_s <= share_s)
            continue;
        e->has_no_room = true;
        assay_supervise_say(
            s,
            "assay: %s is checked and not timed: that would take %.2g s, and the budget "
            "has %.2g s for a variant on the CPU\n",
            assay_point_key(e->point, key, sizeof key), needs_s, share_s);
    }
}

void assay_supervise_print_budget(const supervisor *s, double wall_s)
{
    const bool is_timing = s->options->times && s->options->can_time;

    if (s->options->budget_s > 0)
        assay_supervise_say(
            s,
            "assay: budget of %g s, %.1f s taken: of %lld points %lld were %s, %lld were "
            "left out\n",
            s->options->budget_s, wall_s, (long long)s->n,
            (long long)(is_timing ? s->n_timed : s->n - s->n_cut), is_timing ? "timed" : "reached",
            (long long)s->n_cut);
}
