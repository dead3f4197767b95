/* Do the clocks that decide agree with what kernels of known length measure themselves, in every
 * process? */
#include "self_check.h"

#include "base/text.h"
#include "supervise/decide.h"
#include "supervise/supervise_internal.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const double ALLOWED_NS = 1000;

enum {
    N_PROCESSES = 3,
    MAX_CLOCKS  = 8
};

/* The readings of all processes, and the result. */
typedef struct judging {
    const assay_spin_row *rows;
    int                   n, n_processes;
    const assay_policy   *policy;
    FILE                 *out;
    int                   n_right, n_wrong, n_unknown;
} judging;

/* One kernel in one regime by one clock, over the processes. */
typedef struct reading {
    const assay_spin_row *first;
    const assay_spin_row *worst; /* differs most from its kernel's own time */
    double                least_ns, most_ns, wall_s;
    int64_t               n_samples;
    int                   n_read; /* processes with a time */
} reading;

static bool is_same(const assay_spin_row *a, const assay_spin_row *b)
{
    return strcmp(a->name, b->name) == 0 && a->regime == b->regime && a->clock == b->clock;
}

static double error_ns(const assay_spin_row *row) { return row->median_ns - row->own_ns; }

static void add(reading *r, const assay_spin_row *row)
{
    r->least_ns = fmin(r->least_ns, row->median_ns);
    r->most_ns  = fmax(r->most_ns, row->median_ns);
    r->wall_s += row->wall_s;
    r->n_samples += row->n_samples;
    r->n_read += row->n_samples > 0 && isfinite(row->median_ns);
    if (!isfinite(error_ns(r->worst)) || fabs(error_ns(row)) > fabs(error_ns(r->worst)))
        r->worst = row;
}

/* Collects the readings of one kernel; returns how many. */
static int gather(const judging *j, const char *name, reading *readings)
{
    int n = 0;

    for (int i = 0; i < j->n; i++) {
        const assay_spin_row *row = &j->rows[i];
        int                   k   = 0;

        if (strcmp(row->name, name) != 0)
            continue;
        while (k < n && !is_same(readings[k].first, row))
            k++;
        if (k == MAX_CLOCKS)
            break;
        if (k == n)
            readings[n++] = (reading) {
                .first = row, .worst = row, .least_ns = INFINITY, .most_ns = -INFINITY
            };
        add(&readings[k], row);
    }
    return n;
}

/* The middle over the processes. */
static double median_ns(const reading *r) { return (r->least_ns + r->most_ns) / 2; }

/* Makes measurements of the readings, so that the rule for cases decides here too. A clock without
 * a time from each process does not decide. */
static void decide(const judging *j, const reading *readings, int n, assay_measurement_row *rows)
{
    const assay_samples none          = { .n = 0 };
    assay_measured      m[MAX_CLOCKS] = { { NULL, NULL } };

    for (int i = 0; i < n; i++) {
        const reading        *r    = &readings[i];
        const assay_spin_row *spin = r->first;

        rows[i] =
            (assay_measurement_row) { .regime    = spin->regime,
                                      .clock     = spin->clock,
                                      .n_samples = r->n_read == j->n_processes ? r->n_samples : 0,
                                      .median_ns = median_ns(r),
                                      .launches_per_sample = spin->launches_per_sample,
                                      .policy              = *j->policy };
        m[i] = (assay_measured) { &rows[i], &none };
    }
    assay_decide(m, n);
    for (int i = 0; i < n; i++)
        if (readings[i].n_read < j->n_processes)
            (void)assay_text_set(rows[i].decision, sizeof rows[i].decision,
                                 "a time from %d of %d processes", readings[i].n_read,
                                 j->n_processes);
}

static bool knows(const reading *r) { return isfinite(r->worst->own_ns); }

static bool is_right(const reading *r) { return fabs(error_ns(r->worst)) <= ALLOWED_NS; }

/* Does a clock decide in the regime of row i? */
static bool has_decider(const assay_measurement_row *rows, int n, int i)
{
    for (int k = 0; k < n; k++)
        if (rows[k].regime == rows[i].regime && rows[k].decides)
            return true;
    return false;
}

/* The finding for row i of a kernel. */
static const char *finding(const reading *readings, const assay_measurement_row *rows, int n, int i,
                           char *text, size_t size)
{
    if (rows[i].decides)
        return !knows(&readings[i])     ? "decides"
               : is_right(&readings[i]) ? "decides: right"
                                        : "decides: WRONG";
    if (!knows(&readings[i]) || has_decider(rows, n, i))
        return rows[i].decision;
    return assay_text_set(text, size, "CANNOT_TELL: %s", rows[i].decision);
}

