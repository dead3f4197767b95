/* Do the clocks that decide read what kernels of known length read themselves, and the same in
 * every process? */
#include "self_check.h"

#include "decide.h"
#include "supervise_internal.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ALLOWED_NS = 1000;

enum {
    N_PROCESSES = 3,
    MAX_CLOCKS  = 8
};

/* One kernel in one regime by one clock, over the processes. */
typedef struct reading {
    const assay_spin_row *first;
    double                least_ns, most_ns, own_ns, wall_s;
    int64_t               n_samples;
} reading;

static bool is_same(const assay_spin_row *a, const assay_spin_row *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->regime, b->regime) == 0 &&
           strcmp(a->clock, b->clock) == 0;
}

static void add(reading *r, const assay_spin_row *row)
{
    r->least_ns = fmin(r->least_ns, row->median_ns);
    r->most_ns  = fmax(r->most_ns, row->median_ns);
    r->own_ns   = row->own_ns;
    r->wall_s += row->wall_s;
    r->n_samples += row->n_samples;
}

/* The readings of one kernel; returns how many. */
static int gather(const supervisor *s, const char *name, reading *readings)
{
    int n = 0;

    for (int i = 0; i < s->n_spins; i++) {
        int k = 0;

        if (strcmp(s->spins[i].name, name) != 0)
            continue;
        while (k < n && !is_same(readings[k].first, &s->spins[i]))
            k++;
        if (k == MAX_CLOCKS)
            break;
        if (k == n)
            readings[n++] =
                (reading) { .first = &s->spins[i], .least_ns = INFINITY, .most_ns = -INFINITY };
        add(&readings[k], &s->spins[i]);
    }
    return n;
}

/* The middle of the processes. */
static double median_ns(const reading *r) { return (r->least_ns + r->most_ns) / 2; }

/* As measurements, so that the rule that decides for cases decides here. */
static void decide(const supervisor *s, const reading *readings, int n, assay_measurement_row *rows)
{
    const assay_samples none          = { .n = 0 };
    assay_measured      m[MAX_CLOCKS] = { { NULL, NULL } };

    for (int i = 0; i < n; i++) {
        const assay_spin_row *spin = readings[i].first;

        rows[i] = (assay_measurement_row) { .n_samples           = spin->n_samples,
                                            .median_ns           = median_ns(&readings[i]),
                                            .launches_per_sample = spin->launches_per_sample,
                                            .policy              = s->policy };
        (void)assay_text_set(rows[i].regime, sizeof rows[i].regime, "%s", spin->regime);
        (void)assay_text_set(rows[i].clock, sizeof rows[i].clock, "%s", spin->clock);
        m[i] = (assay_measured) { &rows[i], &none };
    }
    assay_decide(m, n);
}

static bool is_right(const reading *r)
{
    return !(fabs(median_ns(r) - r->own_ns) > ALLOWED_NS); /* NaN: it does not know itself */
}

static void print_reading(FILE *out, const reading *r, const assay_measurement_row *row)
{
    char own[32] = "-", error[32] = "-";

    if (isfinite(r->own_ns)) {
        (void)assay_text_set(own, sizeof own, "%.2f", r->own_ns * 1e-3);
        (void)assay_text_set(error, sizeof error, "%+.3f", (median_ns(r) - r->own_ns) * 1e-3);
    }
    (void)fprintf(out, "  %-13s %8s  %-6s %-7s %9.3f  %7s  %6.2f %%  %7lld  %9.1f  %s\n",
                  r->first->name, own, r->first->regime, r->first->clock, median_ns(r) * 1e-3,
                  error, (r->most_ns - r->least_ns) / median_ns(r) * 100, (long long)r->n_samples,
                  r->wall_s / (double)r->n_samples * 1e6,
                  !row->decides          ? row->decision
                  : !isfinite(r->own_ns) ? "decides"
                  : is_right(r)          ? "decides: right"
                                         : "decides: WRONG");
}

static void print_kernel(const supervisor *s, const char *name, FILE *out, int *n_decided,
                         int *n_wrong)
{
    reading               readings[MAX_CLOCKS];
    assay_measurement_row rows[MAX_CLOCKS];
    const int             n = gather(s, name, readings);

    decide(s, readings, n, rows);
    for (int i = 0; i < n; i++) {
        *n_decided += rows[i].decides;
        *n_wrong += rows[i].decides && !is_right(&readings[i]);
        print_reading(out, &readings[i], &rows[i]);
    }
}

static void print_all(const supervisor *s, FILE *out, int *n_decided, int *n_wrong)
{
    (void)fprintf(out,
                  "%d processes, microseconds; own: as the kernel read it from the global timer; "
                  "spread: of the processes' medians\n"
                  "  kernel             own  regime clock      median    error    spread  samples  "
                  "us/sample\n",
                  N_PROCESSES);
    for (int i = 0; i < s->n_spins; i++) {
        bool is_first = true;

        for (int k = 0; k < i; k++)
            is_first = is_first && strcmp(s->spins[k].name, s->spins[i].name) != 0;
        if (is_first)
            print_kernel(s, s->spins[i].name, out, n_decided, n_wrong);
    }
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

assay_status assay_self_check(const assay_target *target, const assay_cli *cli, FILE *out,
                              bool *is_passed)
{
    const assay_supervise_options options   = { .module_path  = target->module_path,
                                                .device_index = target->device_index,
                                                .is_cuda      = true,
                                                .can_time     = true,
                                                .cases        = cli->cases,
                                                .policy       = assay_policy_default() };
    supervisor                   *s         = calloc(1, sizeof *s);
    int                           n_decided = 0, n_wrong = 0;
    assay_status                  st = ASSAY_OK;

    *is_passed = false;
    ASSAY_REQUIRE(s, ASSAY_E_MEMORY, "no memory for the self-check");
    s->options = &options;
    s->policy  = options.policy;
    ASSAY_CHECK(ask_all(s));
    print_all(s, out, &n_decided, &n_wrong);
    *is_passed = n_decided > 0 && n_wrong == 0;
out:
    if (s) {
        assay_supervise_end_workers(s);
        free(s->spins);
    }
    free(s);
    return st;
}