static void print_reading(FILE *out, const reading *r, const char *text)
{
    char own[32] = "-", error[32] = "-";

    if (knows(r)) {
        (void)assay_text_set(own, sizeof own, "%.2f", r->worst->own_ns * 1e-3);
        (void)assay_text_set(error, sizeof error, "%+.3f", error_ns(r->worst) * 1e-3);
    }
    (void)fprintf(out, "  %-13s %8s  %-6s %-7s %9.3f  %7s  %6.2f %%  %7lld  %9.1f  %s\n",
                  r->first->name, own, assay_regime_text(r->first->regime),
                  assay_clock_text(r->first->clock), median_ns(r) * 1e-3, error,
                  (r->most_ns - r->least_ns) / median_ns(r) * 100, (long long)r->n_samples,
                  r->wall_s / (double)r->n_samples * 1e6, text);
}

static void judge_kernel(judging *j, const char *name)
{
    reading               readings[MAX_CLOCKS];
    assay_measurement_row rows[MAX_CLOCKS];
    const int             n = gather(j, name, readings);
    char                  text[192];

    decide(j, readings, n, rows);
    for (int i = 0; i < n; i++) {
        const bool is_known = knows(&readings[i]);

        j->n_right += is_known && rows[i].decides && is_right(&readings[i]);
        j->n_wrong += is_known && rows[i].decides && !is_right(&readings[i]);
        j->n_unknown += is_known && !has_decider(rows, n, i);
        print_reading(j->out, &readings[i], finding(readings, rows, n, i, text, sizeof text));
    }
}

assay_clocks assay_self_check_judge(const assay_spin_row *rows, int n, int n_processes,
                                    const assay_policy *policy, FILE *out)
{
    judging j = { .rows = rows, .n = n, .n_processes = n_processes, .policy = policy, .out = out };

    (void)fprintf(out,
                  "%d processes, microseconds; own and error: of the process that is farthest off, "
                  "own as its kernel read it from the global timer; spread: of the processes' "
                  "medians\n"
                  "  kernel             own  regime clock      median    error    spread  samples  "
                  "us/sample\n",
                  n_processes);
    for (int i = 0; i < n; i++) {
        bool is_first = true;

        for (int k = 0; k < i; k++)
            is_first = is_first && strcmp(rows[k].name, rows[i].name) != 0;
        if (is_first)
            judge_kernel(&j, rows[i].name);
    }
    if (j.n_wrong > 0)
        return ASSAY_CLOCKS_WRONG;
    return j.n_unknown > 0 || j.n_right == 0 ? ASSAY_CLOCKS_UNKNOWN : ASSAY_CLOCKS_RIGHT;
}

static assay_status ask_all(supervisor *s)
{
    assay_request *request     = calloc(1, sizeof *request);
    bool           is_done     = false;
    bool           has_records = false;
    assay_status   st          = ASSAY_OK;

    ASSAY_REQUIRE(request, ASSAY_E_MEMORY, "no memory for the self-check");
    request->task = ASSAY_TASK_SPIN;
    for (int p = 0; p < N_PROCESSES; p++) {
        ASSAY_CHECK(assay_supervise_ask(s, ASSAY_CUPTI_NONE, p, request, NULL, 0, &is_done));
        ASSAY_CHECK(assay_supervise_find_records(s, p, &has_records));
        if (is_done && has_records)
            ASSAY_CHECK(assay_supervise_ask(s, ASSAY_CUPTI_RECORDS, p, request, NULL, 0, &is_done));
        ASSAY_REQUIRE(is_done, ASSAY_E_DEVICE, "the self-check could not be made");
    }
out:
    free(request);
    return st;
}

assay_status assay_self_check(const assay_target *target, assay_case_table cases, FILE *out,
                              assay_clocks *clocks)
{
    const assay_supervise_options options = { .module_path  = target->module_path,
                                              .device_index = target->device_index,
                                              .is_cuda      = true,
                                              .can_time     = true,
                                              .cases        = cases,
                                              .policy       = assay_policy_default() };
    supervisor                   *s       = calloc(1, sizeof *s);
    assay_status                  st      = ASSAY_OK;

    *clocks = ASSAY_CLOCKS_UNKNOWN;
    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "no memory for the self-check");
    s->options = &options;
    s->policy  = options.policy;
    /* A write to a worker that died must not end this process by a signal; its missing reply
     * tells. */
    ASSAY_REQUIRE(signal(SIGPIPE, SIG_IGN) != SIG_ERR, ASSAY_E_INTERNAL, "cannot ignore SIGPIPE");
    ASSAY_CHECK(ask_all(s));
    *clocks = assay_self_check_judge(s->spins, s->n_spins, N_PROCESSES, &s->policy, out);
out:
    if (s) {
        assay_supervise_end_workers(s);
        free(s->spins);
    }
    free(s);
    return st;
}
